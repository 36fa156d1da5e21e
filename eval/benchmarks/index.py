"""What the index costs: open time and memory, filtered search, one change of many documents, and the plain route.

    python -m benchmarks.index size [--sections N]
    python -m benchmarks.index change [--documents N]
    python -m benchmarks.index plain DATASET [--vectors FILE.npy]

`size` makes sections up, with random vectors, opens the index in a process of its own and compares its filtered vector
search with a bare FAISS search under the same selector, in processor time. `change` ingests documents with the default
embedding model and ingests them again with one changed. `plain` puts the passages of a data set into an index, and into
LlamaIndex's `StorageContext` with `FaissVectorStore` and its JSON stores; `--vectors` spares the embedding (a row a
passage that holds text, in the order of `corpus.jsonl`).
"""

import argparse
import datetime as dt
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import UsageError
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.candidates.vector_candidates import nearest_passages
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.records import Chunk, FileFormat, Passage, Section, SourceText

_DIMENSION = 384
_PER_DOCUMENT = 100
_RUNS = 30
_SHARES = {"half": 0.5, "tenth": 0.1, "hundredth": 0.01}
_WORDS = (
    "the", "of", "and", "to", "for", "with", "by", "from", "employee", "manager", "policy", "leave", "travel",
    "hotel", "train", "approval", "budget", "cost", "report", "day", "month", "year", "office", "customer",
    "supplier", "contract", "data", "privacy", "security", "device", "laptop", "phone", "account", "password",
    "access", "training", "incident", "audit", "review", "board", "director", "finance", "department", "claim",
    "receipt", "limit", "euro", "request", "form", "system", "record", "file", "copy", "archive", "term", "notice",
    "period", "salary", "bonus", "pension", "health", "safety", "accident", "visitor", "gift", "conflict",
)  # fmt: skip


class Vectors:
    """Stands for an embedding model: gives rows one after the other, normalised."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self._rows: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        self._next = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The next rows."""
        found = self._rows[self._next : self._next + len(texts)]
        self._next += len(texts)
        return found


def document_of(doc_id: str, texts: Sequence[str], department: str = "") -> PreparedDocument:
    """A document whose sections are these texts."""
    sections: list[Section] = []
    passages: list[Passage] = []
    start = 0
    for i, text in enumerate(texts):
        name, end = str(i + 1), start + len(text)
        near = (str(i) if i else None, str(i + 2) if i + 1 < len(texts) else None)
        sections.append(Section(name, name, "", 1, (doc_id, name), None, *near, start, end, start, end))
        passages.append(Passage(name, start, end, (Chunk(start, end),)))
        start = end + 1
    return PreparedDocument(
        doc_id=doc_id,
        root="",
        file=doc_id,
        title=doc_id,
        language="english",
        source=SourceText("\n".join(texts) + "\n", FileFormat.TEXT),
        declaration=Declaration(extra=(("department", department),) if department else ()),
        sections=tuple(sections),
        blocks=(),
        edges=(),
        passages=tuple(passages),
    )


def manifest_of(dimension: int) -> Manifest:
    """The settings of an index that is made of given vectors."""
    return Manifest("given", "given", dimension, "section", 256, 6000, embed_path=False, profile=None)


def size_on_disk(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def timed(call: Callable[[], object], runs: int = 1, clock: Callable[[], float] = time.perf_counter) -> float:
    """The median time of a call in seconds."""
    times = []
    for _ in range(runs):
        before = clock()
        call()
        times.append(clock() - before)
    return float(np.median(times))


# --- size ---------------------------------------------------------------------------------------------------------


def measure_size(sections: int, folder: Path) -> dict[str, Any]:
    """Makes an index of made-up sections, and measures it in a process of its own."""
    chance = np.random.default_rng(0)
    words = np.array(_WORDS)

    def documents() -> Iterable[PreparedDocument]:
        for i in range(0, sections, _PER_DOCUMENT):
            n = min(_PER_DOCUMENT, sections - i)
            texts = [f"{i + k} " + " ".join(words[chance.integers(0, len(words), 40)]) for k in range(n)]
            share = (i // _PER_DOCUMENT) / max(1, sections / _PER_DOCUMENT)
            held = " ".join(name for name, most in _SHARES.items() if share < most)
            yield document_of(f"policy {i // _PER_DOCUMENT}", texts, held.split()[-1] if held else "rest")

    rows = chance.normal(size=(sections, _DIMENSION)).astype(np.float32)
    with Index(folder, create=True) as index:
        made = timed(lambda: index.update(list(documents()), manifest_of(_DIMENSION), Vectors(rows)))
    found: dict[str, Any] = json.loads(
        subprocess.run(
            [sys.executable, "-m", __spec__.name if __spec__ else __name__, "opened", str(folder)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    )
    return {"sections": sections, "made_seconds": made, "megabytes_on_disk": size_on_disk(folder) / 1e6, **found}


def _memory() -> tuple[float, float]:
    """Megabytes of this process: all that is resident, and what is its own rather than a file's."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    return tuple(int(fields[name].split()[0]) / 1e3 for name in ("VmRSS", "RssAnon"))  # type: ignore[return-value]


def measure_opened(folder: Path) -> dict[str, Any]:
    """Opens an index, then searches it with filters beside a bare FAISS index; meant for a fresh process."""
    import faiss

    questions = np.random.default_rng(1).normal(size=(_RUNS, _DIMENSION)).astype(np.float32)
    questions /= np.linalg.norm(questions, axis=1, keepdims=True)
    before = _memory()
    begun = time.perf_counter()
    index = Index(folder)
    with index.snapshot():
        opened = time.perf_counter() - begun
    after = _memory()
    searcher = Searcher(index, _Asked(questions))
    today = dt.date(2026, 1, 1)
    options = SearchOptions(search=Search.VECTOR)
    searcher.search_many([SearchRequest("q")], options, today=today)
    searched = _memory()
    with index.snapshot() as snapshot:
        rows = snapshot.vectors.vectors(np.arange(len(snapshot.derived.chunks)))
        bare = faiss.IndexFlatIP(_DIMENSION)
        bare.add(np.ascontiguousarray(rows))
        filtered = {name: _filtered(snapshot, bare, questions, name, today) for name in _SHARES}
    index.close()
    return {
        "open_seconds": opened,
        "open_megabytes_of_its_own": after[1] - before[1],
        "open_megabytes_resident": after[0] - before[0],
        "first_search_megabytes_of_its_own": searched[1] - before[1],
        "filtered": filtered,
    }


class _Asked:
    """Gives the vectors of questions in turn."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self._rows = rows

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._rows[: len(texts)]


def _filtered(snapshot: Any, bare: Any, questions: NDArray[np.float32], share: str, today: Any) -> dict[str, float]:
    """The vector search under a filter from its text to its passages, beside FAISS with the selector at hand."""
    import faiss as untyped_faiss

    faiss: Any = untyped_faiss
    names = list(_SHARES)
    request = SearchRequest("q", where=(f"department={','.join(names[names.index(share) :])}",))
    view = Visibility.of(snapshot, request, today)
    passages = view.rows if view.rows is not None else np.ones(len(snapshot.derived.passages), dtype=np.bool_)
    mask = passages[snapshot.derived.chunks[:, 0]]
    bits = np.packbits(mask, bitorder="little")
    params = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(bits))
    ours, theirs, first = [], [], []
    clock = time.process_time  # what else the machine does must not count: these are fractions of a millisecond
    for question in questions:
        one = question[None]
        theirs.append(timed(partial(bare.search, one, 50, params=params), clock=clock))

        def search(one: NDArray[np.float32] = one) -> object:
            return nearest_passages(Visibility.of(snapshot, request, today), one, 50, 1)

        search()
        ours.append(timed(search, clock=clock))
        snapshot.views.clear()
        first.append(timed(search, clock=clock))
    bare_ms, ours_ms = float(np.median(theirs)) * 1e3, float(np.median(ours)) * 1e3
    return {
        "allowed": float(mask.mean()),
        "bare_ms": bare_ms,
        "ours_ms": ours_ms,
        "first_ms": float(np.median(first)) * 1e3,
        "ratio": ours_ms / bare_ms,
    }


# --- change -------------------------------------------------------------------------------------------------------


def measure_change(documents: int, folder: Path) -> dict[str, Any]:
    """Ingests made-up policies with the default embedding model, then again with one of them changed."""
    from policy_rag.assistant import PolicyAssistant

    chance = np.random.default_rng(0)
    words = np.array(_WORDS)
    files = folder / "files"
    files.mkdir(parents=True)

    def text(i: int, change: str = "") -> str:
        clauses = [
            f"## {k} Matter {k} of {i}\n\n{' '.join(words[chance.integers(0, len(words), 40)])}." for k in range(1, 6)
        ]
        return f"# Policy {i}\n\n" + "\n\n".join(clauses) + f"\n\n{change}\n"

    for i in range(documents):
        (files / f"policy-{i}.md").write_text(text(i), encoding="utf-8")
    with PolicyAssistant.open(folder / "index", create=True) as assistant:
        # The model is loaded beforehand: it would make the first ingest look dearer than it is.
        assistant.ingest([_one_file(folder / "other")])
        all_of_them = timed(lambda: assistant.ingest([files]))
        changed = files / f"policy-{documents // 2}.md"
        changed.write_text(changed.read_text(encoding="utf-8") + "One more sentence.\n", encoding="utf-8")
        reports: list[Any] = []
        one = timed(lambda: reports.append(assistant.ingest([files])))
    return {
        "documents": documents,
        "all_seconds": all_of_them,
        "one_changed_seconds": one,
        "embedded": reports[0].embedded,
        "share": one / all_of_them,
    }


def _one_file(folder: Path) -> Path:
    folder.mkdir()
    (folder / "first.md").write_text("# First\n\nWords.\n", encoding="utf-8")
    return folder


# --- the plain route ----------------------------------------------------------------------------------------------


def measure_plain(dataset: Path, vectors: Path | None, folder: Path) -> dict[str, Any]:
    """The same passages and vectors on both routes: size, time to save, time to open."""
    passages = [p for p in passages_of(dataset) if p[1].strip()]
    if vectors is not None:
        rows = np.load(vectors, allow_pickle=False).astype(np.float32)
        if len(rows) != len(passages):
            raise UsageError(f"{vectors} has {len(rows)} rows for {len(passages)} passages that hold text")
    else:
        from policy_rag.models.embedder import DEFAULT_EMBEDDING
        from policy_rag.models.factory import load_embedder

        rows = load_embedder(DEFAULT_EMBEDDING).embed([text for _, text in passages])
    return {
        "passages": len(passages),
        "policy_rag": _our_route(passages, rows, folder / "ours"),
        "plain": _plain_route(passages, rows, folder / "plain"),
    }


def passages_of(dataset: Path) -> list[tuple[str, str]]:
    """`(document, text)` of each gold passage."""
    lines = (dataset / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    return [(str(record.get("doc_id", dataset.name)), str(record["text"])) for record in records]


def _our_route(passages: Sequence[tuple[str, str]], rows: NDArray[np.float32], folder: Path) -> dict[str, float]:
    by_document: dict[str, list[str]] = {}
    for doc_id, text in passages:
        by_document.setdefault(doc_id, []).append(text)
    documents = [document_of(doc_id, texts) for doc_id, texts in by_document.items()]
    with Index(folder, create=True) as index:
        saved = timed(lambda: index.update(documents, manifest_of(rows.shape[1]), Vectors(rows)))

    def opened() -> None:
        with Index(folder) as again, again.snapshot():
            pass

    opened()
    return {"megabytes": size_on_disk(folder) / 1e6, "save_seconds": saved, "open_seconds": timed(opened, 5)}


def _plain_route(passages: Sequence[tuple[str, str]], rows: NDArray[np.float32], folder: Path) -> dict[str, float]:
    import faiss
    from llama_index.core import MockEmbedding, StorageContext, VectorStoreIndex, load_index_from_storage
    from llama_index.core.schema import TextNode
    from llama_index.vector_stores.faiss import FaissVectorStore

    model = MockEmbedding(embed_dim=rows.shape[1])
    nodes = [
        TextNode(id_=str(i), text=text, metadata={"doc_id": doc_id}, embedding=row.tolist())
        for i, ((doc_id, text), row) in enumerate(zip(passages, rows, strict=True))
    ]

    def save() -> None:
        store = FaissVectorStore(faiss_index=faiss.IndexFlatIP(rows.shape[1]))
        context = StorageContext.from_defaults(vector_store=store)
        VectorStoreIndex(nodes, storage_context=context, embed_model=model).storage_context.persist(str(folder))

    def opened() -> None:
        store = FaissVectorStore.from_persist_dir(str(folder))
        context = StorageContext.from_defaults(vector_store=store, persist_dir=str(folder))
        load_index_from_storage(context, embed_model=model)

    saved = timed(save)
    opened()
    return {"megabytes": size_on_disk(folder) / 1e6, "save_seconds": saved, "open_seconds": timed(opened, 5)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs one measurement and writes it as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.index", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    kinds = parser.add_subparsers(dest="kind", required=True)
    kinds.add_parser("size").add_argument("--sections", type=int, default=100_000)
    kinds.add_parser("change").add_argument("--documents", type=int, default=1000)
    plain = kinds.add_parser("plain")
    plain.add_argument("dataset", type=Path)
    plain.add_argument("--vectors", type=Path)
    kinds.add_parser("opened").add_argument("folder", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "index"
        if given.kind == "opened":
            found = measure_opened(given.folder)
        elif given.kind == "size":
            found = measure_size(given.sections, folder)
        elif given.kind == "change":
            found = measure_change(given.documents, folder)
        else:
            found = measure_plain(given.dataset, given.vectors, folder)
    sys.stdout.write(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
