"""Figures of the asker's own case: of "50 staff" in a question the policy says "20 to 99 staff", the answer "50"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from policy_rag.answering.verification.halves import MONEY
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag_parsers.text.bounds import Side
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.quantities import Quantity, backing

_UNIT = r"(?:\s?(?:%|[€$£]|EUR|USD|GBP|CHF|euros?|pounds?))?"
_NUMBER = r"\d[\d.,]*\d|\d"
_CURRENCIES = frozenset(("eur", "usd", "gbp", "chf"))  # which the head of a column may name


@dataclass(frozen=True, slots=True)
class ValueInterval:
    """What a source says of figures from the lowest to the highest, and how it says so.

    Attributes:
        low: the lowest.
        high: the highest.
        unit: of both, if the source names one.
        text: as it stands in the source.
        open_low: whether the lowest itself is out: "more than 200".
        open_high: the same of the highest: "less than 200".
    """

    low: float
    high: float
    unit: str | None
    text: str
    open_low: bool = False
    open_high: bool = False

    def __contains__(self, value: float) -> bool:
        """Whether a figure lies in it."""
        above = self.low < value if self.open_low else self.low <= value
        return above and (value < self.high if self.open_high else value <= self.high)


@cache
def _range(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    return re.compile(
        rf"(?:\b(?:{known.bounds.between})\s+{MONEY})?(?P<low>{_NUMBER}){_UNIT}\s*(?:{known.to_}|–|-)\s*"
        rf"(?:(?:{known.bounds.most})\s+)?{MONEY}(?P<high>{_NUMBER})"
    )


@cache
def _joined_bounds(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    return re.compile(
        rf"\b(?P<least>{known.bounds.least})\s+{MONEY}(?P<low>{_NUMBER}){_UNIT}\s+(?:{alternatives(known.and_)})\s+"
        rf"(?P<most>{known.bounds.most})\s+{MONEY}(?P<high>{_NUMBER})"
    )


def as_general(statement: Sentence, question: str, sources: Sequence[Sentence]) -> Sentence:
    """A statement with the figures of the question's case put as the interval of the source in which they lie.

    Only figures without a bound that the question has and the sources have not are touched: "an order of 900" becomes
    "an order of 500 to 1,000", which can be held against the source as any other statement. Where the half of a
    sentence, or the row, that has most of the statement's words spans other figures, it stays as it is, and does not
    hold.

    Args:
        statement: a sentence.
        question: as asked.
        sources: what it cites: the halves of sentences and the rows of tables.

    >>> source = read("20 to 99 guests: one guard", "english")
    >>> as_general(read("For 50 guests one guard is due.", "english"), "We are 50 guests", [source]).text
    'For 20 to 99 guests one guard is due.'
    """
    asked = read(question, statement.language).claims
    given = [figure for source in sources for figure in source.claims]
    text = statement.text
    for figure in statement.claims if asked else ():
        if figure.bound or not backing(figure, asked) or backing(figure, given):
            continue
        around = _interval_around(figure, read(text, statement.language), sources)
        if around:
            number = rf"{MONEY}(?<![\d.,]){re.escape(figure.shown)}(?![\d.,]*\d)"
            text = re.sub(number, around.text.replace("\\", ""), text, count=1)
    return read(text, statement.language)


def _interval_around(figure: Quantity, statement: Sentence, sources: Sequence[Sentence]) -> ValueInterval | None:
    """The interval with the figure in the source that has most of the statement's words of those with such ones."""
    value, said = _number(figure), frozenset(statement.stems)
    intervals = {source: [one for one in _intervals(source) if _is_like(one, figure)] for source in sources}
    shared = [(len(said.intersection(source.stems)), found) for source, found in intervals.items() if found]
    most = max((share for share, _ in shared), default=0)
    nearest = [one for share, found in shared if share == most for one in found]
    return next((one for one in nearest if value is not None and value in one), None)


def _is_like(interval: ValueInterval, figure: Quantity) -> bool:
    return interval.unit == figure.unit or (interval.unit is None and figure.unit in _CURRENCIES)


def _intervals(source: Sentence) -> list[ValueInterval]:
    known, rest = source.lexicon, source.text
    is_open = {Side.LEAST: any_word(known.above), Side.MOST: any_word(known.below)}
    found: list[ValueInterval] = []
    for pattern in (_joined_bounds(source.language), _range(source.language)):
        for one in pattern.finditer(rest):
            low, high = (_number(next(iter(read(one[end], source.language).claims), None)) for end in ("low", "high"))
            unit = next((figure.unit for figure in read(one[0], source.language).claims if figure.unit), None)
            bounds = one.groupdict()
            opens = [bool(is_open[side].search(bounds.get(side) or "")) for side in (Side.LEAST, Side.MOST)]
            if low is not None and high is not None and low < high:
                found.append(ValueInterval(low, high, unit, one[0], *opens))
        rest = pattern.sub(" ", rest)
    joint = re.compile(rf"(?:{alternatives(known.and_ | known.or_)})\b")
    for figure in read(rest, source.language).claims:
        number, bound = _number(figure), figure.bound
        if number is not None and bound:
            behind = joint.match(bound.shown)
            text = f"{figure.shown} {bound.shown}" if behind else f"{bound.shown} {figure.shown}"
            is_least, opens_at = bound.side is Side.LEAST, not behind and bool(is_open[bound.side].search(bound.shown))
            ends = (number, float("inf")) if is_least else (0.0, number)
            opens = [opens_at and is_least, opens_at and not is_least]
            found.append(ValueInterval(*ends, figure.unit, text, *opens))
    return found


def _number(figure: Quantity | None) -> float | None:
    """The value of a figure; of "1,250" that with thousands."""
    values = [float(value) for value in (figure.values if figure else ()) if value.count(".") < 2]
    return max(values, default=None)
