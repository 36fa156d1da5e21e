"""An OpenAI-compatible server over the wire: what is sent, the key that is never shown, the faults."""

import logging
import math
from collections.abc import Iterator
from typing import Any

import pytest
from openai_server import OpenAIStandIn

from policy_rag.errors import ModelError
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.openai_compatible import OpenAIModel

KEY = "sk-very-secret-0123456789"


@pytest.fixture
def server() -> Iterator[OpenAIStandIn]:
    with OpenAIStandIn() as running:
        yield running


def test_a_chat_asks_for_what_was_set_and_gives_what_came(server: OpenAIStandIn) -> None:
    server.reply = "<think>hm</think>25 days [1]."
    schema = {"type": "object"}
    model = OpenAIModel("qwen", server.url, api_key=KEY, temperature=0.5, seed=3)
    reply = model.chat("Be brief.", "How many days?", json_schema=schema)
    assert (reply.text, reply.tokens_in, reply.tokens_out, reply.done_reason) == ("25 days [1].", 1000, 7, "stop")
    ((headers, body),) = server.requests
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("qwen", 0.5, 3, 1024)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert body["response_format"]["json_schema"]["schema"] == schema


@pytest.mark.parametrize(
    ("known", "tried"),
    [
        (("json_schema",), ["json_schema", "json_schema"]),
        (("json_object",), ["json_schema", "json_object", "json_object"]),
        ((), ["json_schema", "json_object", None, None]),
    ],
)
def test_a_server_that_knows_another_form_of_schema_is_asked_in_its_own(
    server: OpenAIStandIn, known: tuple[str, ...], tried: list[str | None]
) -> None:
    server.reply, server.forms = '{"a": 1}', known
    model = OpenAIModel("qwen", server.url)
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    for _ in range(2):
        assert model.chat("Be brief.", "How many days?", json_schema=schema).text == '{"a": 1}'
    assert [body.get("response_format", {}).get("type") for _, body in server.requests] == tried
    heard: list[str] = []
    assert model.chat("a", "b", json_schema=schema, on_partial=heard.append).text == '{"a": 1}'
    assert heard[-1] == '{"a": 1}'


def test_an_error_that_is_not_about_the_form_is_told_at_once(server: OpenAIStandIn) -> None:
    server.status, server.error = 500, "out of memory"
    with pytest.raises(ModelError, match="HTTP 500"):
        OpenAIModel("qwen", server.url).chat("a", "b", json_schema={"type": "object"})
    assert len(server.requests) == 1


def test_without_usage_our_estimates_stand(server: OpenAIStandIn) -> None:
    server.prompt_tokens = None
    reply = OpenAIModel("qwen", server.url).chat("a", "b c")
    assert (reply.tokens_in, reply.tokens_out) == (3 + 32, 3)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"status": 401, "error": f"wrong key {KEY}"}, "refuses the key: set OPENAI_API_KEY"),
        ({"status": 404, "error": "no"}, "does not have the model qwen: see http"),
        ({"status": 500, "error": f"broken {KEY}"}, r"answered HTTP 500 \(.*broken \*\*\*.*\): see its log"),
        ({"status": 429, "error": "slow down"}, r"answered HTTP 429 \(.*slow down.*\)"),
        ({"raw": b"<html>"}, "is not the OpenAI protocol"),
        ({"raw": b"{}"}, "is not the OpenAI protocol"),
        ({"silent": True}, r"kept silent for 0\.3 s: raise the setting llm_timeout"),
        ({"prompt_tokens": 2}, "cut the prompt: it read 2 tokens of at least 6"),
    ],
)
def test_each_fault_is_one_error_without_the_key(
    server: OpenAIStandIn, fault: dict[str, Any], message: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name, value in fault.items():
        setattr(server, name, value)
    model = OpenAIModel("qwen", server.url, api_key=KEY, timeout=0.3)
    with pytest.raises(ModelError, match=message) as caught:
        model.chat("one two three", "four five six")
    assert server.url in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value) + caplog.text + repr(model)


def test_a_server_that_is_down_is_said_so(server: OpenAIStandIn) -> None:
    model = OpenAIModel("qwen", "http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1 cannot be reached"):
        model.chat("a", "b")


def test_a_prompt_that_cannot_fit_is_not_sent(server: OpenAIStandIn) -> None:
    with pytest.raises(ModelError, match="more than its window of 512 leaves"):
        OpenAIModel("qwen", server.url, context=512).chat("a", "word " * 500)
    assert server.requests == []


def test_a_password_in_the_address_is_sent_and_not_shown() -> None:
    with OpenAIStandIn(status=404) as server:
        address = server.url.replace("http://", "http://me:hunter2@")
        resolved = resolve_llm("openai/m", LLMOptions(url=address))
        assert resolved.model is not None
        with pytest.raises(ModelError) as caught:
            resolved.model.chat("Be brief.", "Hello?")
        assert server.requests
    for shown in (resolved.notice, repr(resolved.model), repr(LLMOptions(url=address)), str(caught.value)):
        assert "hunter2" not in shown
        assert "127.0.0.1" in shown


def test_the_likeliest_first_tokens_are_told_of_a_brief_reply(server: OpenAIStandIn) -> None:
    server.reply, server.first = "No", {"No": math.log(0.5), "Yes": math.log(0.25)}
    reply = OpenAIModel("qwen", server.url, seed=3).chat("Decide.", "Is it?", first_tokens=True)
    assert (reply.text, reply.tokens_in) == ("No", 1000)
    assert reply.first == (("No", pytest.approx(0.5)), ("Yes", pytest.approx(0.25)))
    ((_, body),) = server.requests
    assert (body["logprobs"], body["max_tokens"], body["seed"]) == (True, 8, 3)


def test_a_server_that_refuses_to_tell_first_tokens_is_asked_once(server: OpenAIStandIn) -> None:
    server.reply = "No"
    model = OpenAIModel("qwen", server.url)
    for _ in range(2):
        assert model.chat("Decide.", "Is it?", first_tokens=True).first == ()
    assert ["logprobs" in body for _, body in server.requests] == [True, False, False]
    server.status, server.error = 500, "out of memory"
    with pytest.raises(ModelError, match="HTTP 500"):
        model.chat("Decide.", "Is it?", first_tokens=True)
