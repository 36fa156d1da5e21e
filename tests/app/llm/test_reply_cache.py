"""Replies on disk: one call is never made twice, whatever ends a run."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from ollama_server import Fault, OllamaStandIn
from openai_server import OpenAIStandIn

from policy_rag.errors import ModelError
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.language_model import Reply
from policy_rag.llm.reply_cache import CachedModel, ReplyCache

REPLY = Reply("25 days.", 10, 3, 12.5, "stop", (("25", 0.75), ("30", 0.25)))
SCHEMA = {"type": "object"}


class Model:
    """Counts what it is asked."""

    def __init__(self, name: str = "ollama/a", context_window: int = 8192, reply_tokens: int = 512) -> None:
        self.name, self.context_window, self.reply_tokens = name, context_window, reply_tokens
        self.billions = None
        self.asked = 0

    def chat(self, system: str, user: str, **_: Any) -> Reply:
        self.asked += 1
        return Reply(f"{self.name} {self.asked}", 10, 3, 1.0, "stop")


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[ReplyCache]:
    with ReplyCache(tmp_path / "made" / "replies.sqlite") as opened:
        yield opened


def test_what_was_put_is_there_for_another_reader_at_once_and_stays(cache: ReplyCache) -> None:
    cache.put("a", REPLY)
    cache.put("a", Reply("another", 1, 1, 1.0, "stop"))
    cache.put("half", Reply("\ud83d", 1, 1, 1.0, "stop"))
    with ReplyCache(cache.file) as other:
        assert (other.get("a"), other.get("b"), len(other)) == (REPLY, None, 2)
        half = other.get("half")
        assert half is not None
        assert half.text == "?"


def test_all_that_changes_a_reply_makes_another_call(cache: ReplyCache) -> None:
    plain: dict[str, Any] = {"system": "s", "user": "u", "json_schema": SCHEMA}
    first = CachedModel(Model(), cache, shaped_by={"seed": 0})
    assert first.cached(**plain) is None
    reply = first.chat(**plain)
    assert CachedModel(Model(), cache, shaped_by={"seed": 0}).chat(**plain) == reply == first.cached(**plain)
    others = [
        (Model(), {"seed": 1}, plain),
        (Model("ollama/b"), {"seed": 0}, plain),
        (Model(context_window=4096), {"seed": 0}, plain),
        (Model(reply_tokens=99), {"seed": 0}, plain),
        (Model(), {"seed": 0}, plain | {"system": "su", "user": ""}),
        (Model(), {"seed": 0}, plain | {"json_schema": None}),
        (Model(), {"seed": 0}, plain | {"first_tokens": True}),
    ]
    for model, shaped_by, asked in others:
        CachedModel(model, cache, shaped_by=shaped_by).chat(**asked)
        assert model.asked == 1, asked
    assert len(cache) == 1 + len(others)
    assert (first.calls, first.cached_calls, first.tokens) == (1, 0, 13)


@pytest.mark.parametrize("kind", ["ollama", "openai"])
def test_a_call_that_fails_is_not_kept(kind: str, cache: ReplyCache) -> None:
    with OllamaStandIn(fault=Fault.HTTP_500) as ollama, OpenAIStandIn(status=500, error="no memory") as openai:
        options = LLMOptions(ollama_host=ollama.host, url=openai.url)
        model = resolve_llm("ollama/llama3.2" if kind == "ollama" else "openai/m", options).model
        assert model is not None
        cached = CachedModel(model, cache, shaped_by={})
        with pytest.raises(ModelError, match="HTTP 500"):
            cached.chat("s", "u")
        ollama.fault, openai.status = None, 200
        assert cached.chat("s", "u").text == cached.chat("s", "u").text == "Nothing."
        assert (cached.calls, cached.cached_calls, len(cache)) == (1, 1, 1)


def test_threads_share_one_cache(cache: ReplyCache) -> None:
    model = Model()
    cached = CachedModel(model, cache, shaped_by={})
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda n: cached.chat("s", str(n % 10)), range(40)))
    assert len(cache) == 10
    assert cached.calls + cached.cached_calls == 40


@pytest.mark.parametrize("content", [b"no database at all, but some text" * 100, None])
def test_another_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "other.sqlite"
    if content is None:
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE mine (a)")
        database.close()
    else:
        file.write_bytes(content)
    before = file.read_bytes()
    with pytest.raises(ModelError, match="remove"):
        ReplyCache(file)
    assert file.read_bytes() == before


def test_a_closed_cache_says_so_in_one_line(cache: ReplyCache) -> None:
    cache.close()
    with pytest.raises(ModelError, match=r"cannot be used \(.*closed.*\)") as caught:
        cache.get("a")
    assert "\n" not in str(caught.value)


WORKER = """
import sys
from pathlib import Path
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag.llm.reply_cache import CachedModel, ReplyCache
model = resolve_llm('ollama/llama3.2', LLMOptions(ollama_host=sys.argv[1])).model
with ReplyCache(Path(sys.argv[2])) as cache:
    cached = CachedModel(model, cache, shaped_by={})
    for number in range(5):
        cached.chat('system', f'call {number}')
    print(cached.cached_calls)
"""


def test_a_process_that_is_killed_keeps_what_was_answered(tmp_path: Path, ollama: OllamaStandIn) -> None:
    """The process dies at its third call without a chance to save anything."""
    command = [sys.executable, "-c", WORKER, ollama.host, str(tmp_path / "replies.sqlite")]
    running: list[subprocess.Popen[str]] = []

    def kills(body: dict[str, Any]) -> str:
        if len(ollama.chats) == 3:
            running[0].kill()
        return "{}"

    ollama.replies = [kills]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        running.append(process)
        process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL
    ollama.replies = ["{}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.strip() == "2"
    asked = [chat["messages"][-1]["content"] for chat in ollama.chats]
    assert asked == ["call 0", "call 1", "call 2", "call 2", "call 3", "call 4"]
