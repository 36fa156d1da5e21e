"""What the styles of a Word document say about a paragraph and its runs: outline level, list, and how they look.

Word keeps the English name of a built-in style ("heading 1") in a file of any language, while the identifiers are
translated; a style of the company's own leads to a built-in one by `basedOn` or has an outline level itself.
"""

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from lxml import etree

from policy_rag_parsers.loaders.docx.xml import W, child, flag, integer, value

if TYPE_CHECKING:
    from docx.document import Document

_CONTENTS_NAME: Final = re.compile(
    r"(?:toc|index) ?(?:[1-9]|heading)\Z|table of (?:figures|authorities)\Z", re.IGNORECASE
)
_HEADING_NAME: Final = re.compile(r"heading ?([1-9])\Z", re.IGNORECASE)
_BODY_TEXT: Final = 9  # the outline level of running text


class Look(NamedTuple):
    """How text looks; None where nothing is said of it.

    Attributes:
        bold: whether it is bold.
        hidden: whether it is hidden.
        struck: whether it is struck through, once or twice.
        raised: whether it is superscript.
        font: the name of its font for Latin letters.
        underlined: whether it is underlined.
        size: the size of its font in half points.
    """

    bold: bool | None = None
    hidden: bool | None = None
    struck: bool | None = None
    raised: bool | None = None
    font: str | None = None
    underlined: bool | None = None
    size: int | None = None

    @property
    def unseen(self) -> bool:
        """Whether the text is no part of the document for its readers: hidden, or struck out."""
        return bool(self.hidden or self.struck)

    def over(self, below: "Look") -> "Look":
        """This look, and where it says nothing what is below it."""
        return Look._make(low if own is None else own for own, low in zip(self, below, strict=True))


_PLAIN: Final = Look()


class Styles:
    """The styles of one document, by identifier."""

    def __init__(self, document: "Document") -> None:
        self._styles: dict[str, etree._Element] = {}
        self._default = ""
        self._default_of_tables = ""
        self._chains: dict[str, tuple[etree._Element, ...]] = {}
        self._levels: dict[str, int] = {}
        self._looks: dict[str, Look] = {}
        defaults = child(document.styles.element, "docDefaults", "rPrDefault", "rPr")
        self._defaults = _PLAIN if defaults is None else _own_look(defaults)
        for style in document.styles.element.iter(W + "style"):
            identity = style.get(W + "styleId", "")
            self._styles[identity] = style
            if style.get(W + "default") in {"1", "true", "on"}:
                if style.get(W + "type") == "paragraph":
                    self._default = identity
                elif style.get(W + "type") == "table":
                    self._default_of_tables = identity

    def chain(self, identity: str) -> tuple[etree._Element, ...]:
        """A style and those that it is based on, nearest first; each once, even where they go round in a circle."""
        if identity not in self._chains:
            found: dict[str, etree._Element] = {}
            at = identity
            while at in self._styles and at not in found:
                found[at] = self._styles[at]
                at = value(child(found[at], "basedOn"), "")
            self._chains[identity] = tuple(found.values())
        return self._chains[identity]

    def of(self, paragraph: etree._Element) -> tuple[etree._Element, ...]:
        """The styles of a paragraph, nearest first."""
        return self.chain(value(child(paragraph, "pPr", "pStyle"), self._default))

    def of_table(self, table: etree._Element) -> tuple[etree._Element, ...]:
        """The styles of a table, nearest first."""
        return self.chain(value(child(table, "tblPr", "tblStyle"), self._default_of_tables))

    def is_title(self, paragraph: etree._Element) -> bool:
        """Whether the paragraph has the built-in style for a document's title."""
        return any(value(child(style, "name"), "").lower() == "title" for style in self.of(paragraph)[:1])

    def is_contents(self, paragraph: etree._Element) -> bool:
        """Whether the paragraph has a built-in style for tables of contents and indexes, or their titles."""
        return any(_CONTENTS_NAME.match(value(child(style, "name"), "")) for style in self.of(paragraph))

    def outline_level(self, paragraph: etree._Element) -> int:
        """The level of a heading, from 1 to 9; 0 for running text."""
        own = child(paragraph, "pPr", "outlineLvl")
        if own is not None:
            return _level(own)
        return self._level_of(value(child(paragraph, "pPr", "pStyle"), self._default))

    def look(self, paragraph: etree._Element) -> Look:
        """How the paragraph's style makes its text look."""
        return self._look_of(value(child(paragraph, "pPr", "pStyle"), self._default)).over(self._defaults)

    def run_look(self, run: etree._Element, paragraph: Look) -> Look:
        """How a run looks: by itself, else by its character style, else as its paragraph."""
        properties = child(run, "rPr")
        if properties is None:
            return paragraph
        style = value(child(properties, "rStyle"), "")
        return _own_look(properties).over(self._look_of(style).over(paragraph) if style else paragraph)

    def mark_is_hidden(self, paragraph: etree._Element) -> bool:
        """Whether the paragraph's end is hidden, by itself or by its style."""
        own = child(paragraph, "pPr", "rPr", "vanish")
        return flag(own) if own is not None else bool(self.look(paragraph).hidden)

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

    def _level_of(self, identity: str) -> int:
        if identity not in self._levels:
            given = (_style_level(style) for style in self.chain(identity))
            self._levels[identity] = next((level for level in given if level is not None), 0)
        return self._levels[identity]

    def _look_of(self, identity: str) -> Look:
        if identity not in self._looks:
            look = _PLAIN
            for style in self.chain(identity):
                properties = child(style, "rPr")
                if properties is not None:
                    look = look.over(_own_look(properties))
            self._looks[identity] = look
        return self._looks[identity]


def _style_level(style: etree._Element) -> int | None:
    """The level that a style itself gives; None where it gives none."""
    outline = child(style, "pPr", "outlineLvl")
    if outline is not None:
        return _level(outline)
    name = _HEADING_NAME.match(value(child(style, "name"), ""))
    return int(name.group(1)) if name else None


def _level(outline: etree._Element) -> int:
    level = integer(outline, _BODY_TEXT)
    return level + 1 if 0 <= level < _BODY_TEXT else 0


def _own_look(properties: etree._Element) -> Look:
    """What a `rPr` itself says."""
    if not len(properties):
        return _PLAIN
    found = {node.tag: node for node in properties}
    aligned, fonts = found.get(W + "vertAlign"), found.get(W + "rFonts")
    struck = [flag(found[name]) for name in (W + "strike", W + "dstrike") if name in found]
    return Look(
        bold=_said(found.get(W + "b")),
        hidden=_said(found.get(W + "vanish")),
        struck=any(struck) if struck else None,
        raised=None if aligned is None else value(aligned, "") == "superscript",
        font=None if fonts is None else _font(fonts),
        underlined=None if W + "u" not in found else value(found[W + "u"], "none") != "none",
        size=integer(found.get(W + "sz"), 0) or None,
    )


def _font(fonts: etree._Element) -> str:
    """The name of a font; "" where the theme gives it, which holds no symbol fonts."""
    return "" if fonts.get(W + "asciiTheme") else fonts.get(W + "ascii", "")


def _said(switch: etree._Element | None) -> bool | None:
    return None if switch is None else flag(switch)
