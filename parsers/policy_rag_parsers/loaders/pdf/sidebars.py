"""A box beside the text of a PDF page, which is read after the paragraph that it begins beside.

Known by the rule around its lines; or by the ground behind them, or by three lines or more that begin at one place
behind a wide blank, while the text beside them fills its lines and goes on under them.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.pdf.cells import NEAR, PageTable
from policy_rag_parsers.loaders.pdf.lines import TextLine, gather_lines
from policy_rag_parsers.loaders.pdf.page import PageContent
from policy_rag_parsers.loaders.pdf.page_tables import MAX_RULES
from policy_rag_parsers.loaders.pdf.paragraphs import room_after, width_at_head
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.words import Box, PdfWord

_WIDEST: Final = 0.7  # of the width of the text, at most, has a box
_MIN_LINES: Final = 3
_GAP: Final = 0.9  # font sizes of blank, at least, before each line of a box
_WIDER: Final = 1.6  # times as wide as any other blank of its line is that one, where they share a line
_SPACING: Final = 1.8  # font sizes from one line to the next, at most
_SAME: Final = 1.0  # points by which beginnings may differ
_MOST_GROUNDS: Final = 40  # a page with more of the size of a box holds a table or a drawing
_BESIDE: Final = 0.25  # font sizes of its height, at least, has a line beside a ground

Sidebar = tuple[TextLine, ...]


def framed_sidebars(
    words: Sequence[PdfWord], content: PageContent, tables: Sequence[PageTable]
) -> tuple[list[PdfWord], list[Sidebar]]:
    """The words of a page outside its tables without those in frames beside text, and the lines of each frame.

    A frame of one line is a field of a form.
    """
    rest = list(words)
    sidebars: list[Sidebar] = []
    frames = list(_frames(content, tables))
    # Of two frames beside each other the left one is the text.
    for to_the_right in (True, False):
        for frame in frames:
            inside = gather_lines(word for word in rest if frame.holds(word))
            if len(inside) > 1 and _stands_beside(frame, rest, to_the_right=to_the_right):
                sidebars.append(tuple(inside))
                rest = [word for word in rest if not frame.holds(word)]
    for frame in _grounds(content, rest, tables):
        lines = gather_lines(rest)
        inside = gather_lines(word for word in rest if frame.holds(word))
        if inside and _stands_in_text(frame, inside, lines):
            sidebars.append(tuple(inside))
            rest = [word for word in rest if not frame.holds(word)]
    return rest, sidebars


def _grounds(content: PageContent, words: Sequence[PdfWord], tables: Sequence[PageTable]) -> Sequence[Box]:
    """What is filled outside tables, high enough for a line and narrower than the text of the page."""
    if not content.grounds or not words:
        return ()
    least, most = min(word.x0 for word in words), max(word.x1 for word in words)
    low = min(word.bottom - word.top for word in words) / 2
    found = {
        Box(*(round(place, 1) for place in ground))
        for ground in content.grounds
        if low < ground.bottom - ground.top and low < ground.x1 - ground.x0 < _WIDEST * (most - least)
    }
    taken = [table.box for table in tables]
    free = [frame for frame in found if not any(one.top < frame.bottom and frame.top < one.bottom for one in taken)]
    return sorted(free, key=lambda frame: (frame.top, frame.x0)) if len(free) <= _MOST_GROUNDS else ()


def _stands_in_text(frame: Box, inside: Sequence[TextLine], lines: Sequence[TextLine]) -> bool:
    """Whether running text stands on one side of a ground and goes on under it; behind a mark it is on that line."""
    near = [line for line in lines if min(line.bottom, frame.bottom) - max(line.top, frame.top) > _BESIDE * line.size]
    beside = [word for line in near for word in line.words if not frame.holds(word)]
    low, high = min(line.x0 for line in inside), max(line.x1 for line in inside)
    gap = _GAP * inside[0].size
    if not beside or not (
        all(word.x1 <= low - gap for word in beside) or all(word.x0 >= high + gap for word in beside)
    ):
        return False
    text = gather_lines(beside)
    under = next((line for line in lines if line.top >= text[-1].bottom - 0.3 * line.size and line not in near), None)
    return under is not None and _runs_on([*text, under])


def _frames(content: PageContent, tables: Sequence[PageTable]) -> Iterator[Box]:
    """Rectangles of four rules that are in no table."""
    if not content.down or len(content.across) + len(content.down) > MAX_RULES:
        return
    outside = (
        rule for rule in content.across if not any(table.box.top <= rule.at <= table.box.bottom for table in tables)
    )
    across = sorted(outside, key=lambda rule: rule.at)
    for at, upper in enumerate(across):
        sides = [rule for rule in content.down if _reaches(rule, upper.at)]
        if not all(any(abs(side.at - end) <= NEAR for side in sides) for end in (upper.low, upper.high)):
            continue
        lower = next((rule for rule in across[at + 1 :] if _is_below(rule, upper, sides)), None)
        if lower is not None:
            yield Box(upper.low, upper.at, upper.high, lower.at)


def _reaches(side: Rule, at: float) -> bool:
    return side.low - NEAR <= at <= side.high + NEAR


def _is_below(rule: Rule, upper: Rule, sides: Sequence[Rule]) -> bool:
    same = abs(rule.low - upper.low) <= NEAR and abs(rule.high - upper.high) <= NEAR
    return same and rule.at > upper.at + 2 * NEAR and any(_reaches(side, rule.at) for side in sides)


def _stands_beside(frame: Box, words: Sequence[PdfWord], *, to_the_right: bool) -> bool:
    """Whether text stands on one side of a frame that is narrower than the text of the page."""
    least, most = min(word.x0 for word in words), max(word.x1 for word in words)
    level = (word for word in words if frame.top < (word.top + word.bottom) / 2 < frame.bottom)
    if frame.x1 - frame.x0 > _WIDEST * (most - least):
        return False
    return any(word.x1 <= frame.x0 + NEAR if to_the_right else word.x0 >= frame.x1 - NEAR for word in level)


def unframed_sidebar(lines: Sequence[TextLine]) -> tuple[list[TextLine], Sidebar] | None:
    """The lines of a column without those beside them that have no frame, and these; None where there are none."""
    starts = sorted((start for line in lines for start in _starts(line)), key=lambda start: (start[0], start[1].bottom))
    left = min((line.x0 for line in lines), default=0.0)
    group: list[tuple[float, TextLine]] = []
    for start in [*starts, None]:
        follows = start is not None and bool(group) and start[0] - group[0][0] <= _SAME
        if start is not None and (follows or not group):
            group.append(start)
            continue
        if len(group) >= _MIN_LINES and group[0][0] > left + 1:
            found = _split(lines, group)
            if found is not None:
                return found
        group = [] if start is None else [start]
    return None


def _starts(line: TextLine) -> Iterator[tuple[float, TextLine]]:
    """Where a line of a box may begin: at the head of a line, or behind a blank much wider than the others in it."""
    yield line.x0, line
    gaps = sorted((after.x0 - before.x1, after.x0) for before, after in pairwise(line.words))
    if gaps and gaps[-1][0] > _GAP * line.size and (len(gaps) == 1 or gaps[-1][0] > _WIDER * gaps[-2][0]):
        yield gaps[-1][1], line


def _split(lines: Sequence[TextLine], group: Sequence[tuple[float, TextLine]]) -> tuple[list[TextLine], Sidebar] | None:
    x = group[0][0] - _SAME
    top, bottom = min(line.top for _, line in group), max(line.bottom for _, line in group)
    near = [line for line in lines if line.bottom >= top and line.top <= bottom]
    level = [word for line in near for word in line.words if top <= (word.top + word.bottom) / 2 <= bottom]
    before = [word for word in level if word.x0 < x]
    if not before or max(word.x1 for word in before) > x - _GAP * group[0][1].size / 2:
        return None
    beside = [word for word in level if word.x0 >= x]
    box = gather_lines(beside)
    if not _stands_close(box):
        return None
    text = gather_lines(before)
    if len(text) < _MIN_LINES:
        return None
    under = next((line for line in lines if line.top >= text[-1].bottom - 0.3 * line.size and line.x0 < x), None)
    if under is None or not _runs_on([*text, under]):
        return None
    taken = set(map(id, beside))
    return gather_lines(word for line in lines for word in line.words if id(word) not in taken), tuple(box)


def _runs_on(lines: Sequence[TextLine]) -> bool:
    """Whether lines are one piece of text: close together, full up to the first word of the next, in small letters.

    The last one stands under the box and may be wider.
    """
    right = max(line.x1 for line in lines[:-1])
    small = sum(line.text[0].islower() for line in lines[1:])
    return (
        _stands_close(lines)
        and small * 2 >= len(lines) - 1
        and all(room_after(before, right) <= width_at_head(after) for before, after in pairwise(lines))
    )


def _stands_close(lines: Sequence[TextLine]) -> bool:
    """Whether lines are enough, close to each other and begin at one place."""
    return len(lines) >= _MIN_LINES and all(
        after.bottom - before.bottom <= _SPACING * after.size and abs(after.x0 - before.x0) <= _SAME
        for before, after in pairwise(lines)
    )
