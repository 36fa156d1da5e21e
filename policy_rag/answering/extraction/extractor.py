"""Answers that are quotations: the sentences of the hits that answer a question, each with its place.

A sentence scores by its cosine with the question, by how many of the question's words it holds, and by its hit's own
cosine. What is chosen (`choosing`) comes in the order of the documents, and neighbours are joined.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.confidence.question_terms import question_terms
from policy_rag.answering.extraction.selection import Candidate, belonging, choose, says_validity
from policy_rag.answering.extraction.units import Unit, units
from policy_rag.index.search.tokens import terms
from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag.retrieval.expansion.limiting_sections import LIMITS, NOTE
from policy_rag.retrieval.hit_blocks import QUOTED_HITS
from policy_rag.retrieval.ranked_passages import CLAUSE, MENTION
from policy_rag.retrieval.self_query.validity_questions import asks_validity
from policy_rag_parsers.blocks.notes import mark_of, marks_in

Embed = Callable[[Sequence[str]], NDArray[np.float32]]

_COVERAGE, _HIT = 0.3, 0.5
_UNITS_PER_HIT = 30  # more would cost a second of embedding and are far from what the search found
_CLAUSE_CHARS = 1500  # who asks for a clause wants all of it, within reason
_POINTS = 0.3  # what asks, or only says where something stands, is worth that much less
_MENTIONED = 0.3  # a clause that the question names on its way, or that refers to it, is worth that much more
_POINTER = re.compile(
    r"\?\W*\Z|^\W*(?:see|refer to|siehe|vgl\.)\s.{0,100}$|\b(?:has|have) the (?:same )?meanings?\b",
    re.IGNORECASE | re.DOTALL,
)
_JOINTS = " \t\n|:-"  # between table rows, a Markdown rule may stand


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation: `text` is exactly `[start, end)` of the document, and lies inside `hit`."""

    text: str
    start: int
    end: int
    hit: Hit


@dataclass(frozen=True, slots=True)
class Extract:
    """An answer that is quotations: these, in order, the text that they make, and their citations in order of `n`."""

    quotes: tuple[Quote, ...]
    text: str
    citations: tuple[Citation, ...]


def extract(
    question: str,
    hits: Sequence[Hit],
    *,
    embed: Embed,
    question_vector: NDArray[np.float32],
    max_sentences: int = 5,
    max_chars: int = 450,
    max_hits: int = QUOTED_HITS,
    languages: Sequence[str] = ("english",),
    related: Sequence[Hit] = (),
) -> Extract:
    """The sentences of `hits` that answer `question`, verbatim.

    List items and table rows stay whole and bring what introduces them; a sentence brings what limits it behind it,
    outside of `max_chars`; headings are never quoted alone. Where the question asks for a clause by number and the
    search found it, the clause itself is quoted from its beginning.

    Args:
        question: as asked.
        hits: best first; they may be more than are looked into.
        embed: texts to vectors of norm 1, `(len(texts), dimension)`.
        question_vector: the question's own, `(dimension,)`.
        max_sentences: most sentences, list items or rows that are chosen; what they bring does not count.
        max_chars: most characters of what is chosen; the first choice is taken however long it is.
        max_hits: how many hits from the top are looked into.
        languages: those of the documents, for stemming.
        related: what the hits bring along; exceptions to what is quoted, and the rule to a quoted exception, are quoted
            too, outside of `max_chars`.

    Returns:
        Documents in order of their best hit, in each by place. Nothing where the hits hold nothing to quote.
    """
    hits = hits[:max_hits]
    read = [(hit, units(hit)) for hit in hits]
    clauses = [(hit, found) for hit, found in read if CLAUSE in hit.found_by]
    if clauses:
        chosen = _beginnings(clauses, max(max_chars, _CLAUSE_CHARS))
    else:
        candidates = _candidates(read, question, languages)
        if asks_validity(question, {hit.path[0] for hit in hits if hit.path}):
            candidates = [one for one in candidates if says_validity(one.unit.text)]
        chosen = _best(question, candidates, embed, question_vector, max_sentences, max_chars, languages)
    return compose(_in_order(_with_limits(chosen, related), hits))


def _best(
    question: str,
    candidates: Sequence[Candidate],
    embed: Embed,
    question_vector: NDArray[np.float32],
    max_sentences: int,
    max_chars: int,
    languages: Sequence[str],
) -> list[Candidate]:
    """The candidates that answer a question, best first; see `extract`."""
    if not candidates:
        return []
    vectors = embed([one.unit.text for one in candidates])
    cosines = vectors @ question_vector
    coverages = _coverages(question, candidates, languages)
    scores = cosines + _COVERAGE * coverages
    scores = scores + _HIT * _hit_cosines(candidates, cosines)
    scores = scores - _POINTS * np.array([_POINTER.search(one.unit.text) is not None for one in candidates])
    scores = scores + _MENTIONED * np.array([MENTION in one.hit.found_by for one in candidates])
    scores = scores.astype(np.float32)
    free = belonging(question, candidates, scores, cosines, coverages)
    return [candidates[i] for i in choose(candidates, scores, free, vectors, max_sentences, max_chars)]


def compose(quotes: Sequence[Quote]) -> Extract:
    """The answer that quotations make, each on lines of its own and followed by its `[n]`."""
    citations = tuple(
        Citation(
            n=n,
            quote=one.text,
            doc_id=one.hit.doc_id,
            version=one.hit.version,
            file=one.hit.file,
            section_id=one.hit.section_id,
            path=one.hit.path,
            start=one.start,
            end=one.end,
            page=one.hit.page,
            path_numbers=one.hit.path_numbers,
        )
        for n, one in enumerate(quotes, 1)
    )
    text = "\n".join(f"{citation.quote} [{citation.n}]" for citation in citations)
    return Extract(tuple(quotes), text, citations)


def _with_limits(chosen: Sequence[Candidate], related: Sequence[Hit]) -> list[Candidate]:
    """The chosen, and what is related as a limit of a hit of which one is chosen, or as a note to its words."""
    found = list(chosen)
    for hit in related:
        by = hit.found_by.get(LIMITS) or hit.found_by.get(NOTE)
        of_hit = [one for one in chosen if by and one.hit.rank == by.rank]
        if of_hit and (LIMITS in hit.found_by or mark_of(hit.text) in {m for one in of_hit for m in _marks(one)}):
            unit = Unit(hit.text, hit.start, hit.end, ((hit.start, hit.end),))
            found.append(Candidate(unit, hit, of_hit[0].document))
    return found


def _marks(one: Candidate) -> Iterator[str]:
    """The marks of notes in what is quoted with a candidate."""
    for start, end in one.unit.quoted:
        yield from marks_in(one.hit.text[start - one.hit.start : end - one.hit.start])


def _candidates(read: Sequence[tuple[Hit, Sequence[Unit]]], question: str, languages: Sequence[str]) -> list[Candidate]:
    """What can be quoted, each place and each wording once."""
    documents = {doc_id: place for place, doc_id in enumerate(dict.fromkeys(hit.doc_id for hit, _ in read))}
    asked = {stem for language in languages for stem in terms(question, language)}
    found: list[Candidate] = []
    places: set[tuple[str, int]] = set()
    wordings: set[str] = set()
    for hit, units_of_hit in read:
        for unit in _nearest(units_of_hit, hit, asked, languages):
            wording = " ".join(unit.text.split()).casefold()
            place = (hit.doc_id, unit.start)
            if place in places or wording in wordings:
                continue
            places.add(place)
            wordings.add(wording)
            found.append(Candidate(unit, hit, documents[hit.doc_id]))
    return found


def _nearest(found: Sequence[Unit], hit: Hit, asked: set[str], languages: Sequence[str]) -> list[Unit]:
    """The units of a long hit that lie in the chunk that the search found, or share words with the question."""
    if len(found) <= _UNITS_PER_HIT:
        return list(found)

    def rank(unit: Unit) -> tuple[bool, int, int]:
        shared = max(len(asked.intersection(terms(unit.text, language))) for language in languages)
        outside = unit.start < hit.chunk_start or unit.end > hit.chunk_end
        return outside, -shared, unit.start

    kept = sorted(found, key=rank)[:_UNITS_PER_HIT]
    return sorted(kept, key=lambda unit: unit.start)


def _coverages(question: str, candidates: Sequence[Candidate], languages: Sequence[str]) -> NDArray[np.float32]:
    """The share of the question's words in each candidate, `(candidates,)`; words of few candidates weigh more.

    The titles of its sections count as its own words: "3 Redundancy pay" says what "one month for each year" is of.
    """
    texts = [" ".join((*one.hit.path[1:], one.unit.text)) for one in candidates]
    coverages = np.zeros(len(candidates), dtype=np.float32)
    for language in dict.fromkeys(languages):
        held = [frozenset(terms(text, language)) for text in texts]

        def idf(stems: Sequence[str], held: Sequence[frozenset[str]] = held) -> NDArray[np.float32]:
            counts = np.array([sum(stem in words for words in held) for stem in stems], dtype=np.float32)
            return np.log1p((len(held) - counts + np.float32(0.5)) / (counts + np.float32(0.5))).astype(np.float32)

        asked = question_terms(question, idf, language)
        if asked.total > 0:
            shares = np.array([asked.matched(list(words)) / asked.total for words in held], dtype=np.float32)
            coverages = np.maximum(coverages, shares)
    return coverages


def _hit_cosines(candidates: Sequence[Candidate], own: NDArray[np.float32]) -> NDArray[np.float32]:
    """The cosine of each candidate's hit, `(candidates,)`; of a hit without one that of its nearest candidate."""
    nearest: dict[int, float] = {}
    for one, cosine in zip(candidates, own.tolist(), strict=True):
        nearest[one.hit.rank] = max(cosine, nearest.get(one.hit.rank, 0.0))
    found = [one.hit.found_by.get("vector") for one in candidates]
    cosines = [by.score if by else nearest[one.hit.rank] for one, by in zip(candidates, found, strict=True)]
    return np.array(cosines, dtype=np.float32)


def _beginnings(clauses: Sequence[tuple[Hit, Sequence[Unit]]], max_chars: int) -> list[Candidate]:
    """The asked clauses, sentence by sentence, as far as they fit."""
    found: list[Candidate] = []
    for place, (hit, units_of_hit) in enumerate(clauses):
        used = 0
        for unit in _of_clause(hit, units_of_hit):
            if used and used + unit.end - unit.start > max_chars:
                break
            used += unit.end - unit.start
            found.append(Candidate(replace(unit, also=()), hit, place))  # who asks for an item wants no other
    return found


def _of_clause(hit: Hit, found: Sequence[Unit]) -> Sequence[Unit]:
    """The units inside the chunk that was found, or those that it is a part of: an item that needs its neighbours."""
    inside = [unit for unit in found if hit.chunk_start <= unit.start and unit.end <= hit.chunk_end]
    around = [unit for unit in found if unit.start < hit.chunk_end and hit.chunk_start < unit.end]
    return inside or around or found[:1]


def _in_order(chosen: Sequence[Candidate], hits: Sequence[Hit]) -> tuple[Quote, ...]:
    """The chosen with what they bring, by document and place, neighbours of one hit joined."""
    documents = {doc_id: place for place, doc_id in enumerate(dict.fromkeys(hit.doc_id for hit in hits))}
    places = {(documents[one.hit.doc_id], span, one.hit.rank): one.hit for one in chosen for span in one.unit.quoted}
    spans = sorted(places.items(), key=lambda item: (item[0][0], item[0][1][0], -item[0][1][1], item[0][2]))
    joined: list[tuple[int, int, Hit]] = []
    for (_, (start, end), _), hit in spans:
        if joined:
            first, last, before = joined[-1]
            if before.doc_id == hit.doc_id and start < last and end <= last:
                continue
            if before is hit and _adjacent(hit, last, start):
                joined[-1] = (first, max(last, end), hit)
                continue
        joined.append((start, end, hit))
    return tuple(Quote(hit.text[start - hit.start : end - hit.start], start, end, hit) for start, end, hit in joined)


def _adjacent(hit: Hit, last: int, start: int) -> bool:
    return start <= last or not hit.text[last - hit.start : start - hit.start].strip(_JOINTS)
