"""The number at the head of a line that may be a heading: how deep it is."""

import re
from typing import Final

MAX_LENGTH: Final = 160

_NUMBER: Final = re.compile(
    r"(?:(?P<digits>(?:[A-Z]\.?)?\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?)*)[.):]?|(?P<roman>[IVXLC]{1,6}|[A-Z])[.)])(?=\s+\S|\Z)"
    r"|(?P<word>(?:part|chapter|section|article|schedule|appendix|annex|rule|§)\s*[\dA-Z]+\b)",
    re.IGNORECASE,
)


def number_depth(line: str) -> int:
    """How deep the number at the head of a line is: 1 for "3.", "IV." and "Part 2", 2 for "3.1"; 0 without one.

    >>> [number_depth(line) for line in ("3. Scope", "3.1 Scope", "Annex B", "Scope")]
    [1, 2, 1, 0]
    """
    match = _NUMBER.match(line)
    if match is None:
        return 0
    return match.group("digits").count(".") + 1 if match.group("digits") else 1
