"""A reply as it is heard while it is written: from both kinds of server, in pieces cut at awkward places."""

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ollama_server import Fault, OllamaStandIn
from openai_server import OpenAIStandIn, StreamFault

from policy_rag.errors import ModelError
from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.llm.openai_compatible import OpenAIModel
from policy_rag.llm.protocol import LanguageModel, without_thinking
from policy_rag.llm.streaming import text_so_far, without_begun

KEY = "sk-very-secret-0123456789"
REPLY = "<think>Section [1] says so.</think>Leave is 25 days [1]. Ask HR [2]."
SAID = "Leave is 25 days [1]. Ask HR [2]."
PATIENCE = 0.3

Stand = OllamaStandIn | OpenAIStandIn


@pytest.fixture(params=["ollama", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[Stand]:
    with OllamaStandIn() if request.param == "ollama" else OpenAIStandIn() as running:
        say(running, REPLY)
        yield running


def say(server: Stand, reply: str) -> None:
    if isinstance(server, OllamaStandIn):
        server.replies = [reply]
    else:
        server.reply = reply


def model_of(server: Stand, timeout: float = 20.0) -> LanguageModel:
    if isinstance(server, OllamaStandIn):
        return OllamaModel("llama3.2", OllamaServer(server.url), timeout=timeout)
    return OpenAIModel("m", server.url, api_key=KEY, timeout=timeout)


def each_word(reply: str) -> list[str]:
    return [f"{word} " for word in reply.split()]


def each_character(reply: str) -> list[str]:
    return list(reply)


def test_all_that_is_heard_begins_the_reply_and_holds_no_thinking(server: Stand) -> None:
    server.cut = each_character
    heard: list[str] = []
    reply = model_of(server).chat("Be brief.", "Leave?", on_partial=heard.append)
    assert reply.text == SAID
    assert heard[-1] == SAID
    assert all(SAID.startswith(text) for text in heard)
    assert [len(text) for text in heard] == sorted(len(text) for text in heard)
    assert len(set(heard)) > 20  # it came bit by bit


def test_a_piece_is_heard_before_the_next_one_is_sent(server: Stand) -> None:
    go_on = threading.Event()
    waited: list[bool] = []
    server.cut = lambda _: ["Leave", " is 25 days."]
    server.before_piece = lambda number: waited.append(go_on.wait(20)) if number else None
    heard: list[str] = []

    def hear(text: str) -> None:
        heard.append(text)
        go_on.set()

    model_of(server).chat("Be brief.", "Leave?", on_partial=hear)
    assert heard == ["Leave", "Leave is 25 days."]
    assert all(waited)


def test_the_reply_is_the_same_whether_somebody_listens_or_not(server: Stand) -> None:
    model = model_of(server)
    quiet, heard = model.chat("a", "b"), model.chat("a", "b", on_partial=lambda _: None)
    assert (quiet.text, quiet.tokens_in, quiet.tokens_out, quiet.done_reason) == (
        heard.text,
        heard.tokens_in,
        heard.tokens_out,
        heard.done_reason,
    )


def test_a_model_that_does_not_stop_is_stopped(server: Stand) -> None:
    server.cut = each_word
    say(server, "word " * 10_000)
    reply = model_of(server).chat("a", "b", on_partial=lambda _: None)
    assert (len(reply.text) < 49_000, reply.done_reason) == (True, "length")


@pytest.mark.parametrize("error", [BrokenPipeError("gone"), ValueError("mine"), KeyboardInterrupt()])
def test_what_a_listener_raises_is_no_fault_of_the_servers(server: Stand, error: BaseException) -> None:
    def hear(_: str) -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        model_of(server).chat("a", "b", on_partial=hear)
    assert caught.value is error


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
def test_each_fault_of_a_stream_is_one_error_without_the_key(fault: StreamFault, message: str) -> None:
    with OpenAIStandIn(fault=fault, cut=lambda _: ["Leave", " is 25 days."]) as server:
        heard: list[str] = []
        with pytest.raises(ModelError, match=message) as caught:
            model_of(server, PATIENCE).chat("a", "b", on_partial=heard.append)
        assert heard == ["Leave"]
        assert server.url in str(caught.value)
        assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "raw", "message"),
    [
        (401, None, "refuses the key"),
        (400, None, r"answered HTTP 400 \(.*no such thing.*\)"),
        (200, b"<html>", r"not the OpenAI protocol \(no reply in pieces\): check llm_url"),
    ],
)
def test_a_server_that_does_not_stream_is_said_so(status: int, raw: bytes | None, message: str) -> None:
    with OpenAIStandIn(status=status, raw=raw, error="no such thing") as server:
        with pytest.raises(ModelError, match=message):
            model_of(server).chat("a", "b", on_partial=lambda _: None)
        assert len(server.requests) == 1


def test_ollama_faults_midway_come_as_they_did(ollama: OllamaStandIn) -> None:
    ollama.fault = Fault.DROPPED_MIDWAY
    with pytest.raises(ModelError, match="dropped the connection"):
        model_of(ollama).chat("a", "b", on_partial=lambda _: None)


def test_tokens_are_the_servers_where_it_counts_a_stream_and_estimates_else() -> None:
    with OpenAIStandIn(reply="Leave is 25 days.") as server:
        counted = model_of(server).chat("a", "b c", on_partial=lambda _: None)
        assert (counted.tokens_in, counted.tokens_out) == (1000, 7)
        assert server.requests[0][1]["stream_options"] == {"include_usage": True}
        server.fault = StreamFault.USAGE_REFUSED
        estimated = model_of(server).chat("a", "b c", on_partial=lambda _: None)
    assert (estimated.text, estimated.tokens_in, estimated.tokens_out) == ("Leave is 25 days.", 3 + 32, 7)
    assert [("stream_options" in body) for _, body in server.requests] == [True, True, False]


def test_a_key_that_a_server_says_back_is_never_heard_whole_or_in_part() -> None:
    with OpenAIStandIn(reply=f"Use {KEY} for it.", cut=each_character) as server:
        heard: list[str] = []
        reply = model_of(server).chat("a", "b", on_partial=heard.append)
    assert reply.text == heard[-1] == "Use *** for it."
    assert all("Use *** for it.".startswith(text) for text in heard)


TAGS = ["<think>", "</think>", "<Thinking>", "</thinking>", "<thought>", "</thought>", "<", "</", "th", "ink>"]


@given(st.lists(st.sampled_from([*TAGS, "a", "b ", " c", "\n"]), max_size=12).map("".join))
@example("a <think>b</think> c")
@example("<thought>b<")
def test_what_is_heard_begins_what_is_heard_later_unless_all_was_thinking(reply: str) -> None:
    cuts = [text_so_far(reply[:end]) for end in range(len(reply) + 1)]
    for end, (before, after) in enumerate(pairwise(cuts), 1):
        assert after.startswith(before) or reply[:end].endswith(">"), reply[:end]
    whole = without_thinking(reply)
    assert whole.startswith(cuts[-1])
    assert not any("<think>" in cut.lower() for cut in cuts)


@given(st.text("abcAB ", max_size=12), st.sampled_from(["abc", "aab", "b", ""]))
def test_only_the_beginning_of_a_secret_is_held_back(text: str, whole: str) -> None:
    kept = without_begun(text, whole)
    held = text[len(kept) :]
    assert text == kept + held
    assert not held or (whole.startswith(held.lower()) and len(held) < len(whole))
    longer: Callable[[int], bool] = lambda n: n < len(whole) and text[-n:].lower() == whole[:n]  # noqa: E731
    assert not any(longer(n) for n in range(len(held) + 1, len(text) + 1))
