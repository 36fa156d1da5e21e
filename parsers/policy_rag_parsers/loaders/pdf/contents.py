"""The lines of a table of contents on a PDF page: titles with the numbers of their pages at the right edge."""

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from typing import Final

from policy_rag_parsers.loaders.pdf.lines import TextLine, parted
from policy_rag_parsers.loaders.pdf.words import PdfWord

_NUMBER: Final = r"\d{1,4}|[ivxlcIVXLC]{1,7}|[A-Z\d]{1,2}[-–.]\d{1,4}"
_PAGE: Final = re.compile(_NUMBER)
_LED: Final = re.compile(rf"(?P<title>.*?\S)\s*(?:[.·…_]\s?){{2,}}\s*(?P<number>{_NUMBER})")
_LAST: Final = frozenset("0123456789ivxlcIVXLC")
_NEAR_EDGE: Final = 4.0  # font sizes from the right edge of the text to a page number, at most
_FEWEST: Final = 3  # entries make a table of contents, with dots; without, one more
_BETWEEN: Final = 2  # lines of one entry, at most, stand over that with its number
_ALIGNED: Final = 0.8  # of the numbers, at least, end at one edge
_FURTHER: Final = 20  # a page number exceeds the count of the pages by no more


def may_hold_contents(words: Sequence[PdfWord]) -> bool:
    """Whether enough words end with a figure or a Roman number near the right edge; most pages have none."""
    edge = max((word.x1 for word in words), default=0.0)
    ends = (word for word in words if edge - word.x1 < _NEAR_EDGE * word.size and word.text[-1] in _LAST)
    return next(islice(ends, _FEWEST - 1, None), None) is not None


def find_contents(lines: Sequence[TextLine], pages: int) -> list[list[list[TextLine]]]:
    """The tables of contents among the lines of a page: for each its entries, for each entry its lines.

    Their lines end with page numbers at one edge, to which dots lead; or else numbers that do not go down from line to
    line and that the document may have.

    Args:
        lines: from top to bottom.
        pages: how many the document has.
    """
    numbers = {at: number for at, line in enumerate(lines) if (number := _number(line)) is not None}
    found: list[list[list[TextLine]]] = []
    for run in parted(list(numbers), lambda one, two: two - one > _BETWEEN + 1):
        led = sum(_LED.fullmatch(lines[at].text) is not None for at in run)
        edge = max(lines[at].x1 for at in run)
        aligned = sum(edge - lines[at].x1 < lines[at].size for at in run)
        sure = len(run) >= _FEWEST and 2 * led >= len(run)
        if aligned < _ALIGNED * len(run) or not (sure or _counts_pages([numbers[at] for at in run], pages)):
            continue
        starts = [run[0], *(at + 1 for at in run)]
        found.append([list(lines[start : at + 1]) for start, at in zip(starts, run, strict=False)])
    return found


def _counts_pages(numbers: Sequence[str], pages: int) -> bool:
    values = [int(number) for number in numbers if number.isdigit()]
    rising = all(one <= two for one, two in pairwise(values))
    return rising and len(values) > _FEWEST and 2 * len(values) > len(numbers) and values[-1] <= pages + _FURTHER


def entry_text(lines: Sequence[TextLine]) -> str:
    """The text of an entry with a tab before its number, in place of dots."""
    text = " ".join(line.text for line in lines)
    if led := _LED.fullmatch(text):
        return f"{led['title']}\t{led['number']}"
    title, _, number = text.rpartition(" ")
    return f"{title}\t{number}"


def _number(line: TextLine) -> str | None:
    """The number of a page at the end of a line; None without one, or without a title before it."""
    if not line.text[-1].isalnum():
        return None
    if led := _LED.fullmatch(line.text):
        return led["number"]
    title, _, number = line.text.rpartition(" ")
    return number if _PAGE.fullmatch(number) and any(map(str.isalpha, title)) else None
