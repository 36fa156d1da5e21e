"""Models of both kinds of server, over the wire: what is asked, what is given, and each fault as one clear error."""

import logging
import math
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from ollama_server import Fault, OllamaStandIn
from openai_server import OpenAIStandIn, StreamFault

from policy_rag.errors import ModelError, PromptSizeError, UnansweredError
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.ollama import OllamaModel, OllamaServer, find_model
from policy_rag.llm.openai_compatible import OpenAIModel
from policy_rag.llm.server import ServerModel

KEY = "sk-very-secret-0123456789"
REPLY = "<think>Section [1] says so.</think>Leave is 25 days [1]. Ask HR [2]."
SAID = "Leave is 25 days [1]. Ask HR [2]."
SCHEMA = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
# Only the silent faults wait this long; all else has the default, however busy the machine.
PATIENCE = 0.3


class Ollama:
    def __init__(self) -> None:
        self.stand_in = OllamaStandIn()

    def say(self, reply: str) -> None:
        self.stand_in.replies = [reply]

    def model(self, **options: Any) -> ServerModel:
        return OllamaModel("llama3.2", OllamaServer(self.stand_in.url), **options)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return self.stand_in.chats

    def fail(self) -> None:
        self.stand_in.fault = Fault.HTTP_500


class OpenAI:
    def __init__(self) -> None:
        self.stand_in = OpenAIStandIn()

    def say(self, reply: str) -> None:
        self.stand_in.reply = reply

    def model(self, **options: Any) -> ServerModel:
        return OpenAIModel("qwen", self.stand_in.url, api_key=KEY, **options)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [body for _, body in self.stand_in.requests]

    def fail(self) -> None:
        self.stand_in.status, self.stand_in.error = 500, "out of memory"


Server = Ollama | OpenAI


@pytest.fixture(params=[Ollama, OpenAI])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    made: Server = request.param()
    made.say(REPLY)
    with made.stand_in:
        yield made


@pytest.fixture
def openai() -> Iterator[OpenAI]:
    made = OpenAI()
    with made.stand_in:
        yield made


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- what holds of every server ---------------------------------------------------------------------------------


def test_a_chat_asks_for_what_was_set_and_gives_what_came(server: Server) -> None:
    model = server.model(temperature=0.25, seed=7, context=4096, reply_tokens=99)
    reply = model.chat("Be brief.", "How many days?", json_schema=SCHEMA)
    assert (reply.text, reply.done_reason) == (SAID, "stop")
    assert reply.tokens_in > 0
    assert reply.ms > 0
    (body,) = server.bodies
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How many days?"},
    ]
    if isinstance(server, Ollama):
        assert body["options"] == {"temperature": 0.25, "num_ctx": 4096, "seed": 7, "num_predict": 99}
        assert (body["stream"], body["format"], "think" in body) == (True, SCHEMA, False)
        assert reply.tokens_in == (len("Be brief.") + len("How many days?")) // 4
    else:
        assert (body["temperature"], body["seed"], body["max_tokens"], body["model"]) == (0.25, 7, 99, "qwen")
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
        assert (reply.tokens_in, reply.tokens_out) == (1000, 7)
        assert server.stand_in.requests[0][0]["Authorization"] == f"Bearer {KEY}"


def test_each_partial_text_begins_the_reply_and_holds_no_thinking(server: Server) -> None:
    server.stand_in.cut = list
    model, texts = server.model(), list[str]()
    streamed = model.chat("Be brief.", "Leave?", on_partial=texts.append)
    whole = model.chat("Be brief.", "Leave?")
    assert replace(streamed, ms=0.0) == replace(whole, ms=0.0)
    assert streamed.text == texts[-1] == SAID
    assert all(SAID.startswith(text) for text in texts)
    assert [len(text) for text in texts] == sorted(len(text) for text in texts)
    assert len(set(texts)) > 20  # it came bit by bit


def test_a_piece_is_given_before_the_next_one_is_sent(server: Server) -> None:
    go_on = threading.Event()
    waited: list[bool] = []
    server.stand_in.cut = lambda _: ["Leave", " is 25 days."]
    server.stand_in.before_piece = lambda number: waited.append(go_on.wait(20)) if number else None
    texts: list[str] = []

    def on_partial(text: str) -> None:
        texts.append(text)
        go_on.set()

    server.model().chat("Be brief.", "Leave?", on_partial=on_partial)
    assert texts == ["Leave", "Leave is 25 days."]
    assert all(waited)


@pytest.mark.parametrize("error", [BrokenPipeError("gone"), ValueError("mine"), KeyboardInterrupt()])
def test_what_a_callback_raises_is_no_fault_of_the_servers(server: Server, error: BaseException) -> None:
    def on_partial(_: str) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        server.model().chat("a", "b", on_partial=on_partial)
    assert caught.value is error


def test_a_model_that_does_not_stop_is_stopped(server: Server) -> None:
    server.stand_in.cut = lambda reply: [f"{word} " for word in reply.split()]
    server.say("word " * 500)
    reply = server.model(reply_tokens=20).chat("a", "b", on_partial=lambda _: None)
    assert (len(reply.text) <= 12 * 20, reply.done_reason) == (True, "length")


def test_a_prompt_that_cannot_fit_is_not_sent(server: Server) -> None:
    with pytest.raises(
        PromptSizeError, match=r"has about 1533 tokens, more than its window of 1000 leaves.*llm_context"
    ):
        server.model(context=1000).chat("a", "word " * 1500)
    assert server.bodies == []


def test_a_prompt_that_the_server_cut_is_an_error(server: Server) -> None:
    server.stand_in.prompt_tokens = 99
    with pytest.raises(PromptSizeError, match="cut the prompt: it read 99 tokens of at least 101"):
        server.model().chat("a", "word " * 100)
    server.stand_in.prompt_tokens = 101
    assert server.model().chat("a", "word " * 100).tokens_in == 101


def test_the_likeliest_first_tokens_are_given_of_a_brief_reply(server: Server) -> None:
    server.say("Yes")
    likely = {"Yes": math.log(0.75), "No": math.log(0.25)}
    server.stand_in.first = (lambda _: likely) if isinstance(server, Ollama) else likely  # type: ignore[assignment]
    reply = server.model(context=4096, seed=3).chat("Decide.", "Is it?", first_tokens=True)
    assert reply.text == "Yes"
    assert reply.first == (("Yes", pytest.approx(0.75)), ("No", pytest.approx(0.25)))
    (body,) = server.bodies
    assert body["logprobs"] is True
    if isinstance(server, Ollama):
        # The same window as for answers, or the server would load the model anew for each.
        assert body["options"] == {"temperature": 0.0, "seed": 3, "num_ctx": 4096, "num_predict": 8}
    else:
        assert (body["max_tokens"], body["seed"]) == (8, 3)


def test_a_server_without_first_tokens_gives_the_reply_alone_and_is_asked_for_them_once(server: Server) -> None:
    server.say("No.")
    model = server.model()
    for _ in range(2):
        reply = model.chat("Decide.", "Is it?", first_tokens=True)
        assert (reply.text, reply.first) == ("No.", ())
    assert len(server.bodies) == (2 if isinstance(server, Ollama) else 3)
    server.fail()
    with pytest.raises(UnansweredError, match="HTTP 500"):
        model.chat("Decide.", "Is it?", first_tokens=True)


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    assert server.model().chat("a", "b").text == SAID


# --- faults -----------------------------------------------------------------------------------------------------


def patience(silent: bool) -> dict[str, float]:
    return {"timeout": PATIENCE} if silent else {}


OLLAMA_FAULTS = {
    Fault.HTTP_500: r"answered HTTP 500 \(llama runner process has terminated\).*`ollama run llama3\.2`",
    Fault.SLOW_FIRST_TOKEN: r"kept silent for too long with llama3\.2: the model may still be loading.*llm_timeout",
    Fault.SLOW_LATER_TOKEN: r"kept silent for too long with llama3\.2",
    Fault.DROPPED_MIDWAY: r"dropped the connection \(.+\): see its log",
    Fault.ENDS_EARLY: r"dropped the connection \(the reply has no end\)",
    Fault.MALFORMED_LINE: r"answered what is not Ollama's protocol \(.+\): check OLLAMA_HOST",
    Fault.ERROR_LINE: r"answered an error \(an error was encountered while running the model\)",
}


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.name)
def test_each_fault_of_ollama_is_one_error_that_names_it(ollama: OllamaStandIn, fault: Fault) -> None:
    ollama.fault = fault
    model = OllamaModel("llama3.2", OllamaServer(ollama.url), **patience("silent" in OLLAMA_FAULTS[fault]))
    with pytest.raises(UnansweredError, match=OLLAMA_FAULTS[fault]) as caught:
        model.chat("Be brief.", "How many days of leave are there?", on_partial=lambda _: None)
    assert ollama.url in str(caught.value)
    assert "\n" not in str(caught.value)
    ollama.fault = None
    assert model.chat("Be brief.", "How many days of leave are there?").text == "Nothing."


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ({"status": 401, "error": f"wrong key {KEY}"}, ModelError, "refuses the key: set OPENAI_API_KEY"),
        ({"status": 404, "error": "no"}, ModelError, "does not have the model qwen: see http"),
        ({"status": 400, "error": "no such"}, ModelError, r"answered HTTP 400 \(.*no such.*\)"),
        ({"status": 500, "error": f"broken {KEY}"}, UnansweredError, r"HTTP 500 \(.*broken \*\*\*.*\): see its log"),
        ({"status": 429, "error": "slow down"}, UnansweredError, r"answered HTTP 429 \(.*slow down.*\)"),
        ({"raw": b"<html>"}, UnansweredError, "is not the OpenAI protocol"),
        ({"raw": b"{}"}, UnansweredError, "is not the OpenAI protocol"),
        ({"silent": True}, UnansweredError, r"kept silent for 0\.3 s: raise the setting llm_timeout"),
        ({"prompt_tokens": 2}, PromptSizeError, "cut the prompt: it read 2 tokens of at least 6"),
    ],
)
def test_each_fault_of_an_openai_server_is_one_error_without_the_key(
    openai: OpenAI,
    fault: dict[str, Any],
    kind: type[ModelError],
    message: str,
    streamed: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    for name, value in fault.items():
        setattr(openai.stand_in, name, value)
    model = openai.model(**patience("silent" in fault))
    with pytest.raises(kind, match=message) as caught:
        model.chat("one two three", "four five six", on_partial=(lambda _: None) if streamed else None)
    assert type(caught.value) is kind
    assert openai.stand_in.url in str(caught.value)
    assert "\n" not in str(caught.value)
    assert KEY not in str(caught.value) + caplog.text + repr(model)
    assert len(openai.bodies) == 1


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (StreamFault.SILENT, r"kept silent for 0\.3 s: raise the setting llm_timeout"),
        (StreamFault.DROPPED, "cannot be reached or dropped the connection"),
        (StreamFault.ENDS_EARLY, "cannot be reached or dropped the connection"),
        (StreamFault.MALFORMED, "answered what is not the OpenAI protocol"),
        (StreamFault.ERROR, r"answered an error \(the model has run out of memory\): see its log"),
    ],
)
def test_each_fault_midway_comes_after_what_was_given(openai: OpenAI, fault: StreamFault, message: str) -> None:
    openai.stand_in.fault, openai.stand_in.cut = fault, lambda _: ["Leave", " is 25 days."]
    texts: list[str] = []
    with pytest.raises(UnansweredError, match=message):
        openai.model(**patience(fault is StreamFault.SILENT)).chat("a", "b", on_partial=texts.append)
    assert texts == ["Leave"]


def test_a_server_that_is_down_is_said_so(server: Server) -> None:
    model = server.model()
    model._server.url = model._server.shown = f"http://127.0.0.1:{free_port()}"
    with pytest.raises(UnansweredError, match=rf"{model._server.shown} cannot be reached"):
        model.chat("a", "b")


# --- Ollama alone -----------------------------------------------------------------------------------------------


def test_the_window_is_the_smaller_of_the_models_and_the_setting(ollama: OllamaStandIn) -> None:
    def window(**options: int) -> tuple[int, int]:
        model = OllamaModel("llama3.2", OllamaServer(ollama.url), **options)  # type: ignore[arg-type]
        return model.context_window, model.reply_tokens

    ollama.context_length = 2048
    assert (window(), window(context=1000)) == ((2048, 512), (1000, 250))
    ollama.context_length, ollama.parameters = None, 'stop "<|eot|>"\nnum_ctx                        4096\ntop_p 0.9'
    assert window() == (4096, 1024)
    ollama.parameters = ""
    assert window() == (8192, 1024)


def test_thinking_is_switched_off_where_there_is_any(ollama: OllamaStandIn) -> None:
    ollama.capabilities = ["completion", "thinking"]
    OllamaModel("llama3.2", OllamaServer(ollama.url)).chat("a", "b")
    assert ollama.chats[0]["think"] is False


def test_the_first_token_is_given_more_time_than_the_next_ones(ollama: OllamaStandIn) -> None:
    model = OllamaModel("llama3.2", OllamaServer(ollama.url), timeout=2.0)
    asked: list[dict[str, float]] = []
    seen: list[Any] = []
    hooks = {"request": [lambda request: asked.append(dict(request.extensions["timeout"]))], "response": [seen.append]}
    model._server._http().event_hooks = hooks
    model.chat("a", "b")
    assert [(timeout["read"], timeout["connect"]) for timeout in asked] == [(6.0, 5.0)]
    assert [response.request.extensions["timeout"]["read"] for response in seen] == [2.0]


def test_a_model_that_is_not_there_names_the_command_that_pulls_it(ollama: OllamaStandIn) -> None:
    server = OllamaServer(ollama.url)
    with pytest.raises(ModelError, match=r"does not have the model mistral: run `ollama pull mistral`"):
        OllamaModel("mistral", server)
    model = OllamaModel("llama3.2", server)
    ollama.models.clear()  # removed while we hold it
    with pytest.raises(ModelError, match=r"run `ollama pull llama3\.2`"):
        model.chat("a", "b")


@pytest.mark.parametrize("body", [b"<html>a proxy's page</html>", b"[]", b'{"models": 3}', b"{}"])
def test_what_speaks_another_protocol_or_is_down_is_said_so(ollama: OllamaStandIn, body: bytes) -> None:
    ollama.raw = {"/api/version": body, "/api/tags": body}
    server, down = OllamaServer(ollama.url), OllamaServer(f"http://127.0.0.1:{free_port()}")
    calls: list[Callable[[OllamaServer], object]] = [OllamaServer.version, OllamaServer.models]
    for call in calls:
        with pytest.raises(ModelError, match="answered what is not Ollama's protocol"):
            call(server)
        with pytest.raises(ModelError, match=rf"{down.url} cannot be reached: start it with `ollama serve`"):
            call(down)


def test_models_are_found_with_and_without_tag() -> None:
    assert find_model("llama3.2", ["llama3.2:latest", "llama3.2:1b"]) == "llama3.2"
    assert find_model("llama3.2", ["llama3.2:3b", "llama3.2:1b"]) == "llama3.2:1b"
    assert find_model("llama3.2:3b", ["llama3.2:3b"]) == "llama3.2:3b"
    assert find_model("llama3.2:3b", ["llama3.2:1b"]) is None
    assert find_model("llama3", ["llama3.2:latest"]) is None


# --- OpenAI-compatible servers alone ----------------------------------------------------------------------------


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("known", "tried"),
    [
        (("json_schema",), ["json_schema", "json_schema"]),
        (("json_object",), ["json_schema", "json_object", "json_object"]),
        ((), ["json_schema", "json_object", None, None]),
    ],
)
def test_a_server_that_knows_another_form_of_schema_is_asked_in_its_own(
    openai: OpenAI, known: tuple[str, ...], tried: list[str | None], streamed: bool
) -> None:
    openai.say('{"ok": true}')
    openai.stand_in.forms = known
    model = openai.model()
    for _ in range(2):
        on_partial = (lambda _: None) if streamed else None
        assert model.chat("a", "b", json_schema=SCHEMA, on_partial=on_partial).text == '{"ok": true}'
    assert [body.get("response_format", {}).get("type") for body in openai.bodies] == tried


def test_tokens_are_the_servers_where_it_counts_and_estimates_else(openai: OpenAI) -> None:
    openai.say("Leave is 25 days.")
    model = openai.model()
    assert model.chat("a", "b c", on_partial=lambda _: None).tokens_in == 1000
    openai.stand_in.fault = StreamFault.USAGE_REFUSED
    streamed = model.chat("a", "b c", on_partial=lambda _: None)
    assert [("stream_options" in body) for body in openai.bodies] == [True, True, False]
    openai.stand_in.prompt_tokens = None
    whole = model.chat("a", "b c")
    assert (streamed.tokens_in, streamed.tokens_out) == (whole.tokens_in, whole.tokens_out) == (3 + 32, 7)


def test_a_key_that_a_server_says_back_is_never_given_whole_or_in_part(openai: OpenAI) -> None:
    openai.say(f"Use {KEY} for it.")
    openai.stand_in.cut = list
    texts: list[str] = []
    reply = openai.model().chat("a", "b", on_partial=texts.append)
    assert reply.text == texts[-1] == openai.model().chat("a", "b").text == "Use *** for it."
    assert all("Use *** for it.".startswith(text) for text in texts)


def test_a_password_in_the_address_is_sent_and_not_shown() -> None:
    with OpenAIStandIn(status=404) as server:
        address = server.url.replace("http://", "http://me:hunter2@")
        resolved = resolve_llm("openai/m", LLMOptions(url=address))
        assert resolved.model is not None
        with pytest.raises(ModelError) as caught:
            resolved.model.chat("Be brief.", "Hello?")
        assert server.requests[0][0]["Authorization"].startswith("Basic ")
    for shown in (resolved.notice, repr(resolved.model), repr(LLMOptions(url=address)), str(caught.value)):
        assert "hunter2" not in shown
        assert "127.0.0.1" in shown
