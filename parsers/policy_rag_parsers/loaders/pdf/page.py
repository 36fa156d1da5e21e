"""One page of a PDF: its words, the straight lines drawn on it, and how many pictures it has."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from policy_rag_parsers.loaders.pdf.tags import heading_levels_by_content
from policy_rag_parsers.loaders.pdf.words import Box, Frame, Word, read_glyphs, usual_turn, words_of

_THIN: Final = 2.5  # a filled shape not thicker than this is a drawn line


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: horizontal at `at` from `low` to `high` in x, or vertical at `at` from `low` to `high` in y."""

    at: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class PageContent:
    """What is on a page: `words` in the order of the file, rules in no order."""

    width: float
    height: float
    words: tuple[Word, ...]
    across: tuple[Rule, ...]
    down: tuple[Rule, ...]
    images: int


def read_page(page: pdfium.PdfPage) -> PageContent:
    """Read a page with pdfium."""
    textpage = page.get_textpage()
    try:
        glyphs = read_glyphs(textpage.raw, heading_levels_by_content(page.raw))
    finally:
        textpage.close()
    left, bottom, right, top = page.get_bbox()
    frame = Frame(left, bottom, right, top, usual_turn(glyphs))
    across, down, images = _drawn(page, frame)
    return PageContent(frame.width, frame.height, words_of(glyphs, frame), tuple(across), tuple(down), images)


def _drawn(page: pdfium.PdfPage, frame: Frame) -> tuple[list[Rule], list[Rule], int]:
    """Horizontal rules, vertical rules, and the number of images."""
    across: list[Rule] = []
    down: list[Rule] = []
    images = 0
    kinds = [pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_IMAGE]
    for drawn in page.get_objects(filter=kinds):
        if pdfium_c.FPDFPageObj_GetType(drawn) == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            images += 1
            continue
        for x0, top, x1, bottom in _strokes(drawn, frame):
            if bottom - top <= _THIN < x1 - x0:
                across.append(Rule((top + bottom) / 2, x0, x1))
            elif x1 - x0 <= _THIN < bottom - top:
                down.append(Rule((x0 + x1) / 2, top, bottom))
    return across, down, images


def _strokes(path: Any, frame: Frame) -> Iterator[Box]:
    """The straight pieces of a stroked path, or the outline of a filled one, as boxes."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(path, mode, stroke)
    points = _outline(path)
    if stroke.value:
        for (x0, y0), (x1, y1) in points:
            yield frame.box(x0, y0, x1, y1)
    elif mode.value and points:
        flat = [point for piece in points for point in piece]
        xs, ys = [x for x, _ in flat], [y for _, y in flat]
        yield frame.box(min(xs), min(ys), max(xs), max(ys))


def _outline(path: Any) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    matrices = [path.get_matrix()]
    container = path.container
    while container is not None:
        matrices.append(container.get_matrix())
        container = container.container
    pieces: list[tuple[tuple[float, float], tuple[float, float]]] = []
    first = last = (0.0, 0.0)
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(min(pdfium_c.FPDFPath_CountSegments(path), 2000)):
        segment = pdfium_c.FPDFPath_GetPathSegment(path, index)
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        point = (x.value, y.value)
        for matrix in matrices:
            point = matrix.on_point(*point)
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium_c.FPDF_SEGMENT_LINETO:
            pieces.append((last, point))
        last = point
        if pdfium_c.FPDFPathSegment_GetClose(segment):
            pieces.append((point, first))
    return pieces
