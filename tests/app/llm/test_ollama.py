"""Ollama over the wire: addresses, what a model is asked, and each fault as one clear error."""

import math
import socket

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ollama._client import _parse_host
from ollama_server import Fault, OllamaStandIn

from policy_rag.errors import ModelError
from policy_rag.llm.addresses import is_loopback, ollama_url
from policy_rag.llm.ollama import OllamaModel, OllamaServer, find_model

# Generous for a loaded machine, short for a person: only the silent faults wait this long.
PATIENCE = 0.3


def model_of(server: OllamaStandIn, name: str = "llama3.2", **options: float) -> OllamaModel:
    return OllamaModel(name, OllamaServer(server.url), **options)  # type: ignore[arg-type]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@given(
    scheme=st.sampled_from(["", "http://", "https://"]),
    host=st.sampled_from(["", "1.2.3.4", "llm.example", "[::1]", "localhost"]),
    port=st.sampled_from(["", ":0", ":80", ":56789"]),
    path=st.sampled_from(["", "/", "/ollama", "/a/b/"]),
)
def test_addresses_are_read_as_by_ollamas_own_client(scheme: str, host: str, port: str, path: str) -> None:
    assume(not scheme or host + port + path)  # a lone "http://" is a host called http to it
    assert ollama_url(scheme + host + port + path) == _parse_host(scheme + host + port + path)


def test_an_address_that_is_none_is_said_so() -> None:
    with pytest.raises(ModelError, match="OLLAMA_HOST='box:port' is no address"):
        ollama_url("box:port")


def test_loopback_is_this_machine_only() -> None:
    here = ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1", "[::1]", "0.0.0.0", "::"]  # noqa: S104
    there = ["llm.example", "localhost.example", "10.0.0.1", "128.0.0.1", "fe80::1%eth0", ""]
    assert [is_loopback(host) for host in here] == [True] * len(here)
    assert [is_loopback(host) for host in there] == [False] * len(there)


def test_models_are_found_with_and_without_tag() -> None:
    assert find_model("llama3.2", ["llama3.2:latest", "llama3.2:1b"]) == "llama3.2"
    assert find_model("llama3.2", ["llama3.2:3b", "llama3.2:1b"]) == "llama3.2:1b"
    assert find_model("llama3.2:3b", ["llama3.2:3b"]) == "llama3.2:3b"
    assert find_model("llama3.2:3b", ["llama3.2:1b"]) is None
    assert find_model("llama3", ["llama3.2:latest"]) is None


def test_a_chat_asks_for_what_was_set_and_gives_what_came(ollama: OllamaStandIn) -> None:
    ollama.replies = ["You have 25 days [1]."]
    reply = model_of(ollama, temperature=0.25, seed=7, most_context=4096).chat("Be brief.", "How many days of leave?")
    assert (reply.text, reply.tokens_out, reply.done_reason) == ("You have 25 days [1].", 5, "stop")
    assert reply.tokens_in == (len("Be brief.") + len("How many days of leave?")) // 4
    (asked,) = ollama.chats
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How many days of leave?"},
    ]
    assert asked["options"] == {"temperature": 0.25, "num_ctx": 4096, "seed": 7, "num_predict": 1024}
    assert asked["stream"] is True
    assert "format" not in asked
    assert "think" not in asked


def test_a_schema_is_sent_as_the_format(ollama: OllamaStandIn) -> None:
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    ollama.replies = ['{"ok": true}']
    assert model_of(ollama).chat("a", "b", json_schema=schema).text == '{"ok": true}'
    assert ollama.chats[0]["format"] == schema


def test_the_window_is_the_smaller_of_the_models_and_the_setting(ollama: OllamaStandIn) -> None:
    ollama.context_length = 2048
    assert model_of(ollama).context_window == 2048
    assert model_of(ollama, most_context=1000).context_window == 1000
    assert model_of(ollama).reply_tokens == 512
    ollama.context_length, ollama.parameters = None, 'stop "<|eot|>"\nnum_ctx                        4096\ntop_p 0.9'
    assert model_of(ollama).context_window == 4096
    ollama.parameters = ""
    assert model_of(ollama).context_window == 8192


def test_thinking_is_switched_off_where_there_is_any_and_never_shown(ollama: OllamaStandIn) -> None:
    ollama.capabilities = ["completion", "thinking"]
    ollama.replies = ["<think>\nSection 1 [1] says 20.\n</think>\n\n25 days [1]."]
    assert model_of(ollama).chat("a", "b").text == "25 days [1]."
    assert ollama.chats[0]["think"] is False


def test_a_prompt_that_cannot_fit_is_not_sent(ollama: OllamaStandIn) -> None:
    ollama.context_length = 1000
    with pytest.raises(ModelError, match=r"has about 1533 tokens, more than its window of 1000 leaves.*llm_context"):
        model_of(ollama).chat("a", "word " * 1500)
    assert ollama.chats == []


def test_a_prompt_that_the_server_cut_is_an_error(ollama: OllamaStandIn) -> None:
    ollama.prompt_tokens = 99
    with pytest.raises(ModelError, match="cut the prompt: it read 99 tokens of at least 101"):
        model_of(ollama).chat("a", "word " * 100)
    ollama.prompt_tokens = 101
    assert model_of(ollama).chat("a", "word " * 100).tokens_in == 101


FAULTS = {
    Fault.HTTP_500: r"answered HTTP 500 \(llama runner process has terminated\).*`ollama run llama3\.2`",
    Fault.SLOW_FIRST_TOKEN: r"kept silent for too long with llama3\.2: the model may still be loading.*llm_timeout",
    Fault.SLOW_LATER_TOKEN: r"kept silent for too long with llama3\.2",
    Fault.DROPPED_MIDWAY: r"dropped the connection \(.+\): see its log",
    Fault.ENDS_EARLY: r"dropped the connection \(the reply has no end\)",
    Fault.MALFORMED_LINE: r"answered what is not Ollama's protocol \(.+\): check OLLAMA_HOST",
    Fault.ERROR_LINE: r"answered an error \(an error was encountered while running the model\)",
}


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.name)
def test_each_fault_of_a_chat_is_one_error_that_names_the_server(ollama: OllamaStandIn, fault: Fault) -> None:
    ollama.fault = fault
    model = model_of(ollama, timeout=PATIENCE)
    with pytest.raises(ModelError, match=FAULTS[fault]) as caught:
        model.chat("Be brief.", "How many days of leave are there?")
    assert ollama.url in str(caught.value)
    assert "\n" not in str(caught.value)
    ollama.fault = None
    assert model.chat("Be brief.", "How many days of leave are there?").text == "Nothing."


def test_the_first_token_is_given_more_time_than_the_next_ones(ollama: OllamaStandIn) -> None:
    model = model_of(ollama, timeout=2.0)
    asked: list[dict[str, float]] = []
    seen = []
    hooks = {"request": [lambda request: asked.append(dict(request.extensions["timeout"]))], "response": [seen.append]}
    model._server._http().event_hooks = hooks
    model.chat("a", "b")
    assert [(timeout["read"], timeout["connect"]) for timeout in asked] == [(6.0, 5.0)]
    assert [response.request.extensions["timeout"]["read"] for response in seen] == [2.0]


def test_a_model_that_is_not_there_names_the_command_that_pulls_it(ollama: OllamaStandIn) -> None:
    with pytest.raises(ModelError, match=r"does not have the model mistral: run `ollama pull mistral`"):
        model_of(ollama, "mistral")
    model = model_of(ollama)
    ollama.models.clear()  # removed while we hold it
    with pytest.raises(ModelError, match=r"run `ollama pull llama3\.2`"):
        model.chat("a", "b")


def test_a_server_that_is_down_names_the_command_that_starts_it(ollama: OllamaStandIn) -> None:
    server = OllamaServer(f"http://127.0.0.1:{free_port()}")
    for ask in (server.version, server.models, lambda: server.show("llama3.2")):
        with pytest.raises(ModelError, match=rf"{server.url} cannot be reached: start it with `ollama serve`"):
            ask()
    model = model_of(ollama)
    model._server = server
    with pytest.raises(ModelError, match=rf"{server.url} cannot be reached"):
        model.chat("a", "b")


@pytest.mark.parametrize("body", [b"<html>a proxy's page</html>", b"[]", b'{"models": 3}', b"{}"])
def test_what_speaks_another_protocol_is_said_so(ollama: OllamaStandIn, body: bytes) -> None:
    ollama.raw = {"/api/version": body, "/api/tags": body}
    server = OllamaServer(ollama.url)
    for ask in (server.version, server.models):
        with pytest.raises(ModelError, match="answered what is not Ollama's protocol"):
            ask()


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    ollama: OllamaStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    assert OllamaServer(ollama.url).version() == "0.12.0"
    assert model_of(ollama).chat("a", "b").text == "Nothing."


def test_the_likeliest_first_tokens_are_told_of_a_brief_reply(ollama: OllamaStandIn) -> None:
    ollama.replies, ollama.first = ["Yes"], lambda _: {"Yes": math.log(0.75), "No": math.log(0.25)}
    reply = model_of(ollama, most_context=4096, seed=3).chat("Decide.", "Is it?", first_tokens=True)
    assert reply.text == "Yes"
    assert reply.first == (("Yes", pytest.approx(0.75)), ("No", pytest.approx(0.25)))
    (body,) = ollama.chats
    assert (body["stream"], body["logprobs"]) == (False, True)
    # The same window as for answers, or the server would load the model anew for each.
    assert body["options"] == {"temperature": 0.0, "seed": 3, "num_ctx": 4096, "num_predict": 8}
    assert [message["content"] for message in body["messages"]] == ["Decide.", "Is it?"]


def test_a_server_that_knows_nothing_of_first_tokens_gives_the_reply_alone(ollama: OllamaStandIn) -> None:
    ollama.replies = ["No."]
    reply = model_of(ollama).chat("Decide.", "Is it?", first_tokens=True)
    assert (reply.text, reply.first) == ("No.", ())


def test_a_fault_in_a_brief_reply_names_the_server(ollama: OllamaStandIn) -> None:
    model = model_of(ollama)
    ollama.fault = Fault.HTTP_500
    with pytest.raises(ModelError, match="answered HTTP 500"):
        model.chat("Decide.", "Is it?", first_tokens=True)
