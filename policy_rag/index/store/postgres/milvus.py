"""Vectors searched by Milvus: a collection a transaction, derived from the vectors of the truth, as files are.

A collection's name holds the transaction's number and its token; it is filled under another name, and renamed when it
is whole. So one that is stale or half made is never asked. Who finds none makes it, from the rows that his own
transaction sees; others wait for him. Groups and days never get there: what a caller may find is told by numbers of
documents that the truth lets him read, and what comes back is shown to row-level security.
"""

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import numpy as np
import psycopg
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.database import Database
from policy_rag.index.store.manifest import read_manifest, token, transaction
from policy_rag.index.store.postgres.connection import DatabaseCaller, PostgresDatabase
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine, among, milvus_uri

KEY = "milvus"
"""Of the manifest's row that says where the Milvus of an index is."""

_SPARE = 4  # a fourth more than are wanted are weighed anew, 16 at least
_LEAST_SPARE = 16
_BATCH = 2000  # vectors that are read at once
_FILLING = 0x6D696C767573  # the key of an advisory lock: "milvus"


@dataclass(frozen=True, slots=True)
class MilvusPlace:
    """Where an index has its vectors searched: the address, and how the names of its collections begin."""

    uri: str
    prefix: str


def milvus_place(db: Database) -> MilvusPlace | None:
    """What `policy-rag migrate --vectors milvus` noted; None where Milvus does not search this index."""
    row = db.execute("SELECT value FROM manifest WHERE key = ?", (KEY,)).fetchone()
    return MilvusPlace(**json.loads(row[0])) if row else None


def choose_milvus(db: Database, uri: str | None) -> None:
    """Has Milvus search the index from now on; in the transaction of a migration.

    Args:
        db: the index's own view.
        uri: see `milvus_engine.milvus_uri`; None where it is known already.

    Raises:
        IndexingError: there is no address, or Milvus does not answer.
    """
    known = milvus_place(db)
    if uri is None and known is None:
        raise IndexingError("say where Milvus is: add --milvus http://HOST:19530 to --vectors milvus")
    wanted = known.uri if uri is None and known is not None else milvus_uri(uri or "")
    MilvusEngine(wanted).close()
    if known is None or known.uri != wanted:
        leave_milvus(db)
        place = {"uri": wanted, "prefix": f"policy_rag_{uuid.uuid4().hex[:12]}_"}
        db.execute("INSERT INTO manifest VALUES (?, ?)", (KEY, json.dumps(place)))


def leave_milvus(db: Database) -> None:
    """Has Milvus search the index no more, and drops its collections where it answers; in the same way."""
    known = milvus_place(db)
    if known is not None:
        db.execute("DELETE FROM manifest WHERE key = ?", (KEY,))
        with suppress(IndexingError):
            engine = MilvusEngine(known.uri)
            engine.drop(engine.names(known.prefix))
            engine.close()


@dataclass(slots=True, eq=False)
class MilvusSearch:
    """See `vector_search.VectorSearch`; for one caller in one transaction.

    What Milvus finds nearest is weighed anew by the vectors of the truth: no score is its own.

    Attributes:
        db: the caller's view.
        passages: see `snapshot_files.Derived`.
        chunks: likewise.
        documents: key of each chunk's document.
        engine: where the vectors are.
        place: of the index.
        name: see `Collection`.
    """

    db: PostgresDatabase
    passages: NDArray[np.int64]
    chunks: NDArray[np.int64]
    documents: NDArray[np.int64]
    engine: MilvusEngine
    place: MilvusPlace
    name: str
    _known: dict[int, NDArray[np.float32]] = field(default_factory=dict, init=False)

    @property
    def _own(self) -> PostgresDatabase:
        return PostgresDatabase(self.db.shared, DatabaseCaller())

    def search(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: AllowedRows | None,
        documents: Sequence[int] | None = None,  # noqa: ARG002 - the bitmap says it all
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The `n` nearest rows of each query that row-level security shows the caller and the bitmap allows.

        More are asked for than are wanted, weighed by the vectors of the truth, and cut: what an engine rounds
        moves what lies at the margin of the list at most.
        """
        scores = np.full((len(queries), n), -np.inf, dtype=np.float32)
        rows = np.full((len(queries), n), -1, dtype=np.int64)
        if not len(queries) or not len(self.chunks) or (allowed is not None and not allowed.count):
            return scores, rows
        lists = self._nearest(queries, n + max(n // _SPARE, _LEAST_SPARE), allowed)
        for i, (query, found) in enumerate(zip(queries, lists, strict=True)):
            near = found if allowed is None else found[allowed.mask[found]]
            cosines = self.vectors(near) @ query if len(near) else np.zeros(0, dtype=np.float32)
            order = np.lexsort((near, -cosines))[:n]
            scores[i, : len(order)], rows[i, : len(order)] = cosines[order], near[order]
        return scores, rows

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of the truth; those of a query are read once."""
        missing = [row for row in dict.fromkeys(rows.tolist()) if row not in self._known]
        if missing:
            keys = self.passages[self.chunks[missing, 0], 0]
            row_of = {(int(k), int(s)): row for k, s, row in zip(keys, self.chunks[missing, 1], missing, strict=True)}
            for key, start, vector in self._own.execute(
                "SELECT c.passage_key, c.start, v.vector FROM chunks c JOIN vectors v ON v.hash = c.vector_hash "
                "WHERE c.passage_key = ANY(?)",
                (sorted(set(keys.tolist())),),
            ):
                if (key, start) in row_of:
                    self._known[row_of[key, start]] = np.frombuffer(vector, dtype=np.float32)
        if not len(rows):
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([self._known[row] for row in rows.tolist()])

    def _nearest(
        self, queries: NDArray[np.float32], n: int, allowed: AllowedRows | None
    ) -> Sequence[NDArray[np.int64]]:
        """Rows for each query by Milvus' own order: `n` and no row twice, fewer where fewer may be found."""
        expression = self._expression(allowed)
        for _ in range(2):  # once more where it was lost after this process had seen it
            if self.name not in self.engine.whole:
                Collection(self.engine, self.place, self._own).make_ready(len(self.chunks))
            found = self.engine.search(self.name, queries, n, expression)
            if found is not None:
                return self._readable([rows[(rows >= 0) & (rows < len(self.chunks))] for rows in found])
            self.engine.whole.discard(self.name)
        raise IndexingError(
            f"Milvus at {self.engine.uri} does not search its collection {self.name}: see to its log, "
            f"or run `policy-rag migrate --index URL --vectors files`"
        )

    def _expression(self, allowed: AllowedRows | None) -> str:
        """The filter that lets pass the documents of the allowed rows; "" for all.

        Or the rows themselves, where one document has rows of both kinds. The shorter list is told, of what may be
        found or of what may not.
        """
        if allowed is None or allowed.count == len(allowed.mask):
            return ""
        known = np.zeros(int(self.documents.max()) + 1, dtype=np.bool_)
        inside = known.copy()
        known[self.documents] = True
        inside[self.documents[allowed.mask]] = True
        if not np.array_equal(inside[self.documents], allowed.mask):
            return among("row", np.flatnonzero(allowed.mask))
        outside = known & ~inside
        if outside.sum() < inside.sum():
            return f"not ({among('document', np.flatnonzero(outside))})"
        return among("document", np.flatnonzero(inside))

    def _readable(self, lists: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """What row-level security shows the caller of what Milvus found."""
        keys = np.unique(np.concatenate([self.documents[rows] for rows in lists]))
        rows = self.db.execute("SELECT doc_key FROM documents WHERE doc_key = ANY(?)", (keys.tolist(),))
        shown = np.array([key for (key,) in rows], dtype=np.int64)
        return [rows[np.isin(self.documents[rows], shown)] for rows in lists]


class Collection:
    """The collection of the transaction that a connection, the index's own, sees; it may have to be made."""

    def __init__(self, engine: MilvusEngine, place: MilvusPlace, db: Database) -> None:
        self._engine = engine
        self._place = place
        self._db = db
        self._number = transaction(db)
        self.name = f"{place.prefix}{self._number}_{token(db)}"

    def make_ready(self, size: int) -> None:
        """Makes the collection where it is missing or has not `size` rows, and drops those that nobody reads any more.

        Raises:
            IndexingError: Milvus cannot be used, or the truth lacks vectors.
        """
        if self._engine.count(self.name) != size:
            with self._filling():
                if self._engine.count(self.name) != size:  # nobody made it while this one waited
                    self._make()
        self._engine.whole.add(self.name)

    def _make(self) -> None:
        manifest = read_manifest(self._db)
        if manifest is None:
            raise IndexingError("the index is empty: run `policy-rag ingest PATH` first")
        there = self._engine.names(self._place.prefix)
        self._engine.drop(name for name in there if name == self.name or name.endswith("_unfinished"))
        self._engine.make(self.name, manifest.dimension, stored_vectors(self._db, manifest.dimension))
        older = sorted((n, name) for name in there if (n := self._number_of(name)) is not None and n < self._number)
        self._engine.drop(name for _, name in older[:-1])  # the last one is for searches that are under way

    def _number_of(self, name: str) -> int | None:
        """The transaction of a whole collection of this index."""
        number, _, rest = name.removeprefix(self._place.prefix).partition("_")
        return int(number) if number.isdecimal() and "_" not in rest else None

    @contextmanager
    def _filling(self) -> Iterator[None]:
        """One fills at a time, of all machines; the lock ends with the connection."""
        self._db.execute("SELECT pg_advisory_lock(?)", (_FILLING,))
        try:
            yield
        finally:
            with suppress(psycopg.Error):
                self._db.execute("SELECT pg_advisory_unlock(?)", (_FILLING,))

    def fault(self) -> str | None:
        """How the collection differs from the truth; None where it does not, or is not made yet."""
        manifest, size = read_manifest(self._db), self._engine.count(self.name)
        if manifest is None or size is None:
            return None
        first = 0
        for documents, vectors in stored_vectors(self._db, manifest.dimension):
            found, their_vectors = self._engine.rows(self.name, first, first + len(documents))
            if not np.array_equal(found, documents) or not np.allclose(their_vectors, vectors, atol=1e-6):
                return "Milvus has other vectors than the index"
            first += len(documents)
        return None if size == first else f"Milvus has {size} of {first} vectors"


def stored_vectors(db: Database, dimension: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
    """All chunks in the order of the derived files, some at a time: keys of their documents, and vectors.

    Raises:
        IndexingError: a vector is missing.
    """
    last = (-1, -1)
    while rows := db.execute(
        "SELECT c.passage_key, c.start, p.doc_key, v.vector FROM chunks c JOIN passages p USING (passage_key) "
        "LEFT JOIN vectors v ON v.hash = c.vector_hash WHERE (c.passage_key, c.start) > (?, ?) "
        f"ORDER BY c.passage_key, c.start LIMIT {_BATCH}",
        last,
    ).fetchall():
        if any(row[3] is None or len(row[3]) != 4 * dimension for row in rows):
            raise IndexingError("the index lacks vectors that it should have: run `policy-rag verify --repair`")
        last = (rows[-1][0], rows[-1][1])
        joined = np.frombuffer(b"".join(row[3] for row in rows), dtype=np.float32)
        yield np.array([row[2] for row in rows], dtype=np.int64), joined.reshape(-1, dimension)


def stored_mean(db: Database, dimension: int) -> NDArray[np.float32]:
    """The mean of the vectors of all chunks, `(dimension,)`; zeros where there are none."""
    total, count = np.zeros(dimension), 0
    for _, vectors in stored_vectors(db, dimension):
        total += vectors.sum(axis=0, dtype=np.float64)
        count += len(vectors)
    return (total / max(count, 1)).astype(np.float32)
