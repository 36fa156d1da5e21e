"""Names and small look-ups in WordprocessingML."""

from typing import Final

from lxml import etree

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
R: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


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


__all__ = ["M", "R", "W", "child", "integer", "value"]
