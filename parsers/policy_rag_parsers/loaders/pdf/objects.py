"""What a PDF page is drawn of: its paths and pictures, and the pieces of text that are printed twice to look bold."""

import ctypes
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from policy_rag_parsers.loaders.pdf.plain_calls import ADDRESS, address_of, into, plain

_DEEPEST: Final = 15  # forms in forms
_MOST_SEGMENTS: Final = 2000
_REMEMBERED: Final = 8  # pieces of text in one slot
_SLOT: Final = 8  # points, more than twice as many as those that follow
_SHIFTED: Final = 1.5  # points, at most, lie between two prints of one piece of text

_SAME: Final = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)  # the matrix that leaves all where it is

_INT: Final = ctypes.c_int
_get_object: Final = plain(pdfium_c.FPDFPage_GetObject, ADDRESS, ADDRESS, _INT)
_get_kind: Final = plain(pdfium_c.FPDFPageObj_GetType, _INT, ADDRESS)
_count_inner: Final = plain(pdfium_c.FPDFFormObj_CountObjects, _INT, ADDRESS)
_get_inner: Final = plain(pdfium_c.FPDFFormObj_GetObject, ADDRESS, ADDRESS, ctypes.c_ulong)
_get_bounds: Final = plain(pdfium_c.FPDFPageObj_GetBounds, _INT, *[ADDRESS] * 5)
_get_matrix: Final = plain(pdfium_c.FPDFPageObj_GetMatrix, _INT, ADDRESS, ADDRESS)
_get_draw_mode: Final = plain(pdfium_c.FPDFPath_GetDrawMode, _INT, ADDRESS, ADDRESS, ADDRESS)
_count_segments: Final = plain(pdfium_c.FPDFPath_CountSegments, _INT, ADDRESS)
_get_segment: Final = plain(pdfium_c.FPDFPath_GetPathSegment, ADDRESS, ADDRESS, _INT)
_get_point: Final = plain(pdfium_c.FPDFPathSegment_GetPoint, _INT, ADDRESS, ADDRESS, ADDRESS)
_get_segment_kind: Final = plain(pdfium_c.FPDFPathSegment_GetType, _INT, ADDRESS)
_get_close: Final = plain(pdfium_c.FPDFPathSegment_GetClose, _INT, ADDRESS)

Point = tuple[float, float]


class Path(NamedTuple):
    """The straight pieces of a stroked path, or a diagonal of a filled one, in the page's own coordinates."""

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
    texts: list[int] = []
    images = 0
    count = max(pdfium_c.FPDFPage_CountObjects(page), 0)
    handles = np.fromiter(map(_get_object, repeat(address_of(page)), range(count)), np.uintp, count)
    for inside, kinds, containers in _walked(handles, ()):
        if not containers:
            texts = inside[kinds == pdfium_c.FPDF_PAGEOBJ_TEXT].tolist()
        paths.extend(_paths(inside[kinds == pdfium_c.FPDF_PAGEOBJ_PATH].tolist(), containers))
        images += int(np.count_nonzero(kinds == pdfium_c.FPDF_PAGEOBJ_IMAGE))
    return PageObjects(tuple(paths), images, _printed_twice(texts))


def _walked(
    handles: NDArray[np.uintp], containers: Sequence[int]
) -> Iterator[tuple[NDArray[np.uintp], NDArray[np.int_], Sequence[int]]]:
    """The objects of a page and of each form, with their kinds and the forms that they are in, the innermost first."""
    kinds = np.fromiter(map(_get_kind, handles.tolist()), np.int_, len(handles))
    yield handles, kinds, containers
    forms = handles[kinds == pdfium_c.FPDF_PAGEOBJ_FORM].tolist() if len(containers) < _DEEPEST else []
    for form in forms:
        count = max(_count_inner(form), 0)
        inner = np.fromiter(map(_get_inner, repeat(form), range(count)), np.uintp, count)
        yield from _walked(inner, (form, *containers))


def _printed_twice(texts: Sequence[int]) -> frozenset[int]:
    """The text objects of one extent, almost at one place, as one text has that is printed twice."""
    boxes, got = _bounds(texts)
    seen = got & (boxes[:, 2] > boxes[:, 0])
    handles, boxes = np.array(texts, np.uintp)[seen], boxes[seen]
    twice = np.zeros(len(handles), np.bool_)
    # Of two such objects the lower left corners lie in one slot of at least one of four grids.
    for shift in ((0, 0), (0, _SLOT / 2), (_SLOT / 2, 0), (_SLOT / 2, _SLOT / 2)):
        slots = ((boxes[:, :2] + shift) // _SLOT).astype(np.int64)
        slot = slots[:, 0] + slots[:, 1] * 1_000_003
        order = np.argsort(slot, kind="stable")
        slot, placed = slot[order], boxes[order]
        for step in range(1, _REMEMBERED + 1):
            near = np.flatnonzero(slot[step:] == slot[:-step])
            if not len(near):
                break
            near = near[(np.abs(placed[near + step] - placed[near]) <= _SHIFTED).all(axis=1)]
            twice[order[near]] = twice[order[near + step]] = True
    return frozenset(handles[twice].tolist())


def _paths(handles: Sequence[int], containers: Sequence[int]) -> Iterator[Path]:
    """The paths at some addresses that are seen, the stroked ones first."""
    modes = np.zeros((len(handles), 2), np.int32)
    deque(map(_get_draw_mode, handles, into(modes), into(modes, 1)), maxlen=0)
    outer = [matrix for matrix in map(_matrix, containers) if matrix != _SAME]
    filled, stroked = modes.T != 0
    for at in np.flatnonzero(stroked).tolist():
        yield Path(tuple(_pieces(handles[at], [_matrix(handles[at]), *outer])), stroked=True, filled=bool(filled[at]))
    boxes, got = _bounds([handles[at] for at in np.flatnonzero(filled & ~stroked).tolist()])
    for left, bottom, right, top in boxes[got].tolist():
        corners = (_placed(x, y, outer) for x in (left, right) for y in (bottom, top)) if outer else ()
        xs, ys = zip(*corners, strict=True) if outer else ((left, right), (bottom, top))
        yield Path((((min(xs), min(ys)), (max(xs), max(ys))),), stroked=False, filled=True)


def _bounds(handles: Sequence[int]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Left, bottom, right and top of objects in what they are in, shape (n, 4), and of which pdfium has them."""
    boxes = np.zeros((len(handles), 4), np.float32)
    corners = (into(boxes, column) for column in range(4))
    got = np.fromiter(map(_get_bounds, handles, *corners), np.bool_, len(handles))
    return boxes, got


def _matrix(handle: int) -> Sequence[float]:
    matrix = (ctypes.c_float * 6)(*_SAME)
    _get_matrix(handle, ctypes.addressof(matrix))
    return tuple(matrix)


def _pieces(handle: int, matrices: Sequence[Sequence[float]]) -> Iterator[tuple[Point, Point]]:
    matrices = [matrix for matrix in matrices if matrix != _SAME]
    first = last = (0.0, 0.0)
    across, up = ctypes.c_float(), ctypes.c_float()
    at_across, at_up = ctypes.addressof(across), ctypes.addressof(up)
    for index in range(min(_count_segments(handle), _MOST_SEGMENTS)):
        segment = _get_segment(handle, index)
        _get_point(segment, at_across, at_up)
        point = _placed(across.value, up.value, matrices)
        kind = _get_segment_kind(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium_c.FPDF_SEGMENT_LINETO:
            yield last, point
        last = point
        if _get_close(segment):
            yield point, first


def _placed(x: float, y: float, matrices: Sequence[Sequence[float]]) -> Point:
    """Where a point lies that matrices move one after the other."""
    for a, b, c, d, e, f in matrices:
        x, y = a * x + c * y + e, b * x + d * y + f
    return x, y
