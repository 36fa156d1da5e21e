"""Where a statement that follows a sentence nearly word for word departs from it in what counts.

The words of both are aligned (Ratcliff and Obershelp, as Python's difflib has it). Where they differ, a number must not
stand for another one, a modal not for one of another kind, and no "not" may be missing or put in. So a figure or modal
that also occurs elsewhere in the source does not bear out one that was put in its place.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache

from policy_rag.answering.verification.halves import halves
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.bounds import Bound
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.modality import negations, negative
from policy_rag_parsers.text.quantities import backing

_FOLLOWS = 0.75  # share of the statement's words that stand in the sentence, in its order
_WHOLE = 0.85  # of the words of a sentence, where nothing of it is left out
_NEAR = 2  # differences with as few equal words between them are one: "may not" and "is not permitted to"
_SHORT = 5  # words: a longer difference is a clause that was left out or put in front

Difference = tuple[int, int, int, int]
"""Words `[a, b)` of the sentence stand where words `[c, d)` of the statement do."""


@cache
def _token(language: str) -> re.Pattern[str]:
    cents = alternatives(lexicon(language).hundredths)
    return re.compile(
        rf"(?<![\w.])\d{{1,2}}\.\d{{1,2}}\.(?!\w)|\d+(?:[.,]\d+)?\s?(?i:{cents})\b|\w+(?:['’]\w+)*(?:[.,:]\d+)*"
    )


@dataclass(frozen=True)
class Alignment:
    """A statement laid against a sentence, word by word; all figures count as one word."""

    said: Sentence
    source: Sentence

    @cached_property
    def _texts(self) -> tuple[str, str]:
        return INVISIBLE_MARK.sub("", self.source.text), INVISIBLE_MARK.sub("", self.said.text)

    @cached_property
    def _spans(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        theirs, ours = ([found.span() for found in _token(self.said.language).finditer(text)] for text in self._texts)
        return theirs, ours

    @cached_property
    def words(self) -> tuple[list[str], list[str]]:
        """The words of the sentence and of the statement, in lower case."""
        theirs, ours = (
            [text[start:end].lower().replace("’", "'") for start, end in spans]
            for text, spans in zip(self._texts, self._spans, strict=True)
        )
        return theirs, ours

    @cached_property
    def _matcher(self) -> SequenceMatcher[str]:
        theirs, ours = (["#" if word[0].isdigit() else word for word in side] for side in self.words)
        return SequenceMatcher(None, theirs, ours, autojunk=False)

    @cached_property
    def size(self) -> int:
        """How many of the statement's words stand in the sentence, in its order."""
        return sum(block.size for block in self._matcher.get_matching_blocks())

    @property
    def is_close(self) -> bool:
        """Whether the statement follows the sentence nearly word for word."""
        return self.size >= _FOLLOWS * len(self.words[1])

    @property
    def is_whole(self) -> bool:
        """Whether nearly nothing of the sentence is left out."""
        return self.size >= _WHOLE * len(self.words[0])

    @cached_property
    def differences(self) -> list[Difference]:
        """Where they differ, in order."""
        return [found[1:] for found in self._matcher.get_opcodes() if found[0] != "equal"]

    @property
    def equals(self) -> Iterable[Difference]:
        """The words that stand for each other, one by one."""
        blocks = self._matcher.get_matching_blocks()
        return ((b.a + i, b.a + i + 1, b.b + i, b.b + i + 1) for b in blocks for i in range(b.size))

    def cut(self, side: int, start: int, end: int) -> str:
        """The text of the words `[start, end)` of the sentence (0) or the statement (1)."""
        spans = self._spans[side]
        return self._texts[side][spans[start][0] : spans[end - 1][1]] if start < end else ""


@lru_cache(maxsize=4096)
def align(said: Sentence, source: Sentence) -> Alignment:
    """A statement laid against a sentence."""
    return Alignment(said, source)


def followed(statement: Sentence, source: Sentence) -> int:
    """How many of the statement's words stand in the sentence, in its order; all figures count as one word.

    >>> followed(read("Claims may be sent in May.", "english"), read("Claims must be sent by 3 May.", "english"))
    4
    """
    return align(statement, source).size


@lru_cache(maxsize=4096)
def put_in_place(said: Sentence, source: Sentence) -> frozenset[str]:
    """The stems of a near copy that stand in the place of others of its sentence, without figures.

    >>> source = read("The use of a boat costs 5 euros a day.", "english")
    >>> put_in_place(read("The use of a canoe costs 5 euros a day.", "english"), source)
    frozenset({'cano'})
    """
    pair = align(said, source)
    new: set[str] = set()
    for a, b, c, d in pair.differences if pair.is_close else ():
        theirs, ours = read(pair.cut(0, a, b), said.language), read(pair.cut(1, c, d), said.language)
        if theirs.content.difference(said.stems):
            new |= {stem for stem in ours.content.difference(source.stems) if not stem[0].isdigit()}
    return frozenset(new)


def turned_round(statement: Sentence, evidence: Evidence) -> str:
    """What a statement turns round in the sentences that it stands on, or "".

    Nothing where a half of a sentence bears it, or another sentence has its figures and the words that it has in place
    of others. Of several sentences each is held against what "but" parts in the statement, which may join them.
    """
    given = evidence.copied
    parts = [statement]
    if len(given) > 1:
        joint = re.compile(rf",?\s{any_word(statement.lexicon.but).pattern}\s", re.IGNORECASE)
        parts = [read(part, statement.language) for part in joint.split(statement.text)]
    for part in parts:
        pairs = (one for one in given if not _half_bears(part, one) and not _is_on_another(part, one, given))
        reason = next(filter(None, (departure(part, one) for one in pairs)), "")
        if reason:
            return reason
    return ""


def _is_on_another(statement: Sentence, source: Sentence, given: Sequence[Sentence]) -> bool:
    """Whether a sentence has what a statement puts in the place of a source's words, and all of its figures."""
    new = put_in_place(statement, source)
    return bool(new and statement.claims) and any(
        new.issubset(one.stems) and all(backing(figure, one.given) for figure in statement.claims)
        for one in given
        if one is not source
    )


def _half_bears(statement: Sentence, source: Sentence) -> bool:
    """Whether a half has as many of the statement's words in order and turns nothing round.

    A figure that is another one only in the order of the words is borne by the half that has most of them.
    """
    parts = [half.said_by(statement) for half in halves(source)]
    least = followed(statement, source)
    if any(followed(statement, half) >= least and not departure(statement, half) for half in parts):
        return True
    said = frozenset(statement.words)
    shares = [len(said & frozenset(half.words)) for half in parts]
    most = max(shares)
    is_borne = most >= _FOLLOWS * len(said) and shares.count(most) == 1
    turned = _modal_or_negation_turned(align(statement, source))
    return is_borne and not turned and not departure(statement, parts[shares.index(most)])


@lru_cache(maxsize=4096)
def departure(statement: Sentence, source: Sentence) -> str:
    """What the statement turns round in a sentence that it follows nearly word for word, or "".

    >>> source = read("Claims must be sent within 30 days.", "english")
    >>> departure(read("Claims may be sent within 30 days.", "english"), source)
    'it says "may" where what it cites says "must"'
    >>> departure(read("Claims have to be sent within 30 days.", "english"), source)
    ''
    """
    pair = align(statement, source)
    if not pair.is_close:
        return ""
    numbers = (_other_number(pair, found) for found in (*pair.equals, *pair.differences))
    bounds = (_other_bound(pair, found) for found in pair.differences)
    return next(filter(None, numbers), "") or next(filter(None, bounds), "") or _modal_or_negation_turned(pair)


def _other_number(pair: Alignment, found: Difference) -> str:
    theirs, ours = pair.cut(0, *found[:2]), pair.cut(1, *found[2:])
    if theirs == ours:
        return ""
    values = [
        {value for one in read(text, pair.said.language).figures for value in one.values} for text in (theirs, ours)
    ]
    return replacement(ours, theirs) if all(values) and not values[1] & values[0] else ""


def _other_bound(pair: Alignment, found: Difference) -> str:
    """What bounds the number behind a difference on the other side: "no earlier than" ten days for "within" ten."""
    a, b, c, d = found
    theirs, ours = _bound_at(pair, 0, a, b), _bound_at(pair, 1, c, d)
    # "Up to 50 km by bicycle; for longer trips ..." says what holds over 50 km, too: one half of it may be said alone.
    open_ended = {one.bound.shown for one in pair.source.figures if one.bound and one.bound.rest}
    if theirs and theirs.shown in open_ended and not pair.is_whole:
        return ""
    return replacement(ours.shown, theirs.shown) if theirs and ours and ours.contradicts(theirs) else ""


def _bound_at(pair: Alignment, side: int, start: int, end: int) -> Bound | None:
    """The bound of the number that ends with the word behind a difference, if it has one; "at" may stand before it."""
    text = pair.cut(side, max(0, start - 2), min(end + 1, len(pair.words[side])))
    found = read(text, pair.said.language).figures
    return found[-1].bound if found else None


def _modal_or_negation_turned(pair: Alignment) -> str:
    if not pair.is_close:
        return ""
    theirs, ours = (len(_negations(pair, side)) for side in (0, 1))
    counts = theirs != ours
    turned = (_turned(pair, found, negation_counts=counts) for found in _joined(pair.differences))
    return next(filter(None, turned), "")


def _negations(
    pair: Alignment, side: int, start: int = 0, end: int | None = None, *, comparing: bool = False
) -> list[int]:
    return negations(pair.words[side][start:end], pair.said.language, comparing=comparing)


def _joined(differences: Sequence[Difference]) -> list[Difference]:
    """The differences in order; those next to each other are one."""
    joined: list[Difference] = []
    for a, b, c, d in differences:
        if joined and a - joined[-1][1] <= _NEAR:
            joined[-1] = (joined[-1][0], b, joined[-1][2], d)
        else:
            joined.append((a, b, c, d))
    return joined


def _turned(pair: Alignment, found: Difference, *, negation_counts: bool) -> str:
    a, b, c, d = found
    if max(b - a, d - c) > _SHORT:
        return ""
    source, said = pair.words
    behind = source[b : b + 1]
    if b > a and d > c and behind == said[d : d + 1] and not pair.said.lexicon.negators.isdisjoint(behind):
        b, d = b + 1, d + 1  # "may not" and "must not" are one kind
    theirs, ours = pair.cut(0, a, b), pair.cut(1, c, d)
    kinds = [frozenset(read(text, pair.said.language).modals) for text in (theirs, ours)]
    if all(kinds):
        return "" if kinds[0] & kinds[1] else replacement(ours, theirs)
    # "not later than 3 May" may be "by 3 May"; a "not" that alone is put in or left out is never a comparison.
    replaced = b > a and d > c
    denied = [len(_negations(pair, *part, comparing=replaced)) for part in ((0, a, b), (1, c, d))]
    if not negation_counts or denied[0] == denied[1]:
        return ""
    plain = ours if denied[0] else theirs
    return "" if negative(pair.said.language).search(plain) else replacement(ours, theirs)


def replacement(ours: str, theirs: str) -> str:
    """How it is told that a statement says something where what it cites says something else."""
    if not ours:
        return f'it leaves out "{theirs}"'
    return f'it says "{ours}" where what it cites says "{theirs}"' if theirs else f'it puts in "{ours}"'
