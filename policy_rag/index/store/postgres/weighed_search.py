"""What an engine finds nearest, weighed anew by the vectors of the truth: no score is an engine's own."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database
from policy_rag.index.store.postgres.connection import DatabaseCaller, PostgresDatabase

_SPARE = 4  # a fourth more than are wanted are weighed anew, 16 at least
_LEAST_SPARE = 16
_BATCH = 2000  # vectors that are read at once


class WeighedSearch(ABC):
    """See `vector_search.VectorSearch`; for one caller in one transaction.

    Args:
        db: the caller's view.
        passages: see `snapshot_files.Derived`.
        chunks: likewise.
    """

    def __init__(self, db: PostgresDatabase, passages: NDArray[np.int64], chunks: NDArray[np.int64]) -> None:
        self._db = db
        self._own = PostgresDatabase(db.shared, DatabaseCaller())
        self._passages = passages
        self._chunks = chunks
        self._known: dict[int, NDArray[np.float32]] = {}

    @abstractmethod
    def _nearest(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: NDArray[np.bool_] | None,
        documents: Sequence[int] | None,
    ) -> Sequence[NDArray[np.int64]]:
        """Rows for each query by the engine's own order: `n` and no row twice, fewer where fewer may be found."""

    def search(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: NDArray[np.bool_] | None,
        documents: Sequence[int] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The `n` nearest rows of each query that row-level security shows the caller and the bitmap allows.

        More are asked for than are wanted, weighed by the vectors of the truth, and cut: what an engine rounds
        moves what lies at the margin of the list at most.
        """
        scores = np.full((len(queries), n), -np.inf, dtype=np.float32)
        rows = np.full((len(queries), n), -1, dtype=np.int64)
        if not len(queries) or not len(self._chunks) or (allowed is not None and not allowed.any()):
            return scores, rows
        lists = self._nearest(queries, n + max(n // _SPARE, _LEAST_SPARE), allowed, documents)
        for i, (query, found) in enumerate(zip(queries, lists, strict=True)):
            near = found if allowed is None else found[allowed[found]]
            cosines = self.vectors(near) @ query if len(near) else np.zeros(0, dtype=np.float32)
            order = np.lexsort((near, -cosines))[:n]
            scores[i, : len(order)], rows[i, : len(order)] = cosines[order], near[order]
        return scores, rows

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The vectors of the truth; those of a query are read once."""
        missing = [row for row in dict.fromkeys(rows.tolist()) if row not in self._known]
        if missing:
            keys = self._passages[self._chunks[missing, 0], 0]
            row_of = {(int(k), int(s)): row for k, s, row in zip(keys, self._chunks[missing, 1], missing, strict=True)}
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
