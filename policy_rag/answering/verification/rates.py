"""Rates: whether what a statement says per night is what its source says per night, and not per stay."""

import re
from collections.abc import Iterable

from policy_rag.answering.verification.quantities import quantities
from policy_rag.answering.verification.stems import stems_of

_RATE = re.compile(
    r"(?P<figure>\d[\d.,]*(?:\s?(?:[%€$£]|[^\W\d_]+))?)\s+(?:per|a|an|each|every|je|pro|par)\s+(?P<base>[^\W\d_]{3,})",
    re.IGNORECASE,
)


def wrong_rate(statement: str, sources: Iterable[str], language: str) -> str:
    """A figure that is said per what the source says another figure per, or "".

    A base that the source does not name may be another word for the same, and is let be.

    >>> wrong_rate("Cash is 60 euros a month.", ["Cash is 60 euros a claim and 250 euros a month."], "english")
    'it says "60 euros a month", what it cites says "60 euros a claim"'
    """
    given: dict[str, dict[frozenset[str], str]] = {}
    for source in sources:
        for value, base, shown in _rates(source, language):
            given.setdefault(value, {})[base] = shown
    bases = frozenset(base for of_value in given.values() for base in of_value)
    for value, base, shown in _rates(statement, language):
        others = given.get(value, {})
        if others and base in bases and base not in others:
            theirs = next(iter(others.values()))
            return f'it says "{shown}", what it cites says "{theirs}"'
    return ""


def bases_of(text: str, language: str) -> frozenset[str]:
    """The stems of what figures are per.

    >>> sorted(bases_of("Cash is 60 euros a claim and 250 euros a month.", "english"))
    ['claim', 'month']
    """
    return frozenset(stem for _, base, _ in _rates(text, language) for stem in base)


def _rates(text: str, language: str) -> list[tuple[str, frozenset[str], str]]:
    """The figures with what they are per: value, stems of the base, and how it is said."""
    return [
        (value, frozenset(stems_of(found["base"], language)), found[0])
        for found in _RATE.finditer(text)
        for one in quantities(found["figure"])
        for value in one.values
    ]
