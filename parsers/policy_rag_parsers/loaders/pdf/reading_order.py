"""Lines of a page in reading order: one column after the other, each from top to bottom.

Columns are found by the strip of blank between them. Their lines need not stand on the same height: a heading or the
gap of a paragraph in one of them shifts all that is under it. What is laid out like columns and is none: a table
without rules (short cells, or rows that begin on one height), an address beside another, a list with its page numbers.
Where other pages of the document have columns, a few lines are enough: they stand on both sides of the same strip, and
the file has all of one column before it has the other, as it has no table.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from policy_rag_parsers.loaders.pdf.lines import TextLine, gather_lines
from policy_rag_parsers.loaders.pdf.paragraphs import room_after, width_at_head
from policy_rag_parsers.loaders.pdf.words import PdfWord

_MIN_LINES: Final = 6  # of each column, that stand beside lines of the other
_MIN_SHARE: Final = 0.28  # of the width that is split
_MAX_CROSSING: Final = 0.5  # of the lines may run across both columns
_WIDEST: Final = 0.65  # of the column, at least, is the widest line of running text
_GOING_ON: Final = 0.2  # of the lines of running text, at least, go on with a full line above them
_GAP: Final = 0.9  # between columns, in font sizes
_FEWEST_LINES: Final = 2  # of each column, where the file tells that there are two
_MOST_PLACES: Final = 4  # where the gutter of a page, or of a part of it, may be
_UNEVEN: Final = 0.16  # of the width is one of its columns wider than the other, at most
_FEWEST_GAPS: Final = 3  # lines with a gap there
_FAR: Final = 4.0  # font sizes of blank, at least, set off a line of the size of the text
_ROW_GAP: Final = 1.3  # between rows, in distances of neighbouring lines


@dataclass(frozen=True, slots=True)
class PageColumns:
    """Where the pages of a document part into columns, and how one of them is written.

    Attributes:
        order: at which place of the file each word of this page stands.
        gutters: the most frequent places in x, of all pages.
    """

    order: Mapping[PdfWord, int]
    gutters: tuple[float, ...] = ()

    def gutter_of(self, lines: Sequence[TextLine]) -> float | None:
        """The gutter at which lines part into columns, by their form or as the file has written them; or None."""
        found = _gutter(lines)
        if found is not None:
            return found
        inner = _edges(lines)[1]
        by_form = _gutter(inner) if len(inner) < len(lines) else None
        places = self.gutters if by_form is None else (by_form, *self.gutters)
        return next((gutter for gutter in places if self._is_written_at(gutter, inner)), None)

    def _is_written_at(self, gutter: float, lines: Sequence[TextLine]) -> bool:
        """Whether the file has what stands on the left of a gutter before what stands on the right of it."""
        if sum(_crosses(line, gutter) for line in lines) > _MAX_CROSSING * len(lines):
            return False
        beside = [sides for band in _bands(lines, gutter) if (sides := _sides(band, gutter))]
        enough = all(sum(len(gather_lines(sides[at])) for sides in beside) >= _FEWEST_LINES for at in (0, 1))
        return enough and all(
            max(self.order[word] for word in left) < min(self.order[word] for word in right) for left, right in beside
        )


def columns_of_pages(pages: Sequence[Sequence[PdfWord]]) -> list[PageColumns]:
    """The columns of each page of a document, from the words of its pages in the order of the file."""
    alone = [PageColumns({word: at for at, word in enumerate(words)}) for words in pages]
    found = (page.gutter_of(gather_lines(words)) for page, words in zip(alone, pages, strict=True) if words)
    places = Counter(round(gutter) for gutter in found if gutter is not None)
    gutters = tuple(float(place) for place, _ in places.most_common(_MOST_PLACES))
    return [replace(page, gutters=gutters) for page in alone]


def reading_order(words: Sequence[PdfWord], known: PageColumns) -> list[list[TextLine]]:
    """Lines in reading order, grouped: the lines of a group stand under each other in one column.

    Args:
        words: of a page, or of a part of it.
        known: what the document's pages tell of its columns.
    """
    if not words:
        return []
    lines: Sequence[TextLine] = gather_lines(words)
    gutter = known.gutter_of(lines)
    if gutter is None:
        start, end = _part_in_columns(lines)
        if start == end:
            return [list(lines)]
        parts = lines[:start], lines[start:end], lines[end:]
        return [g for part in parts for g in reading_order([word for line in part for word in line.words], known)]
    head, inner, foot = _edges(lines)
    groups = [[line] for line in head]
    for band in _bands(inner, gutter):
        sides = _sides(band, gutter)
        groups.extend([g for side in sides for g in reading_order(side, known)] if sides else [gather_lines(band)])
    return groups + [[line] for line in foot]


def _edges(lines: Sequence[TextLine]) -> tuple[list[TextLine], Sequence[TextLine], list[TextLine]]:
    """Lines at the top and at the bottom that are small and set off, or far off: of the page, and of neither column."""
    usual = median(line.size for line in lines)
    first, last = 0, len(lines)
    while first + 1 < last and _is_edge(lines[first], lines[first + 1], usual):
        first += 1
    while last - 1 > first and _is_edge(lines[last - 1], lines[last - 2], usual):
        last -= 1
    return list(lines[:first]), lines[first:last], list(lines[last:])


def _is_edge(line: TextLine, inner: TextLine, usual: float) -> bool:
    blank = max(inner.top - line.bottom, line.top - inner.bottom)
    return blank > (1 if line.size < usual - 0.4 else _FAR) * line.size


def _gutter(lines: Sequence[TextLine]) -> float | None:
    """An x at which running text is split into two columns, or None."""
    if len(lines) < _MIN_LINES:
        return None
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    margin = _MIN_SHARE * (x1 - x0)
    found = [[round(x, 1) for x in _gaps(line) if x0 + margin < x < x1 - margin] for line in lines]
    if sum(map(bool, found)) < _MIN_LINES:
        return None
    places = {x for on_line in found for x in on_line}
    crossings = {x: sum(_crosses(line, x) for line in lines) for x in places}
    fewest = min(crossings.values())
    if fewest > _MAX_CROSSING * len(lines):
        return None
    best = max(
        (x for x in places if crossings[x] == fewest), key=lambda x: (sum(_is_clear(line, x) for line in lines), x)
    )
    return best if _are_columns(lines, best, x0, x1) else None


def _part_in_columns(lines: Sequence[TextLine]) -> tuple[int, int]:
    """The first and one past the last of the lines that stand in columns though most of the page does not."""
    counts = Counter(round(x) for line in lines for x in _gaps(line) if x > line.x0)
    runs = [run for x, count in counts.most_common(_MOST_PLACES) if count >= _FEWEST_GAPS for run in _runs(lines, x)]
    runs.sort(key=lambda run: run[0] - run[1])
    whole = (0, len(lines))
    return next((run for run in runs if run != whole and _stands_in_even_columns(lines[slice(*run)])), (0, 0))


def _stands_in_even_columns(lines: Sequence[TextLine]) -> bool:
    """Whether lines stand in two columns that are about as wide as each other, as the columns of a table seldom are."""
    gutter = _gutter(lines)
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return gutter is not None and abs(x0 + x1 - 2 * gutter) < _UNEVEN * (x1 - x0)


def _runs(lines: Sequence[TextLine], x: float) -> Iterator[tuple[int, int]]:
    """Runs of lines that do not cross x, from the first beside another on to where no column goes on."""
    start = 0
    for end in range(len(lines) + 1):
        if end < len(lines) and not _crosses(lines[end], x):
            continue
        right = [at for at in range(start, end) if lines[at].x1 > x]
        if right:
            last = right[-1] + 1
            while last < end and lines[last].bottom - lines[last - 1].bottom < _ROW_GAP * 1.2 * lines[last].size:
                last += 1
            first = right[0]
            while first > start and lines[first - 1].bottom > lines[right[0]].top:
                first -= 1
            yield first, last
        start = end + 1


def _gaps(line: TextLine) -> list[float]:
    """Where a gutter may end: at a wide gap of the line, or at its beginning."""
    starts = [after.x0 for before, after in pairwise(line.words) if after.x0 - before.x1 > _GAP * line.size]
    return [x - _GAP * line.size / 2 for x in (*starts, line.x0)]


def _is_clear(line: TextLine, x: float) -> bool:
    """Whether text stands on both sides of x with a clear gap at x."""
    left = max((word.x1 for word in line.words if word.x1 <= x), default=None)
    right = min((word.x0 for word in line.words if word.x0 >= x), default=None)
    crossed = any(word.x0 < x < word.x1 for word in line.words)
    return not crossed and left is not None and right is not None and right - left > _GAP * line.size


def _crosses(line: TextLine, x: float) -> bool:
    """Whether a line runs across x: it is on neither side, and there is no gap in it at x."""
    return line.x0 < x < line.x1 and not _is_clear(line, x)


def _are_columns(lines: Sequence[TextLine], x: float, x0: float, x1: float) -> bool:
    """Whether running text stands on both sides of x, line beside line, and not the rows of a table."""
    crossing = [line for line in lines if _crosses(line, x)]
    words = [word for line in lines if not _crosses(line, x) for word in line.words]
    left = gather_lines(word for word in words if word.x1 <= x)
    right = gather_lines(word for word in words if word.x0 >= x)
    beside = _beside(left, right), _beside(right, left)
    longer = max(map(len, beside))
    if min(map(len, beside)) < _MIN_LINES or len(crossing) > _MAX_CROSSING * (longer + len(crossing)):
        return False
    running = all(
        _is_running_text(side, width) or _gutter(gather_lines(word for line in side for word in line.words)) is not None
        for side, width in zip(beside, (x - x0, x1 - x), strict=True)
    )
    return running and not _begin_together(left, right, crossing)


def _beside(lines: Sequence[TextLine], others: Sequence[TextLine]) -> list[TextLine]:
    """The lines that have one of the other side on their height, if only in part."""
    return [line for line in lines if any(other.top < line.bottom and line.top < other.bottom for other in others)]


def _is_running_text(lines: Sequence[TextLine], width: float) -> bool:
    """Whether lines fill the width and go on in the next: a table without rules has cells that end where they like."""
    right = max(line.x1 for line in lines)
    going_on = sum(
        not _begins_something(after.text[0]) and room_after(before, right) < width_at_head(after)
        for before, after in pairwise(lines)
    )
    widest = max(line.x1 - line.x0 for line in lines)
    return widest >= _WIDEST * width and going_on >= _GOING_ON * len(lines)


def _begins_something(char: str) -> bool:
    return char.isupper() or not char.isalpha()


def _begin_together(left: Sequence[TextLine], right: Sequence[TextLine], crossing: Sequence[TextLine]) -> bool:
    """Whether what begins behind a gap on one side does so at the same height on the other: the rows of a table."""
    one, two = _starts(left, crossing), _starts(right, crossing)
    together = sum(any(abs(a.bottom - b.bottom) < 0.3 * a.size for b in two) for a in one)
    return together >= 3 and together * 10 >= min(len(one), len(two)) * 6


def _starts(lines: Sequence[TextLine], crossing: Sequence[TextLine]) -> list[TextLine]:
    """The lines with more blank above them than is usual in this column, and nothing of both columns in it."""
    steps = [after.bottom - before.bottom for before, after in pairwise(lines)]
    usual = median(steps) if steps else 0.0
    return [
        after
        for (before, after), step in zip(pairwise(lines), steps, strict=True)
        if step > _ROW_GAP * usual and not any(before.bottom < line.bottom < after.bottom for line in crossing)
    ]


def _sides(band: Sequence[PdfWord], gutter: float) -> tuple[list[PdfWord], list[PdfWord]] | None:
    """The words on the left and on the right of a gutter; None where one side has none or a word lies across."""
    left = [word for word in band if word.x1 <= gutter]
    right = [word for word in band if word.x0 >= gutter]
    return (left, right) if left and right and len(left) + len(right) == len(band) else None


def _bands(lines: Sequence[TextLine], gutter: float) -> list[list[PdfWord]]:
    """The words of lines in horizontal bands: lines that cross the gutter lie between bands of two columns."""
    bands: list[list[PdfWord]] = []
    crossing_before: bool | None = None
    for line in lines:
        crossing = _crosses(line, gutter)
        if crossing != crossing_before:
            bands.append([])
        bands[-1].extend(line.words)
        crossing_before = crossing
    return bands
