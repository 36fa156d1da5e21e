"""Contradictions between documents on one matter: another figure, a permission against a prohibition, another person.

Two statements are on the same matter when many of their words are the same, rare words weighing more, and their vectors
are near. Of those, pairs are kept that rules find opposed. Where the reader knows the language, it must see a
contradiction, and less of one where the other figure is put in: else more than the figure differs. What is found is for
a person to decide: a difference may be meant.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from policy_rag.answering.citations import cite
from policy_rag.answering.deciding_person import decides, persons
from policy_rag.answering.extraction.quotable_units import units
from policy_rag.answering.extraction.scoring import Embed
from policy_rag.answering.presentation.readable import readable_line
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.models.reader import Reader, Support
from policy_rag.records.answer import Citation
from policy_rag.records.conflict import Conflict, ConflictKind
from policy_rag.records.search import Hit
from policy_rag_parsers.text.dates import MONTHS
from policy_rag_parsers.text.lexicon import any_word
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.english_answers import ENGLISH_ANSWERS
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.quantities import ORDINAL, TIME_UNITS, Quantity, is_other_time
from policy_rag_parsers.text.tokenizer import language_of, terms
from policy_rag_parsers.text.units import unit_names

SAME_MATTER = {ConflictKind.FIGURE: 1.1, ConflictKind.MODALITY: 1.25, ConflictKind.PERSON: 1.0}
"""Least sum of the words' and the vectors' likeness from which two statements are on the same matter."""
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
_WORDS = 3  # fewer say too little to be compared
_AS_MANY = 1000  # statements: of fewer, words of both would count as common for being in both
_COMMON = 500  # statements: a word of more is no reason to compare two
_LONGEST = 500
_LEAST = 0.01  # added to a probability, whose logarithm would else be without bound
_COUNTED = 3  # words behind a figure among which is what it counts
_LINKS = 2  # more make a list of links
_MARKER = re.compile(r"^[\s>]*(?:[-*+•]|\(?\w{1,4}[.)]|\d{1,3}(?:\.\d{1,3})+\.?(?=\s+[^\W\d_a-zß-ÿ]))\s+")
_OPPOSED = (
    (Modality.PERMISSION, Modality.PROHIBITION, False),
    (Modality.OBLIGATION, Modality.EXEMPTION, True),
    (Modality.OBLIGATION, Modality.PROHIBITION, True),
)
"""Kinds of modals that contradict each other, and whether only before a word of both."""


class _Opposition(NamedTuple):
    """What two statements say against each other, and the figures, if it is these, with units that differ."""

    kind: ConflictKind
    reason: str
    figures: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Statement:
    """A sentence or list item with what leads into it; `own` is without that."""

    hit: Hit
    start: int
    end: int
    text: Sentence
    own: Sentence

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem for stem in self.text.content if not stem[0].isdigit())

    @cached_property
    def claims(self) -> list[Quantity]:
        """Its figures but those of how often something is done, "for every four hours"."""
        often = [range(one.start, one.end) for one in self.own.frequencies]
        return [one for one in self.own.claims if not any(one.start in span for span in often)]

    @cached_property
    def figures(self) -> dict[str, list[Quantity]]:
        """The figures by unit, or by each word that may be what they count ("5 failed attempts", "the third day")."""
        found: dict[str, list[Quantity]] = defaultdict(list)
        for one in self.claims:
            for unit in [one.unit] if one.unit and one.unit != ORDINAL else self._counted(one):
                if unit not in MONTHS:
                    found[unit].append(one)
        return found

    def _counted(self, one: Quantity) -> list[str]:
        language = self.own.language
        behind = re.search(rf"{_whole(one.shown).pattern}((?:[\s-]+[^\W\d_]+){{1,{_COUNTED}}})", self.own.text)
        stems = terms(behind[1], language) if behind else []
        if one.unit:
            return [f"{one.unit} {stem}" for stem in stems]
        # "4 sick leave hours" are hours
        return [] if set(stems) & set(unit_names(language).values()) else stems

    @cached_property
    def times(self) -> list[Quantity]:
        """The lengths of time."""
        return [one for one in self.claims if one.unit in TIME_UNITS]

    def with_unit(self, one: Quantity) -> str:
        """A length of time as it is written, with its unit."""
        found = re.search(rf"{_whole(one.shown).pattern}[\s-]*\w+", self.own.text)
        return found[0] if found else one.shown

    def named(self, unit: str) -> str:
        """A unit of `figures`, or what is counted, as it is written here."""
        names, stem = unit_names(self.own.language), unit.removeprefix(f"{ORDINAL} ")
        bare = unit.rpartition(" ")[2]
        written = re.findall(r"\w+|[%€$£]", self.own.text)
        named = (word for word in written if names.get(word.lower()) == bare)
        counted = (word for word in written if terms(word, self.own.language) == [stem])
        return next(named, None) or next(counted, unit)

    @property
    def is_limited(self) -> bool:
        """Whether it says "only", "except" or "unless": what it forbids elsewhere may be allowed."""
        known = self.own.lexicon
        return any_word(known.only, known.except_, known.without).search(self.own.text) is not None


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
    statements = [one for hits in documents for hit in hits for one in _statements(hit)]
    stands_in: dict[str, set[str]] = defaultdict(set)
    for one in statements:
        stands_in[one.own.text].add(one.hit.doc_id)
    opposed = [
        (first, second, shared, said)
        for first, second, shared in _alike(statements)
        if (said := _opposed(statements[first], statements[second], words))
        and not _both_say(statements[first], statements[second], stands_in)
    ]
    if not opposed:
        return ()
    places = sorted({place for pair in opposed for place in pair[:2]})
    vectors = dict(zip(places, embed([statements[place].text.text for place in places]), strict=True))
    found: list[Conflict] = []
    for first, second, shared, said in opposed:
        pair = statements[first], statements[second]
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
    pair: tuple[_Statement, _Statement], said: _Opposition, likeness: float, reader: Reader | None
) -> float | None:
    """How sure a conflict is, or None where it is not sure enough."""
    if likeness < SAME_MATTER[said.kind]:
        return None
    if said.kind is ConflictKind.PERSON:
        return likeness  # nothing else differs
    if reader is None or any(one.text.language != "english" for one in pair):
        return likeness if likeness >= UNREAD else None
    texts = [one.text.text for one in pair]
    seen = reader.support(texts, texts[::-1])
    contradicted = max(one.contradicted for one in seen)
    if contradicted < CONTRADICTED:
        return None
    if said.figures:
        first, second = said.figures
        altered = reader.support(texts, [_whole(second).sub(first, texts[1]), _whole(first).sub(second, texts[0])])
        if _borne_out(altered) - _borne_out(seen) < BORNE_OUT:
            return None  # more than the figure differs
    return likeness + contradicted


def _borne_out(seen: Sequence[Support]) -> float:
    """The mean logit of support against contradiction."""
    return sum(math.log((one.supported + _LEAST) / (one.contradicted + _LEAST)) for one in seen) / len(seen)


def _whole(one: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(one)}(?!\w)")


def _statements(hit: Hit) -> Iterator[_Statement]:
    for unit in units(hit):
        if unit.table is not None or len(unit.text) > _LONGEST or unit.text.count("](") > _LINKS:
            continue
        text = readable_line(_MARKER.sub("", unit.text), hit.file)
        language = language_of(text) or "english"
        own = readable_line(_MARKER.sub("", hit.text[unit.start - hit.start : unit.end - hit.start]), hit.file)
        made = _Statement(hit, unit.start, unit.end, read(text, language), read(own, language))
        opposable = made.figures or made.own.frequencies or made.own.modals or decides(made.own)
        if len(made.stems) >= _WORDS and opposable:
            yield made


def _alike(statements: Sequence[_Statement]) -> Iterator[tuple[int, int, float]]:
    """Pairs of statements of two documents that share words, and how alike their words are: Dice, weighted by idf."""
    counts = Counter(stem for one in statements for stem in one.stems)
    many = max(len(statements), _AS_MANY)
    weights = {stem: math.log1p((many - n + 0.5) / (n + 0.5)) for stem, n in counts.items()}
    totals = [sum(weights[stem] for stem in one.stems) for one in statements]
    earlier: dict[str, list[int]] = defaultdict(list)
    for second, one in enumerate(statements):
        rare = [stem for stem in one.stems if counts[stem] <= _COMMON]
        for first in {first for stem in rare for first in earlier[stem]}:
            other = statements[first]
            shared = one.stems & other.stems
            alike = 2 * sum(weights[stem] for stem in shared) / (totals[first] + totals[second])
            if other.hit.doc_id != one.hit.doc_id and len(shared) >= _SHARED and alike >= _WORDS_ALIKE:
                yield first, second, alike
        for stem in rare:
            earlier[stem].append(second)


def _opposed(one: _Statement, other: _Statement, words: AnswerWords) -> _Opposition | None:
    if one.text.language != other.text.language:
        return None
    for unit in (unit for unit in one.figures if unit in other.figures):
        pairs = [*zip(one.figures[unit], other.figures[unit], strict=False)]
        unlike = [pair for pair in pairs if not pair[0].values & pair[1].values]
        same_count = len(one.figures[unit]) == len(other.figures[unit])
        if same_count and len(unlike) == 1 and not any(_bound_otherwise(*pair) for pair in pairs):
            first, second = unlike[0]
            reason = f"{words.against.format(one=first.shown, other=second.shown)} ({one.named(unit)})"
            return _Opposition(ConflictKind.FIGURE, reason, (first.shown, second.shown))
    finders = (_other_time, _other_frequency, _other_person, _other_modal)
    return next(filter(None, (find(one, other, words) for find in finders)), None)


def _bound_otherwise(first: Quantity, second: Quantity) -> bool:
    return first.bound is not None and second.bound is not None and first.bound.side is not second.bound.side


def _other_time(one: _Statement, other: _Statement, words: AnswerWords) -> _Opposition | None:
    """The one length of time of each, in units that differ."""
    if len(one.times) != 1 or len(other.times) != 1:
        return None
    first, second = one.times[0], other.times[0]
    if _bound_otherwise(first, second) or first.unit == second.unit or not is_other_time(first, second):
        return None
    shown = one.with_unit(first), other.with_unit(second)
    return _Opposition(ConflictKind.FIGURE, words.against.format(one=shown[0], other=shown[1]), shown)


def _other_frequency(one: _Statement, other: _Statement, words: AnswerWords) -> _Opposition | None:
    """The one frequency of each."""
    if len(one.own.frequencies) != 1 or len(other.own.frequencies) != 1:
        return None
    first, second = one.own.frequencies[0], other.own.frequencies[0]
    if first.is_as_often_as(second):
        return None
    shown = first.shown, second.shown
    return _Opposition(ConflictKind.FIGURE, words.against.format(one=shown[0], other=shown[1]), shown)


def _other_person(one: _Statement, other: _Statement, words: AnswerWords) -> _Opposition | None:
    """Who decides, where all else is the same."""
    found = persons(one.own, other.own)
    return _Opposition(ConflictKind.PERSON, words.against.format(one=found[0], other=found[1])) if found else None


def _other_modal(one: _Statement, other: _Statement, words: AnswerWords) -> _Opposition | None:
    """A modal of each that contradicts the other's."""
    if one.is_limited or other.is_limited:
        return None
    ours, theirs = one.own.modals, other.own.modals
    for left, right, same in _OPPOSED:
        for kind, against in ((left, right), (right, left)):
            if kind not in ours or against not in theirs or against in ours or kind in theirs:
                continue
            if not same or ours[kind] & other.stems or theirs[against] & one.stems:
                said = one.own.lexicon.verdicts
                reason = words.against.format(one=said[kind].lower(), other=said[against].lower())
                return _Opposition(ConflictKind.MODALITY, reason)
    return None


def _both_say(one: _Statement, other: _Statement, stands_in: Mapping[str, Collection[str]]) -> bool:
    """Whether each of two documents has both statements word for word, as two versions of one policy have."""
    documents = {one.hit.doc_id, other.hit.doc_id}
    return documents.issubset(stands_in[one.own.text]) and documents.issubset(stands_in[other.own.text])
