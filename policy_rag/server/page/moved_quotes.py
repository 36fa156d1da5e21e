"""Finding a quotation again in a text that was changed since; `static/quotes.js` does the same in what a PDF shows.

What a browser draws of a PDF is known to the browser alone, so this is there twice: a test holds both to the same
cases.
"""

import unicodedata
from collections.abc import Sequence
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]

SEED = 16
"""Letters that must agree before the rest is compared."""
ENOUGH = 0.5
"""Least share of a quotation's letters that is found, or it is not found."""


def find_moved_quote(text: str, quote: str) -> tuple[Span, ...]:
    r"""Where a quotation stands: letters and digits alone are compared, in one case, in their order.

    What is between two of its sentences by now may part it.

    Returns:
        Ranges of `text` in order; none where less than half of the quotation is there.

    >>> find_moved_quote("Leave is now 30\ndays a year.", "leave is now 30 days")
    ((0, 20),)
    >>> find_moved_quote("Nothing of the kind.", "leave is now 30 days")
    ()
    """
    there, places = _letters(text)
    wanted, _ = _letters(quote)
    whole = there.find(wanted) if wanted else -1
    ranges = [(whole, whole + len(wanted))] if whole >= 0 else _in_parts(there, wanted)
    found = sum(end - start for start, end in ranges)
    if not ranges or found < ENOUGH * len(wanted):
        return ()
    return tuple((places[start], places[end - 1] + 1) for start, end in ranges)


def _in_parts(there: str, wanted: str) -> list[Span]:
    ranges: list[Span] = []
    i = at = 0
    while i + SEED <= len(wanted):
        start = there.find(wanted[i : i + SEED], at)
        if start < 0:
            i += 1
            continue
        length = SEED
        while wanted[i + length : i + length + 1] and wanted[i + length] == there[start + length : start + length + 1]:
            length += 1
        ranges.append((start, start + length))
        i, at = i + length, start + length
    return ranges


def _letters(text: str) -> tuple[str, Sequence[int]]:
    """Its letters and digits in lower case, and where each stands."""
    found = [
        (small, i)
        for i, char in enumerate(text)
        for small in unicodedata.normalize("NFKC", char).lower()
        if small.isalnum()
    ]
    return "".join(small for small, _ in found), [i for _, i in found]
