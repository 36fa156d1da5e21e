"""Which lines of a PDF are headings, by size, weight and number, and how deep they are."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.bold_headings import MAX_LENGTH, number_depth
from policy_rag_parsers.loaders.pdf.lines import Line

_LEADING: Final = 1.22  # times the usual distance of lines, at most, are those of one heading apart
_CELL_GAP: Final = 1.5  # font sizes
# No title ends with one of these, nor begins with one of the first.
_INSIDE: Final = frozenset(
    ("of", "for", "and", "or", "to", "with", "und", "oder", "von", "vom", "für", "zum", "zur", "nach")
)
_LEADING_ON: Final = _INSIDE | {
    "the", "a", "an", "in", "on", "at", "by", "from", "as",
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "im", "am", "bei", "durch", "auf",
}  # fmt: skip

Style = tuple[float, bool]
"""A font size, rounded to half a point, and whether the font is bold."""


def style_of(line: Line) -> Style:
    """The style of a line."""
    return round(line.size * 2) / 2, line.bold


def body_style(lines: Iterable[Line]) -> Style:
    """The style of most characters; (0, False) without lines."""
    counts: Counter[Style] = Counter()
    for line in lines:
        counts[style_of(line)] += len(line.text)
    return counts.most_common(1)[0][0] if counts else (0.0, False)


def looks_like_heading(line: Line, body: Style) -> bool:
    """Whether a line stands out from the body: larger, or bold where the body is not, and no longer than a heading.

    Bold words with gaps as between cells are the header of a table, and formulas are often larger than the text.
    """
    size, bold = style_of(line)
    if len(line.text) > MAX_LENGTH or not any(map(str.isalnum, line.text)) or "=" in line.text:
        return False
    if size > body[0] * 1.07:
        return True
    if not bold or body[1] or size < body[0] * 0.93:
        return False
    if number_depth(line.text) > 0:
        return True
    return not line.text.rstrip().endswith((".", ";", ",", ":")) and not _is_row(line)


def heading_goes_on(lines: Sequence[Line], line: Line, spacing: float) -> bool:
    """Whether a line goes on with the heading above it, which is of its style, whatever room that left.

    Titles are balanced, narrow or centred, and "§ 1" has its title below. So a line without a number belongs to the
    numbered heading directly over it; where that has no number, words must say that the title goes on.

    Args:
        lines: the lines of the heading so far, at least one.
        line: the next line.
        spacing: the usual distance between the bottoms of two lines of the text, in font sizes.
    """
    before, length = lines[-1], sum(len(above.text) + 1 for above in lines)
    near = 0 < line.bottom - before.bottom <= _LEADING * max(spacing, 1.2) * line.size
    if not near or length + len(line.text) > MAX_LENGTH or number_depth(line.text) or _is_row(line):
        return False
    return title_is_open(before.text, line.text) or number_depth(lines[0].text) > 0


def title_is_open(before: str, after: str) -> bool:
    """Whether the words say that a title goes on from one line to the next.

    >>> title_is_open("Journeys of more", "than five days"), title_is_open("Duties of the", "Manager")
    (True, True)
    """
    first, last = after.split(maxsplit=1)[0], before.rsplit(maxsplit=1)[-1]
    if number_depth(after):
        return False
    return first[0].islower() or first.casefold() in _INSIDE or last.casefold() in _LEADING_ON


def _is_row(line: Line) -> bool:
    """Whether a line has gaps as between the cells of a table."""
    return any(after.x0 - before.x1 > _CELL_GAP * line.size for before, after in pairwise(line.words))


def heading_levels(headings: Sequence[tuple[str, Style]]) -> list[int]:
    """Levels from 1 for headings in order of the document.

    A larger size, then a bold weight, is higher; within a style the depth of the number decides, and a heading without
    a number is as high as the highest of its style; but where numbers follow, a first heading without one is the
    title, above all others. The (style, depth) pairs that occur are then counted through, so levels have no gaps.

    >>> heading_levels([("Leave", (18.0, True)), ("1. Scope", (12.0, True)), ("1.1 Staff", (12.0, True))])
    [1, 2, 3]
    """
    highest: dict[Style, int] = {}
    for text, style in headings:
        depth = number_depth(text)
        if depth:
            highest[style] = min(depth, highest.get(style, depth))
    pairs = [(style, number_depth(text) or highest.get(style, 1)) for text, style in headings]
    if headings and not number_depth(headings[0][0]) and headings[0][1] in highest:
        pairs[0] = (headings[0][1], 0)
    order = sorted(set(pairs), key=lambda pair: (-pair[0][0], not pair[0][1], pair[1]))
    rank = {pair: place for place, pair in enumerate(order, start=1)}
    return [rank[pair] for pair in pairs]
