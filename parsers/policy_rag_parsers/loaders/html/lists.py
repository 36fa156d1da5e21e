"""Lists of an HTML page: which number an item has, and items that bring a marker of their own."""

import re
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.list_numerals import BULLET, numeral

_LIST_STYLE: Final = re.compile(r"list-style(?:-type)?\s*:\s*([a-z-]+)", re.IGNORECASE)
LIST_STYLES: Final = {
    "1": "decimal",
    "a": "lowerLetter",
    "A": "upperLetter",
    "i": "lowerRoman",
    "I": "upperRoman",
    "decimal": "decimal",
    "lower-alpha": "lowerLetter",
    "lower-latin": "lowerLetter",
    "upper-alpha": "upperLetter",
    "upper-latin": "upperLetter",
    "lower-roman": "lowerRoman",
    "upper-roman": "upperRoman",
    "disc": "bullet",
    "circle": "bullet",
    "square": "bullet",
    "none": "none",
}
# "1.", "2a.", "a)", "(iv)", "(2)", a dash: what the term of a definition list is where a statute is written as one
_MARKER: Final = re.compile(
    r"\((?:\d{1,3}[a-z]?|[A-Za-z]|[a-z]{2}|[ivxl]{1,6})\)|(?:\d{1,3}[a-z]?|[A-Za-z]|([a-z])\1|[ivxl]{1,6})[.)]|[-–—•*·]"
)
# What an item may begin with so that the list's own count is not shown: "(1)", "a)", "1.1", "2.1.3."
_OWN: Final = re.compile(r"(?:\((?:\d{1,3}[a-z]?|[A-Za-z]|[a-z]{2}|[ivxl]{1,6})\)|(?:\d{1,3}|[a-z])\)|"
                         r"\d{1,3}(?:\.\d{1,3}){1,5}\.?(?=\s+[^\W\da-z_]))(?=\s)")  # fmt: skip


class HtmlList:
    """A list that is being read: which number its next item has, and how it is written."""

    def __init__(self, element: etree._Element) -> None:
        style = _LIST_STYLE.search(element.get("style") or "")
        written = style.group(1).lower() if style else element.get("type", "1" if element.tag == "ol" else "disc")
        self.format = LIST_STYLES.get(written, "decimal" if element.tag == "ol" else "bullet")
        self.step = -1 if element.get("reversed") is not None else 1
        first = sum(child.tag == "li" for child in element) if self.step < 0 else 1
        self.next = _integer(element.get("start"), first)

    def marker(self, item: etree._Element) -> str:
        """What a reader sees before the item, with a blank after it; "" without a marker."""
        number = _integer(item.get("value"), self.next)
        self.next = number + self.step
        if self.format == "none":
            return ""
        if self.format == "bullet":
            return f"{BULLET} "
        return f"{numeral(number, self.format)}. "


def _integer(written: str | None, otherwise: int) -> int:
    try:
        return int(written) if written else otherwise
    except ValueError:
        return otherwise


def is_marker(text: str) -> bool:
    """Whether a term is nothing but the marker of an item.

    >>> is_marker("2a."), is_marker("Home worker")
    (True, False)
    """
    return _MARKER.fullmatch(text) is not None


def without_counted(marker: str, counted: str, text: str) -> str:
    """An item's marker without the part that its list counted, where the item's text begins with one of its own.

    >>> [without_counted("2. ", "2. ", text) for text in ("(b) lamps", "2. Pay", "Pay")]
    ['', '', '2. ']
    """
    own = counted and (_OWN.match(text) or (counted.strip() != BULLET and text.startswith(counted)))
    return marker.removesuffix(counted) if own else marker
