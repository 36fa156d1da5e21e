"""The files made from SQLite: FAISS vectors, BM25 weights and the rows that tie both to passages.

They stand in `derived/<transaction>/`, written beside and renamed into place; `stamp.json` carries the transaction, its
token, how the keywords were weighted and each file's size and hash. A reader whose transaction has no such folder makes
them again, never by embedding.
"""

import hashlib
import json
import shutil
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.search.arrays import load_array
from policy_rag.index.search.bm25_index import KeywordIndex, KeywordSettings
from policy_rag.index.search.faiss_index import FILE as VECTORS
from policy_rag.index.search.faiss_index import VectorIndex
from policy_rag.index.search.terms import terms
from policy_rag.index.store.database import Database
from policy_rag.index.store.manifest import Manifest, token
from policy_rag.index.store.metadata import read_added
from policy_rag.records.choices import read_kinds
from policy_rag.whole_files import make_durable
from policy_rag_parsers.metadata.extraction_results import Kind

FOLDER = "derived"
STAMP = "stamp.json"
RECIPE = 2
"""Raise it when the same rows give other files: files of another recipe are made again when the index is opened."""

# Hashed at each opening: they say which row is which passage, and are small. The rest is checked by `verify`.
_CHECKED = ("passages.npy", "chunks.npy", "mean.npy", "words.hashes.npy", "words.indptr.npy")


# What NumPy, FAISS and a stamp raise that are not as they were written, be it by somebody else.
_UNREADABLE: Final = (
    OSError, ValueError, KeyError, TypeError, RuntimeError, EOFError, MemoryError, OverflowError, IndexError,
    AttributeError, SyntaxError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Derived:
    """The searchable form of one transaction.

    Attributes:
        transaction: the ingest that it shows.
        token: of that ingest; no other index has the same.
        keyword: how words and pairs are weighted.
        passages: `(passages, 2)` of passage key and document key, in order of the passage key.
        chunks: `(chunks, 3)` of passage row, start and end, in order of the passage row, then of start.
        vectors: row `i` is `chunks[i]`; None where a database searches them.
        keywords: text `i` is `passages[i]`.
        mean: `(dimension,)`, the mean of all vectors: what every text here is about.
        languages: those of the documents, in order of how much they hold; a question is stemmed in each.
    """

    transaction: int
    token: str
    keyword: KeywordSettings
    passages: NDArray[np.int64]
    chunks: NDArray[np.int64]
    vectors: VectorIndex | None
    keywords: KeywordIndex
    mean: NDArray[np.float32]
    languages: tuple[str, ...]


def build(
    db: Database,
    manifest: Manifest,
    keyword: KeywordSettings,
    number: int,
    mean: NDArray[np.float32] | None = None,
) -> Derived:
    """Makes the searchable form of transaction `number` from the rows that `db` sees, maybe before it is committed.

    Where a database searches the vectors their `mean` is given, and none is read.
    """
    passages = np.array(
        db.execute("SELECT passage_key, doc_key FROM passages ORDER BY passage_key").fetchall(), dtype=np.int64
    ).reshape(-1, 2)
    row_of = {int(key): row for row, key in enumerate(passages[:, 0])}
    chunks = [
        (row_of[key], start, end)
        for key, start, end in db.execute('SELECT passage_key, start, "end" FROM chunks ORDER BY passage_key, start')
    ]
    vectors: VectorIndex | None = None
    if mean is None:
        matrix = _matrix(db, manifest.dimension)
        vectors = VectorIndex.build(matrix)
        mean = matrix.mean(axis=0) if len(matrix) else np.zeros(manifest.dimension, dtype=np.float32)
    texts, languages = _keyword_texts(db, read_kinds(keyword.metadata))
    return Derived(
        transaction=number,
        token=token(db),
        keyword=keyword,
        passages=passages,
        chunks=np.array(chunks, dtype=np.int64).reshape(-1, 3),
        vectors=vectors,
        keywords=KeywordIndex.build(texts, keyword),
        mean=np.asarray(mean, dtype=np.float32),
        languages=languages,
    )


def _matrix(db: Database, dimension: int) -> NDArray[np.float32]:
    """The vectors of all chunks, in their order."""
    blobs: list[bytes] = []
    for (blob,) in db.execute(
        "SELECT v.vector FROM chunks c LEFT JOIN vectors v ON v.hash = c.vector_hash ORDER BY c.passage_key, c.start"
    ):
        if blob is None or len(blob) != 4 * dimension:
            raise IndexingError("the index lacks vectors that it should have: run `policy-rag verify --repair`")
        blobs.append(blob)
    return np.frombuffer(b"".join(blobs), dtype=np.float32).reshape(-1, dimension)


def _keyword_texts(db: Database, kinds: Sequence[Kind]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The terms of each passage: its path of titles, what its chunks lack alone, its text, its metadata of `kinds`."""
    contexts: dict[int, dict[str, None]] = {}
    for key, context in db.execute("SELECT passage_key, context FROM chunks WHERE context <> '' ORDER BY 1, start"):
        contexts.setdefault(key, {})[context] = None
    texts: list[tuple[int, list[str]]] = []
    sizes: dict[str, int] = {}
    for doc_key, language, text in db.execute("SELECT doc_key, language, text FROM documents"):
        sizes[language] = sizes.get(language, 0) + len(text)
        added = read_added(db, doc_key, kinds)
        for key, path, heading, start, end, position in db.execute(
            'SELECT p.passage_key, s.path, s.start, p.start, p."end", p.section FROM passages p '
            "JOIN sections s ON s.doc_key = p.doc_key AND s.position = p.section WHERE p.doc_key = ?",
            (doc_key,),
        ):
            # The section's own title stands in its heading, and counts once.
            titles = json.loads(path)[: -1 if heading == start else None]
            parts = [*titles, *contexts.get(key, ()), text[start:end], added.get(position, "")]
            texts.append((key, terms("\n".join(parts), language)))
    texts.sort(key=lambda pair: pair[0])
    return [found for _, found in texts], tuple(sorted(sizes, key=lambda name: (-sizes[name], name)))


def save(derived: Derived, folder: Path) -> Path:
    """Writes all files beside, makes them durable, renames them into place; answers the folder that then holds them."""
    home = folder / FOLDER
    home.mkdir(exist_ok=True)
    # Not `tempfile`: its folders are for their owner alone, and a server under another name would not see the files.
    beside = home / f".writing-{uuid.uuid4().hex}"
    beside.mkdir()
    try:
        np.save(beside / "passages.npy", derived.passages, allow_pickle=False)
        np.save(beside / "chunks.npy", derived.chunks, allow_pickle=False)
        np.save(beside / "mean.npy", derived.mean, allow_pickle=False)
        if derived.vectors is not None:
            derived.vectors.save(beside)
        derived.keywords.save(beside)
        stamp = {
            "recipe": RECIPE,
            "transaction": derived.transaction,
            "token": derived.token,
            "keyword": asdict(derived.keyword),
            "languages": derived.languages,
            "files": {path.name: [path.stat().st_size, file_hash(path)] for path in sorted(beside.iterdir())},
        }
        (beside / STAMP).write_text(json.dumps(stamp), encoding="utf-8")
        for path in beside.iterdir():
            make_durable(path)
        place = home / str(derived.transaction)
        if place.exists():
            shutil.rmtree(place)
        beside.rename(place)
        make_durable(home)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return place


def read_stamp(folder: Path, number: int) -> dict[str, Any] | None:
    """What stands in the stamp of transaction `number`; None where there is none that can be read."""
    try:
        stamp = json.loads((folder / FOLDER / str(number) / STAMP).read_text(encoding="utf-8"))
        KeywordSettings(**stamp["keyword"])
        whole = stamp["transaction"] == number and stamp["recipe"] == RECIPE and isinstance(stamp["files"], dict)
    except _UNREADABLE:
        return None
    return stamp if whole else None


def load(
    folder: Path,
    number: int,
    *,
    token: str,
    keyword: KeywordSettings | None = None,
    with_vectors: bool = True,
) -> Derived | None:
    """The files of transaction `number`, memory-mapped; None where they are missing, not whole or not those asked for.

    Sizes are checked for all files, hashes for those that say which row is which passage; `verify` checks all hashes.

    Args:
        folder: the index.
        number: the transaction.
        token: that transaction's.
        keyword: how words and pairs must be weighted; None takes any.
        with_vectors: whether vectors must be among them; else they must not.
    """
    place = folder / FOLDER / str(number)
    stamp = read_stamp(folder, number)
    if stamp is None or stamp["token"] != token:
        return None
    found = KeywordSettings(**stamp["keyword"])
    if (keyword is not None and found != keyword) or (VECTORS in stamp["files"]) != with_vectors:
        return None
    try:
        for name, (size, digest) in stamp["files"].items():
            if (place / name).stat().st_size != size or (name in _CHECKED and file_hash(place / name) != digest):
                return None
        passages = load_array(place / "passages.npy")
        found_files = Derived(
            transaction=number,
            token=stamp["token"],
            keyword=found,
            passages=passages,
            chunks=load_array(place / "chunks.npy"),
            vectors=VectorIndex.load(place) if with_vectors else None,
            keywords=KeywordIndex.load(place, len(passages)),
            mean=load_array(place / "mean.npy", mapped=False),
            languages=tuple(stamp["languages"]),
        )
        return found_files if _fits(found_files) else None
    except _UNREADABLE:
        return None


def _fits(derived: Derived) -> bool:
    """Whether the parts of files that someone may have made fit each other."""
    passages, chunks = derived.passages, derived.chunks
    return (
        (passages.ndim, chunks.ndim, derived.mean.ndim) == (2, 2, 1)
        and (passages.shape[1], chunks.shape[1]) == (2, 3)
        and passages.dtype == chunks.dtype == np.int64
        and (derived.vectors is None or len(chunks) == len(derived.vectors))
        and (not len(chunks) or (int(chunks[:, 0].min()) >= 0 and int(chunks[:, 0].max()) < len(passages)))
        and all(isinstance(name, str) for name in derived.languages)
    )


def damaged(folder: Path, number: int) -> tuple[str, ...]:
    """The derived files of transaction `number` that are missing or whose hash differs, by name."""
    place = folder / FOLDER / str(number)
    stamp = read_stamp(folder, number)
    if stamp is None:
        return (STAMP,)
    files: dict[str, list[Any]] = stamp["files"]
    return tuple(
        name for name, (_, digest) in files.items() if not (place / name).is_file() or file_hash(place / name) != digest
    )


def others(folder: Path, number: int) -> tuple[Path, ...]:
    """What stands beside the files of transaction `number`: those of others, and halves of broken writes."""
    home = folder / FOLDER
    return tuple(sorted(place for place in home.iterdir() if place.name != str(number))) if home.is_dir() else ()


def remove_others(folder: Path, number: int) -> None:
    """Removes the files of other transactions and what a broken-off ingest left; open readers keep theirs."""
    for place in others(folder, number):
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)


def file_hash(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
