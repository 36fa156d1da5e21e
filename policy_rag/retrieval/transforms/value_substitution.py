"""Figures of a question that a follow-up replaces: "an order of GBP 300,000?", "and for 20,000?"."""

import re
from dataclasses import dataclass
from enum import StrEnum

from policy_rag_parsers.references.clause_query import clause_queries
from policy_rag_parsers.text.dates import MONTHS, month_names
from policy_rag_parsers.text.lexicon import lexicon
from policy_rag_parsers.text.quantities import Quantity, quantities
from policy_rag_parsers.text.sentences import blanked
from policy_rag_parsers.text.tokenizer import detect_language
from policy_rag_parsers.text.units import signed_names, unit_names

_PERIODS = frozenset(("minute", "hour", "day", "week", "month", "quarter", "year"))
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORD_BEHIND = re.compile(r"[\s-]*+([^\W\d_]+|[%€$£])")
_WORD_BEFORE = re.compile(r"([^\W\d_]+|[€$£])\s*\Z")
_LONGEST_WORD = 30


class _Kind(StrEnum):
    AMOUNT = "amount"
    SHARE = "share"
    PERIOD = "period"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure with its unit; `number` is the range of the figure alone, `span` that of both."""

    kind: _Kind
    unit: bool
    number: tuple[int, int]
    span: tuple[int, int]


def without_replaced(question: str, topic: str) -> str:
    """A topic without the figures and clause numbers for which a follow-up gives its own.

    A figure gives way to one of its kind: amounts of money and bare numbers, shares, periods, days and years. Its unit
    stays where the follow-up names none.

    >>> without_replaced("and for 3 weeks?", "Who approves GBP 500 for 2 days?")
    'Who approves GBP 500 for       ?'
    """
    language = detect_language(f"{question} {topic}")
    own = clause_queries(question)
    spans = [(clause.start, clause.end) for clause in clause_queries(topic)] if own else []
    new = [
        one
        for one in _figures(question, language)
        if not any(one.span[0] < clause.end and clause.start < one.span[1] for clause in own)
    ]
    old = _figures(topic, language)
    kinds = {one.kind for one in new}
    with_unit = {one.kind for one in new if one.unit}
    # "and for 20?" is of whatever the topic counts.
    bare = all(one.kind is not _Kind.AMOUNT for one in old) and any(_ends(one, question) for one in new)
    spans += [one.span if one.kind in with_unit else one.number for one in old if bare or one.kind in kinds]
    return blanked(topic, spans)


def _ends(figure: _Figure, question: str) -> bool:
    """Whether a figure without a unit ends its question."""
    return not figure.unit and not question[figure.span[1] :].strip(" ?!.")


def _figures(text: str, language: str) -> list[_Figure]:
    return [_figure(one, text, language) for one in quantities(text, language) if one.shown[:1].isdigit()]


def _figure(quantity: Quantity, text: str, language: str) -> _Figure:
    number = quantity.start, quantity.end
    if quantity.unit in MONTHS or (quantity.unit is None and _YEAR.fullmatch(quantity.shown)):
        return _Figure(_Kind.DAY, True, number, _with_words(text, number, frozenset(month_names(language))))
    known = lexicon(language)
    words = frozenset({*unit_names(language), *known.unit_kinds, *known.scales})
    span = _with_words(text, number, words, signed_names(language))
    if quantity.unit == "%":
        return _Figure(_Kind.SHARE, True, number, span)
    timed = quantity.unit is not None and quantity.unit.split()[-1] in _PERIODS
    return _Figure(_Kind.PERIOD if timed else _Kind.AMOUNT, span != number, number, span)


def _with_words(
    text: str, span: tuple[int, int], words: frozenset[str], signs: frozenset[str] = frozenset()
) -> tuple[int, int]:
    """A range with the words that stand directly behind it, and the sign of a currency in front of it."""
    start, end = span
    if (before := _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD), start)) and before[1].lower() in signs:
        start = before.start(1)
    while (behind := _WORD_BEHIND.match(text, end)) and behind[1].lower() in words:
        end = behind.end()
    return start, end
