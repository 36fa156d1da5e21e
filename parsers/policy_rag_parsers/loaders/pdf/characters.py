"""The characters of a PDF page with their places and styles, as pdfium gives them.

pdfium tells one thing of one character a call. The calls are made by `map` over its plain functions, into arrays: half
a million characters of a handbook then cost no Python code each.
"""

import ctypes
import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Any, Final

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from policy_rag_parsers.loaders.pdf.plain_calls import ADDRESS, address_of, into, plain

_BOLD_NAME: Final = re.compile(r"bold|black|heavy|semibold|demi(?!_italic)|-bd|,b\b", re.IGNORECASE)
_ITALIC_NAME: Final = re.compile(r"italic|oblique|slanted", re.IGNORECASE)
_ITALIC_FLAG: Final = 64
_BOLD_WEIGHT: Final = 600
_NOT_SHOWN: Final = frozenset("\r\n\x00\ufffe\uffff\u200b\ufeff")
_HYPHEN, _TEXT_HYPHEN = 2, 0xFFFE  # pdfium's signs for one at a line's end, as a character and in its text
_SOFT_HYPHEN: Final = 0xAD
_LINE_ENDS: Final = (0x0A, 0x0D)
_DRAWN_HYPHENS: Final = frozenset((_HYPHEN, _SOFT_HYPHEN))  # a soft one with a width
_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)  # the halves of characters beyond the first 65,536
_NAME_LENGTH: Final = 128

_INT: Final = ctypes.c_int
_get_text: Final = plain(pdfium_c.FPDFText_GetText, _INT, ADDRESS, _INT, _INT, ADDRESS)
_get_unicode: Final = plain(pdfium_c.FPDFText_GetUnicode, ctypes.c_uint, ADDRESS, _INT)
_get_object: Final = plain(pdfium_c.FPDFText_GetTextObject, ADDRESS, ADDRESS, _INT)
_get_box: Final = plain(pdfium_c.FPDFText_GetLooseCharBox, _INT, ADDRESS, _INT, ADDRESS)
_get_size: Final = plain(pdfium_c.FPDFText_GetFontSize, ctypes.c_double, ADDRESS, _INT)
_get_matrix: Final = plain(pdfium_c.FPDFText_GetMatrix, _INT, ADDRESS, _INT, ADDRESS)
_get_font: Final = plain(pdfium_c.FPDFTextObj_GetFont, ADDRESS, ADDRESS)
_get_mode: Final = plain(pdfium_c.FPDFTextObj_GetTextRenderMode, _INT, ADDRESS)
_get_colour: Final = plain(pdfium_c.FPDFPageObj_GetFillColor, _INT, *[ADDRESS] * 5)
_get_content: Final = plain(pdfium_c.FPDFPageObj_GetMarkedContentID, _INT, ADDRESS)


@dataclass(frozen=True, slots=True)
class CharacterStyle:
    """What is the same for all characters of a text object; `turn` counts quarter turns, None when askew."""

    size: float
    bold: bool
    italic: bool
    colour: int
    tag: int
    turn: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """The n visible characters of a page in the file's order.

    Attributes:
        text: n characters.
        boxes: left, bottom, right and top of each in points, in the page's own coordinates; shape (n, 4).
        blanks: how many blanks the file has before each; shape (n,).
        styles: the styles that there are.
        style_at: the index of each character's style; shape (n,).
    """

    text: str
    boxes: NDArray[np.float64]
    blanks: NDArray[np.intp]
    styles: tuple[CharacterStyle, ...]
    style_at: NDArray[np.intp]

    def usual_turn(self) -> int:
        """The direction of most characters in quarter turns; 0 without any."""
        counts: dict[int, int] = {}
        for style, count in zip(self.styles, np.bincount(self.style_at, minlength=len(self.styles)), strict=True):
            if style.turn is not None:
                counts[style.turn] = counts.get(style.turn, 0) + int(count)
        return max(counts, key=counts.__getitem__, default=0)

    def running(self, turn: int) -> "Characters":
        """Those that run in a direction."""
        if all(style.turn == turn for style in self.styles):
            return self
        along = np.array([style.turn == turn for style in self.styles])[self.style_at]
        text = "".join(compress(self.text, along.tolist()))
        return Characters(text, self.boxes[along], self.blanks[along], self.styles, self.style_at[along])


def read_characters(text: Any, levels: Mapping[int, int], overprinted: Collection[int] = ()) -> Characters:
    """The characters of a page.

    Args:
        text: the text page of pdfium.
        levels: the levels of headings by the identifiers of marked content on this page.
        overprinted: the addresses of the text objects that are printed twice to look bold.
    """
    handle = address_of(text)
    codes = _codes(handle, max(pdfium_c.FPDFText_CountChars(text), 0))
    signs = _signs(codes)
    at = np.flatnonzero(signs)
    # Where a line ends is told by the places: pdfium ends one behind each letter of some words.
    blanks = np.cumsum((signs == 0) & ~_is_in(codes, _HIGH) & ~np.isin(codes, _LINE_ENDS))[at]
    objects = _objects(handle, at, blanks)
    boxes = np.zeros((len(at), 4), np.float32)
    got = np.fromiter(map(_get_box, repeat(handle), at.tolist(), into(boxes)), np.bool_, len(at))
    left, top, right, bottom = boxes.T
    begins = np.flatnonzero(np.diff(objects.astype(np.int64), prepend=-1))
    styles, style_of = _styles(handle, at[begins], objects[begins], levels, overprinted)
    style_at = np.repeat(style_of, np.diff(begins, append=len(at)))
    # A soft hyphen without a width is a place to break a word, which is not shown.
    size = np.array([style.size for style in styles])[style_at]
    thin = (codes[at] == _SOFT_HYPHEN) & (np.minimum(right - left, top - bottom) < 0.1 * size)
    kept = got & (objects != 0) & ~thin
    return Characters(
        text=_decoded(signs[at][kept]),
        boxes=np.stack([left, bottom, right, top], axis=1)[kept].astype(np.float64),
        blanks=blanks[kept],
        styles=tuple(styles),
        style_at=style_at[kept],
    )


def _decoded(signs: NDArray[np.uint32]) -> str:
    return signs.astype("<u4").tobytes().decode("utf-32-le")


def _codes(text: int, count: int) -> NDArray[np.uint32]:
    """The code units of all characters."""
    written = np.zeros(count + 1, np.uint16)
    if _get_text(text, 0, count, written.ctypes.data) == count + 1:
        codes = written[:count].astype(np.uint32)
        codes[codes == _TEXT_HYPHEN] = _HYPHEN
        return codes
    return np.fromiter(map(_get_unicode, repeat(text), range(count)), np.uint32, count)


def _objects(text: int, at: NDArray[np.intp], blanks: NDArray[np.intp]) -> NDArray[np.uintp]:
    """The addresses of the objects that characters are in, or of the last ones before that; 0 without any.

    A word both ends of which are in one object is in that altogether.

    Args:
        text: the address of the text page.
        at: the indices of the characters.
        blanks: how many blanks come before each.
    """
    if not len(at):
        return np.empty(0, np.uintp)
    begins = np.flatnonzero(np.diff(blanks, prepend=-1))
    lengths = np.diff(begins, append=len(at))
    first, last = (
        np.fromiter(map(_get_object, repeat(text), at[ends].tolist()), np.uintp, len(ends))
        for ends in (begins, begins + lengths - 1)
    )
    objects = np.repeat(first, lengths)
    mixed = np.flatnonzero(np.repeat(first != last, lengths))
    objects[mixed] = np.fromiter(map(_get_object, repeat(text), at[mixed].tolist()), np.uintp, len(mixed))
    known: NDArray[np.uintp] = objects[np.maximum.accumulate(np.where(objects != 0, np.arange(len(objects)), 0))]
    return known


def _is_in(codes: NDArray[np.uint32], half: range) -> NDArray[np.bool_]:
    return (codes >= half.start) & (codes < half.stop)


def _signs(codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The characters that code units show; 0 for those that part words, are not shown or begin a pair."""
    different = np.flatnonzero(np.bincount(codes))
    shown = np.zeros(int(codes.max(initial=0)) + 1, np.uint32)
    shown[different] = [_sign(code) for code in different.tolist()]
    signs = shown[codes]
    low = np.flatnonzero(_is_in(codes[1:], _LOW) & _is_in(codes[:-1], _HIGH)) + 1
    signs[low] = 0x10000 + ((codes[low - 1] - _HIGH.start) << 10) + (codes[low] - _LOW.start)
    return signs


def _sign(code: int) -> int:
    if code in _DRAWN_HYPHENS:
        return ord("-")
    if code in _HIGH or code in _LOW:
        return 0 if code in _HIGH else 0xFFFD
    char = chr(code)
    return 0 if char.isspace() or char in _NOT_SHOWN or code < 32 else code


def _styles(
    text: int,
    characters: NDArray[np.intp],
    objects: NDArray[np.uintp],
    levels: Mapping[int, int],
    overprinted: Collection[int],
) -> tuple[list[CharacterStyle], NDArray[np.intp]]:
    """The different styles of text objects, and the index of the style of each.

    Args:
        text: the address of the text page.
        characters: the index of a character of each object.
        objects: their addresses; 0 for none.
        levels: the levels of headings by the identifiers of marked content.
        overprinted: the addresses of those that are printed twice.
    """
    count, at, handles = len(characters), characters.tolist(), objects.tolist()
    matrices = np.zeros((count, 6), np.float32)
    matrices[~np.fromiter(map(_get_matrix, repeat(text), at, into(matrices)), np.bool_, count), :4] = (1, 0, 0, 1)
    colours = np.zeros((count, 4), np.uint32)
    columns = (into(colours, column) for column in range(4))
    colours[~np.fromiter(map(_get_colour, handles, *columns), np.bool_, count)] = 0
    found = np.zeros((count, 12))
    found[:, 0] = np.fromiter(map(_get_size, repeat(text), at), np.float64, count)
    found[:, 1:5] = matrices[:, :4]
    found[:, 5:8] = colours[:, :3]
    found[:, 8] = np.fromiter(map(_get_font, handles), np.uintp, count)
    found[:, 9] = np.fromiter(map(_get_mode, handles), np.int64, count) == pdfium_c.FPDF_TEXTRENDERMODE_FILL_STROKE
    if overprinted:
        found[:, 10] = np.isin(objects, np.fromiter(overprinted, np.uintp, len(overprinted)))
    if levels:
        found[:, 11] = [levels.get(content, 0) for content in map(_get_content, handles)]
    _, first, style_of = np.unique(
        found.view(np.void(found.itemsize * 12).dtype), return_index=True, return_inverse=True
    )
    fonts = _Fonts(text)
    styles: list[CharacterStyle] = []
    for index in first.tolist():
        size, a, b, c, d, red, green, blue, font, stroked, twice, tag = found[index].tolist()
        height, turn = _height_and_turn(a, b, c, d)
        bold, italic = fonts.at(at[index], int(font))
        colour = (int(red) << 16) + (int(green) << 8) + int(blue)
        heavy = bold or bool(stroked or twice)
        styles.append(CharacterStyle(round(size * height, 2), heavy, italic, colour, int(tag), turn))
    return styles, style_of.reshape(-1)


def _height_and_turn(a: float, b: float, c: float, d: float) -> tuple[float, int | None]:
    """By how much a matrix enlarges what it places, and its quarter turns; None where it stands askew."""
    height = math.hypot(c, d) or 1.0
    if not b and a > 0:
        return height, 0
    angle = math.degrees(math.atan2(b, a))
    quarter = round(angle / 90)
    return height, quarter % 4 if abs(angle - quarter * 90) < 3 else None


class _Fonts:
    """Whether the fonts of a page are bold, and whether they are italic."""

    def __init__(self, text: int) -> None:
        self._text = ctypes.cast(text, pdfium_c.FPDF_TEXTPAGE)
        self._found: dict[int, tuple[bool, bool]] = {}

    def at(self, index: int, font: int) -> tuple[bool, bool]:
        """Those of the font at an address, in which the character with this index is set."""
        if font not in self._found or not font:
            self._found[font] = self._read(index)
        return self._found[font]

    def _read(self, index: int) -> tuple[bool, bool]:
        written = ctypes.create_string_buffer(_NAME_LENGTH)
        flags = ctypes.c_int()
        pdfium_c.FPDFText_GetFontInfo(self._text, index, written, _NAME_LENGTH, flags)
        name = written.value.decode("utf-8", errors="replace")
        heavy = pdfium_c.FPDFText_GetFontWeight(self._text, index) >= _BOLD_WEIGHT
        return (
            heavy or _BOLD_NAME.search(name) is not None,
            bool(flags.value & _ITALIC_FLAG) or _ITALIC_NAME.search(name) is not None,
        )
