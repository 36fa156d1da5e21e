"""Scanned pages: the words of a picture, where the optional extra `ocr` is installed.

The engine is RapidOCR with the models that its package carries; nothing is fetched.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from policy_rag_parsers.loaders.pdf.page import PageContent
from policy_rag_parsers.loaders.pdf.words import PdfWord
from policy_rag_parsers.telemetry import silence_telemetry

if TYPE_CHECKING:
    import pypdfium2

_DPI: Final = 200
_FONT_SHARE: Final = 0.8  # of the height of the box that the engine draws around a line
_ALIKE: Final = 0.22  # boxes of one font differ by so much, with and without descenders
_LEAST_SURE: Final = 0.5
_LOCK = threading.Lock()

INSTALL: Final = "pip install 'policy-rag[ocr]'"

Found = tuple[str, float, float, float, float]
"""A line as the engine found it: text, left, top, right, bottom."""


def can_read_pictures() -> bool:
    """Whether the engine is installed."""
    return find_spec("rapidocr") is not None and find_spec("onnxruntime") is not None


def read_picture(page: "pypdfium2.PdfPage", content: PageContent) -> tuple[PdfWord, ...]:
    """The words of a page that is a picture, in points from its upper left corner; none where none is found."""
    dots: Any = _DPI / 72  # the library's annotation says int
    image = page.render(scale=dots).to_numpy()
    scale = content.width / image.shape[1]
    found = [(text, x0 * scale, y0 * scale, x1 * scale, y1 * scale) for text, x0, y0, x1, y1 in _recognised(image)]
    return words_of(found)


def words_of(lines: Sequence[Found]) -> tuple[PdfWord, ...]:
    """Lines to words with places and sizes; lines of about the usual height get one size, as their font has.

    >>> [(word.text, word.size) for word in words_of([("1. Scope", 0, 0, 80, 10), ("All.", 0, 20, 40, 31)])]
    [('1.', 8.5), ('Scope', 8.5), ('All.', 8.5)]
    """
    if not lines:
        return ()
    usual = median(bottom - top for _, _, top, _, bottom in lines)
    return tuple(word for line in lines for word in _words(line, usual))


def _words(line: Found, usual: float) -> list[PdfWord]:
    text, x0, top, x1, bottom = line
    height = bottom - top
    size = round((usual if abs(height - usual) <= _ALIKE * usual else height) * _FONT_SHARE * 2) / 2
    middle = (top + bottom) / 2
    width = (x1 - x0) / max(len(text), 1)
    made = []
    at = 0
    for part in text.split():
        at = text.index(part, at)
        left, right = x0 + at * width, x0 + (at + len(part)) * width
        made.append(PdfWord(part, left, right, middle - size * 0.6, middle + size * 0.6, size, bold=False))
        at += len(part)
    return made


def _recognised(image: Any) -> list[Found]:
    with _LOCK:
        result = _engine()(image)
    if result.boxes is None or result.txts is None:
        return []
    lines = []
    for box, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        if score >= _LEAST_SURE and text.strip():
            xs, ys = [float(x) for x, _ in box], [float(y) for _, y in box]
            lines.append((text.strip(), min(xs), min(ys), max(xs), max(ys)))
    return lines


@lru_cache(maxsize=1)
def _engine() -> Any:
    silence_telemetry()  # its runtime has some
    return import_module("rapidocr").RapidOCR(params={"Global.log_level": "error"})
