"""Words between blanks: the columns that they keep to, and the rows that they make without a rule between them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.pdf.cells import cell_text
from policy_rag_parsers.loaders.pdf.lines import TextLine, gather_lines, make_line, parted
from policy_rag_parsers.loaders.pdf.paragraphs import width_at_head
from policy_rag_parsers.loaders.pdf.words import PdfWord

_WIDER: Final = 0.06  # font sizes by which the blank between two rows is wider than that between lines of one
_HALF_LINE: Final = 0.85  # font sizes from one line to the next are more

Columns = Sequence[tuple[float, float]]
"""Extents in x that no word leaves, from left to right."""


def columns_of(words: Iterable[PdfWord], least: float) -> Columns:
    """Extents that no word leaves, with a blank strip of `least` points between each two."""
    return with_words([], words, least)


def with_words(columns: Columns, words: Iterable[PdfWord], least: float) -> Columns:
    """Columns widened by words; those with less than `least` points of blank between them become one."""
    merged: list[tuple[float, float]] = []
    for low, high in sorted([*columns, *((word.x0, word.x1) for word in words)]):
        if merged and low < merged[-1][1] + least:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return merged


def cells_of(rows: Iterable[Sequence[PdfWord]], columns: Columns) -> tuple[tuple[str, ...], ...]:
    """The texts of rows of words, a cell for each column."""
    return tuple(tuple(cell_text(word for word in row if _is_in(word, column)) for column in columns) for row in rows)


def _is_in(word: PdfWord, column: tuple[float, float]) -> bool:
    return column[0] <= (word.x0 + word.x1) / 2 <= column[1]


def filled(words: Iterable[PdfWord], columns: Columns) -> set[int]:
    """Which columns have words."""
    return {at for word in words for at, column in enumerate(columns) if _is_in(word, column)}


def words_of(lines: Iterable[TextLine]) -> list[PdfWord]:
    """The words of lines, line by line."""
    return [word for line in lines for word in line.words]


def tiers_of(words: Iterable[PdfWord]) -> list[TextLine]:
    """Lines, those taken as one that are nearer than two of a cell: cells may stand in the middle of their row."""
    tiers = parted(gather_lines(words), lambda one, two: two.bottom - one.bottom >= _HALF_LINE * two.size)
    return [tier[0] if len(tier) == 1 else make_line(words_of(tier)) for tier in tiers]


def rows_without_rules(lines: Sequence[TextLine], columns: Columns) -> list[Sequence[PdfWord]]:
    """Rows that no rule parts: by wider blanks where each part is one row, else one for each first cell."""
    parts = _apart(lines)
    if parts and (parts[0][0].x0 > columns[0][1] or not all(is_one_row(part, columns) for part in parts)):
        parts = _by_first_cell(lines, columns)
    return [words_of(part) for part in parts]


def _by_first_cell(lines: Sequence[TextLine], columns: Columns) -> list[Sequence[TextLine]]:
    """A row for each first cell: from its line on; where the first stands lower, as many lines below it as above."""
    firsts = list[int]()
    for at, line in enumerate(lines):
        if line.x0 <= columns[0][1] and not (firsts and goes_on(line, columns, lines[firsts[-1] : at])):
            firsts.append(at)
    starts, end = list[int](), 0
    for first in firsts:
        starts.append(end)
        end = 2 * first - end + 1
    if not firsts or firsts[0] == 0 or any(start > first for start, first in zip(starts, firsts, strict=True)):
        starts = sorted({0, *firsts})
    return [lines[start:end] for start, end in pairwise([*starts, len(lines)])]


def _apart(lines: Sequence[TextLine]) -> Sequence[Sequence[TextLine]]:
    """Lines parted where the blank between them is wider than the narrowest one."""
    narrowest = min((after.top - before.bottom for before, after in pairwise(lines)), default=0.0)
    return parted(lines, lambda before, after: after.top - before.bottom > narrowest + _WIDER * after.size)


def is_one_row(lines: Sequence[TextLine], columns: Columns) -> bool:
    """Whether at most one of the lines begins a row: it has a first cell and what the others that have one have."""
    begun: set[int] = set()
    for line in lines:
        held = filled(line.words, columns)
        if 0 not in held or len(held) < 2:
            continue
        if begun and begun <= held:
            return False
        begun = begun or held
    return True


def goes_on(line: TextLine, columns: Columns, above: Sequence[TextLine]) -> bool:
    """Whether a line only goes on with the first cell of the row above it: small, or what had no room on its line."""
    if filled(line.words, columns) != {0}:
        return False
    cells = [word for other in above[::-1] for word in other.words if _is_in(word, columns[0])]
    if line.text[0].islower() or not cells:
        return line.text[0].islower()
    end = max(word.x1 for word in cells if word.bottom == cells[0].bottom)
    return columns[1][0] - line.size - end < width_at_head(line)
