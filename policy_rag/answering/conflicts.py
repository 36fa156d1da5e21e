"""Contradictions between documents on one matter: another figure, a permission against a prohibition, another person.

Two statements are on the same matter when many of their words are the same, rare words weighing more, and their vectors
are near. Of those, pairs are kept that rules find opposed. Where the reader knows the language, it must see a
contradiction, and less of one where the other figure is put in: else more than the figure differs. What is found is for
a person to decide: a difference may be meant.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from policy_rag.answering.citations import cite
from policy_rag.answering.conflict_statements import ComparedStatement, statements, whole
from policy_rag.answering.extraction.scoring import Embed
from policy_rag.answering.opposition import Opposition, opposed
from policy_rag.models.reader import Reader, Support
from policy_rag.records.answer import Citation
from policy_rag.records.conflict import Conflict
from policy_rag.records.search import Hit
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.english_answers import ENGLISH_ANSWERS

VECTORS_ALIKE = 0.65
"""Least likeness of the vectors of two figures' statements."""
CONTRADICTED = 0.12
"""Least probability of a contradiction that the reader must see, one way or the other."""
BORNE_OUT = 0.5
"""By how much the logit of support against contradiction, both ways' mean, must rise with the other figure put in."""
UNREAD = 1.5
"""Least likeness in a language that the reader does not know."""
_WORDS_ALIKE = 0.3  # less is never made up for by the vectors
_SHARED = 2  # words of a matter and of what is said of it
_AS_MANY = 1000  # statements: of fewer, words of both would count as common for being in both
_COMMON = 500  # statements: a word of more is no reason to compare two
_LEAST = 0.01  # added to a probability, whose logarithm would else be without bound


def find_conflicts(
    documents: Sequence[Sequence[Hit]], embed: Embed, reader: Reader | None, words: AnswerWords = ENGLISH_ANSWERS
) -> tuple[Conflict, ...]:
    """The conflicts between documents, surest first.

    Args:
        documents: the sections of each, with their blocks.
        embed: texts to vectors of norm 1, `(len(texts), dimension)`.
        reader: reads two statements together; None: words and vectors decide alone.
        words: in which their reasons are told.
    """
    stated = [one for hits in documents for hit in hits for one in statements(hit)]
    stands_in: dict[str, set[str]] = defaultdict(set)
    for one in stated:
        stands_in[one.own.text].add(one.hit.doc_id)
    pairs = [
        (first, second, shared, said)
        for first, second, shared in _alike(stated)
        if (said := opposed(stated[first], stated[second], words))
        and not _both_say(stated[first], stated[second], stands_in)
    ]
    if not pairs:
        return ()
    places = sorted({place for pair in pairs for place in pair[:2]})
    vectors = dict(zip(places, embed([stated[place].text.text for place in places]), strict=True))
    found: list[Conflict] = []
    for first, second, shared, said in pairs:
        pair = stated[first], stated[second]
        likeness = shared + float(vectors[first] @ vectors[second])
        if said.figures and likeness - shared < VECTORS_ALIKE:
            continue
        score = _score(pair, said, likeness, reader)
        if score is not None:
            here, there = (cite(n, one.hit, one.start, one.end) for n, one in enumerate(pair, 1))
            found.append(Conflict(said.kind, said.reason, round(score, 4), (here, there)))
    return tuple(sorted(found, key=lambda one: -one.score))


def contradicting(
    citations: Sequence[Citation],
    hits: Sequence[Hit],
    embed: Embed,
    reader: Reader | None,
    words: AnswerWords = ENGLISH_ANSWERS,
    *,
    said: Sequence[str] = (),
) -> list[tuple[str, Citation]]:
    """What speaks against citations among the hits: how it differs, and the place, with its `n` if it is cited, else 0.

    Args:
        citations: of an answer.
        hits: best first, those that were cited among them, with their blocks.
        embed: see `find_conflicts`.
        reader: see `find_conflicts`.
        words: see `find_conflicts`.
        said: what is quoted word for word; of a citation the rest, which only stands around that, does not count. All
            counts where nothing is.
    """
    by_document: dict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        by_document[hit.doc_id].append(hit)
    if not citations or len(by_document) < 2:
        return []
    found = []
    for conflict in find_conflicts(list(by_document.values()), embed, reader, words):
        places = [(next((one.n for one in citations if _meet(place, one)), 0), place) for place in conflict.citations]
        told = [(n, place) for n, place in places if n and (not said or any(place.quote in one for one in said))]
        if told:
            # What is said first is the answer, the other place speaks against it.
            answer = min(told, key=lambda one: one[0])
            n, other = next(one for one in places if one[1] is not answer[1])
            found.append((conflict.reason, replace(other, n=n)))
    return found


def _meet(one: Citation, other: Citation) -> bool:
    return one.doc_id == other.doc_id and one.start < other.end and other.start < one.end


def _score(
    pair: tuple[ComparedStatement, ComparedStatement], said: Opposition, likeness: float, reader: Reader | None
) -> float | None:
    """How sure a conflict is, or None where it is not sure enough."""
    if likeness < said.least:
        return None
    if said.is_plain:
        return likeness
    if reader is None or any(one.text.language != "english" for one in pair):
        return likeness if likeness >= UNREAD else None
    texts = [one.text.text for one in pair]
    seen = reader.support(texts, texts[::-1])
    contradicted = max(one.contradicted for one in seen)
    if contradicted < CONTRADICTED:
        return None
    if said.figures:
        first, second = said.figures
        altered = reader.support(texts, [whole(second).sub(first, texts[1]), whole(first).sub(second, texts[0])])
        if _borne_out(altered) - _borne_out(seen) < BORNE_OUT:
            return None  # more than the figure differs
    return likeness + contradicted


def _borne_out(seen: Sequence[Support]) -> float:
    """The mean logit of support against contradiction."""
    return sum(math.log((one.supported + _LEAST) / (one.contradicted + _LEAST)) for one in seen) / len(seen)


def _alike(stated: Sequence[ComparedStatement]) -> Iterator[tuple[int, int, float]]:
    """Pairs of statements of two documents that share words, and how alike their words are: Dice, weighted by idf."""
    counts = Counter(stem for one in stated for stem in one.stems)
    written = Counter(stem for one in stated if one.row is None for stem in one.stems)  # a head stands in each row
    many = max(sum(one.row is None for one in stated), _AS_MANY)
    weights = {stem: math.log1p((many - written[stem] + 0.5) / (written[stem] + 0.5)) for stem in counts}
    totals = [sum(weights[stem] for stem in one.stems) for one in stated]
    earlier: dict[str, list[int]] = defaultdict(list)
    for second, one in enumerate(stated):
        rare = [stem for stem in one.stems if counts[stem] <= _COMMON]
        for first in {first for stem in rare for first in earlier[stem]}:
            other = stated[first]
            shared = one.stems & other.stems
            alike = 2 * sum(weights[stem] for stem in shared) / (totals[first] + totals[second])
            if other.hit.doc_id != one.hit.doc_id and len(shared) >= _SHARED and alike >= _WORDS_ALIKE:
                yield first, second, alike
        for stem in rare:
            earlier[stem].append(second)


def _both_say(one: ComparedStatement, other: ComparedStatement, stands_in: Mapping[str, Collection[str]]) -> bool:
    """Whether each of two documents has both statements word for word, as two versions of one policy have."""
    documents = {one.hit.doc_id, other.hit.doc_id}
    return documents.issubset(stands_in[one.own.text]) and documents.issubset(stands_in[other.own.text])
