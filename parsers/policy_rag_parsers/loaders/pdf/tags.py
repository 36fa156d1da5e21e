"""What the tags of a PDF say: which of the words of a page stand in a heading, and how deep that is."""

import ctypes
from collections.abc import Iterator
from typing import Any, Final

import pypdfium2.raw as pdfium_c

_LEVELS: Final = {f"H{level}": level for level in range(1, 7)}
_TYPE_BYTES: Final = 32
_DEEPEST: Final = 40  # no tree is deeper, or it is broken


def heading_levels_by_content(page: Any) -> dict[int, int]:
    """The levels of headings by the identifiers of the marked content that they hold; empty without tags.

    Args:
        page: the page of pdfium.
    """
    tree = pdfium_c.FPDF_StructTree_GetForPage(page)
    if not tree:
        return {}
    try:
        found: dict[int, int] = {}
        for index in range(pdfium_c.FPDF_StructTree_CountChildren(tree)):
            _collect(pdfium_c.FPDF_StructTree_GetChildAtIndex(tree, index), 0, 0, found)
        return found
    finally:
        pdfium_c.FPDF_StructTree_Close(tree)


def _collect(element: Any, level: int, depth: int, found: dict[int, int]) -> None:
    if not element or depth > _DEEPEST:
        return
    level = level or _LEVELS.get(_type(element), 0)
    if level:
        found.update(dict.fromkeys(_contents(element), level))
    for index in range(pdfium_c.FPDF_StructElement_CountChildren(element)):
        _collect(pdfium_c.FPDF_StructElement_GetChildAtIndex(element, index), level, depth + 1, found)


def _type(element: Any) -> str:
    written = ctypes.create_string_buffer(_TYPE_BYTES)
    length = pdfium_c.FPDF_StructElement_GetType(element, written, _TYPE_BYTES)
    return written.raw[: max(length - 2, 0)].decode("utf-16-le", errors="replace") if length <= _TYPE_BYTES else ""


def _contents(element: Any) -> Iterator[int]:
    for index in range(max(pdfium_c.FPDF_StructElement_GetMarkedContentIdCount(element), 0)):
        yield pdfium_c.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index)
