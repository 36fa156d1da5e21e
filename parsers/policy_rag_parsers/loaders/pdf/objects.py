"""What a PDF page is drawn of: its paths and pictures, and the pieces of text that are printed twice to look bold."""

import ctypes
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pypdfium2.raw as pdfium_c

_DEEPEST: Final = 15  # forms in forms
_MOST_SEGMENTS: Final = 2000
_REMEMBERED: Final = 8  # pieces of text at one place
_SLOT: Final = 8  # points
_SHIFTED: Final = 1.5  # points, at most, lie between two prints of one piece of text

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    """The straight pieces of a path in the page's own coordinates."""

    pieces: tuple[tuple[Point, Point], ...]
    stroked: bool
    filled: bool


@dataclass(frozen=True, slots=True)
class PageObjects:
    """The paths of a page, how many pictures it has, and the addresses of text objects that are printed twice."""

    paths: tuple[Path, ...]
    images: int
    overprinted: frozenset[int]


def read_objects(page: Any) -> PageObjects:
    """The objects of a page of pdfium."""
    paths: list[Path] = []
    prints = _Prints()
    images = 0
    count = pdfium_c.FPDFPage_CountObjects(page)
    handles = (pdfium_c.FPDFPage_GetObject(page, index) for index in range(count))
    for kind, handle, containers in _walked(handles, ()):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            images += 1
        elif kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            paths.append(_path(handle, containers))
        elif kind == pdfium_c.FPDF_PAGEOBJ_TEXT and not containers:
            prints.add(handle)
    return PageObjects(tuple(paths), images, frozenset(prints.twice))


def _walked(handles: Iterator[Any], containers: Sequence[Any]) -> Iterator[tuple[int, Any, Sequence[Any]]]:
    """Objects with their kinds and the forms that they are in, the innermost first."""
    for handle in handles:
        kind = pdfium_c.FPDFPageObj_GetType(handle)
        yield kind, handle, containers
        if kind == pdfium_c.FPDF_PAGEOBJ_FORM and len(containers) < _DEEPEST:
            count = pdfium_c.FPDFFormObj_CountObjects(handle)
            inner = (pdfium_c.FPDFFormObj_GetObject(handle, index) for index in range(count))
            yield from _walked(inner, (handle, *containers))


class _Prints:
    """Text objects by their places: two of one extent, almost at one place, are one text that is printed twice."""

    def __init__(self) -> None:
        self.twice: set[int] = set()
        self._seen: dict[tuple[int, int], deque[tuple[int, Sequence[float]]]] = {}
        self._bounds = [ctypes.c_float() for _ in range(4)]

    def add(self, handle: Any) -> None:
        if not pdfium_c.FPDFPageObj_GetBounds(handle, *self._bounds):
            return
        box = left, bottom, right, _ = [value.value for value in self._bounds]
        if right - left <= 0:
            return
        address = ctypes.addressof(handle.contents)
        for x in {int((left - _SHIFTED) // _SLOT), int((left + _SHIFTED) // _SLOT)}:
            for y in {int((bottom - _SHIFTED) // _SLOT), int((bottom + _SHIFTED) // _SLOT)}:
                for other, place in self._seen.get((x, y), ()):
                    if all(abs(one - two) <= _SHIFTED for one, two in zip(box, place, strict=True)):
                        self.twice |= {address, other}
        near = self._seen.setdefault((int(left // _SLOT), int(bottom // _SLOT)), deque(maxlen=_REMEMBERED))
        near.append((address, box))


def _path(handle: Any, containers: Sequence[Any]) -> Path:
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(handle, mode, stroke)
    pieces = tuple(_pieces(handle, [_matrix(one) for one in (handle, *containers)]))
    return Path(pieces, bool(stroke.value), bool(mode.value))


def _matrix(handle: Any) -> Any:
    matrix = pdfium_c.FS_MATRIX(1, 0, 0, 1, 0, 0)
    pdfium_c.FPDFPageObj_GetMatrix(handle, matrix)
    return matrix


def _pieces(handle: Any, matrices: Sequence[Any]) -> Iterator[tuple[Point, Point]]:
    first = last = (0.0, 0.0)
    across, up = ctypes.c_float(), ctypes.c_float()
    for index in range(min(pdfium_c.FPDFPath_CountSegments(handle), _MOST_SEGMENTS)):
        segment = pdfium_c.FPDFPath_GetPathSegment(handle, index)
        pdfium_c.FPDFPathSegment_GetPoint(segment, across, up)
        x, y = across.value, up.value
        for one in matrices:
            x, y = one.a * x + one.c * y + one.e, one.b * x + one.d * y + one.f
        point = (x, y)
        kind = pdfium_c.FPDFPathSegment_GetType(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium_c.FPDF_SEGMENT_LINETO:
            yield last, point
        last = point
        if pdfium_c.FPDFPathSegment_GetClose(segment):
            yield point, first
