"""Word's own tables of contents: which paragraphs are their entries, and how one is written."""

from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.docx.styles import Styles
from policy_rag_parsers.loaders.docx.xml import W, child, value
from policy_rag_parsers.loaders.text_builder import one_line

_GALLERY: Final = "Table of Contents"
_FIELDS: Final = ("TOC", "TOA", "INDEX")


def contents_paragraphs(body: etree._Element, styles: Styles) -> frozenset[etree._Element]:
    """The paragraphs of tables of contents, of figures and of authorities, and of indexes.

    Word shows them by a content control of its gallery, by a field that collects them, or by the style of each line.
    """
    found: set[etree._Element] = set()
    for control in body.iter(W + "sdt"):
        if value(child(control, "sdtPr", "docPartObj", "docPartGallery"), "") == _GALLERY:
            found.update(control.iter(W + "p"))
    found.update(_collected(body))
    found.update(paragraph for paragraph in body.iter(W + "p") if styles.is_contents(paragraph))
    return frozenset(found)


def _collected(body: etree._Element) -> set[etree._Element]:
    """The paragraphs with text of the fields that collect entries; a field that never ends is none."""
    found: set[etree._Element] = set()
    inked: list[etree._Element] = []  # the paragraphs with text so far
    fields: list[tuple[int, bool]] = []  # those that are open: the paragraphs before each, and whether it collects
    for node in body.iter(W + "t", W + "fldChar", W + "instrText"):
        kind = node.get(W + "fldCharType")
        if node.tag == W + "t" and (node.text or "").strip():
            paragraph = next(node.iterancestors(W + "p"))
            if not inked or inked[-1] is not paragraph:
                inked.append(paragraph)
        elif node.tag == W + "instrText" and fields and (node.text or "").strip().upper().startswith(_FIELDS):
            fields[-1] = (fields[-1][0], True)
        elif kind == "begin":
            fields.append((len(inked), False))
        elif kind == "end" and fields:
            before, collects = fields.pop()
            found.update(inked[before:] if collects else ())
    return found


def contents_entry(text: str) -> str:
    r"""An entry as one line, a tab before its page.

    >>> contents_entry("1.\tScope\t\t4")
    '1. Scope\t4'
    """
    words, tab, page = text.rpartition("\t")
    return f"{one_line(words)}\t{one_line(page)}" if tab and words.strip() and page.strip() else one_line(text)
