"""Words of a page to lines in reading order: one column after the other, each from top to bottom."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.pdf_page import Word

_MIN_COLUMN_LINES: Final = 6
_MIN_COLUMN_SHARE: Final = 0.28  # of the width that is split


@dataclass(frozen=True, slots=True)
class Line:
    """Words side by side, from left to right. `size` and `bold` are those of most of its characters."""

    words: tuple[Word, ...]
    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool


def make_line(words: Sequence[Word]) -> Line:
    """A line of words, which are put in order from left to right."""
    ordered = sorted(words, key=lambda word: word.x0)
    sizes: dict[float, int] = {}
    for word in ordered:
        sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
    # The bullet or number that hangs before a heading may be light.
    lettered = [word for word in ordered if any(map(str.isalpha, word.text))] or ordered
    return Line(
        words=tuple(ordered),
        text=_joined(ordered),
        x0=ordered[0].x0,
        x1=max(word.x1 for word in ordered),
        top=min(word.top for word in ordered),
        bottom=max(word.bottom for word in ordered),
        size=max(sizes, key=lambda size: (sizes[size], size)),
        bold=all(word.bold for word in lettered),
    )


def _joined(words: Sequence[Word]) -> str:
    parts = [words[0].text]
    for before, after in pairwise(words):
        # Files that place each character by itself give pieces of words: no gap, no blank.
        if after.x0 - before.x1 > 0.08 * max(after.size, before.size):
            parts.append(" ")
        parts.append(after.text)
    return "".join(parts)


def gather_lines(words: Iterable[Word]) -> list[Line]:
    """Words to lines from top to bottom. A raised or lowered note mark stays on the line that it overlaps."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word.bottom, word.x0)):
        row = next((row for row in reversed(rows[-3:]) if _same_line(row, word)), None)
        if row is None:
            rows.append([word])
        else:
            row.append(word)
    return sorted((make_line(row) for row in rows), key=lambda line: (line.bottom, line.x0))


def _same_line(row: list[Word], word: Word) -> bool:
    other = max(row, key=lambda member: member.size)
    overlap = min(other.bottom, word.bottom) - max(other.top, word.top)
    return overlap > 0.55 * min(other.bottom - other.top, word.bottom - word.top)


def reading_order(words: Sequence[Word]) -> list[list[Line]]:
    """Lines in reading order, grouped: the lines of a group stand under each other in one column."""
    if not words:
        return []
    gutter = _gutter(words)
    if gutter is None:
        return [gather_lines(words)]
    groups: list[list[Line]] = []
    for band in _bands(words, gutter):
        left = [word for word in band if word.x1 <= gutter]
        right = [word for word in band if word.x0 >= gutter]
        if len(left) + len(right) == len(band) and left and right:
            groups.extend(reading_order(left))
            groups.extend(reading_order(right))
        else:
            groups.append(gather_lines(band))
    return groups


def _gutter(words: Sequence[Word]) -> float | None:
    """An x at which running text is split into two columns, or None."""
    lines = gather_lines(words)
    if len(lines) < _MIN_COLUMN_LINES:
        return None
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    middles: list[float] = []
    for line in lines:
        for before, after in pairwise(line.words):
            share = (before.x1 + after.x0) / 2
            if (
                after.x0 - before.x1 > 0.9 * line.size
                and _MIN_COLUMN_SHARE < (share - x0) / (x1 - x0) < 1 - _MIN_COLUMN_SHARE
            ):
                middles.append(share)
    if len(middles) < _MIN_COLUMN_LINES:
        return None
    best = max(middles, key=lambda x: sum(_clear(line, x) for line in lines))
    split = [line for line in lines if _clear(line, best)]
    return best if len(split) * 10 >= len(lines) * 6 and _is_running_text(split, best, x0, x1) else None


def _clear(line: Line, x: float) -> bool:
    """Whether text stands on both sides of x with a clear gap at x."""
    left = max((word.x1 for word in line.words if word.x1 <= x), default=None)
    right = min((word.x0 for word in line.words if word.x0 >= x), default=None)
    crossed = any(word.x0 < x < word.x1 for word in line.words)
    return not crossed and left is not None and right is not None and right - left > 0.9 * line.size


def _is_running_text(lines: Sequence[Line], x: float, x0: float, x1: float) -> bool:
    """Whether both sides are mostly full lines: a table without rules has short cells instead."""
    if len(lines) < _MIN_COLUMN_LINES:
        return False
    for low, high in ((x0, x), (x, x1)):
        widths = []
        for line in lines:
            side = [word for word in line.words if low <= (word.x0 + word.x1) / 2 <= high]
            widths.append(max(word.x1 for word in side) - min(word.x0 for word in side))
        full = sum(width > 0.75 * max(widths) for width in widths)
        if max(widths) < 0.75 * (high - low) or full * 10 < len(widths) * 5:
            return False
    return True


def _bands(words: Sequence[Word], gutter: float) -> list[list[Word]]:
    """Words in horizontal bands: lines that cross the gutter lie between bands of two columns."""
    bands: list[list[Word]] = []
    crossing_before: bool | None = None
    for line in gather_lines(words):
        crossing = not (
            _clear(line, gutter) or all(w.x1 <= gutter for w in line.words) or all(w.x0 >= gutter for w in line.words)
        )
        if crossing != crossing_before:
            bands.append([])
        bands[-1].extend(line.words)
        crossing_before = crossing
    return bands


__all__ = ["Line", "gather_lines", "make_line", "reading_order"]
