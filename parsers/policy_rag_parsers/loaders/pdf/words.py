"""The words of a PDF page as pdfium gives its characters: with their places, sizes, weights and colours.

Coordinates are points, x to the right and y down, in the direction in which most of the page's text runs; so a
landscape table on an upright page, or a page that is only displayed turned, reads as it should. Text that runs another
way (a watermark, a stamp in the margin) is left out.
"""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pypdfium2.raw as pdfium_c

from policy_rag_parsers.loaders.pdf.superscripts import is_raised
from policy_rag_parsers.loaders.pdf.word_gaps import USUAL_GAP, word_gap

_BOLD_NAME: Final = re.compile(r"bold|black|heavy|semibold|demi(?!_italic)|-bd|,b\b", re.IGNORECASE)
_ITALIC_NAME: Final = re.compile(r"italic|oblique|slanted", re.IGNORECASE)
_ITALIC_FLAG: Final = 64
_BOLD_WEIGHT: Final = 600
_NOT_SHOWN: Final = frozenset("\r\n\x00\ufffe\uffff\u200b\ufeff")
_DRAWN_HYPHENS: Final = frozenset((2, 0xAD))  # pdfium's sign for one at a line's end; a soft one that has a width
_NAME_LENGTH: Final = 128
_SAMPLED: Final = 1500  # characters of a page tell how wide its gaps are
_HALF: Final = 0.4  # of the least gap between words, at least, is blank where a blank was written
_DROPPED: Final = 1.8  # times as large as its word, at least, is a first letter that spans lines


def _plain(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium that takes and gives addresses as numbers: these are called for each character."""
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(function, ctypes.c_void_p).value or 0)


_get_unicode: Final = _plain(pdfium_c.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_get_object: Final = _plain(pdfium_c.FPDFText_GetTextObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
_get_box: Final = _plain(
    pdfium_c.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)

Box = tuple[float, float, float, float]
"""A box as x0, top, x1, bottom."""


@dataclass(frozen=True, slots=True)
class Word:
    """Characters without a blank between them. `top < bottom` are those of its font, not of its ink.

    `colour` is 0xRRGGBB. `tag` is the level of the heading that the file's tags make it part of, 0 without. `gap` is
    the least blank, in font sizes, between it and another word of its line.
    """

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    size: float
    bold: bool
    italic: bool = False
    colour: int = 0
    tag: int = 0
    gap: float = _HALF * USUAL_GAP


@dataclass(frozen=True, slots=True)
class _Style:
    """What is the same for all characters of a text object; `turn` counts quarter turns, None when askew."""

    size: float
    bold: bool
    italic: bool
    colour: int
    tag: int
    turn: int | None


_Glyph = tuple[str, float, float, float, float, _Style]
"""A character, its box in the page's own coordinates (left, bottom, right, top), and its style."""


class Frame:
    """Turns a page's own coordinates (y up) into reading ones (y down) for text turned by quarter turns."""

    def __init__(self, left: float, bottom: float, right: float, top: float, turn: int) -> None:
        self._corner = (left, bottom, right, top)
        self.turn = turn
        width, height = right - left, top - bottom
        self.origin = (left, top)
        self.width, self.height = (width, height) if turn % 2 == 0 else (height, width)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """The box around the lower left and the upper right corner, or around any two opposite ones."""
        ax, ay = self._point(x0, y0)
        bx, by = self._point(x1, y1)
        if ax > bx:
            ax, bx = bx, ax
        return (ax, ay, bx, by) if ay < by else (ax, by, bx, ay)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        left, bottom, right, top = self._corner
        if self.turn == 0:
            return x - left, top - y
        if self.turn == 1:  # text runs upwards
            return y - bottom, x - left
        return (right - x, y - bottom) if self.turn == 2 else (top - y, right - x)


def read_glyphs(text: Any, levels: Mapping[int, int], overprinted: Container[int] = ()) -> list[_Glyph | None]:
    """The characters of a page in the file's order; None where a word ends.

    Args:
        text: the text page of pdfium.
        levels: the levels of headings by the identifiers of marked content on this page.
        overprinted: the addresses of the text objects that are printed twice to look bold.
    """
    return list(_glyphs(text, _Styles(text, levels, overprinted)))


def usual_turn(glyphs: Iterable[_Glyph | None]) -> int:
    """The direction of most characters in quarter turns; 0 without any."""
    turns = Counter(glyph[5].turn for glyph in glyphs if glyph is not None and glyph[5].turn is not None)
    return (turns.most_common(1)[0][0] or 0) if turns else 0


def words_of(glyphs: Sequence[_Glyph | None], frame: Frame) -> tuple[Word, ...]:
    """The words of a page in the order of the file."""
    return tuple(_with_dropped_capitals(_words(glyphs, frame, word_gap(list(_gaps(glyphs, frame))))))


class _Styles:
    """The styles of the text objects of a page."""

    def __init__(self, text: Any, levels: Mapping[int, int], overprinted: Container[int]) -> None:
        self._text = text
        self._levels = levels
        self._overprinted = overprinted
        self._styles: dict[int, _Style] = {}
        self._fonts: dict[int, tuple[bool, bool]] = {}

    def at(self, index: int, address: int) -> _Style:
        """The style of the text object at an address, of which the character with this index is one."""
        style = self._styles.get(address)
        if style is None:
            handle = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
            style = self._styles[address] = self._read(index, handle, twice=address in self._overprinted)
        return style

    def _read(self, index: int, handle: Any, *, twice: bool) -> _Style:
        matrix = pdfium_c.FS_MATRIX()
        size = pdfium_c.FPDFText_GetFontSize(self._text, index)
        turn: int | None = 0
        if pdfium_c.FPDFText_GetMatrix(self._text, index, matrix):
            size *= math.hypot(matrix.c, matrix.d) or 1.0
            if matrix.b or matrix.a <= 0:
                angle = math.degrees(math.atan2(matrix.b, matrix.a))
                quarter = round(angle / 90)
                turn = quarter % 4 if abs(angle - quarter * 90) < 3 else None
        bold, italic = self._font(index, handle)
        stroked = pdfium_c.FPDFTextObj_GetTextRenderMode(handle) == pdfium_c.FPDF_TEXTRENDERMODE_FILL_STROKE
        tag = self._levels.get(pdfium_c.FPDFPageObj_GetMarkedContentID(handle), 0) if self._levels else 0
        return _Style(round(size, 2), bold or stroked or twice, italic, _colour(handle), tag, turn)

    def _font(self, index: int, handle: Any) -> tuple[bool, bool]:
        """Whether a font is bold, and whether it is italic."""
        font = pdfium_c.FPDFTextObj_GetFont(handle)
        key = ctypes.addressof(font.contents) if font else 0
        if key and key in self._fonts:
            return self._fonts[key]
        written = ctypes.create_string_buffer(_NAME_LENGTH)
        flags = ctypes.c_int()
        pdfium_c.FPDFText_GetFontInfo(self._text, index, written, _NAME_LENGTH, flags)
        name = written.value.decode("utf-8", errors="replace")
        heavy = pdfium_c.FPDFText_GetFontWeight(self._text, index) >= _BOLD_WEIGHT
        found = (
            heavy or _BOLD_NAME.search(name) is not None,
            bool(flags.value & _ITALIC_FLAG) or _ITALIC_NAME.search(name) is not None,
        )
        self._fonts[key] = found
        return found


def _colour(handle: Any) -> int:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not pdfium_c.FPDFPageObj_GetFillColor(handle, red, green, blue, alpha):
        return 0
    return (red.value << 16) + (green.value << 8) + blue.value


def _glyphs(text: Any, styles: _Styles) -> Iterator[_Glyph | None]:
    box = pdfium_c.FS_RECTF()
    at_box = ctypes.byref(box)
    handle = ctypes.cast(text, ctypes.c_void_p).value
    style: _Style | None = None
    last = high = 0
    for index in range(pdfium_c.FPDFText_CountChars(text)):
        code = _get_unicode(handle, index)
        if code == 32:
            yield None
            continue
        char = chr(code)
        if not 33 <= code < 127:
            if 0xD800 <= code < 0xDC00:
                high = code
                continue
            char = _shown(code, high)
            high = 0
            if not char:
                yield None
                continue
        address = _get_object(handle, index)
        if address and address != last:
            style, last = styles.at(index, address), address
        if style is None or not _get_box(handle, index, at_box):
            continue
        if code == 0xAD and min(box.right - box.left, box.top - box.bottom) < 0.1 * style.size:
            continue
        yield char, box.left, box.bottom, box.right, box.top, style


def _shown(code: int, high: int) -> str:
    """The character of a code unit, of two where `high` is the first; "" for what parts words or is not shown."""
    if 0xDC00 <= code < 0xE000 and high:
        code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
    if code in _DRAWN_HYPHENS:
        return "-"
    char = chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"
    return "" if char.isspace() or char in _NOT_SHOWN or code < 32 else char


def _gaps(glyphs: Sequence[_Glyph | None], frame: Frame) -> Iterator[float]:
    """The gaps between neighbouring characters on a line, in font sizes; of the first ones on the page."""
    last: Box = (0.0, 0.0, 0.0, 0.0)
    style: _Style | None = None
    for glyph in glyphs[:_SAMPLED]:
        if glyph is None or glyph[5].turn != frame.turn:
            continue
        place = frame.box(*glyph[1:5])
        if style is glyph[5] or (style is not None and style.size == glyph[5].size):
            size = glyph[5].size
            if abs(place[3] - last[3]) < 0.1 * size and -0.9 * size < place[0] - last[2] < 2 * size:
                yield (place[0] - last[2]) / size
        last, style = place, glyph[5]


def _words(glyphs: Iterable[_Glyph | None], frame: Frame, least: float) -> Iterator[Word]:
    run: list[str] = []
    styles: list[_Style] = []
    x0 = x1 = top = bottom = right = floor = size = 0.0
    turn, place = frame.turn, frame.box
    x, y = frame.origin
    for glyph in glyphs:
        if glyph is None:
            if run:
                yield _word(run, styles, (x0, top, x1, bottom), least)
                run, styles = [], []
            continue
        char, a, b, c, d, style = glyph
        if style.turn != turn:
            continue
        left, high, end, low = (a - x, y - d, c - x, y - b) if turn == 0 else place(a, b, c, d)
        if run:
            gap, usual = left - right, style.size
            apart = gap > least * usual or gap < -0.9 * usual or abs(low - floor) > 0.6 * usual
            if not apart and usual != size:
                apart = is_raised(low, usual, floor, size) or is_raised(floor, size, low, usual)
            if apart:
                yield _word(run, styles, (x0, top, x1, bottom), least)
                run, styles = [], []
        if not run:
            x0, top, x1, bottom = left, high, end, low
        else:
            x0, x1 = min(x0, left), max(x1, end)
            top, bottom = min(top, high), max(bottom, low)
        right, floor, size = end, low, style.size
        run.append(char)
        styles.append(style)
    if run:
        yield _word(run, styles, (x0, top, x1, bottom), least)


def _word(run: Sequence[str], styles: Sequence[_Style], box: Box, least: float) -> Word:
    x0, top, x1, bottom = box
    first = styles[0]
    if all(style is first for style in styles):
        size, bold, italic = first.size, first.bold, first.italic
    else:
        size = max(style.size for style in styles)
        bold = sum(style.bold for style in styles) * 2 > len(styles)
        italic = sum(style.italic for style in styles) * 2 > len(styles)
    return Word("".join(run), x0, x1, top, bottom, size, bold, italic, first.colour, first.tag, _HALF * least)


def _with_dropped_capitals(words: Iterable[Word]) -> Iterator[Word]:
    """Words with their first letter where that is set large, over the height of some lines."""
    dropped: Word | None = None
    for word in words:
        if dropped is not None:
            if _begins(dropped, word):
                word, dropped = replace(word, text=dropped.text + word.text), None  # noqa: PLW2901
            else:
                yield dropped
                dropped = None
        if len(word.text) == 1 and word.text.isupper():
            dropped = word
        else:
            yield word
    if dropped is not None:
        yield dropped


def _begins(large: Word, word: Word) -> bool:
    beside = -word.size < word.x0 - large.x1 < word.size and large.top - word.size < word.top < large.bottom
    return large.size >= _DROPPED * word.size and word.text[0].islower() and beside
