"""What the service carries: users who ask at once, against the library called in a loop, and streams that are left.

    python -m benchmarks.service DATASET --index DIR [--users N] [--seconds S] [--rounds N] [--workers N] [--aborted N]

The data set's documents are taken into an index first, unless DIR holds one. `policy-rag serve --llm extractive` runs
in processes of its own, and this one is its users: each asks the next of the data set's questions, again and again,
without a pause. After them the library answers the same questions, as often and in the same order, in a loop in this
process, alone: what is remembered of a question that comes again helps both alike. Each answers one question first,
unmeasured, which loads its models. On a machine that does other work too, --rounds has them take turns, so that it hits
both; the processor's time for a question, which is told beside, hardly depends on it. Then streams are begun and left:
most before anything came, some after their first piece. Memory is that of all the service's processes.
"""

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import httpx

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import PolicyRagError, UsageError

_START_SECONDS = 120
_PATIENCE_SECONDS = 300
_SAMPLES = 10  # of memory, over the load
_MEGABYTE = 1024
_LOOK_SECONDS = 0.5
_QUIET_LOOKS = 4
_MOST_LOOKS = 120
_QUIET_SECONDS = 6  # uvicorn closes what is idle after five seconds
_AT_ONCE = 16
_HEARD = 10  # one stream in so many is heard until its first piece
_LEFT_AFTER = tuple(0.02 * i for i in range(1, 26))  # seconds; the others


@dataclass(frozen=True, slots=True)
class Load:
    """Users who ask at once.

    Attributes:
        took: seconds of each question that was answered.
        errors: that were not, by what came instead.
        seconds: that they asked for.
        cpu_seconds: that processors worked for them.
        megabytes: resident memory of the service over that time, first to last.
    """

    took: tuple[float, ...]
    errors: Mapping[str, int]
    seconds: float
    cpu_seconds: float
    megabytes: tuple[int, ...]

    @property
    def rate(self) -> float:
        """Questions a second."""
        return len(self.took) / self.seconds

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of processors for a question."""
        return 1000 * self.cpu_seconds / len(self.took)

    def percentile(self, share: float) -> float:
        """Seconds that this share of the questions did not exceed."""
        ordered = sorted(self.took)
        return ordered[int(share * (len(ordered) - 1))]


def together(loads: Sequence[Load]) -> Load:
    """Loads one after the other as one."""
    errors = sum((Counter(one.errors) for one in loads), Counter[str]())
    return Load(
        tuple(seconds for one in loads for seconds in one.took),
        errors,
        sum(one.seconds for one in loads),
        sum(one.cpu_seconds for one in loads),
        tuple(megabytes for one in loads for megabytes in one.megabytes),
    )


@dataclass(frozen=True, slots=True)
class Left:
    """Streams that were begun and left: what the service holds before and after.

    Attributes:
        streams: how many.
        files: open files and sockets.
        threads: of all its processes.
        megabytes: resident memory.
        under_way: questions that are still worked on or wait, after.
    """

    streams: int
    files: tuple[int, int]
    threads: tuple[int, int]
    megabytes: tuple[int, int]
    under_way: float


def questions_of(dataset: Path) -> list[str]:
    """The questions of a data set.

    Raises:
        UsageError: there are none.
    """
    file = dataset / "queries.jsonl"
    if not file.is_file():
        raise UsageError(f"{dataset} has no queries.jsonl: name the folder of a data set")
    return [json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def library_load(assistant: PolicyAssistant, questions: Iterable[str]) -> Load:
    """The library in a loop over all questions, as a load of one user."""
    began, cpu, took = time.perf_counter(), time.process_time(), list[float]()
    for question in questions:
        at = time.perf_counter()
        assistant.ask(question)
        took.append(time.perf_counter() - at)
    return Load(tuple(took), {}, time.perf_counter() - began, time.process_time() - cpu, ())


@contextmanager
def serving(index: Path, state: Path, workers: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """The service in processes of its own: its address, and the first of them.

    Raises:
        PolicyRagError: it does not start.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["serve", "--index", index, "--state", state, "--port", port, "--workers", workers]
    with (state / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "policy_rag", *map(str, command), "--no-auth", "--no-worker", "--llm", "extractive"],
            stderr=log,
        )
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, timeout=60) as client:  # one: each reads certificates, beside what starts
            for _ in range(_START_SECONDS * 10):
                if process.poll() is not None:
                    raise PolicyRagError(f"the service ended: {(state / 'log').read_text()[-500:]}")
                try:
                    if client.get("/api/v1/readiness").status_code == httpx.codes.OK:
                        break
                except httpx.TransportError:
                    pass
                time.sleep(0.1)
        yield url, process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


async def load(url: str, pid: int, questions: Iterator[str], users: int, seconds: float) -> Load:
    """Users who each ask one question after the other, always the next that nobody asked yet.

    Raises:
        PolicyRagError: not one was answered.
    """
    took: list[float] = []
    errors = Counter[str]()
    seen: list[int] = []

    async def user(client: httpx.AsyncClient, end: float) -> None:
        while time.perf_counter() < end:
            began = time.perf_counter()
            try:
                reply = await client.post("/api/v1/ask", json={"question": next(questions)})
                said = "" if reply.status_code == httpx.codes.OK else str(reply.status_code)
            except httpx.TransportError as error:
                said = type(error).__name__
            if said:
                errors[said] += 1
            else:
                took.append(time.perf_counter() - began)

    async def memory() -> None:
        for _ in range(_SAMPLES):
            await asyncio.sleep(seconds / _SAMPLES)
            seen.append(_held(pid)[2])

    limits = httpx.Limits(max_connections=users)
    async with httpx.AsyncClient(base_url=url, timeout=_PATIENCE_SECONDS, limits=limits) as client:
        began, cpu = time.perf_counter(), _cpu_seconds(pid)
        await asyncio.gather(memory(), *(user(client, began + seconds) for _ in range(users)))
        lasted, cpu = time.perf_counter() - began, _cpu_seconds(pid) - cpu
    if not took:
        raise PolicyRagError(f"the service answered nothing in {seconds:.0f} s ({errors}): give it more --seconds")
    return Load(tuple(took), errors, lasted, cpu, tuple(seen))


async def leave(url: str, pid: int, questions: Sequence[str], streams: int) -> Left:
    """Begins streams, a few at a time, and leaves each, at some step of its answer or after its first piece."""
    few = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, client: httpx.AsyncClient) -> None:
        body = {"question": questions[number % len(questions)]}
        patience = None if number % _HEARD == 0 else _LEFT_AFTER[number % len(_LEFT_AFTER)]
        async with few:
            with suppress(TimeoutError):
                async with (
                    asyncio.timeout(patience),
                    client.stream("POST", "/api/v1/ask", json=body, headers={"Accept": "text/event-stream"}) as got,
                ):
                    async for _ in got.aiter_raw():
                        break

    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        # What is made once is made by now.
        await asyncio.gather(*(one(number, client) for number in range(2 * _AT_ONCE)))
    before, _ = await _quiet(url, pid)
    async with httpx.AsyncClient(base_url=url, timeout=120) as client:
        await asyncio.gather(*(one(number, client) for number in range(streams)))
    after, under_way = await _quiet(url, pid)
    files, threads, megabytes = zip(before, after, strict=True)
    return Left(streams, files, threads, megabytes, under_way)


async def _quiet(url: str, pid: int) -> tuple[tuple[int, int, int], float]:
    """What the service holds once nothing is under way, or after a minute; and what then still is."""
    # One look is not enough: a stream that was left may reach the service after it.
    looks = [await _under_way(url)]
    while len(looks) < _MOST_LOOKS and (len(looks) < _QUIET_LOOKS or any(looks[-_QUIET_LOOKS:])):
        await asyncio.sleep(_LOOK_SECONDS)
        looks.append(await _under_way(url))
    await asyncio.sleep(_QUIET_SECONDS)
    return _held(pid), max(looks[-_QUIET_LOOKS:])


async def _under_way(url: str) -> float:
    async with httpx.AsyncClient(timeout=60) as client:
        text = (await client.get(f"{url}/metrics")).text
    names = ("policy_rag_questions_waiting ", "policy_rag_questions_in_progress ")
    return sum(float(line.split()[1]) for line in text.splitlines() if line.startswith(names))


def _held(pid: int) -> tuple[int, int, int]:
    """Open files, threads and megabytes of a process and those that it started."""
    files = threads = kilobytes = 0
    for one in _family(pid):
        try:
            status = dict(line.split(":", 1) for line in Path(f"/proc/{one}/status").read_text().splitlines())
            files += sum(1 for _ in Path(f"/proc/{one}/fd").iterdir())
        except OSError:
            continue
        threads += int(status["Threads"])
        kilobytes += int(status["VmRSS"].split()[0])
    return files, threads, kilobytes // _MEGABYTE


def _cpu_seconds(pid: int) -> float:
    """Seconds that processors worked for a process and those that it started."""
    ticks = 0
    for one in _family(pid):
        said = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(said[11]) + int(said[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [pid, *(one for child in children for one in _family(int(child)))]


def main(arguments: Sequence[str]) -> int:
    """Prints what was measured; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--aborted", type=int, default=1000)
    given = parser.parse_args(arguments)
    questions = questions_of(given.dataset)
    asked, asked_of_service = cycle(questions), cycle(questions)
    with PolicyAssistant.open(given.index, create=True, llm="extractive") as assistant:
        if not assistant.documents():
            assistant.ingest([given.dataset / "documents"])
        library_load(assistant, questions[-1:])
        with tempfile.TemporaryDirectory() as state, serving(given.index, Path(state), given.workers) as served:
            url, process = served
            httpx.post(f"{url}/api/v1/ask", json={"question": questions[-1]}, timeout=_PATIENCE_SECONDS)
            library, served_loads = list[Load](), list[Load]()
            for _ in range(given.rounds):
                turn = given.seconds / given.rounds
                served_loads.append(asyncio.run(load(url, process.pid, asked_of_service, given.users, turn)))
                library.append(library_load(assistant, islice(asked, len(served_loads[-1].took))))
            left = asyncio.run(leave(url, process.pid, questions, given.aborted))
    loaded = together(served_loads)
    sys.stdout.write(_said(given.users, library, loaded, left) + "\n")
    return 1 if loaded.errors else 0


def _said(users: int, library: Sequence[Load], loaded: Load, left: Left) -> str:
    alone, rates = together(library), ", ".join(f"{one.rate:.2f}" for one in library)
    errors = ", ".join(f"{count} {what}" for what, count in loaded.errors.items()) or "none"
    held = {"open files": left.files, "threads": left.threads, "megabytes": left.megabytes}
    return "\n".join(
        [
            f"{users} users: {len(loaded.took)} questions, {loaded.rate:.2f} a second",
            f"the same in a loop by the library: {alone.rate:.2f} a second ({rates})",
            f"the service carries {loaded.rate / alone.rate:.0%} of that",
            f"processor time of a question: {alone.cpu_ms:.0f} ms in the library, {loaded.cpu_ms:.0f} in the service",
            f"a question took {loaded.percentile(0.5):.1f} s (p95 {loaded.percentile(0.95):.1f} s), errors: {errors}",
            f"memory over {loaded.seconds:.0f} s: {', '.join(map(str, loaded.megabytes))} MB",
            f"{left.streams} streams left, {left.under_way:.0f} under way after that",
            *(f"{name} {one} to {other}" for name, (one, other) in held.items()),
        ]
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
