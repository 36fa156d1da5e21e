"""Names and small look-ups in WordprocessingML, and how a part of the file is parsed."""

from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.errors import LoadError

if TYPE_CHECKING:
    from docx.opc.part import Part

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
MATH: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

# What no reader of the document sees, and what only describes the elements around it.
SKIPPED: Final = frozenset({
    W + "del", W + "moveFrom", W + "pPr", W + "rPr", W + "instrText", W + "delText", W + "sdtPr", W + "tblPr",
    M + "Fallback",
})  # fmt: skip


def part_root(part: "Part") -> etree._Element:
    """The root of a part of the file; nothing outside it is read.

    Raises:
        LoadError: the part declares a document type.
        lxml.etree.LxmlError: it is no XML.
    """
    from docx.opc.part import XmlPart

    if isinstance(part, XmlPart):
        root: etree._Element = part.element
    else:
        root = etree.fromstring(part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
    refuse_document_type(root)
    return root


def refuse_document_type(root: etree._Element) -> None:
    """Refuse a part with a DOCTYPE: text behind an entity that it declares would be lost without a word.

    Raises:
        LoadError: it has one.
    """
    if root.getroottree().docinfo.internalDTD is not None:
        raise LoadError("declares a document type (DOCTYPE), as Word never does; open it in Word and save it again")


def child(element: etree._Element | None, *names: str) -> etree._Element | None:
    """The first child of that name, its first child of the next name, and so on; None where there is none."""
    for name in names:
        if element is None:
            return None
        element = element.find(W + name)
    return element


def value(element: etree._Element | None, otherwise: str) -> str:
    """The `w:val` of an element; `otherwise` where there is no element or no value."""
    if element is None:
        return otherwise
    return element.get(W + "val", otherwise)


def integer(element: etree._Element | None, otherwise: int) -> int:
    """The `w:val` of an element as a whole number; `otherwise` where it is none."""
    written = value(element, "")
    try:
        return int(written)
    except ValueError:
        return otherwise


def flag(element: etree._Element | None) -> bool:
    """Whether an on/off property is there and on."""
    return element is not None and element.get(W + "val", "1") not in {"0", "false", "off", "none"}
