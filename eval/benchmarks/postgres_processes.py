"""An index in Postgres under several processes: readers beside writers, and ingests by several workers.

    python -m benchmarks.postgres_processes consistent postgresql://USER@HOST/DATABASE [--minutes N]
    python -m benchmarks.postgres_processes workers FOLDER postgresql://USER@HOST/DATABASE [--workers 1 2 4]

`consistent` lets two writers ingest state after state, each of its own documents, while four readers ask. All documents
of a writer say the number of its state, so an answer that shows two numbers of one writer, not all of its documents, or
an older number than what was committed before the question was asked, is not one committed state: such answers are
counted. It ends with an error where there is one. `workers` leaves a folder to so many workers and gives the seconds
from their start to the commit; the database is emptied before each. Both databases must have the tables of an index.
"""

import argparse
import datetime as dt
import hashlib
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.index import document_of, manifest_of
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.jobs.queue import hand_over
from policy_rag.records.search import SearchRequest, SearchResult
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions

_DOCUMENTS, _SECTIONS = 20, 5  # of one writer
_DIMENSION = 384
_WRITERS, _READERS = 2, 4
_DAY = dt.date(2026, 1, 1)
_SAID = re.compile(r"writer (\d+) document (\d+) state (\d+)")


class Hashed:
    """A vector a text, fixed by its words: costs next to nothing, so that the index is what is under load."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See `TextEmbedder`."""
        rows = np.stack([sum(map(_direction, text.split()), start=np.zeros(_DIMENSION)) for text in texts])
        made: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return made

    embed_queries = embed


def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).normal(size=_DIMENSION)


def state_of(writer: int, number: int) -> list[PreparedDocument]:
    """What a writer ingests: each section says whose it is, of which document and which state."""
    return [
        document_of(
            f"w{writer}-{i}",
            [f"writer {writer} document {i} state {number} clause {k} of the rules" for k in range(_SECTIONS)],
        )
        for i in range(_DOCUMENTS)
    ]


def fault_of(result: SearchResult, writer: int, committed: int) -> tuple[str, int]:
    """What is wrong with an answer on a writer's documents, "" for nothing; and the state that it shows."""
    said = [tuple(map(int, found)) for hit in result.hits for found in _SAID.findall(hit.text)]
    states = {number for who, _, number in said if who == writer}
    documents = {document for who, document, _ in said if who == writer}
    if not states:
        return ("nothing found" if committed else ""), 0
    if len(states) > 1:
        return f"a mixture of the states {sorted(states)}", 0
    (number,) = states
    if len(documents) != _DOCUMENTS:
        return f"{len(documents)} documents of {_DOCUMENTS}", number
    return (f"state {number} after {committed} was committed" if number < committed else ""), number


def _write(url: str, writer: int, seconds: float, ready: Any, committed: Any, taken: Any) -> None:
    with Index(url) as index:
        number = 0
        ready.wait()
        until = time.time() + seconds
        while time.time() < until:
            number += 1
            begun = time.perf_counter()
            index.update(state_of(writer, number), manifest_of(_DIMENSION), Hashed())
            taken.put(("write", (time.perf_counter() - begun) * 1e3, ""))
            committed[writer] = number


def _read(url: str, seconds: float, ready: Any, committed: Any, taken: Any) -> None:
    options = SearchOptions(candidates=_WRITERS * _DOCUMENTS * _SECTIONS, top_k=_WRITERS * _DOCUMENTS * _SECTIONS)
    seen = [0] * _WRITERS
    with Index(url) as index:
        searcher = Searcher(index, Hashed())
        ready.wait()
        until = time.time() + seconds
        while time.time() < until:
            known = list(committed)
            begun = time.perf_counter()
            (result,) = searcher.search_many([SearchRequest("rules of each document")], options, today=_DAY)
            milliseconds = (time.perf_counter() - begun) * 1e3
            faults = []
            for writer in range(_WRITERS):
                fault, number = fault_of(result, writer, max(known[writer], seen[writer]))
                seen[writer] = max(seen[writer], number)
                faults += [fault] if fault else []
            taken.put(("read", milliseconds, "; ".join(faults)))


def consistent(url: str, minutes: float) -> dict[str, Any]:
    """How many answers there were, and how many of them show no committed state."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([_write.__module__])  # imported once for all of them
    committed, taken = context.Array("q", _WRITERS), context.Queue()
    with Index(url) as index:
        for writer in range(_WRITERS):
            index.update(state_of(writer, 0), manifest_of(_DIMENSION), Hashed())
    seconds, ready = minutes * 60, context.Barrier(_WRITERS + _READERS)  # they start at once
    parts = [
        *(context.Process(target=_write, args=(url, i, seconds, ready, committed, taken)) for i in range(_WRITERS)),
        *(context.Process(target=_read, args=(url, seconds, ready, committed, taken)) for _ in range(_READERS)),
    ]
    for part in parts:
        part.start()
    rows: list[tuple[str, float, str]] = []
    while any(part.is_alive() for part in parts):
        with suppress(Empty):
            while True:
                rows.append(taken.get(timeout=0.2))
    return {
        "minutes": minutes,
        "ended_in_error": sum(part.exitcode != 0 for part in parts),
        "faults": Counter(fault for _, _, fault in rows if fault),
        **{
            kind: {
                "count": sum(of == kind for of, _, _ in rows),
                "ms_p50": float(np.percentile([ms for of, ms, _ in rows if of == kind], 50)),
                "ms_p95": float(np.percentile([ms for of, ms, _ in rows if of == kind], 95)),
            }
            for kind in ("read", "write")
        },
    }


def by_workers(folder: Path, address: PostgresAddress, counts: Sequence[int]) -> dict[str, Any]:
    """Seconds from the start of so many workers to the commit of all documents, and embedded texts a second."""
    from policy_rag.assistant import PolicyAssistant

    found: dict[str, Any] = {}
    for count in counts:
        with PolicyAssistant.open(address, create=True) as assistant:
            if assistant.index.documents():
                assistant.remove([document.doc_id for document in assistant.index.documents()])
            done = hand_over(assistant, address, [folder])
            call = [sys.executable, "-m", "policy_rag", "worker", "--until-empty", "--index", address.url]
            with tempfile.TemporaryFile() as said:
                begun = time.perf_counter()
                workers = [subprocess.Popen(call, stderr=said) for _ in range(count)]
                while len(assistant.index.documents()) < done.waiting:
                    if all(worker.poll() is not None for worker in workers):
                        said.seek(0)
                        raise SystemExit(said.read().decode())
                    time.sleep(0.1)
                seconds = time.perf_counter() - begun
                for worker in workers:
                    worker.wait()
            with assistant.index.reading() as db:
                texts = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
        found[str(count)] = {"seconds": seconds, "documents": done.waiting, "texts_a_second": texts / seconds}
    return found


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    states = commands.add_parser("consistent")
    workers = commands.add_parser("workers")
    workers.add_argument("folder", type=Path)
    for one in (states, workers):
        one.add_argument("address", type=PostgresAddress)
    states.add_argument("--minutes", type=float, default=10)
    workers.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    given = parser.parse_args()
    if given.command == "consistent":
        found = consistent(given.address.url, given.minutes)
    else:
        found = by_workers(given.folder, given.address, given.workers)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    if found.get("faults") or found.get("ended_in_error"):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
