"""What metadata costs: the offline route over a data set, and the LLM route over a slow server.

    python -m benchmarks.metadata offline DATASET [--embed]
    python -m benchmarks.metadata wire [--sections N] [--milliseconds MS] [--concurrency N]

`offline` extracts every kind from the passages of a data set that hold text and gives processor time of one core, with
`--embed` beside that of embedding the same passages with the default model. `wire` asks a stand-in for Ollama on this
machine, which takes MS for every reply, once with one call at a time and once with N.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import UsageError
from policy_rag_parsers.errors import PolicyRagError
from policy_rag_parsers.metadata.extraction_results import Kind
from policy_rag_parsers.metadata.llm_extractor import ExtractionOptions, extract_with_llm
from policy_rag_parsers.metadata.rule_extractor import extract_by_rule
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class OfflineCost:
    """Seconds of processor time.

    Attributes:
        passages: how many were read.
        seconds: for all kinds together.
        by_kind: for each kind, wall-clock; what several kinds share is booked on one of them.
        embedding_seconds: for embedding the same passages; None where that was not measured.
    """

    passages: int
    seconds: float
    by_kind: dict[str, float]
    embedding_seconds: float | None


@dataclass(frozen=True, slots=True)
class WireCost:
    """Wall-clock seconds for the same sections, one call at a time and several."""

    sections: int
    milliseconds: float
    concurrency: int
    one_by_one: float
    together: float

    @property
    def times_faster(self) -> float:
        """How many times faster the concurrent run is."""
        return self.one_by_one / self.together


def measure_offline(folder: Path, *, embed: bool) -> OfflineCost:
    """Extract every kind from the passages of the data set in `folder`, and embed them where `embed` says so.

    Raises:
        PolicyRagError: the data set cannot be read.
    """
    by_document: dict[str, list[SectionText]] = {}
    for passage in read_dataset(folder).passages:
        if passage.text.strip():
            sections = by_document.setdefault(passage.doc_id or folder.name, [])
            sections.append(SectionText(passage.gold_id, passage.text, passage.title.strip()))
    documents = [SectionedDocument(doc_id, doc_id, tuple(found)) for doc_id, found in by_document.items()]
    texts = [section.text for document in documents for section in document.sections]
    before = time.process_time()
    outcome = extract_by_rule(documents, list(Kind))
    seconds = time.process_time() - before
    by_kind = {kind.value: counts.seconds for kind, counts in outcome.counts.items()}
    return OfflineCost(len(texts), seconds, by_kind, _embedding_seconds(texts) if embed else None)


def _embedding_seconds(texts: Sequence[str]) -> float:
    from policy_rag.models.factory import load_embedder

    embedder = load_embedder()
    embedder.embed(texts[:8])
    before = time.process_time()
    embedder.embed(texts)
    return time.process_time() - before


def measure_wire(sections: int, milliseconds: float, concurrency: int) -> WireCost:
    """Ask for a summary of `sections` made-up sections, with an empty cache each time."""
    from policy_rag.llm.ollama import OllamaModel, OllamaServer
    from policy_rag.llm.reply_cache import CachedModel, ReplyCache

    texts = (f"Rule {n}. Employees hand in form {n} within {n} days of the event." for n in range(sections))
    documents = [SectionedDocument("d", "D", tuple(SectionText(str(n), text) for n, text in enumerate(texts)))]

    def timed(url: str, calls: int) -> float:
        model = OllamaModel("stand-in", OllamaServer(url), context=4096)
        with tempfile.TemporaryDirectory() as folder, ReplyCache(Path(folder) / "replies.sqlite") as cache:
            llm = CachedModel(model, cache, shaped_by={})
            before = time.perf_counter()
            outcome = extract_with_llm(documents, [Kind.SUMMARY], llm, options=ExtractionOptions(concurrency=calls))
            took = time.perf_counter() - before
        if outcome.failures:
            raise PolicyRagError(f"the stand-in server failed: {outcome.failures[0].reason}; run this again")
        return took

    with _slow_server(milliseconds / 1000) as url:
        timed(url, concurrency)  # imports and the first connection are not what is measured
        return WireCost(sections, milliseconds, concurrency, timed(url, 1), timed(url, concurrency))


class _Handler(BaseHTTPRequestHandler):
    """Answers every chat with the same summary after `delay` seconds."""

    delay = 0.0

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the library's
        """Standard error is for people."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        time.sleep(self.delay)
        content = json.dumps({"summary": "Forms are handed in."})
        message = {"role": "assistant", "content": content}
        line = {"model": "stand-in", "message": message, "done": True, "done_reason": "stop", "eval_count": 8}
        payload = json.dumps(line).encode() + b"\n"
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128


@contextmanager
def _slow_server(delay: float) -> "Iterator[str]":
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"delay": delay}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _say_offline(cost: OfflineCost) -> str:
    kinds = ", ".join(f"{name} {seconds:.1f}" for name, seconds in cost.by_kind.items())
    lines = [f"{cost.passages:,} passages: {cost.seconds:.1f} s of one core for every kind (wall clock: {kinds})"]
    if cost.embedding_seconds is not None:
        share = cost.seconds / cost.embedding_seconds
        lines.append(f"embedding them: {cost.embedding_seconds:.1f} s of processor time; {share:.0%} of that")
    return "\n".join(lines)


def _say_wire(cost: WireCost) -> str:
    return (
        f"{cost.sections} sections, {cost.milliseconds:g} ms a call: {cost.one_by_one:.1f} s one by one, "
        f"{cost.together:.1f} s with {cost.concurrency} calls at a time, {cost.times_faster:.1f} times faster"
    )


def main(arguments: Sequence[str]) -> int:
    """Print what was measured; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.metadata", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    kinds = parser.add_subparsers(dest="kind", required=True)
    offline = kinds.add_parser("offline")
    offline.add_argument("dataset", type=Path)
    offline.add_argument("--embed", action="store_true")
    wire = kinds.add_parser("wire")
    wire.add_argument("--sections", type=int, default=160)
    wire.add_argument("--milliseconds", type=float, default=200.0)
    wire.add_argument("--concurrency", type=int, default=8)
    given = parser.parse_args(arguments)
    try:
        if given.kind == "offline":
            said = _say_offline(measure_offline(given.dataset, embed=given.embed))
        else:
            if given.sections < 1 or given.concurrency < 1 or given.milliseconds < 0:
                raise UsageError("--sections and --concurrency must be at least 1, --milliseconds at least 0")
            said = _say_wire(measure_wire(given.sections, given.milliseconds, given.concurrency))
    except PolicyRagError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_status
    sys.stdout.write(said + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
