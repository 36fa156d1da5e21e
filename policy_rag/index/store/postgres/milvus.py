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
from dataclasses import dataclass

import numpy as np
import psycopg
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database
from policy_rag.index.store.manifest import read_manifest, token, transaction
from policy_rag.index.store.postgres.connection import PostgresDatabase
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine, among, milvus_uri
from policy_rag.index.store.postgres.weighed_search import WeighedSearch, stored_vectors

KEY = "milvus"
"""Of the manifest's row that says where the Milvus of an index is."""

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


class MilvusSearch(WeighedSearch):
    """See `weighed_search.WeighedSearch`.

    Args:
        db: the caller's view.
        passages: see `snapshot_files.Derived`.
        chunks: likewise.
        engine: where the vectors are.
        place: of the index.
    """

    def __init__(
        self,
        db: PostgresDatabase,
        passages: NDArray[np.int64],
        chunks: NDArray[np.int64],
        engine: MilvusEngine,
        place: MilvusPlace,
    ) -> None:
        super().__init__(db, passages, chunks)
        self._engine = engine
        self._place = place
        self._documents = passages[chunks[:, 0], 1]

    def _nearest(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: NDArray[np.bool_] | None,
        documents: Sequence[int] | None,  # noqa: ARG002 - the bitmap says it all
    ) -> Sequence[NDArray[np.int64]]:
        expression = self._expression(allowed)
        collection = Collection(self._engine, self._place, self._own)
        collection.make_ready(len(self._chunks))
        found = self._engine.search(collection.name, queries, n, expression)
        if found is None:  # it was lost after this process had seen it
            self._engine.whole.discard(collection.name)
            collection.make_ready(len(self._chunks))
            found = self._engine.search(collection.name, queries, n, expression)
        if found is None:
            raise IndexingError(
                f"Milvus at {self._engine.uri} does not search its collection {collection.name}: see to its log, "
                f"or run `policy-rag migrate --index URL --vectors files`"
            )
        return self._readable([rows[(rows >= 0) & (rows < len(self._chunks))] for rows in found])

    def _expression(self, allowed: NDArray[np.bool_] | None) -> str:
        """The filter that lets pass the documents of the allowed rows; "" for all.

        Or the rows themselves, where one document has rows of both kinds. The shorter list is told, of what may be
        found or of what may not.
        """
        if allowed is None or allowed.all():
            return ""
        known = np.zeros(int(self._documents.max()) + 1, dtype=np.bool_)
        inside = known.copy()
        known[self._documents] = True
        inside[self._documents[allowed]] = True
        if not np.array_equal(inside[self._documents], allowed):
            return among("row", np.flatnonzero(allowed))
        outside = known & ~inside
        if outside.sum() < inside.sum():
            return f"not ({among('document', np.flatnonzero(outside))})"
        return among("document", np.flatnonzero(inside))

    def _readable(self, lists: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """What row-level security shows the caller of what Milvus found."""
        keys = np.unique(np.concatenate([self._documents[rows] for rows in lists]))
        rows = self._db.execute("SELECT doc_key FROM documents WHERE doc_key = ANY(?)", (keys.tolist(),))
        shown = np.array([key for (key,) in rows], dtype=np.int64)
        return [rows[np.isin(self._documents[rows], shown)] for rows in lists]


class Collection:
    """The collection of the transaction that a connection sees.

    Args:
        engine: where it is, or is to be made.
        place: of the index.
        db: the index's own view.
    """

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
        if self.name in self._engine.whole:
            return
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
