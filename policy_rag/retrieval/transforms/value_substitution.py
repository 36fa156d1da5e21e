"""Figures of a question that a follow-up replaces: "an order of GBP 300,000?", "and for 20,000?"."""

import re
from dataclasses import dataclass
from enum import StrEnum

from policy_rag_parsers.references.clause_query import asked_clauses

_MONEY = r"€|\$|£|eur|euros?|gbp|pounds?|usd|dollars?|chf"
_SCALE = r"k|m|tsd\.?|mio\.?|mrd\.?|thousand|million|billion"
_PERIOD = (
    r"(?:working |calendar |business )?(?:minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?)|"
    r"minuten?|stunden?|tagen?|tage|wochen?|monaten?|monate|quartalen?|jahren?|jahre"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"januar|februar|märz|mai|juni|juli|oktober|dezember)(?: \d{4})?"
)
_FIGURE = re.compile(
    rf"(?P<before>[€$£] ?|\b(?:eur|gbp|usd|chf) )?(?<![\w.,])(?P<number>\d+(?:[.,'’ ]\d{{3}})*(?:[.,]\d+)?)"
    rf"(?![\d.,]\d)(?:[ -]?(?P<after>(?:(?:{_SCALE})\b ?)?(?:{_MONEY})(?!\w)|(?:{_SCALE})(?!\w)|"
    rf"(?P<share>%|per ?cent|prozent)(?!\w)|(?P<period>{_PERIOD})(?!\w)|\.? ?(?P<month>{_MONTH})(?!\w)))?(?!\w)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


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

    Args:
        question: the follow-up.
        topic: the question that it leans on.

    >>> without_replaced("and for 3 weeks?", "Who approves GBP 500 for 2 days?")
    'Who approves GBP 500 for       ?'
    """
    own = asked_clauses(question)
    spans = [(clause.start, clause.end) for clause in asked_clauses(topic)] if own else []
    new = [one for one in _figures(question) if not any(_overlap(one.span, (of.start, of.end)) for of in own)]
    old = _figures(topic)
    kinds = {one.kind for one in new}
    with_unit = {one.kind for one in new if one.unit}
    # "and for 20?" is of whatever the topic counts.
    bare = all(one.kind is not _Kind.AMOUNT for one in old) and any(_ends(one, question) for one in new)
    spans += [one.span if one.kind in with_unit else one.number for one in old if bare or one.kind in kinds]
    for start, end in spans:
        topic = topic[:start] + " " * (end - start) + topic[end:]
    return topic


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _ends(figure: _Figure, question: str) -> bool:
    """Whether a figure without a unit ends its question."""
    return not figure.unit and not question[figure.span[1] :].strip(" ?!.")


def _figures(text: str) -> list[_Figure]:
    return [_figure(match) for match in _FIGURE.finditer(text)]


def _figure(match: re.Match[str]) -> _Figure:
    unit = bool(match["before"] or match["after"])
    if match["month"] or (not unit and _YEAR.fullmatch(match["number"])):
        return _Figure(_Kind.DAY, True, match.span("number"), match.span())
    kind = _Kind.SHARE if match["share"] else _Kind.PERIOD if match["period"] else _Kind.AMOUNT
    return _Figure(kind, unit, match.span("number"), match.span())
