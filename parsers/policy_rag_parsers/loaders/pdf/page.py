"""One page of a PDF as words with their places, sizes and weights, and the straight lines drawn on it.

Coordinates are points, x to the right and y down, in the direction in which most of the page's text runs; so a
landscape table on an upright page, or a page that is only displayed turned, reads as it should. Text that runs another
way (a watermark, a stamp in the margin) is left out.
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from policy_rag_parsers.loaders.pdf.superscripts import is_raised

_BOLD_NAME: Final = re.compile(r"bold|black|heavy|semibold|demi(?!_italic)|-bd|,b\b", re.IGNORECASE)
_BOLD_WEIGHT: Final = 600
_THIN: Final = 2.5  # a filled shape not thicker than this is a drawn line
_NOT_SHOWN: Final = frozenset("\r\n\x00\ufffe\uffff\u200b\ufeff")
_DRAWN_HYPHENS: Final = frozenset((2, 0xAD))  # pdfium's sign for one at a line's end; a soft one that has a width
_NAME_LENGTH: Final = 128

_Place = tuple[float, float, float, float]
"""A box as x0, top, x1, bottom."""


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a blank between them. `top < bottom` are those of its font, not of its ink."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool


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


@dataclass(frozen=True, slots=True)
class _Style:
    """What is the same for all characters of a text object; `turn` counts quarter turns, None when askew."""

    size: float
    bold: bool
    turn: int | None


@dataclass(frozen=True, slots=True)
class _Glyph:
    text: str
    left: float
    bottom: float
    right: float
    top: float
    style: _Style


def read_page(page: pdfium.PdfPage) -> PageContent:
    """Read a page with pdfium."""
    textpage = page.get_textpage()
    try:
        glyphs = list(_glyphs(textpage.raw))
    finally:
        textpage.close()
    left, bottom, right, top = page.get_bbox()
    turns = Counter(glyph.style.turn for glyph in glyphs if glyph is not None and glyph.style.turn is not None)
    frame = _Frame(left, bottom, right, top, turns.most_common(1)[0][0] if turns else 0)
    across, down, images = _drawn(page, frame)
    return PageContent(frame.width, frame.height, tuple(_words(glyphs, frame)), tuple(across), tuple(down), images)


class _Frame:
    """Turns the page's own coordinates (y up) into reading ones (y down) for text turned by quarter turns."""

    def __init__(self, left: float, bottom: float, right: float, top: float, turn: int) -> None:
        self._corner = (left, bottom, right, top)
        self.turn = turn
        width, height = right - left, top - bottom
        self.width, self.height = (width, height) if turn % 2 == 0 else (height, width)

    def point(self, x: float, y: float) -> tuple[float, float]:
        left, bottom, right, top = self._corner
        match self.turn:
            case 0:
                return x - left, top - y
            case 1:  # text runs upwards
                return y - bottom, x - left
            case 2:
                return right - x, y - bottom
            case _:
                return top - y, right - x

    def box(self, x0: float, y0: float, x1: float, y1: float) -> _Place:
        """The box around two opposite corners as x0, top, x1, bottom."""
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _glyphs(text: Any) -> Iterator[_Glyph | None]:
    """The characters of a page in the file's order; None where a word ends."""
    box = pdfium_c.FS_RECTF()
    styles: dict[int, _Style] = {}
    get_unicode, get_object = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetTextObject
    get_box, address = pdfium_c.FPDFText_GetLooseCharBox, ctypes.addressof
    style: _Style | None = None
    at_box = ctypes.byref(box)
    high = 0
    for index in range(pdfium_c.FPDFText_CountChars(text)):
        code = get_unicode(text, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000 and high:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        char = "-" if code in _DRAWN_HYPHENS else chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"
        if char.isspace() or char in _NOT_SHOWN or (code < 32 and code != 2):
            yield None
            continue
        handle = get_object(text, index)
        if handle:
            key = address(handle.contents)
            if key not in styles:
                styles[key] = _style(text, index, handle)
            style = styles[key]
        if style is None or not get_box(text, index, at_box):
            continue
        if code == 0xAD and min(box.right - box.left, box.top - box.bottom) < 0.1 * style.size:
            continue
        yield _Glyph(char, box.left, box.bottom, box.right, box.top, style)


def _style(text: Any, index: int, handle: Any) -> _Style:
    matrix = pdfium_c.FS_MATRIX()
    size = pdfium_c.FPDFText_GetFontSize(text, index)
    turn: int | None = 0
    if pdfium_c.FPDFText_GetMatrix(text, index, matrix):
        size *= math.hypot(matrix.c, matrix.d) or 1.0
        angle = math.degrees(math.atan2(matrix.b, matrix.a))
        quarter = round(angle / 90)
        turn = quarter % 4 if abs(angle - quarter * 90) < 3 else None
    name = ctypes.create_string_buffer(_NAME_LENGTH)
    flags = ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(text, index, name, _NAME_LENGTH, flags)
    bold = (
        _BOLD_NAME.search(name.value.decode("utf-8", errors="replace")) is not None
        or pdfium_c.FPDFText_GetFontWeight(text, index) >= _BOLD_WEIGHT
        or pdfium_c.FPDFTextObj_GetTextRenderMode(handle) == pdfium_c.FPDF_TEXTRENDERMODE_FILL_STROKE
    )
    return _Style(round(size, 2), bold, turn)


def _words(glyphs: list[_Glyph | None], frame: _Frame) -> Iterator[Word]:
    run: list[tuple[_Glyph, _Place]] = []
    for glyph in glyphs:
        if glyph is not None and glyph.style.turn != frame.turn:
            continue
        place = None if glyph is None else frame.box(glyph.left, glyph.bottom, glyph.right, glyph.top)
        if run and (glyph is None or place is None or _apart(run[-1], glyph, place)):
            yield _word(run)
            run = []
        if glyph is not None and place is not None:
            run.append((glyph, place))
    if run:
        yield _word(run)


def _apart(before: tuple[_Glyph, _Place], glyph: _Glyph, after: _Place) -> bool:
    """Whether two characters belong to different words: a gap, a step back, another line, or one of them is raised."""
    style, place, size = before[0].style, before[1], glyph.style.size
    gap = after[0] - place[2]
    if gap > 0.2 * size or gap < -0.9 * size or abs(after[3] - place[3]) > 0.6 * size:
        return True
    if style.size == size:
        return False
    return is_raised(after[3], size, place[3], style.size) or is_raised(place[3], style.size, after[3], size)


def _word(run: list[tuple[_Glyph, _Place]]) -> Word:
    places = [place for _, place in run]
    bold = sum(glyph.style.bold for glyph, _ in run)
    return Word(
        text="".join(glyph.text for glyph, _ in run),
        x0=min(place[0] for place in places),
        x1=max(place[2] for place in places),
        top=min(place[1] for place in places),
        bottom=max(place[3] for place in places),
        size=max(glyph.style.size for glyph, _ in run),
        bold=bold * 2 > len(run),
    )


def _drawn(page: pdfium.PdfPage, frame: _Frame) -> tuple[list[Rule], list[Rule], int]:
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


def _strokes(path: Any, frame: _Frame) -> Iterator[_Place]:
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
