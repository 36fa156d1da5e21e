"""Lines of a PDF to paragraphs: where a line goes on, where it begins something new."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from policy_rag_parsers.loaders.paragraph_continuation import CLOSED, MARKER
from policy_rag_parsers.loaders.pdf.dehyphenation import divided_clause, is_divided
from policy_rag_parsers.loaders.pdf.lines import TextLine

_LEADER: Final = re.compile(r"(?:\.\s?){4,}\s*\d{1,4}\Z")


def continues(paragraph: Sequence[TextLine], line: TextLine, right: float, spacing: float) -> bool:
    """Whether `line`, next in the same column, goes on with the paragraph above it.

    Args:
        paragraph: the lines of the paragraph so far, at least one.
        line: the next line.
        right: where the column's longest line ends.
        spacing: the usual distance between the bottoms of two lines of the text, in font sizes.
    """
    before = paragraph[-1]
    if abs(before.size - line.size) > 0.6 or _leads_to_page(before.text) or _leads_to_page(line.text):
        return False
    if line.bottom - before.bottom > spacing * line.size * 1.22 or line.bottom <= before.top:
        return False
    divided = is_divided(before.text, line.text) and not MARKER.match(line.text)
    if not divided and room_after(before, right) > width_at_head(line):
        return False
    if divided or divided_clause(before.text, line.text):
        return True
    if MARKER.match(line.text) and (CLOSED.search(before.text) or not line.text[:1].isalnum()):
        return False
    return not _indented(paragraph, line)


def _leads_to_page(text: str) -> bool:
    return text[-1:].isdigit() and _LEADER.search(text) is not None


def room_after(line: TextLine, right: float) -> float:
    """How wide a word would still have fitted on a line; if the next line's first had, the line ended on purpose."""
    return right - 0.75 * line.size - line.x1


def width_at_head(line: TextLine) -> float:
    """The width of a line's first word."""
    return line.words[0].x1 - line.words[0].x0


def _indented(paragraph: Sequence[TextLine], line: TextLine) -> bool:
    before = paragraph[-1]
    shift = line.x0 - before.x0
    if abs(shift) < 0.6 * line.size:
        return False
    if len(paragraph) == 1:
        # Under a number or bullet the text hangs; under an indented first line it comes back to the margin.
        return shift > 0 and MARKER.match(before.text) is None
    return True


def usual_spacing(columns: Iterable[Sequence[TextLine]]) -> float:
    """The usual distance between the bottoms of neighbouring lines of one size, in font sizes; 1.2 without any."""
    counts: dict[float, int] = {}
    for lines in columns:
        for before, after in pairwise(lines):
            distance = after.bottom - before.bottom
            if abs(before.size - after.size) < 0.3 and 0.8 * after.size < distance < 3 * after.size:
                slot = round(distance / after.size * 20) / 20
                counts[slot] = counts.get(slot, 0) + 1
    if not counts:
        return 1.2
    most = max(counts.values())
    # Of two frequent distances the smaller is the one between lines, the larger the one between paragraphs.
    return min(slot for slot, count in counts.items() if count * 3 >= most)
