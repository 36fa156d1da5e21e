"""Questions by number: "section 4.2(b) of the expenses policy" goes straight to the place."""

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from policy_rag.index.documents import DocumentInfo
from policy_rag.index.rows import read_sections, read_text
from policy_rag.index.tokens import terms
from policy_rag_parsers.clauses import find_clause
from policy_rag_parsers.numbers import asked_numbers, enclosing

_MOST = 3  # places shown for a number that many documents have


@dataclass(frozen=True, slots=True)
class ClausePlace:
    """Where a clause that was asked for stands: `[start, end)` of a document's text, inside a section."""

    doc_key: int
    section_id: str
    start: int
    end: int


def named_documents(question: str, documents: Sequence[DocumentInfo]) -> tuple[int, ...]:
    """Keys of the documents whose title the question names best; none where it shares no telling word with any.

    A title's words count by how few of the documents have them; all documents with the highest score are given.
    """
    asked = set(terms(question))
    titles = {d.doc_key: set(terms(d.title, d.language)) | set(terms(d.title)) for d in documents}
    holders: dict[str, int] = {}
    for title in titles.values():
        for term in title:
            holders[term] = holders.get(term, 0) + 1
    scores = {key: sum(1.0 / holders[term] for term in title & asked) for key, title in titles.items()}
    best = max(scores.values(), default=0.0)
    if best <= 1.0 / max(2, len(documents)):
        return ()
    return tuple(key for key, score in scores.items() if score == best)


def asked_places(
    question: str, db: sqlite3.Connection, documents: Mapping[int, DocumentInfo], ranked: Sequence[int]
) -> tuple[ClausePlace, ...]:
    """The places of the clauses that a question names by number.

    Args:
        question: as asked.
        db: the index.
        documents: those that may be seen, by key; no other is looked into.
        ranked: keys of the documents that the searches found, best first; used where the question names none.

    Returns:
        At most three a number, those of the document that the question names first.
    """
    numbers = asked_numbers(question)
    if not numbers:
        return ()
    named = named_documents(question, tuple(documents.values()))
    order = named or tuple(dict.fromkeys(ranked))
    places: list[ClausePlace] = []
    for number in numbers:
        found = _places(number, db, set(order) if named else set(documents), documents)
        rank = {key: i for i, key in enumerate(order)}
        found.sort(key=lambda place: rank.get(place.doc_key, len(rank)))
        places.extend(found[:_MOST])
    return tuple(dict.fromkeys(places))


def _places(
    number: str, db: sqlite3.Connection, among: Collection[int], documents: Mapping[int, DocumentInfo]
) -> list[ClausePlace]:
    """Where `number` stands as a section or, failing that, as an item inside the section of the enclosing number."""
    key: str | None = number
    while key is not None:
        rows = db.execute(
            'SELECT doc_key, section_id, start, "end" FROM sections WHERE number_key = ? ORDER BY doc_key, position',
            (key,),
        ).fetchall()
        sections = [ClausePlace(*row) for row in rows if row[0] in among and row[0] in documents]
        if sections:
            return sections if key == number else _items(number, db, sections)
        key = enclosing(key)
    return []


def _items(number: str, db: sqlite3.Connection, sections: Sequence[ClausePlace]) -> list[ClausePlace]:
    places = []
    for place in sections:
        span = find_clause(read_text(db, place.doc_key), read_sections(db, place.doc_key), number)
        start, end = span if span and place.start <= span[0] and span[1] <= place.end else (place.start, place.end)
        places.append(ClausePlace(place.doc_key, place.section_id, start, end))
    return places
