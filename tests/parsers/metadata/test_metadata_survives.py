"""Thousands of sections, a bad server, and death at any moment: nothing is asked twice, and all is counted right."""

import json
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from metadata_worker import documents, extract
from ollama_server import Fault, OllamaStandIn

from policy_rag_parsers.llm.reply_cache import ReplyCache
from policy_rag_parsers.metadata.llm_extractor import LlmOptions, extract_with_llm
from policy_rag_parsers.metadata.records import Kind
from policy_rag_parsers.metadata.report import Progress

WORKER = Path(__file__).parents[2] / "support" / "metadata_worker.py"
Body = dict[str, Any]


def number(body: Body) -> int:
    found = re.search(r"Rule (\d+)\.", body["messages"][-1]["content"])
    assert found
    return int(found[1])


def attempt(body: Body) -> int:
    found = re.search(r"This is attempt (\d)", body["messages"][-1]["content"])
    return int(found[1]) if found else 1


def reply(body: Body) -> str:
    """One in ten is malformed: of each hundred sections one always, nine the first time."""
    n = number(body)
    if n % 100 == 3 or (n % 10 == 3 and attempt(body) == 1):
        return ["Sure, here is a summary:", '{"summary": "it was cut', "", '{"summary": ""}', "[1, 2]"][n % 5]
    return json.dumps({"summary": f"Form {n} is handed in."})


class DropsOnce:
    """One section in fifty loses its first connection."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._lock = threading.Lock()

    def __call__(self, body: Body) -> Fault | None:
        n = number(body)
        with self._lock:
            if n % 50 != 7 or n in self._seen:
                return None
            self._seen.add(n)
        return Fault.DROPPED_MIDWAY


@pytest.mark.slow
def test_two_thousand_sections_over_a_bad_server(tmp_path: Path) -> None:
    from llama_index.llms.ollama import Ollama

    with OllamaStandIn(reply=reply, fault_of=DropsOnce()) as server, ReplyCache(tmp_path / "r.sqlite3") as cache:
        restarted: list[int] = []

        def restart(progress: Progress) -> None:
            if progress.done == 1000:
                server.restart()
                restarted.append(len(server.answered))

        llm = Ollama(model="llama3.2", base_url=server.url, context_window=4096)
        outcome = extract_with_llm(
            documents(2000),
            [Kind.SUMMARY],
            llm,
            cache=cache,
            options=LlmOptions(concurrency=8),
            on_progress=restart,
        )
        answered = Counter((number(body), attempt(body)) for body in server.answered)
        kept = len(cache)
    counts = outcome.counts[Kind.SUMMARY]
    # 200 first replies and 20 second and third ones are malformed: 2,000 + 200 + 20 answers
    assert (counts.wanted, counts.extracted, counts.failed) == (2000, 1980, 20)
    assert kept == 2220
    assert counts.asked_again == 180 + 3 * 20
    assert counts.calls == 2220 + counts.unanswered
    assert 40 <= counts.unanswered <= 40 + 8 + 8 * 6  # dropped; on the way at the restart; refused while it was down
    repeated = {key for key, times in answered.items() if times > 1}
    assert len(repeated) <= 8  # answered into a connection that the restart cut, so that nobody read it
    assert {failure.section_id for failure in outcome.failures} == {str(n) for n in range(3, 2000, 100)}
    for n, section in enumerate(outcome.documents[0].sections):
        assert section.summary == (None if n % 100 == 3 else f"Form {n} is handed in.")
    assert restarted


def start(server: OllamaStandIn, cache_file: Path, sections: int, concurrency: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(WORKER), server.url, str(cache_file), str(sections), str(concurrency)]
    return subprocess.Popen(command, stderr=subprocess.PIPE)


def killed(process: subprocess.Popen[bytes]) -> int:
    with process:
        process.wait(60)
    return process.returncode


class KillsWhenAllWait:
    """Kills the client once it has sent `after` requests and as many as it may are unanswered: all others are read."""

    def __init__(self, process: Callable[[], subprocess.Popen[bytes]], after: int, concurrency: int) -> None:
        self._process, self._after, self._concurrency = process, after, concurrency
        self._seen = self._held = 0
        self._changed = threading.Condition()

    def __call__(self, _: Body) -> Fault | None:
        with self._changed:
            self._seen += 1
            if self._seen <= self._after:
                return None
            self._held += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._held >= self._concurrency, timeout=30)
            self._process().kill()
        return Fault.DROPPED_MIDWAY


@pytest.mark.slow
def test_killed_at_any_moment_no_answered_call_is_repeated(tmp_path: Path) -> None:
    cache_file = tmp_path / "replies.sqlite3"
    sections, concurrency = 120, 8
    rng = random.Random(5)
    with OllamaStandIn(reply=reply) as server:
        for after in sorted(rng.sample(range(5, 60), 3)):
            processes: list[subprocess.Popen[bytes]] = []
            server.fault_of = KillsWhenAllWait(lambda here=processes: here[0], after, concurrency)  # type: ignore[misc]
            processes.append(start(server, cache_file, sections, concurrency))
            assert killed(processes[0]) == -signal.SIGKILL
        server.fault_of = None
        outcome = extract(server.url, cache_file, sections, concurrency)
        answered = Counter((number(body), attempt(body)) for body in server.answered)
    # sections 3 and 103 fail after three attempts, ten others need two
    assert outcome.counts[Kind.SUMMARY].failed == 2
    assert len(answered) == 120 + 12 + 2
    assert set(answered.values()) == {1}
