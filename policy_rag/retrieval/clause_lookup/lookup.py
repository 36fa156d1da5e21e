"""Questions by number: "section 4.2(b) of the expenses policy" goes straight to the place."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_edges, read_sections, read_text
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.clause_lookup.other_laws import other_text
from policy_rag.retrieval.title_terms import documents_with_words_of, named_documents, other_words
from policy_rag_parsers.references.clause_lookup import clause_range
from policy_rag_parsers.references.clause_query import (
    ClauseQuery,
    clause_queries,
    possible_keys,
    unit_key,
    without_clauses,
)
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_parsers.text.lexicon import any_word, in_all
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.unit_words import KIND_OF

_MOST = 3  # places shown for a number that many documents have
_MOST_UNDER = 12  # clauses shown of a section that is a heading and nothing else
_MOST_READ = 100  # documents that are looked into for an item, the best of the search first
_MOST_OTHER_WORDS = 2
_MOST_REFERRING = 2
# The answer to these often stands where a clause is referred to: "approves any departure from section 5.1".
_PASSING = any_word(*map(in_all, ("wanting.who", "wanting.when", "wanting.why", "naming.departs")))
_QUOTES = any_word(in_all("naming.quotes"))
_CHAPTERS = frozenset(word for word, kind in KIND_OF.items() if kind in {"chapter", "part"})


@dataclass(frozen=True, slots=True)
class ClausePlace:
    """Where a clause that was asked for stands: `[start, end)` of a document's text, inside a section.

    `mentioned` where the question only mentions it, or where the place refers to what it mentions.
    """

    doc_key: int
    section_id: str
    start: int
    end: int
    mentioned: bool = False


@dataclass(frozen=True, slots=True)
class ClauseMatches:
    """The places of the clauses that a question asks for, and a notice for each number that is nowhere.

    `nowhere` where it asks for the text of clauses and nothing else, of documents that it names, and they have none of
    those numbers: whatever else a search finds is no answer.
    """

    places: tuple[ClausePlace, ...] = ()
    notices: tuple[str, ...] = ()
    nowhere: bool = False


def look_up_clauses(
    question: str, db: Database, documents: Mapping[int, DocumentInfo], ranked: Sequence[int]
) -> ClauseMatches:
    """The places of the clauses that a question asks for by number.

    A question that only mentions a number on its way to something else ("to comply with Rule 4.1.1, what must ...") is
    left to the searches, since its answer mostly stands elsewhere; a short one ("who approves a departure from 5.1?",
    "does the 401(k) cost fees?") gets the sections that refer to the clause first, and then the clause. No other
    documents than these are looked into. The searches found `ranked`, best first, which counts where the question names
    none.

    Returns:
        At most three places a number, those of the document that the question names first.
    """
    readable = tuple(documents.values())
    laws = {clause: other_text(question, clause, readable) for clause in clause_queries(question)}
    asked = [clause for clause, law in laws.items() if law is None]
    words = words_for(question, [document.language for document in documents.values()])
    foreign = tuple(
        words.other_law.format(clause=question[clause.start : clause.end].strip(), law=law)
        for clause, law in laws.items()
        if law is not None
    )
    if not asked:
        return ClauseMatches(notices=foreign)
    bare = without_clauses(question)
    # What few words of a title name must have the clause: "what does 3.1 say about gifts?" may mean any document.
    named = named_documents(question, readable) or tuple(
        key for key in documents_with_words_of(bare, readable) if any(_found(clause, db, [key])[1] for clause in asked)
    )
    others = other_words(bare, [documents[key].title for key in named])
    if others > _MOST_OTHER_WORDS:
        return ClauseMatches()
    rank = {key: i for i, key in enumerate(named or dict.fromkeys(ranked))}
    among = [key for key in named if key in documents] or list(documents)
    order = sorted(among, key=lambda key: rank.get(key, len(rank)))
    pointed = bool(named) or len(documents) == 1  # the question's own filters may have left one
    for_text = not others or _QUOTES.search(bare) is not None
    places: list[ClausePlace] = []
    notices = list(foreign)
    for clause in asked:
        part, found = _found(clause, db, order)
        written = question[clause.start : clause.end].strip()
        # "401(k)" and "9.9" may be no clauses at all.
        told = (for_text and pointed) or not others or not written[0].isdigit()
        none = words.no_clause.format(clause=written, titles=_titles([documents[key] for key in among], words))
        plain = _plain(clause) if pointed and not found else None
        if plain:
            part, found = _found(plain, db, order)
        if told and (not found or (part != clause and not _has_label(found, clause.items[len(part.items) :], db))):
            shown = words.section_shown.format(number=_number(part)) if found and not part.units[-1][0] else ""
            notices.append(": ".join(filter(None, (none, shown))))
        places += found
    nowhere = pointed and not places and not others and not _written_in(asked, db, among)
    if in_passing(question) or not for_text:
        places = _around(places, db)
    return ClauseMatches(tuple(dict.fromkeys(places)), tuple(notices), nowhere)


def _titles(documents: Sequence[DocumentInfo], words: AnswerWords) -> str:
    titles = ", ".join(dict.fromkeys(document.title for document in documents[:_MOST]))
    return titles if len(documents) <= _MOST else words.readable


def _plain(clause: ClauseQuery) -> ClauseQuery | None:
    """The same number without a word, for "chapter 4" of a document that counts its chapters as sections; or None."""
    (word, number), *inner = clause.units
    return replace(clause, units=(("", number),)) if word in _CHAPTERS and not inner else None


def _has_label(places: Sequence[ClausePlace], items: Sequence[str], db: Database) -> bool:
    """Whether the text of a place has the label of an item, be it amid a line."""
    label = re.compile(rf"(?<!\w){re.escape(items[0])}[.)]", re.IGNORECASE) if items else None
    return label is not None and any(label.search(read_text(db, one.doc_key), one.start, one.end) for one in places)


def _number(clause: ClauseQuery) -> str:
    return clause.units[-1][1] + "".join(f"({item})" for item in clause.items)


def _written_in(asked: Sequence[ClauseQuery], db: Database, keys: Sequence[int]) -> bool:
    """Whether the text of a document has one of the numbers, be it no section's; times, days and amounts are none."""
    numbers = "|".join(re.escape(clause.units[-1][1]) for clause in asked)
    lines = re.compile(rf"^.*(?<![\w.,:])(?:{numbers})(?!\w|[.,:]\d).*$", re.IGNORECASE | re.MULTILINE)
    begins = re.compile(rf"\W*(?:{numbers})[.)]?\s+[A-ZÄÖÜ]")
    keys_asked = {unit_key(clause.units[-1:]) for clause in asked}
    return any(
        begins.match(line[0]) or keys_asked & {unit_key(one.units[-1:]) for one in clause_queries(line[0])}
        for key in keys
        for line in lines.finditer(read_text(db, key))
    )


def _around(places: Sequence[ClausePlace], db: Database) -> list[ClausePlace]:
    """The sections that refer to clauses, then the first clause; other hits are to have room too."""
    found = [section for place in places for section in _referring(db, place)]
    return [*found[:_MOST_REFERRING], *(replace(place, mentioned=True) for place in places[:1])]


def in_passing(question: str) -> bool:
    """Whether a question with a clause's number asks for something else than the clause's text.

    >>> in_passing("Who approves a departure from 5.1?"), in_passing("What does 5.1 say about gifts?")
    (True, False)
    """
    return _PASSING.search(question) is not None


def _referring(db: Database, place: ClausePlace) -> list[ClausePlace]:
    """The first sections that refer to that of a place, in order."""
    homes = dict.fromkeys(edge.section_id for edge in read_edges(db, place.doc_key, target=place.section_id))
    sections = {one.section_id: one for one in read_sections(db, place.doc_key)} if homes else {}
    found = [sections[home] for home in islice(homes, _MOST_REFERRING)]
    return [ClausePlace(place.doc_key, one.section_id, one.start, one.end, mentioned=True) for one in found]


def _found(asked: ClauseQuery, db: Database, order: Sequence[int]) -> tuple[ClauseQuery, list[ClausePlace]]:
    """A clause and where it stands in the documents of `order`; where none has it, the enclosing one that they have."""
    for count in range(len(asked.items), -1, -1):
        clause = replace(asked, items=asked.items[:count])
        found = _numbered(clause.key, db, order) or _written_otherwise(clause, db, order)
        if found:
            # A section with text of its own before a bare heading in a document that was found earlier.
            shown = sorted((_with_text(one, db) for one in found), key=lambda places: len(places) > 1)
            return clause, [place for places in shown[:_MOST] for place in places]
    return asked, []


def _with_text(place: ClausePlace, db: Database) -> list[ClausePlace]:
    """The place; of a bare heading ("4. Travel" over "4.1 Trains") those of what is under it, in order."""
    rows = db.execute(
        'SELECT s.doc_key, s.section_id, s.start, s."end" FROM sections s, sections t '
        "WHERE t.doc_key = ? AND t.section_id = ? AND s.doc_key = t.doc_key AND s.start >= t.start "
        "AND (s.start < t.subtree_end OR s.start = t.start) AND EXISTS (SELECT 1 FROM passages p "
        'WHERE p.doc_key = s.doc_key AND p.start <= s.start AND p."end" > s.start) ORDER BY s.position LIMIT ?',
        (place.doc_key, place.section_id, _MOST_UNDER),
    ).fetchall()
    bare = bool(rows) and rows[0][1] != place.section_id
    return [ClausePlace(*row) for row in rows] if bare else [place]


def _numbered(key: str, db: Database, order: Sequence[int]) -> list[ClausePlace]:
    """The sections with that number."""
    rows = db.execute(
        'SELECT doc_key, section_id, start, "end" FROM sections WHERE number_key = ? ORDER BY doc_key, position', (key,)
    ).fetchall()
    place = {doc_key: i for i, doc_key in enumerate(order)}
    found = [ClausePlace(*row) for row in rows if row[0] in place]
    return sorted(found, key=lambda one: place[one.doc_key])


def _written_otherwise(asked: ClauseQuery, db: Database, order: Sequence[int]) -> list[ClausePlace]:
    """The clause as an item of a list, in other numerals, or named in a title; see `clause_range`."""
    holders = _holders(asked, db)
    found: list[ClausePlace] = []
    for doc_key in [key for key in order if key in holders][:_MOST_READ]:
        text, sections = read_text(db, doc_key), read_sections(db, doc_key)
        span = clause_range(text, sections, asked)
        if span is not None:
            home = next(section for section in reversed(sections) if section.start <= span[0])
            end = span[1] if asked.items or span[0] > home.start else home.end
            found.append(ClausePlace(doc_key, home.section_id, span[0], end))
        if len(found) == _MOST:
            break
    return found


def _holders(asked: ClauseQuery, db: Database) -> set[int]:
    """The documents that may have the unit in which a clause stands."""
    keys = tuple(possible_keys(asked))
    rows = db.execute(
        f"SELECT DISTINCT doc_key FROM sections WHERE number_key IN ({', '.join('?' * len(keys))})",  # noqa: S608
        keys,
    ).fetchall()
    word, number = asked.units[-1]
    if not rows and word:
        outer, value = asked.units[0]
        rows = db.execute(
            "SELECT DISTINCT doc_key FROM sections WHERE number_key LIKE ? "
            "OR (number_key IS NULL AND (title LIKE ? OR title LIKE ?))",
            (f"%{word}{number}", f"{outer} {value}%", f"{word} {number}%"),
        ).fetchall()
    return {row[0] for row in rows}
