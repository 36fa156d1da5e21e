"""What a request may see: the documents that its groups may read, that are in force, and that match its filters."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.store import Snapshot
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.filters import known_keys, matching, parse_filter

_KEPT = 64  # views that are worked out once: most callers ask under the same groups and filters again


@dataclass(frozen=True, slots=True)
class Visibility:
    """What one request may see of a snapshot.

    Attributes:
        snapshot: where to look; what is read through its connection a database that knows access has let pass too.
        documents: by key; no other document may show in a result, not even by being pointed to.
        rows: `(passages,)`, True where a passage may be found; None where all may.
        chunks: the same of chunks.
        filtered: whether more than groups and day decides that.
    """

    snapshot: Snapshot
    documents: Mapping[int, DocumentInfo]
    rows: NDArray[np.bool_] | None
    chunks: AllowedRows | None
    filtered: bool = False

    @classmethod
    def of(cls, snapshot: Snapshot, request: SearchRequest, today: dt.date) -> Self:
        """The view of `request` on the day that it names, else `today`.

        Raises:
            UsageError: a filter that is none, or names a key that no document has which the caller may read.
        """
        day = request.as_of or today
        return cls._of(snapshot, request, day, day)

    @classmethod
    def of_any_day(cls, snapshot: Snapshot, request: SearchRequest, today: dt.date) -> Self:
        """The same with what is not in force on that day; not to be quoted from, since a database may hold that back.

        Raises:
            UsageError: see `of`.
        """
        return cls._of(snapshot, request, request.as_of or today, None)

    @classmethod
    def _of(cls, snapshot: Snapshot, request: SearchRequest, day: dt.date, in_force: dt.date | None) -> Self:
        key = (request.where, request.groups, in_force)
        found = snapshot.views.get(key)
        if found is None:
            found = _visible(snapshot, *key)
            if len(snapshot.views) >= _KEPT:
                snapshot.views.clear()
            snapshot.views[key] = found
        documents, rows, chunks = found
        return cls(snapshot.of_reader(request.groups, day), documents, rows, chunks, bool(request.where))


def readable_by(snapshot: Snapshot, groups: Sequence[str]) -> tuple[DocumentInfo, ...]:
    """The documents of a snapshot that a caller of these groups may read, in force or not."""
    return tuple(d for d in snapshot.documents if d.open_to(groups))


def _visible(
    snapshot: Snapshot, where: Sequence[str], groups: Sequence[str], day: dt.date | None
) -> tuple[Mapping[int, DocumentInfo], NDArray[np.bool_] | None, AllowedRows | None]:
    """The documents, the rows and the chunks of a view; of any day where none is given."""
    readable = readable_by(snapshot, groups)
    seen = readable if day is None else tuple(d for d in readable if d.in_force(day))
    if where:
        seen = matching(seen, [parse_filter(text) for text in where], known=known_keys(readable))
    documents = {document.doc_key: document for document in seen}
    if len(documents) == len(snapshot.documents):
        return documents, None, None
    # Keys are small: SQLite counts them up from 1, so that a table is many times faster than a search for each passage.
    of_passage = snapshot.derived.passages[:, 1]
    table = np.zeros(max(document.doc_key for document in snapshot.documents) + 1, dtype=np.bool_)
    table[np.fromiter(documents, dtype=np.int64, count=len(documents))] = True
    rows = table[of_passage]
    return documents, rows, AllowedRows(rows[snapshot.derived.chunks[:, 0]])
