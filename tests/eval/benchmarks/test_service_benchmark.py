"""The benchmark of the service: what it counts as answered, as an error, as held, and what it does not start."""

import asyncio
import os
import subprocess
import sys
import time
from itertools import cycle

import pytest
from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, StreamingResponse
from running_service import running
from small_dataset import small_dataset

from benchmarks import service as benchmark
from policy_rag.errors import PolicyRagError, UsageError


class Answering:
    """The answering half of a service: how it is asked, and what becomes of streams that are left."""

    def __init__(self):
        self.asked, self.streams, self.ended = [], 0, 0
        self.app = FastAPI()
        self.app.post("/api/v1/ask")(self.ask)
        self.app.get("/metrics")(self.metrics)

    async def ask(self, request: Request):
        question = (await request.json())["question"]
        self.asked.append(question)
        if request.headers["accept"] == "text/event-stream":
            self.streams += 1
            return StreamingResponse(self.pieces(), media_type="text/event-stream")
        await asyncio.sleep(0.05)
        return PlainTextResponse("", 429 if question == "too many" else 200)

    async def pieces(self):
        try:
            while True:
                yield "event: text\ndata: {}\n\n"
                await asyncio.sleep(0.01)
        finally:
            self.ended += 1

    def metrics(self):
        waiting = self.streams - self.ended
        return PlainTextResponse(
            "# HELP policy_rag_questions_waiting all\n"
            f"policy_rag_questions_waiting {waiting}\npolicy_rag_questions_in_progress 0.0\nother 7\n"
        )


def test_answers_and_errors_are_counted_apart():
    service = Answering()
    with running(service.app) as url:
        found = asyncio.run(benchmark.load(url, os.getpid(), cycle(["fine", "too many"]), users=2, seconds=0.5))
    assert len(found.took) == service.asked.count("fine") > 0
    assert found.errors == {"429": service.asked.count("too many")}
    assert 0.05 <= found.percentile(0.5) <= found.percentile(0.95) <= found.seconds
    assert found.cpu_seconds > 0
    assert len(found.megabytes) == 10


def test_no_question_is_asked_twice_while_there_are_others():
    service = Answering()
    questions = [str(number) for number in range(1000)]
    with running(service.app) as url:
        asyncio.run(benchmark.load(url, os.getpid(), iter(questions), users=2, seconds=0.5))
    assert sorted(service.asked, key=int) == questions[: len(service.asked)]


def test_a_service_that_answers_nothing_is_an_error():
    with running(Answering().app) as url, pytest.raises(PolicyRagError, match=r"answered nothing.*429"):
        asyncio.run(benchmark.load(url, os.getpid(), cycle(["too many"]), users=1, seconds=0.1))


def test_streams_are_left_and_what_is_held_is_seen_after_they_ended(monkeypatch):
    monkeypatch.setattr(benchmark, "_QUIET_SECONDS", 0)
    service = Answering()
    with running(service.app) as url:
        found = asyncio.run(benchmark.leave(url, os.getpid(), ["fine"], streams=20))
    assert service.ended == service.streams >= 6, "those that are heard until their first piece, at least"
    assert (found.streams, found.under_way) == (20, 0)
    assert found.threads[1] - found.threads[0] <= 1


_MORE = "import threading, sys; files = [open('/dev/null') for _ in range(2)]; threading.Thread(target=threading.Event().wait, daemon=True).start()\n"


def held_by(program):
    """What a process of its own holds once it runs: nobody else's threads end meanwhile."""
    code = program + "print('here', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as own:
        assert own.stdout.readline() == "here\n"
        held = benchmark._held(own.pid)
        own.communicate("over\n")
    return held


def test_what_processes_hold_is_counted_with_those_that_they_started():
    files, threads, megabytes = held_by("")
    more_files, more_threads, _ = held_by(_MORE)
    assert (more_files - files, more_threads - threads) == (2, 1)
    assert megabytes > 1
    child = os.posix_spawn("/bin/sleep", ["sleep", "30"], {})
    try:
        time.sleep(0.05)
        assert child in benchmark._family(os.getpid())
        assert benchmark._held(os.getpid())[1] > benchmark._held(child)[1]
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)


def test_the_library_is_asked_all_questions_in_a_loop():
    asked = []

    class Assistant:
        def ask(self, question):
            asked.append(question)
            time.sleep(0.01)

    found = benchmark.library_load(Assistant(), iter(["a", "b", "a"]))
    assert asked == ["a", "b", "a"]
    assert len(found.took) == 3
    assert min(found.took) >= 0.01
    assert found.seconds >= 0.03


def test_turns_are_told_together():
    one = benchmark.Load((1.0, 2.0), {"429": 1}, 4.0, 3.0, (10, 11))
    other = benchmark.Load((4.0, 3.0), {"429": 2, "ReadError": 1}, 6.0, 5.0, (12,))
    found = benchmark.together([one, other])
    assert (found.rate, found.cpu_ms) == (4 / 10, 1000 * 8 / 4)
    assert (found.percentile(0), found.percentile(0.5), found.percentile(0.95), found.percentile(1)) == (1, 2, 3, 4)
    assert found.errors == {"429": 3, "ReadError": 1}
    assert found.megabytes == (10, 11, 12)


def test_questions_are_a_data_sets(tmp_path):
    assert benchmark.questions_of(small_dataset(tmp_path / "set"))[:2] == [
        "How many days of paid holiday?",
        "When is a doctor's note needed?",
    ]
    with pytest.raises(UsageError, match=r"queries\.jsonl"):
        benchmark.questions_of(tmp_path)


def test_a_service_that_ends_at_once_says_why(tmp_path):
    with (
        pytest.raises(PolicyRagError, match=r"(?s)the service ended.*there is no index"),
        benchmark.serving(tmp_path / "absent", tmp_path, 1),
    ):
        pass


@pytest.mark.slow
@pytest.mark.usefixtures("no_reranker")
def test_all_of_it_on_a_small_index(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(benchmark, "_QUIET_SECONDS", 0)
    folder = small_dataset(tmp_path / "set")
    options = ["--users", "2", "--seconds", "1", "--rounds", "2", "--aborted", "3"]
    assert benchmark.main([str(folder), "--index", str(tmp_path / "index"), *options]) == 0
    said = capsys.readouterr().out
    assert "the same in a loop by the library" in said
    assert "errors: none" in said
    assert "3 streams left, 0 under way after that" in said
