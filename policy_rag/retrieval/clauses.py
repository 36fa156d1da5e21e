"""Questions by number: "section 4.2(b) of the expenses policy" goes straight to the place."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from policy_rag.index.documents import DocumentInfo
from policy_rag.index.rows import read_sections, read_text
from policy_rag.index.tokens import terms
from policy_rag_parsers.clauses import find_clause
from policy_rag_parsers.numbers import asked_numbers, enclosing

_MOST = 3  # places shown for a number that many documents have
_MOST_OTHER_WORDS = 2
_GENERIC = frozenset(
    terms(
        "policy policies rule rules standard guideline guidelines procedure procedures section sections clause clauses "
        "article paragraph point item number say says state states stated read reads provide provides require "
        "requires mean means text wording content quote cite show tell exactly please full print explain document "
        "company regarding according under must may allow allows"
    )
    + terms(
        "Richtlinie Regelung Abschnitt Ziffer Absatz Artikel Punkt Nummer sagt steht lautet regelt besagt bedeutet "
        "Wortlaut zeige genau bitte Dokument Betriebsvereinbarung",
        "german",
    )
)


@dataclass(frozen=True, slots=True)
class ClausePlace:
    """Where a clause that was asked for stands: `[start, end)` of a document's text, inside a section."""

    doc_key: int
    section_id: str
    start: int
    end: int


def named_documents(question: str, documents: Sequence[DocumentInfo]) -> tuple[int, ...]:
    """Keys of the documents that the question names: by at least half of their title's telling words.

    Of several the one with the most named words counts, then the one whose title is named more fully; all that are
    level are given. A word that more than a third of the titles have ("policy") tells nothing.
    """
    asked = set(terms(question))
    named = {
        key: (len(title & asked), len(title & asked) / len(title))
        for key, title in telling_terms(documents).items()
        if 2 * len(title & asked) >= max(1, len(title))
    }
    best = max(named.values(), default=None)
    return tuple(key for key, score in named.items() if score == best)


def telling_terms(documents: Sequence[DocumentInfo]) -> dict[int, frozenset[str]]:
    """The stems of each document's title, by key, without those that many titles or all policies have.

    Editions of one policy have one title, which counts once.
    """
    titles = {d.doc_key: _title_terms(d.title) for d in documents}
    distinct = set(titles.values())
    holders = Counter(term for title in distinct for term in title)
    common = {term for term, count in holders.items() if count > max(1, len(distinct) / 3)} | _GENERIC
    return {key: title - common for key, title in titles.items()}


@lru_cache(maxsize=10_000)
def _title_terms(title: str) -> frozenset[str]:
    return frozenset(terms(title))


def asked_places(
    question: str, db: sqlite3.Connection, documents: Mapping[int, DocumentInfo], ranked: Sequence[int]
) -> tuple[ClausePlace, ...]:
    """The places of the clauses that a question asks for by number.

    A question that only mentions a number on its way to something else ("to comply with Rule 4.1.1, what must ...") is
    left to the searches, since its answer mostly stands elsewhere.

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
    if other_words(question, [documents[key].title for key in named]) > _MOST_OTHER_WORDS:
        return ()
    order = named or tuple(dict.fromkeys(ranked))
    rank = {key: i for i, key in enumerate(order)}
    places: list[ClausePlace] = []
    for number in numbers:
        found = _places(number, db, set(order) if named else set(documents), documents)
        found.sort(key=lambda place: rank.get(place.doc_key, len(rank)))
        places.extend(found[:_MOST])
    return tuple(dict.fromkeys(places))


def other_words(question: str, titles: Sequence[str]) -> int:
    """How many telling words a question has besides numbers, its documents' titles and words that ask for a text."""
    known = _GENERIC.union(*(terms(title) for title in titles))
    return len({term for term in terms(question) if term.isalpha() and len(term) > 2 and term not in known})


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
