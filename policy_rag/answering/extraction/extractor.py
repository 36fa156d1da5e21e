"""Answers that are quotations: the sentences of the hits that answer a question, each with its place.

Each thing that could be quoted is scored (`scoring`); the best and what comes near it is chosen (`selection`), and
quoted (`composition`).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from policy_rag.answering.confidence.probability import UNWEIGHED, FirstQuotation
from policy_rag.answering.confidence.question_terms import Idf
from policy_rag.answering.extraction.answer_type import only_lasts
from policy_rag.answering.extraction.composition import Extract, answering_spans, compose, quotes_of
from policy_rag.answering.extraction.document_head import (
    asks_responsible,
    is_named,
    says_only_validity,
    says_responsible,
    says_validity,
)
from policy_rag.answering.extraction.named_rows import without_other_rows
from policy_rag.answering.extraction.other_names import named_as_asked
from policy_rag.answering.extraction.quotable_units import Unit, units
from policy_rag.answering.extraction.scoring import (
    Embed,
    EmbedQuery,
    borne_out,
    logits,
    own_words,
    read_around,
    unit_features,
)
from policy_rag.answering.extraction.selection import MOST, QuoteCandidate, choose
from policy_rag.index.search.terms import terms
from policy_rag.models.reader import Reader
from policy_rag.records.search import Hit
from policy_rag.retrieval.expansion.limiting_sections import LIMITS, NOTE
from policy_rag.retrieval.hit_blocks import QUOTED_HITS
from policy_rag.retrieval.ranked_passages import CLAUSE, MENTION
from policy_rag.retrieval.self_query.validity_questions import asks_validity, may_ask_validity
from policy_rag_parsers.blocks.notes import mark_of, marks_in

_UNITS_PER_HIT = 30  # more would cost a second of embedding and are far from what the search found
_NEAR_HITS, _UNITS_OF_FAR = 5, 5  # of hits further down: more found no more gold and took longer
_CLAUSE_CHARS = 1500  # who asks for a clause wants all of it, within reason
_MENTIONED = 1.2  # a clause that the question names on its way, or that refers to it, is worth that much more


def extract(
    question: str,
    hits: Sequence[Hit],
    *,
    embed: Embed,
    embed_query: EmbedQuery,
    idf: Idf,
    reader: Reader | None = None,
    most: int = MOST,
    max_chars: int = 900,
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
        embed_query: a question to its vector, `(dimension,)`.
        idf: of the keyword index that was searched.
        reader: reads question and text together; None: words decide alone.
        most: sentences, list items or rows that are chosen at most; what they bring does not count.
        max_chars: most characters of what is chosen; the first choice is taken however long it is.
        max_hits: how many hits from the top are looked into.
        languages: those of the documents, for stemming.
        related: what the hits bring along; exceptions to what is quoted, and the rule to a quoted exception, are quoted
            too, outside of `max_chars`.

    Returns:
        The likeliest first, each with what belongs to it in order of place. Nothing where the hits hold nothing to
        quote.
    """
    as_asked = named_as_asked(question, [hit.text for hit in (*hits, *related)])
    hits = hits[:max_hits]
    read = [(hit, [replace(unit, text=as_asked(unit.text)) for unit in units(hit)]) for hit in hits]
    clauses = [(hit, found) for hit, found in read if CLAUSE in hit.found_by]
    first = UNWEIGHED
    if clauses:
        chosen = _beginnings(clauses, max(max_chars, _CLAUSE_CHARS))
    else:
        named = [(hit, without_other_rows(question, found)) for hit, found in read]
        candidates: Sequence[QuoteCandidate] = candidates_of(question, named, languages)
        candidates = _of_document_itself(question, candidates, tuple({hit.path[0] for hit in hits if hit.path}))
        chosen = []
        if candidates:
            features = unit_features(
                question, candidates, embed=embed, embed_query=embed_query, idf=idf, reader=reader, languages=languages
            )
            scores = logits(features)
            scores += _MENTIONED * np.array([MENTION in one.hit.found_by for one in candidates], dtype=np.float32)
            places = choose(
                question,
                candidates,
                scores,
                lambda place: embed([candidates[place].unit.text])[0],
                most,
                max_chars,
                read=features.read is not None,
            )
            chosen = [candidates[place] for place in places]
            first = FirstQuotation(
                chosen=float(scores[places[0]]),
                near=float(features.cosine[places[0]]),
                length=chosen[0].unit.end - chosen[0].unit.start,
                amiss=only_lasts(question, [text for one in chosen for text in _quoted_texts(one)], languages),
            )
            if features.read is not None and reader is not None:
                first = _as_read(first, question, chosen[0], float(features.read[places[0]]), as_asked, reader)
    lead = () if clauses or not chosen else answering_spans(chosen[0].unit)
    composed = compose(quotes_of(_with_limits(chosen, related), alone=bool(clauses)), lead)
    return replace(composed, first=first)


def _as_read(
    first: FirstQuotation,
    question: str,
    one: QuoteCandidate,
    alone: float,
    as_asked: Callable[[str], str],
    reader: Reader,
) -> FirstQuotation:
    """The same with what the reader says of the first quotation, by itself and in its place.

    A row of a table has its place with it, the names of its cells.
    """
    around = alone if one.unit.table is not None else read_around(question, one, as_asked, reader)
    return replace(first, read=alone, around=around, borne=borne_out(question, as_asked(own_words(one)), reader))


def _of_document_itself(
    question: str, candidates: Sequence[QuoteCandidate], titles: Sequence[str]
) -> Sequence[QuoteCandidate]:
    """The candidates that may answer a question about a document itself, for any other question all else.

    There the day of a cover, which is no more than that, is none: it would answer whatever asks for a time.
    """
    named = {title for title in titles if is_named(question, title)}
    if asks_validity(question, titles):
        return [one for one in candidates if says_validity(one.unit.text) and named.intersection(one.hit.path[:1])]
    if not asks_responsible(question, titles):
        if may_ask_validity(question):
            return candidates
        return [one for one in candidates if len(one.hit.path) > 1 or not says_only_validity(one.unit.text)]
    told = [one for one in candidates if says_responsible(one.unit.text) and named.intersection(one.hit.path[:1])]
    return told or candidates


def _with_limits(chosen: Sequence[QuoteCandidate], related: Sequence[Hit]) -> list[QuoteCandidate]:
    """The chosen, and what is related as a limit of a hit of which one is chosen, or as a note to its words."""
    found = list(chosen)
    for hit in related:
        by = hit.found_by.get(LIMITS) or hit.found_by.get(NOTE)
        of_hit = [one for one in chosen if by and one.hit.rank == by.rank]
        if of_hit and (LIMITS in hit.found_by or mark_of(hit.text) in {m for one in of_hit for m in _marks(one)}):
            unit = Unit(hit.text, hit.start, hit.end, ((hit.start, hit.end),))
            found.append(QuoteCandidate(unit, hit, of_hit[0].document))
    return found


def _marks(one: QuoteCandidate) -> Iterator[str]:
    """The marks of notes in what is quoted with a candidate."""
    for text in _quoted_texts(one):
        yield from marks_in(text)


def _quoted_texts(one: QuoteCandidate) -> Iterator[str]:
    """What is quoted with a candidate, range by range."""
    for start, end in one.unit.quoted:
        yield one.hit.text[start - one.hit.start : end - one.hit.start]


def candidates_of(
    question: str, read: Sequence[tuple[Hit, Sequence[Unit]]], languages: Sequence[str]
) -> list[QuoteCandidate]:
    """What can be quoted of hits and their units, each place and each wording once."""
    documents = {doc_id: place for place, doc_id in enumerate(dict.fromkeys(hit.doc_id for hit, _ in read))}
    asked = {stem for language in languages for stem in terms(question, language)}
    found: list[QuoteCandidate] = []
    places: set[tuple[str, int]] = set()
    wordings: set[str] = set()
    for hit, units_of_hit in read:
        for unit in _nearest(units_of_hit, hit, asked, languages):
            wording = " ".join(unit.text.split()).casefold()
            place = (hit.doc_id, unit.start)
            if (place in places and not unit.is_column) or wording in wordings:
                continue
            places.add(place)
            wordings.add(wording)
            found.append(QuoteCandidate(unit, hit, documents[hit.doc_id]))
    return found


def _nearest(found: Sequence[Unit], hit: Hit, asked: set[str], languages: Sequence[str]) -> list[Unit]:
    """The units of a long hit that lie in the chunk that the search found, or share words with the question."""
    most = _UNITS_PER_HIT if hit.rank <= _NEAR_HITS else _UNITS_OF_FAR
    if len(found) <= most:
        return list(found)

    def rank(unit: Unit) -> tuple[bool, int, int]:
        shared = max(len(asked.intersection(terms(unit.text, language))) for language in languages)
        outside = unit.start < hit.chunk_start or unit.end > hit.chunk_end
        return outside, -shared, unit.start

    kept = sorted(found, key=rank)[:most]
    return sorted(kept, key=lambda unit: unit.start)


def _beginnings(clauses: Sequence[tuple[Hit, Sequence[Unit]]], max_chars: int) -> list[QuoteCandidate]:
    """The asked clauses, sentence by sentence and row by row, as far as they fit."""
    found: list[QuoteCandidate] = []
    for place, (hit, units_of_hit) in enumerate(clauses):
        used = 0
        for unit in _of_clause(hit, units_of_hit):
            if used and used + unit.end - unit.start > max_chars:
                break
            used += unit.end - unit.start
            found.append(QuoteCandidate(replace(unit, also=()), hit, place))  # who asks for an item wants no other
    return found


def _of_clause(hit: Hit, found: Sequence[Unit]) -> Sequence[Unit]:
    """The units inside the chunk that was found, or those that it is a part of: an item that needs its neighbours."""
    found = [unit for unit in found if not unit.is_column]  # its rows say the same
    inside = [unit for unit in found if hit.chunk_start <= unit.start and unit.end <= hit.chunk_end]
    around = [unit for unit in found if unit.start < hit.chunk_end and hit.chunk_start < unit.end]
    return inside or around or found[:1]
