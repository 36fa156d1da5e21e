"""What is told of documents that a caller may read and that are not in force on the day of the question."""

import datetime as dt
from collections.abc import Iterable

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.english_answers import ENGLISH_ANSWERS


def nearest_day(first: dt.date, last: dt.date, day: dt.date) -> dt.date:
    """The day from `first` to `last` that is nearest to `day`."""
    return min(max(day, first), last)


def in_force_when(documents: Iterable[DocumentInfo], day: dt.date, words: AnswerWords = ENGLISH_ANSWERS) -> str:
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
    edition = f", {words.version.format(number=document.version)}," if document.version else ""
    since = f" {words.since.format(day=first.isoformat())}" if first > dt.date.min else ""
    until = f" {words.until.format(day=last.isoformat())}" if last < dt.date.max else ""
    told = words.was_in_force if last < day else words.in_force
    return told.format(policy=f"{document.title}{edition}", days=f"{since}{until}", day=nearest.isoformat())
