"""What the styles of a Word document say about a paragraph: its outline level, its weight, its list.

Word keeps the English name of a built-in style ("heading 1") in a file of any language, while the identifiers are
translated; a style of the company's own leads to a built-in one by `basedOn` or has an outline level itself.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.loaders.docx_xml import W, child, integer, value

if TYPE_CHECKING:
    from docx.document import Document

_HEADING_NAME: Final = re.compile(r"heading ?([1-9])\Z", re.IGNORECASE)
_BODY_TEXT: Final = 9  # the outline level of running text


def flag(element: etree._Element | None) -> bool:
    """Whether an on/off property is there and on."""
    return element is not None and element.get(W + "val", "1") not in {"0", "false", "off", "none"}


class Styles:
    """The styles of one document, by identifier."""

    def __init__(self, document: "Document") -> None:
        self._styles: dict[str, etree._Element] = {}
        self._default = ""
        for style in document.styles.element.iter(W + "style"):
            identity = style.get(W + "styleId", "")
            self._styles[identity] = style
            if style.get(W + "type") == "paragraph" and style.get(W + "default") in {"1", "true", "on"}:
                self._default = identity

    def chain(self, identity: str) -> Iterator[etree._Element]:
        """A style and those that it is based on, nearest first; each once, even where they go round in a circle."""
        seen: set[str] = set()
        while identity in self._styles and identity not in seen:
            seen.add(identity)
            style = self._styles[identity]
            yield style
            identity = value(child(style, "basedOn"), "")

    def of(self, paragraph: etree._Element) -> Iterator[etree._Element]:
        """The styles of a paragraph, nearest first."""
        return self.chain(value(child(paragraph, "pPr", "pStyle"), self._default))

    def is_title(self, paragraph: etree._Element) -> bool:
        """Whether the paragraph has the built-in style for a document's title."""
        return any(value(child(style, "name"), "").lower() == "title" for style in self.of(paragraph))

    def outline_level(self, paragraph: etree._Element) -> int:
        """The level of a heading, from 1 to 9; 0 for running text."""
        own = child(paragraph, "pPr", "outlineLvl")
        if own is not None:
            level = integer(own, _BODY_TEXT)
            return level + 1 if 0 <= level < _BODY_TEXT else 0
        for style in self.of(paragraph):
            outline = child(style, "pPr", "outlineLvl")
            if outline is not None:
                level = integer(outline, _BODY_TEXT)
                return level + 1 if 0 <= level < _BODY_TEXT else 0
            name = _HEADING_NAME.match(value(child(style, "name"), ""))
            if name:
                return int(name.group(1))
        return 0

    def is_bold(self, paragraph: etree._Element) -> bool:
        """Whether the paragraph's style makes its text bold."""
        return self._bold_in(self.of(paragraph)) or False

    def run_bold(self, run: etree._Element) -> bool | None:
        """Whether a run, by itself or by its character style, is bold; None where it says nothing."""
        own = child(run, "rPr", "b")
        if own is not None:
            return flag(own)
        return self._bold_in(self.chain(value(child(run, "rPr", "rStyle"), "")))

    def numbering(self, paragraph: etree._Element) -> tuple[etree._Element, str] | None:
        """The `numPr` of the nearest style that has one, with that style's identifier."""
        for style in self.of(paragraph):
            numbering = child(style, "pPr", "numPr")
            if numbering is not None:
                return numbering, style.get(W + "styleId", "")
        return None

    def numbering_of(self, identity: str) -> int:
        """The `numId` of a numbering style; 0 without one."""
        return integer(child(self._styles.get(identity), "pPr", "numPr", "numId"), 0)

    @staticmethod
    def _bold_in(styles: Iterator[etree._Element]) -> bool | None:
        for style in styles:
            bold = child(style, "rPr", "b")
            if bold is not None:
                return flag(bold)
        return None


__all__ = ["Styles", "flag"]
