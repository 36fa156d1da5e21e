"""Death at any moment: nothing is asked twice, and all is counted right."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from metadata_worker import extract
from ollama_server import Fault, OllamaStandIn

from policy_rag_parsers.metadata.extraction_results import Kind

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


class KillsWhenAllWait:
    """Kills the client once it has sent `after` requests and as many as it may are unanswered: all others are read."""

    def __init__(self, after: int, concurrency: int) -> None:
        self._after, self._concurrency = after, concurrency
        self.process: Future[int] = Future()
        self._seen = self._held = 0
        self._killed = False
        self._changed = threading.Condition()

    def __call__(self, _: Body) -> Fault | None:
        with self._changed:
            self._seen += 1
            if self._seen <= self._after:
                return None
            self._held += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._held >= self._concurrency, timeout=30)
            if not self._killed:
                self._killed = True
                os.kill(self.process.result(30), signal.SIGKILL)
        return Fault.DROPPED_MIDWAY


@pytest.mark.slow
def test_killed_at_any_moment_no_answered_call_is_repeated(tmp_path: Path) -> None:
    cache_file = tmp_path / "replies.sqlite"
    sections, concurrency = 120, 8
    rng = random.Random(5)
    with OllamaStandIn(reply=reply) as server:
        command = [sys.executable, str(WORKER), server.url, str(cache_file), str(sections), str(concurrency)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as worker:
            assert worker.stdin is not None
            assert worker.stdout is not None
            for after in sorted(rng.sample(range(5, 60), 3)):
                server.fault_of = kills = KillsWhenAllWait(after, concurrency)
                print(file=worker.stdin, flush=True)
                kills.process.set_result(int(worker.stdout.readline()))
                assert int(worker.stdout.readline()) == signal.SIGKILL
        server.fault_of = None
        outcome = extract(server.url, cache_file, sections, concurrency)
        answered = Counter((number(body), attempt(body)) for body in server.answered)
    # sections 3 and 103 fail after three attempts, ten others need two
    assert outcome.counts[Kind.SUMMARY].failed == 2
    assert len(answered) == 120 + 12 + 2
    assert set(answered.values()) == {1}
