"""Where a statement that follows a sentence nearly word for word departs from it in what counts.

The words of both are aligned (Ratcliff and Obershelp, as Python's difflib has it). Where they differ, a number must not
stand for another one, a modal not for one of another kind, and no "not" may be missing or put in. So a figure or modal
that also occurs elsewhere in the source does not bear out one that was put in its place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from policy_rag.answering.verification.bounds import Bound
from policy_rag.answering.verification.clauses import segments
from policy_rag.answering.verification.quantities import quantities
from policy_rag.answering.verification.surface_checks import (
    AFTER_COMPARISON,
    NEGATIVE,
    NEGATORS,
    modals,
    without_yes_or_no,
)
from policy_rag.answering.verification.units import HUNDREDTHS
from policy_rag.index.search.tokens import words

_FOLLOWS = 0.75  # share of the statement's words that stand in the sentence, in its order
_WHOLE = 0.85  # of the words of a sentence, where nothing of it is left out
_NEAR = 2  # differences with as few equal words between them are one: "may not" and "is not permitted to"
_SHORT = 5  # words: a longer difference is a clause that was left out or put in front
_TOKEN = re.compile(
    rf"(?<![\w.])\d{{1,2}}\.\d{{1,2}}\.(?!\w)|\d+(?:[.,]\d+)?\s?(?i:{'|'.join(HUNDREDTHS)})\b|\w+(?:['’]\w+)*(?:[.,:]\d+)*"
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_CONTRAST = re.compile(r",?\s\b(?:but|while|whereas|aber|während|mais)\s", re.IGNORECASE)
_ONLY_IF = re.compile(r"\b(?:only|nur|unless|except|es sei denn)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Words:
    """A text's words in lower case, with what is needed to cut the text between them."""

    text: str
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    def cut(self, start: int, end: int) -> str:
        """The text of the words `[start, end)`."""
        return self.text[self.places[start][0] : self.places[end - 1][1]] if start < end else ""


Difference = tuple[int, int, int, int]
"""Words `[a, b)` of the sentence stand where words `[c, d)` of the statement do."""


def turned_round(statement: str, sentences: Sequence[str]) -> str:
    """What a statement turns round in the sentences that it stands on, or "".

    Nothing where a half of a sentence bears it. Of several sentences each is held against the halves of the statement,
    which may join them.

    >>> turned_round("Cats pay 5 euros, but dogs do not pay.", ["Dogs do not pay.", "Cats pay 5 euros."])
    ''
    """
    parts = [statement]
    if len(sentences) > 1:
        parts = [half.whole for part in _CONTRAST.split(statement) for half in segments(part)]
    given = [without_yes_or_no(sentence) for sentence in sentences]
    for part in parts:
        # What one sentence bears, another need not: "tenders for 12 years and rejected bids for 5".
        share = max((followed(part, one) for one in given if not departure(part, one)), default=0)
        pairs = (one for one in given if followed(part, one) >= share and not _half_bears(part, one))
        reason = next(filter(None, (departure(part, one) for one in pairs)), "")
        if reason:
            return reason
    return ""


def _half_bears(statement: str, sentence: str) -> bool:
    """Whether a half has as many of the statement's words in order and turns nothing round.

    A figure that is another one only in the order of the words is borne by the half that has most of them.
    """
    halves = [half.whole for half in segments(sentence)]
    least = followed(statement, sentence)
    if any(followed(statement, half) >= least and not departure(statement, half) for half in halves):
        return True
    said = frozenset(words(statement))
    shares = [len(said & frozenset(words(half))) for half in halves]
    most = max(shares)
    is_borne = most >= _FOLLOWS * len(said) and shares.count(most) == 1
    return (
        is_borne
        and not _modal_or_negation_turned(statement, sentence)
        and not departure(statement, halves[shares.index(most)])
    )


def departure(statement: str, sentence: str) -> str:
    """What the statement turns round in a sentence that it follows nearly word for word, or "".

    >>> departure("Claims may be sent within 30 days.", "Claims must be sent within 30 days.")
    'it says "may" where what it cites says "must"'
    >>> departure("Pay 30 euros within 20 days.", "Pay 20 euros within 30 days.")
    'it says "30" where what it cites says "20"'
    >>> departure("Claims have to be sent in within 30 days.", "Claims must be sent in within 30 days.")
    ''
    """
    return _figure_turned(statement, sentence) or _modal_or_negation_turned(statement, sentence)


def _figure_turned(statement: str, sentence: str) -> str:
    said, source = _read(statement), _read(sentence)
    matcher = _aligned(said, source)
    if _size(matcher) < _FOLLOWS * len(said.words):
        return ""
    blocks = matcher.get_matching_blocks()
    differences = [found[1:] for found in matcher.get_opcodes() if found[0] != "equal"]
    pairs = [(b.a + i, b.a + i + 1, b.b + i, b.b + i + 1) for b in blocks for i in range(b.size)]
    others = (_other_number(source, said, found) for found in (*pairs, *differences))
    whole = _size(matcher) >= _WHOLE * len(source.words)
    return next(filter(None, others), "") or next(
        filter(None, (_other_bound(source, said, found, whole=whole) for found in differences)), ""
    )


def _other_bound(source: _Words, said: _Words, found: Difference, *, whole: bool) -> str:
    """What bounds the number behind a difference on the other side: "no earlier than" ten days for "within" ten."""
    a, b, c, d = found
    theirs, ours = _bound_at(source, a, b), _bound_at(said, c, d)
    # "Up to 50 km by bicycle; for longer trips ..." says what holds over 50 km, too: one half of it may be said alone.
    open_ended = {one.bound.shown for one in quantities(source.text) if one.bound and one.bound.rest}
    if theirs and theirs.shown in open_ended and not whole:
        return ""
    return _says(ours.shown, theirs.shown) if theirs and ours and ours.contradicts(theirs) else ""


def _bound_at(words: _Words, start: int, end: int) -> Bound | None:
    """The bound of the number that ends with the word behind a difference, if it has one; "at" may stand before it."""
    found = quantities(words.cut(max(0, start - 2), min(end + 1, len(words.words))))
    return found[-1].bound if found else None


def _modal_or_negation_turned(statement: str, sentence: str) -> str:
    said, source = _read(statement), _read(sentence)
    matcher = _aligned(said, source)
    if _size(matcher) < _FOLLOWS * len(said.words):
        return ""
    differences = [found[1:] for found in matcher.get_opcodes() if found[0] != "equal"]
    same_negations = _negations(said.words) == _negations(source.words)
    conditional = bool(_ONLY_IF.search(statement)) != bool(_ONLY_IF.search(sentence))
    counts = not (same_negations or conditional)
    turned = (_turned(source, said, found, negation_counts=counts) for found in _joined(differences))
    return next(filter(None, turned), "")


def followed(statement: str, sentence: str) -> int:
    """How many of the statement's words stand in the sentence, in its order; all figures count as one word.

    >>> followed("Claims may be sent in May.", "Claims must be sent by 3 May.")
    4
    """
    said = _read(statement)
    return _size(_aligned(said, _read(sentence)))


def _aligned(said: _Words, source: _Words) -> SequenceMatcher[str]:
    return SequenceMatcher(None, _masked(source.words), _masked(said.words), autojunk=False)


def _size(matcher: SequenceMatcher[str]) -> int:
    return sum(block.size for block in matcher.get_matching_blocks())


def _read(text: str) -> _Words:
    shown = _INVISIBLE.sub("", text)
    found = list(_TOKEN.finditer(shown))
    return _Words(shown, tuple(one[0].lower().replace("’", "'") for one in found), tuple(one.span() for one in found))


def _masked(words: Sequence[str]) -> list[str]:
    """The words with one mark for every number in digits, so that numbers meet by their place."""
    return ["#" if word[0].isdigit() else word for word in words]


def _joined(differences: Sequence[Difference]) -> list[Difference]:
    """The differences in order; those next to each other are one."""
    joined: list[Difference] = []
    for a, b, c, d in differences:
        if joined and a - joined[-1][1] <= _NEAR:
            joined[-1] = (joined[-1][0], b, joined[-1][2], d)
        else:
            joined.append((a, b, c, d))
    return joined


def _other_number(source: _Words, said: _Words, found: Difference) -> str:
    theirs, ours = source.cut(*found[:2]), said.cut(*found[2:])
    if theirs == ours:
        return ""
    numbers = [{value for one in quantities(text) for value in one.values} for text in (theirs, ours)]
    return _says(ours, theirs) if all(numbers) and not numbers[1] & numbers[0] else ""


def _turned(source: _Words, said: _Words, found: Difference, *, negation_counts: bool) -> str:
    a, b, c, d = found
    if max(b - a, d - c) > _SHORT:
        return ""
    if b > a and d > c and source.words[b : b + 1] == ("not",) == said.words[d : d + 1]:
        b, d = b + 1, d + 1  # "may not" and "must not" are one kind
    theirs, ours = source.cut(a, b), said.cut(c, d)
    kinds = [frozenset(modals(text)) for text in (theirs, ours)]
    if all(kinds):
        return "" if kinds[0] & kinds[1] else _says(ours, theirs)
    # "not later than 3 May" may be "by 3 May"; a "not" that alone is put in or left out is never a comparison.
    replaced = b > a and d > c
    their_negations, our_negations = (
        _negations(words, comparing=replaced) for words in (source.words[a:b], said.words[c:d])
    )
    if not negation_counts or their_negations == our_negations:
        return ""
    plain = ours if their_negations else theirs
    return "" if NEGATIVE.search(plain) else _says(ours, theirs)


def _says(ours: str, theirs: str) -> str:
    if not ours:
        return f'it leaves out "{theirs}"'
    return f'it says "{ours}" where what it cites says "{theirs}"' if theirs else f'it puts in "{ours}"'


def _negations(words: tuple[str, ...], *, comparing: bool = False) -> int:
    """How many words negate; with `comparing`, "not later than" and the like do not."""
    found = 0
    for place, word in enumerate(words):
        compares = comparing and bool(words[place + 1 : place + 2]) and words[place + 1] in AFTER_COMPARISON
        found += (word in NEGATORS or word.endswith("n't")) and not compares
    return found
