"""Figures of the asker's own case: of "50 staff" in a question the policy says "20 to 99 staff", the answer "50"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.verification.bounds import Side
from policy_rag.answering.verification.clauses import claims_of
from policy_rag.answering.verification.quantities import Quantity, is_backed
from policy_rag.answering.verification.stems import stems_of

_MONEY = r"(?:(?:EUR|USD|GBP|CHF|[€$£])\s?)?"
_UNIT = r"(?:\s?(?:%|[€$£]|EUR|USD|GBP|CHF|euros?|pounds?))?"
_NUMBER = r"\d[\d.,]*\d|\d"
_RANGE = re.compile(
    rf"(?:\b(?:between|zwischen|entre)\s+{_MONEY})?(?P<low>{_NUMBER}){_UNIT}\s*(?:to|and|bis|und|à|et|–|-)\s*"
    rf"(?:(?:up to|bis zu|under|below)\s+)?{_MONEY}(?P<high>{_NUMBER})"
)
_CURRENCIES = frozenset(("eur", "usd", "gbp", "chf"))  # which the head of a column may name
_BEHIND = re.compile(r"(?:or|and|oder|und|ou|et)\b")


@dataclass(frozen=True, slots=True)
class _Span:
    """What a source says of a span of figures: the lowest and the highest, and how it says so."""

    low: float
    high: float
    unit: str | None
    text: str


def as_general(statement: str, asked: str, sources: Sequence[str], language: str) -> str:
    """A statement with the figures of the question's case put as the span of the source in which they lie.

    Only figures without a bound that the question has and the sources have not are touched: "an order of 900" becomes
    "an order of 500 to 1,000", which can be held against the source as any other statement. Where the half of a
    sentence, or the row, that has most of the statement's words spans other figures, it stays as it is, and does not
    hold.

    Args:
        statement: a sentence.
        asked: the question.
        sources: what it cites: the halves of sentences (`segments`) and the rows of tables.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.

    >>> as_general("For 50 guests one guard is due.", "We are 50 guests", ["20 to 99 guests: one guard"], "english")
    'For 20 to 99 guests one guard is due.'
    """
    own = claims_of(asked)
    given = [figure for source in sources for figure in claims_of(source)]
    for figure in claims_of(statement) if own else ():
        if figure.bound or not is_backed(figure, own, frozenset()) or is_backed(figure, given, frozenset()):
            continue
        span = _span_around(figure, statement, sources, language)
        if span:
            statement = re.sub(
                rf"{_MONEY}(?<![\d.,]){re.escape(figure.shown)}(?![\d.,]*\d)", span.text, statement, count=1
            )
    return statement


def _span_around(figure: Quantity, statement: str, sources: Sequence[str], language: str) -> _Span | None:
    """The span with the figure in the source that has most of the statement's words of those with such spans."""
    value = _number(figure)
    spans_of = {source: [span for span in _spans(source) if _is_like(span, figure)] for source in sources}
    said = frozenset(stems_of(statement, language))
    shared = [(len(said & frozenset(stems_of(source, language))), spans) for source, spans in spans_of.items() if spans]
    most = max((share for share, _ in shared), default=0)
    nearest = [span for share, spans in shared if share == most for span in spans]
    return next((span for span in nearest if value is not None and span.low <= value <= span.high), None)


def _is_like(span: _Span, figure: Quantity) -> bool:
    return span.unit == figure.unit or (span.unit is None and figure.unit in _CURRENCIES)


def _spans(source: str) -> list[_Span]:
    ranges = [_range(found) for found in _RANGE.finditer(source)]
    bounded = [figure for figure in claims_of(_RANGE.sub(" ", source)) if figure.bound]
    return [*filter(None, ranges), *filter(None, (_bounded(figure) for figure in bounded))]


def _range(found: re.Match[str]) -> _Span | None:
    low, high = (_number(next(iter(claims_of(found[end])), None)) for end in ("low", "high"))
    unit = next((figure.unit for figure in claims_of(found[0]) if figure.unit), None)
    return _Span(low, high, unit, found[0]) if low is not None and high is not None and low < high else None


def _bounded(figure: Quantity) -> _Span | None:
    number, bound = _number(figure), figure.bound
    if number is None or bound is None:
        return None
    text = f"{figure.shown} {bound.shown}" if _BEHIND.match(bound.shown) else f"{bound.shown} {figure.shown}"
    if bound.side is Side.LEAST:
        return _Span(number, float("inf"), figure.unit, text)
    return _Span(0, number, figure.unit, text)


def _number(figure: Quantity | None) -> float | None:
    """The value of a figure; of "1,250" that with thousands."""
    values = [float(value) for value in (figure.values if figure else ()) if value.count(".") < 2]
    return max(values, default=None)
