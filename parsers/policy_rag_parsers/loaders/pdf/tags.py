"""What the tags of a PDF say: which of the words of a page stand in a heading, and how deep that is."""

import ctypes
from itertools import repeat
from typing import Any, Final

import pypdfium2.raw as pdfium_c

from policy_rag_parsers.loaders.pdf.plain_calls import ADDRESS, address_of, plain

_LEVELS: Final = {f"H{level}\0".encode("utf-16-le"): level for level in range(1, 7)}  # as pdfium writes a type
_TYPE_BYTES: Final = 32
_DEEPEST: Final = 40  # no tree is deeper, or it is broken

_INT: Final = ctypes.c_int
_get_tree: Final = plain(pdfium_c.FPDF_StructTree_GetForPage, ADDRESS, ADDRESS)
_close: Final = plain(pdfium_c.FPDF_StructTree_Close, None, ADDRESS)
_count_roots: Final = plain(pdfium_c.FPDF_StructTree_CountChildren, _INT, ADDRESS)
_get_root: Final = plain(pdfium_c.FPDF_StructTree_GetChildAtIndex, ADDRESS, ADDRESS, _INT)
_count_children: Final = plain(pdfium_c.FPDF_StructElement_CountChildren, _INT, ADDRESS)
_get_child: Final = plain(pdfium_c.FPDF_StructElement_GetChildAtIndex, ADDRESS, ADDRESS, _INT)
_get_type: Final = plain(pdfium_c.FPDF_StructElement_GetType, ctypes.c_ulong, ADDRESS, ADDRESS, ctypes.c_ulong)
_count_contents: Final = plain(pdfium_c.FPDF_StructElement_GetMarkedContentIdCount, _INT, ADDRESS)
_get_content: Final = plain(pdfium_c.FPDF_StructElement_GetMarkedContentIdAtIndex, _INT, ADDRESS, _INT)


def heading_levels_by_content(page: Any) -> dict[int, int]:
    """The levels of headings by the identifiers of the marked content that they hold; empty without tags.

    Args:
        page: the page of pdfium.
    """
    tree = _get_tree(address_of(page))
    if not tree:
        return {}
    try:
        found: dict[int, int] = {}
        written = ctypes.create_string_buffer(_TYPE_BYTES)
        for index in range(_count_roots(tree)):
            _collect(_get_root(tree, index), 0, 0, found, written)
        return found
    finally:
        _close(tree)


def _collect(
    element: int, level: int, depth: int, found: dict[int, int], written: "ctypes.Array[ctypes.c_char]"
) -> None:
    if not element or depth > _DEEPEST:
        return
    if not level:
        length = _get_type(element, ctypes.addressof(written), _TYPE_BYTES)
        level = _LEVELS.get(written.raw[:length], 0)
    if level:
        contents = map(_get_content, repeat(element), range(max(_count_contents(element), 0)))
        found.update(dict.fromkeys(contents, level))
    for index in range(_count_children(element)):
        _collect(_get_child(element, index), level, depth + 1, found, written)
