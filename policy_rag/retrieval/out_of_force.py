"""What is told of documents that a caller may read and that are not in force on the day of the question."""

import datetime as dt
from collections.abc import Iterable

from policy_rag.index.store.stored_documents import DocumentInfo


def nearest_day(first: dt.date, last: dt.date, day: dt.date) -> dt.date:
    """The day from `first` to `last` that is nearest to `day`."""
    return min(max(day, first), last)


def in_force_when(documents: Iterable[DocumentInfo], day: dt.date) -> str:
    """When one of the documents is in force, that whose days are nearest to `day`; "" where none ever is.

    The caller may read the documents, and none is in force on `day`.
    """
    spans = [
        (abs(nearest - day), nearest, document.doc_id, document, span)
        for document in documents
        if (span := document.period) is not None
        for nearest in (nearest_day(*span, day),)
    ]
    if not spans:
        return ""
    _, nearest, _, document, (first, last) = min(spans, key=lambda one: one[:3])
    edition = f", version {document.version}," if document.version else ""
    verb = "was" if last < day else "is"
    since = f" from {first.isoformat()}" if first > dt.date.min else ""
    until = f" to {last.isoformat()}" if last < dt.date.max else ""
    return f"{document.title}{edition} {verb} in force{since}{until}: ask with --as-of {nearest.isoformat()}"
