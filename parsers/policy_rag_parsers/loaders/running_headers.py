"""Lines at the edges of pages that repeat there: when two are alike, though their figures count the pages."""

import re
from typing import Final

from policy_rag_parsers.text.lexicon import line_words
from policy_rag_parsers.text.unit_words import UNIT_WORDS, words_pattern

_PAGE: Final = line_words("page")
_WHOLE: Final = "|".join(filter(str.isalpha, _PAGE.split("|")))
_PAGES: Final = rf"(?:{line_words('page_of')}|/)\s*\d{{1,4}}"
PAGE_NUMBER: Final = re.compile(
    rf"(?:[-–—|\[(]\s*)?(?:(?:{_PAGE})\s*)?(?P<n>\d{{1,4}}|[ivxl]{{1,6}})(?:\s*{_PAGES})?(?:\s*[-–—|\])])?",
    re.IGNORECASE,
)
"""A line of nothing but a number, which may be that of its page."""

CERTAIN_PAGE_NUMBER: Final = re.compile(rf"(?:{_WHOLE})\s+\d+(?:\s*{_PAGES})?|\d+\s*/\s*\d+", re.IGNORECASE)

_UNIT: Final = re.compile(rf"(?:(?:{words_pattern(UNIT_WORDS)})\.?|§)\s*\d+", re.IGNORECASE)
_LED: Final = re.compile(r"[0-9]{1,4}(?=\s+\w)")
_DIGITS: Final = re.compile(r"\d+|(?<=\b)[ivxl]+(?=\W*\Z)")


def running_keys(text: str, page: int) -> tuple[str, ...]:
    """What a line has in common with those that repeat it on other pages: its words, with any figures in them.

    The number of a unit stays, since the next page may begin with the next unit. A figure at the head of a line stays
    the same or counts the pages: those of footnotes do neither.

    >>> running_keys("Leave Policy, page 3", 3) == running_keys("Leave policy, page 4", 4)
    True
    >>> [set(running_keys(f"{a} Acme", 1)) & set(running_keys(f"{b} Acme", 2)) for a, b in ((7, 8), (7, 9))]
    [{'6 on acme'}, set()]
    """
    text = " ".join(text.casefold().split())
    if unit := _UNIT.match(text):
        return (unit[0] + _DIGITS.sub("#", text[unit.end() :]),)
    if led := _LED.match(text):
        rest = _DIGITS.sub("#", text[led.end() :])
        return f"{int(led[0])}{rest}", f"{int(led[0]) - page} on{rest}"
    return (_DIGITS.sub("#", text),)
