"""What one call may take in all, for a server that would go on for ever: which limit, and which setting raises it."""

import random
import time
from collections.abc import Iterator

import pytest
from hostile_server import HostileServer, endless_continue, endless_tokens, flooded_body, trickled_body, trickled_head

from policy_rag.errors import ModelError, UnansweredError
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.limits import Limits
from policy_rag.llm.model_options import llm_options
from policy_rag.llm.ollama import OllamaServer
from policy_rag.llm.openai_compatible import OpenAIModel
from policy_rag.settings import load_settings

CHAT = "/v1/chat/completions"


def asked(server: HostileServer, limits: Limits, *, heard: bool = False, reply_tokens: int = 20) -> str:
    model = OpenAIModel("m", f"http://{server.host}/v1", timeout=5.0, limits=limits, reply_tokens=reply_tokens)
    return model.chat("Be brief.", "Leave?", on_partial=str.encode if heard else None).text


@pytest.mark.parametrize("fault", [trickled_body, trickled_head, endless_continue])
def test_a_trickle_ends_at_the_deadline_which_names_its_setting(fault: object) -> None:
    with HostileServer(CHAT, fault, 1, {}) as server:  # type: ignore[arg-type]
        began = time.monotonic()
        with pytest.raises(
            UnansweredError, match=r"the server at http://127.*took more than 0\.3 s in all: .*llm_deadline"
        ):
            asked(server, Limits(seconds=0.3))
        assert 0.3 <= time.monotonic() - began < 4


@pytest.mark.parametrize("heard", [False, True])
def test_a_flood_ends_at_its_size_which_names_its_setting(heard: bool) -> None:
    with (
        HostileServer(CHAT, flooded_body, 0, {}) as server,
        pytest.raises(UnansweredError, match=r"sent more than 100000 bytes: raise the setting llm_reply_bytes"),
    ):
        asked(server, Limits(size=100_000), heard=heard)


@pytest.mark.parametrize("text", ["word ", "", "x"])
def test_tokens_end_where_no_more_were_asked_for(text: str) -> None:
    def tokens(_: random.Random, __: str, ___: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        while True:
            yield b'data: {"choices": [{"delta": {"content": "%s"}}]}\n\n' % text.encode()

    with HostileServer(CHAT, tokens, 0, {}) as server:
        reply = asked(server, Limits(), heard=True, reply_tokens=20)
    assert len(reply) <= 12 * 20
    assert set(reply.split()) <= {text.strip(), text * len(reply)}


def test_a_reply_in_one_piece_is_cut_likewise() -> None:
    said = b'{"choices": [{"message": {"content": "%s"}, "finish_reason": "stop"}]}' % (b"word " * 5000)
    with HostileServer("/nowhere", endless_tokens, 0, {CHAT: said}) as server:
        model = OpenAIModel("m", f"http://{server.host}/v1", reply_tokens=20)
        reply = model.chat("a", "b")
    assert (len(reply.text) <= 12 * 20, reply.done_reason) == (True, "length")


def test_a_port_that_trickles_does_not_hold_up_who_asks_for_whichever_llm_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("policy_rag.llm.factory._PROBE_SECONDS", 0.2)
    with HostileServer("/api/version", trickled_body, 1, {}) as server:
        began = time.monotonic()
        resolved = resolve_llm("auto", LLMOptions(ollama_host=server.host))
        assert time.monotonic() - began < 4
    assert resolved.model is None


def test_a_small_question_has_its_own_deadline() -> None:
    with (
        HostileServer("/api/tags", trickled_head, 0, {}) as server,
        pytest.raises(ModelError, match=r"took more than 0\.2 s in all: see its log, or use --llm extractive"),
    ):
        OllamaServer(f"http://{server.host}", timeout=0.2).models()


def test_the_limits_are_settings() -> None:
    assert llm_options(load_settings({"llm_deadline": 7, "llm_reply_bytes": 2048})).limits == Limits(7.0, 2048)
