"""Amounts, periods, dates and deadlines, by pattern, in texts of any language that has a lexicon."""

import re
from collections.abc import Iterator

from policy_rag_parsers.metadata.extraction_results import EntityType
from policy_rag_parsers.text.dates import month_pattern
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, reference_words


def _any(*fields: str) -> str:
    held = (getattr(one.times, field) for field in fields for one in LEXICONS.values())
    return "|".join(filter(None, held))


_DIGITS = r"\d{1,3}(?:[.,'’\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,4})?"
_NUMBER = rf"(?:(?:{_any('numbers')})(?:\s\(\d{{1,4}}\))?|(?:{_DIGITS})(?:\s\([^\W\d_]+(?:[-\s][^\W\d_]+)?\))?)"
_SCALE = rf"\s?(?:{alternatives(word for one in LEXICONS.values() for word in one.scales)})\b"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|AED|CZK|SEK|JPY|BRL|US\$|R\$|[€$£])"
AMOUNT = re.compile(
    rf"(?:(?<!\w){_CURRENCY}\s?(?:{_DIGITS})(?:{_SCALE})?|"
    rf"(?<![\w.,])(?:{_DIGITS})(?:{_SCALE}\.?)?\s?(?:{_CURRENCY}(?!\w)|(?:{_any('money')})\b|%))",
    re.IGNORECASE,
)
_OR = alternatives(word for one in LEXICONS.values() for word in one.or_)
_UNIT = rf"(?:(?:{_any('kinds')})\s)?(?:{_any('units')})(?:\s(?:{_any('kinds_behind')}))?\b"
_SPAN = rf"{_NUMBER}(?:\s(?:{_OR}|{reference_words('to')})\s{_NUMBER}|-)?\s?{_UNIT}"
PERIOD = re.compile(rf"(?<![\w.,]){_SPAN}", re.IGNORECASE)
_MONTH = rf"(?:(?-i:May|MAY)|(?!may\b)(?:{month_pattern()}))"
_YEAR = r"(?:,?\s(?:de\s)?\d{4})"
_DATE = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|\d{{1,2}}/\d{{1,2}}/\d{{4}}|"
    rf"\d{{1,2}}(?:\.|st|nd|rd|th|er|º)?\s(?:de\s)?{_MONTH}{_YEAR}?|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|"
    rf"{_MONTH}\s(?:de\s)?\d{{4}})"
)
DATE = re.compile(rf"(?<![\w.]){_DATE}(?!\w)", re.IGNORECASE)
_POINT = rf"(?:{_DATE}|\d{{1,2}}[:.]\d{{2}}(?:\suhr)?|\d{{1,2}}(?:[:.]\d{{2}})?\s?[ap]\.?m\b\.?|{_any('points')})"
_ONE = alternatives(word for one in LEXICONS.values() for word in one.articles)
DEADLINE = re.compile(
    rf"(?<!\w)(?:(?:{_any('within')})(?:\s|(?<=['’]))(?:(?:{_any('fillers')})\s)?(?:{_SPAN}|(?:{_ONE})\s{_UNIT})|"
    rf"(?:{_any('no_later')})\s(?:{_SPAN}|{_POINT})|"
    rf"(?:{_any('latest')})\s(?:(?:{_any('latest_on')})\s)?(?:{_SPAN}|{_POINT})(?:\s(?:{_any('behind')})\b)?|"
    rf"(?:{_any('at_least')})\s{_SPAN}\s(?:{_any('ahead', 'early')})\b|{_SPAN}\s(?:{_any('early')})\b|"
    rf"(?:{_any('by')})\s(?:(?:{_any('no_later')})\s)?{_POINT}|(?:{_any('until')})\s{_DATE}|"
    rf"(?:{_any('at_once')}))(?!\w)",
    re.IGNORECASE,
)
_IN_ORDER = ((EntityType.DEADLINE, DEADLINE), (EntityType.AMOUNT, AMOUNT), (EntityType.DATE, DATE),
             (EntityType.PERIOD, PERIOD))  # fmt: skip


def find_times(text: str) -> Iterator[tuple[EntityType, int, int]]:
    """Amounts, periods, dates and deadlines, unordered; a deadline takes in the period or date in it.

    >>> text = "Claims above EUR 1,500 are due within two working days."
    >>> [(kind.value, text[a:b]) for kind, a, b in find_times(text)]
    [('deadline', 'within two working days'), ('amount', 'EUR 1,500')]
    """
    taken = bytearray(len(text))
    for kind, pattern in _IN_ORDER:
        for match in pattern.finditer(text):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                yield kind, *match.span()
