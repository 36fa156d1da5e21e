"""What a table of a PDF page is: rows of cells; and how words become the text of a cell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from policy_rag_parsers.loaders.pdf.dehyphenation import Vocabulary, join_lines
from policy_rag_parsers.loaders.pdf.lines import gather_lines
from policy_rag_parsers.loaders.pdf.words import Box, PdfWord

NEAR: Final = 3.0
"""Points within which ends of rules meet."""

_NO_WORDS: Final = Vocabulary(frozenset())  # a cell is read before the words of the document are known


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table on a page: its rows of cells from top to bottom, and how many rows at its head are its header.

    `bold_header` says that the header is known by its weight, so that a table without it may go on one with it.
    `contents` says that it is a table of contents: rows of one cell.
    """

    box: Box
    rows: tuple[tuple[str, ...], ...]
    header_rows: int
    bold_header: bool = False
    contents: bool = False

    def cells(self) -> list[str]:
        """The texts of its cells, row by row."""
        return [cell for row in self.rows for cell in row]


def cell_text(words: Iterable[PdfWord]) -> str:
    """The words of a cell on one line."""
    lines = [line.text for line in gather_lines(words)]
    return join_lines(lines, _NO_WORDS) if lines else ""


def slot(places: Sequence[float], at: float) -> int | None:
    """Between which two of the sorted places something lies: the index of the first; None where between none."""
    for index in range(len(places) - 1):
        if places[index] <= at <= places[index + 1]:
            return index
    return None
