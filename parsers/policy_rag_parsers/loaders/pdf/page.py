"""One page of a PDF: its words, the straight lines and the grounds drawn on it, and how many pictures it has."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium

from policy_rag_parsers.loaders.pdf.characters import read_characters
from policy_rag_parsers.loaders.pdf.objects import Path, read_objects
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.struck_text import without_struck
from policy_rag_parsers.loaders.pdf.tags import heading_levels_by_content
from policy_rag_parsers.loaders.pdf.words import Box, Frame, PdfWord, words_of

_THIN: Final = 2.5  # a filled shape not thicker than this is a drawn line


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is on a page: `words` in the order of the file; rules, and the extents of what is filled, in no order."""

    width: float
    height: float
    words: tuple[PdfWord, ...]
    across: tuple[Rule, ...]
    down: tuple[Rule, ...]
    grounds: tuple[Box, ...]
    images: int


def read_page(page: pdfium.PdfPage) -> PageContent:
    """Read a page with pdfium."""
    objects = read_objects(page.raw)
    textpage = page.get_textpage()
    try:
        characters = read_characters(textpage.raw, heading_levels_by_content(page.raw), objects.overprinted)
    finally:
        textpage.close()
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, characters.usual_turn())
    drawn, down, grounds = _drawn(objects.paths, frame)
    words, across = without_struck(words_of(characters, frame), drawn)
    return PageContent(frame.width, frame.height, words, across, tuple(down), tuple(grounds), objects.images)


def _drawn(paths: Iterable[Path], frame: Frame) -> tuple[list[Rule], list[Rule], list[Box]]:
    """Horizontal and vertical rules, and grounds."""
    across: list[Rule] = []
    down: list[Rule] = []
    grounds: list[Box] = []
    for path in paths:
        for x0, top, x1, bottom in _strokes(path, frame):
            if bottom - top <= _THIN < x1 - x0:
                across.append(Rule((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= _THIN < bottom - top:
                down.append(Rule((x0 + x1) / 2, top, bottom))
            elif not path.stroked and min(x1 - x0, bottom - top) > _THIN:
                grounds.append(Box(x0, top, x1, bottom))
    return across, down, grounds


def _strokes(path: Path, frame: Frame) -> Iterator[Box]:
    """The straight pieces of a stroked path, or the outline of a filled one, as boxes."""
    if path.stroked:
        for (x0, y0), (x1, y1) in path.pieces:
            yield frame.box(x0, y0, x1, y1)
    elif path.filled and path.pieces:
        flat = [point for piece in path.pieces for point in piece]
        xs, ys = [x for x, _ in flat], [y for _, y in flat]
        yield frame.box(min(xs), min(ys), max(xs), max(ys))
