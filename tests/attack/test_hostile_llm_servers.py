"""Servers of LLMs that are broken or mean: each call ends soon, in a reply within its limits or in one of our errors."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from attack_scale import some
from hostile_server import FAULTS, KEY, Fault, HostileServer

from policy_rag.errors import ModelError, PromptSizeError
from policy_rag.llm import factory
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.language_model import LanguageModel, Reply
from policy_rag.llm.limits import Limits
from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.llm.openai_compatible import OpenAIModel

DEADLINE_S = 0.2
SLACK_S = 4.0
"""For a loaded machine; an endless answer goes on for three times as long."""
LIMITS = Limits(DEADLINE_S, 1 << 18)
REPLY_TOKENS = 100

_CHAT = b"""{"model": "m", "message": {"role": "assistant", "content": "Leave is "}, "done": false}
{"model": "m", "message": {"role": "assistant", "content": "25 days."}, "done": false}
{"model": "m", "message": {"content": ""}, "done": true, "done_reason": "stop", "prompt_eval_count": 11, "eval_count": 5}
"""
_BRIEF = b"""{"message": {"content": "Yes"}, "done": true, "done_reason": "stop", "prompt_eval_count": 11, "eval_count": 1,
"logprobs": [{"token": "Yes", "logprob": -0.1, "top_logprobs": [{"token": "Yes", "logprob": -0.1}]}]}""".replace(
    b"\n", b""
)
_WHOLE = b"""{"choices": [{"index": 0, "message": {"content": "Leave is 25 days."}, "finish_reason": "stop", "logprobs":
{"content": [{"token": "Leave", "top_logprobs": [{"token": "Leave", "logprob": -0.1}]}]}}],
"usage": {"prompt_tokens": 11, "completion_tokens": 5}}""".replace(b"\n", b"")
_STREAM = b"""data: {"choices": [{"delta": {"role": "assistant", "content": "Leave is "}}]}
data: {"choices": [{"delta": {"content": "25 days."}, "finish_reason": "stop"}]}
data: {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5}}
data: [DONE]
"""
_ANSWERS = {
    "/api/version": b'{"version": "0.12.0"}',
    "/api/tags": b'{"models": [{"name": "llama3.2:latest", "model": "llama3.2:latest", "size": 1}]}',
    "/api/show": b'{"model_info": {"general.architecture": "llama", "llama.context_length": 8192}, "parameters": "num_ctx 4096", '
    b'"capabilities": ["completion"], "details": {}}',
    "/api/chat": _CHAT,
}


def _ollama(host: str) -> LanguageModel:
    server = OllamaServer(f"http://{host}", timeout=DEADLINE_S, limits=LIMITS)
    return OllamaModel("llama3.2", server, timeout=DEADLINE_S, reply_tokens=REPLY_TOKENS)


def _openai(host: str) -> LanguageModel:
    url = f"http://{host}/v1"
    return OpenAIModel("m", url, api_key=KEY, timeout=DEADLINE_S, limits=LIMITS, reply_tokens=REPLY_TOKENS)


def _auto(host: str) -> Reply | None:
    resolved = resolve_llm("auto", LLMOptions(ollama_host=host, limits=LIMITS))
    assert (resolved.model is None) == ("extractive" in resolved.notice)
    assert resolved.notice.isprintable()
    return None


@dataclass(frozen=True)
class Call:
    """What is asked, where the server is hostile to it, and what an honest one answers."""

    name: str
    path: str
    ask: Callable[[str], object]
    honest: bytes | None = None


SCHEMA = {"type": "object"}
CALLS = [
    Call("version", "/api/version", lambda host: OllamaServer(f"http://{host}", timeout=DEADLINE_S).version()),
    Call("models", "/api/tags", lambda host: OllamaServer(f"http://{host}", timeout=DEADLINE_S).models()),
    Call("show", "/api/show", _ollama),
    Call("ollama chat", "/api/chat", lambda host: _ollama(host).chat("Be brief.", "Leave?")),
    Call("ollama heard", "/api/chat", lambda host: _ollama(host).chat("Be brief.", "Leave?", on_partial=str.encode)),
    Call("ollama first", "/api/chat", lambda host: _ollama(host).chat("a", "b", first_tokens=True), _BRIEF),
    Call("openai chat", "/v1/chat/completions", lambda host: _openai(host).chat("a", "b", json_schema=SCHEMA), _WHOLE),
    Call(
        "openai heard",
        "/v1/chat/completions",
        lambda host: _openai(host).chat("a", "b", on_partial=str.encode),
        _STREAM,
    ),
    Call("openai first", "/v1/chat/completions", lambda host: _openai(host).chat("a", "b", first_tokens=True), _WHOLE),
    Call("auto by its version", "/api/version", _auto),
    Call("auto by its models", "/api/tags", _auto),
]
CASES = [(fault, call, seed) for seed in range(6) for fault in FAULTS for call in CALLS]


def _answers(call: Call) -> dict[str, bytes]:
    return _ANSWERS if call.honest is None else {**_ANSWERS, call.path: call.honest}


def _reply_or_error(call: Call, host: str) -> object:
    try:
        return call.ask(host)
    except ModelError as error:
        return error


def _check_error(error: ModelError, host: str) -> None:
    said = str(error)
    assert "\n" not in said
    assert len(said) < 600
    assert KEY not in said
    assert host in said or isinstance(error, PromptSizeError)


def _check_reply(reply: Reply) -> None:
    reply.text.encode()
    assert len(reply.text) <= 12 * REPLY_TOKENS
    assert KEY not in reply.text
    assert isinstance(reply.tokens_in, int)
    assert isinstance(reply.tokens_out, int)
    assert all(0 <= share <= 1 for _, share in reply.first)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_call_ends_soon_and_in_order(fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few calls at once: most of them wait for their deadline."""
    monkeypatch.setattr(factory, "_PROBE_SECONDS", DEADLINE_S)

    def check(case: tuple[Fault, Call, int]) -> None:
        _, call, seed = case
        with HostileServer(call.path, fault, seed, _answers(call)) as server:
            began = time.monotonic()
            found = _reply_or_error(call, server.host)
            assert time.monotonic() - began < DEADLINE_S + SLACK_S, (call.name, seed)
            if isinstance(found, ModelError):
                assert not call.name.startswith("auto"), (call.name, seed)
                _check_error(found, server.host)
            elif isinstance(found, Reply):
                _check_reply(found)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(check, [case for case in some(CASES) if case[0] is fault]))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_every_call_is_answered_by_an_honest_server(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.DEADLINE_S", 20.0)
    monkeypatch.setattr(f"{__name__}.LIMITS", Limits(20.0, 1 << 18))
    with HostileServer("/nowhere", FAULTS[0], 0, _answers(call)) as server:
        found = call.ask(server.host)
        if isinstance(found, Reply):
            _check_reply(found)


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 800
