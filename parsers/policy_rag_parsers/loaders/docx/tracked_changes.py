"""Tracked deletions of paragraph marks, accepted: two paragraphs without the mark between them are one."""

from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.docx.xml import MATH, M, W, child

_GONE: Final = frozenset({W + "del", W + "moveFrom", M + "Fallback"})
_BLOCKS: Final = frozenset({W + "p", W + "tbl", W + "sdt", W + "altChunk"})
_CONTENT: Final = (W + "t", W + "sym", W + "drawing", W + "pict", W + "object", MATH + "t")


def accept_deleted_marks(root: etree._Element) -> None:
    """Join each paragraph whose mark is deleted or moved away with the one behind it, which keeps its own properties.

    One with no paragraph behind it stays, unless nothing is left in it: an empty one would be counted by its list.
    """
    for paragraph in reversed(list(root.iter(W + "p"))):  # so that each run of text moves once
        if not _mark_is_gone(paragraph):
            continue
        parent = paragraph.getparent()
        following = _next_paragraph(paragraph)
        if parent is None or (following is None and _has_content(paragraph)):
            continue
        if following is not None:
            _prepend(paragraph, following)
        parent.remove(paragraph)


def _mark_is_gone(paragraph: etree._Element) -> bool:
    mark = child(paragraph, "pPr", "rPr")
    gone = child(mark, "del") is not None or child(mark, "moveFrom") is not None
    return gone and child(paragraph, "pPr", "sectPr") is None


def _next_paragraph(paragraph: etree._Element) -> etree._Element | None:
    for sibling in paragraph.itersiblings(etree.Element):
        if sibling.tag in _BLOCKS:
            return sibling if sibling.tag == W + "p" else None
    return None


def _prepend(paragraph: etree._Element, following: etree._Element) -> None:
    at = 0 if child(following, "pPr") is None else 1
    for node in reversed([node for node in paragraph if node.tag != W + "pPr"]):
        following.insert(at, node)


def _has_content(paragraph: etree._Element) -> bool:
    return any(not any(above.tag in _GONE for above in node.iterancestors()) for node in paragraph.iter(*_CONTENT))
