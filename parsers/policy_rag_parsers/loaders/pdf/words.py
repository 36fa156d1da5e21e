"""The words of a PDF page: characters with no blank between them, with their places, sizes, weights and colours.

Coordinates are points, x to the right and y down, in the direction in which most of the page's text runs; so a
landscape table on an upright page, or a page that is only displayed turned, reads as it should. Text that runs another
way (a watermark, a stamp in the margin) is left out.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from policy_rag_parsers.loaders.pdf.characters import Characters, CharacterStyle
from policy_rag_parsers.loaders.pdf.superscripts import is_raised
from policy_rag_parsers.loaders.pdf.word_gaps import USUAL_GAP, word_gap

_WRITTEN: Final = 0.1  # of the least gap between words, at least, is blank where a blank was written
_DROPPED: Final = 1.8  # times as large as its word, at least, is a first letter that spans lines


class PdfWord(NamedTuple):
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
    gap: float = _WRITTEN * USUAL_GAP


class Box(NamedTuple):
    """A box on a page."""

    x0: float
    top: float
    x1: float
    bottom: float

    @classmethod
    def around(cls, words: Iterable[PdfWord]) -> "Box":
        """The smallest box with all of the words in it; there must be some."""
        x0, top, x1, bottom = zip(*((word.x0, word.top, word.x1, word.bottom) for word in words), strict=True)
        return cls(min(x0), min(top), max(x1), max(bottom))

    def holds(self, word: PdfWord) -> bool:
        """Whether the middle of a word lies in it."""
        x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
        return self.x0 <= x <= self.x1 and self.top <= y <= self.bottom


class Frame:
    """Turns a page's own coordinates (y up) into reading ones (y down) for text turned by quarter turns."""

    def __init__(self, left: float, bottom: float, right: float, top: float, turn: int) -> None:
        self._corner = (left, bottom, right, top)
        self.turn = turn
        width, height = right - left, top - bottom
        self.width, self.height = (width, height) if turn % 2 == 0 else (height, width)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """The box around the lower left and the upper right corner, or around any two opposite ones."""
        (ax, ay), (bx, by) = self._point(x0, y0), self._point(x1, y1)
        return Box(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    def boxes(self, corners: NDArray[np.float64]) -> NDArray[np.float64]:
        """The boxes around pairs of opposite corners; both of shape (n, 4)."""
        x0, y0, x1, y1 = corners.T
        (ax, ay), (bx, by) = self._point(x0, y0), self._point(x1, y1)
        return np.stack([np.minimum(ax, bx), np.minimum(ay, by), np.maximum(ax, bx), np.maximum(ay, by)], axis=1)

    def _point(self, x: Any, y: Any) -> tuple[Any, Any]:
        """A point, or arrays of coordinates, in reading ones."""
        left, bottom, right, top = self._corner
        if self.turn == 0:
            return x - left, top - y
        if self.turn == 1:  # text runs upwards
            return y - bottom, x - left
        return (right - x, y - bottom) if self.turn == 2 else (top - y, right - x)


def words_of(characters: Characters, frame: Frame) -> tuple[PdfWord, ...]:
    """The words of a page in the order of the file."""
    characters = characters.running(frame.turn)
    if not characters.text:
        return ()
    boxes = frame.boxes(characters.boxes)
    sizes = np.array([style.size for style in characters.styles])[characters.style_at]
    least = word_gap(_gaps(boxes, sizes))
    return _with_dropped_capitals(_words(characters, boxes, sizes, least))


def _gaps(boxes: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The gaps between neighbouring characters of one size on a line, in font sizes."""
    size, gaps = sizes[1:], boxes[1:, 0] - boxes[:-1, 2]
    level = (size == sizes[:-1]) & (np.abs(boxes[1:, 3] - boxes[:-1, 3]) < 0.1 * size)
    close = level & (gaps > -0.9 * size) & (gaps < 2 * size)
    found: NDArray[np.float64] = gaps[close] / size[close]
    return found


def _words(
    characters: Characters, boxes: NDArray[np.float64], sizes: NDArray[np.float64], least: float
) -> list[PdfWord]:
    begins = np.flatnonzero(_apart(characters, boxes, sizes, least))
    x0, top = np.minimum.reduceat(boxes[:, :2], begins).T.tolist()
    x1, bottom = np.maximum.reduceat(boxes[:, 2:], begins).T.tolist()
    starts = begins.tolist()
    ends = [*starts[1:], len(characters.text)]
    texts = [characters.text[start:end] for start, end in zip(starts, ends, strict=True)]
    gap = _WRITTEN * least
    set_as = [(one.size, one.bold, one.italic, one.colour, one.tag, gap) for one in characters.styles]
    first = [set_as[index] for index in characters.style_at[begins].tolist()]
    words = [
        tuple.__new__(PdfWord, (*place, *style))  # as `PdfWord` does, at half its cost
        for place, style in zip(zip(texts, x0, x1, top, bottom, strict=True), first, strict=True)
    ]
    mixed = np.minimum.reduceat(characters.style_at, begins) != np.maximum.reduceat(characters.style_at, begins)
    for at in np.flatnonzero(mixed).tolist():
        size, bold, italic = _most([characters.styles[index] for index in characters.style_at[starts[at] : ends[at]]])
        words[at] = words[at]._replace(size=size, bold=bold, italic=italic)
    return words


def _apart(
    characters: Characters, boxes: NDArray[np.float64], sizes: NDArray[np.float64], least: float
) -> NDArray[np.bool_]:
    """Whether a word begins at each character: behind a blank or a gap, on another line, or raised."""
    size, gaps = sizes[1:], boxes[1:, 0] - boxes[:-1, 2]
    apart = np.ones(len(boxes), np.bool_)
    apart[1:] = (
        (characters.blanks[1:] != characters.blanks[:-1])
        | (gaps > least * size)
        | (gaps < -0.9 * size)
        | (np.abs(boxes[1:, 3] - boxes[:-1, 3]) > 0.6 * size)
    )
    for before in np.flatnonzero(~apart[1:] & (size != sizes[:-1])).tolist():
        (one, small), (two, large) = ((float(boxes[at, 3]), float(sizes[at])) for at in (before, before + 1))
        apart[before + 1] = is_raised(two, large, one, small) or is_raised(one, small, two, large)
    return apart


def _most(styles: Sequence[CharacterStyle]) -> tuple[float, bool, bool]:
    """The largest size of characters, and whether more than half of them are bold, and italic."""
    bold, italic = (sum(style.bold for style in styles), sum(style.italic for style in styles))
    return max(style.size for style in styles), bold * 2 > len(styles), italic * 2 > len(styles)


def _with_dropped_capitals(words: Sequence[PdfWord]) -> tuple[PdfWord, ...]:
    """Words with their first letter where that is set large, over the height of some lines."""
    capitals = [at for at, word in enumerate(words[:-1]) if len(word.text) == 1 and word.text.isupper()]
    dropped = {at for at in capitals if _begins(words[at], words[at + 1])}
    if not dropped:
        return tuple(words)
    return tuple(
        word._replace(text=words[at - 1].text + word.text) if at - 1 in dropped else word
        for at, word in enumerate(words)
        if at not in dropped
    )


def _begins(large: PdfWord, word: PdfWord) -> bool:
    beside = -word.size < word.x0 - large.x1 < word.size and large.top - word.size < word.top < large.bottom
    return large.size >= _DROPPED * word.size and word.text[0].islower() and beside
