"""Numbers that an HTML page's style sheets count: "2.1" before a heading, "(a)" before an item of a list.

A counter begins at the element that resets it and lasts for what follows inside the parent of that element, as CSS has
it. What is written before an element is read where it holds a counter; else it is decoration.
"""

import re
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.html.lists import LIST_STYLES
from policy_rag_parsers.loaders.html.style_sheets import StyleSheets
from policy_rag_parsers.loaders.list_numerals import numeral

_CHANGE: Final = re.compile(r"([a-z_][\w-]*)(?:\s+(-?\d{1,6}))?", re.IGNORECASE)
_PIECE: Final = re.compile(
    r"""counter\(\s*(?P<one>[\w-]+)\s*(?:,\s*(?P<style>[\w-]+)\s*)?\)
      | counters\(\s*(?P<all>[\w-]+)\s*,\s*(?P<between>"[^"]*"|'[^']*')\s*(?:,\s*(?P<styles>[\w-]+)\s*)?\)
      | "(?P<double>[^"]*)" | '(?P<single>[^']*)'""",
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPE: Final = re.compile(r"\\([0-9a-f]{1,6})\s?|\\(.)", re.IGNORECASE)
_LARGEST: Final = 0x10FFFF
_DEEPEST: Final = 9  # blocks inside each other whose text is looked for, and numbers that are shown of nested lists
_INNER_BLOCKS: Final = frozenset({"p", "div"})


def write_counted(root: etree._Element, sheets: StyleSheets) -> None:
    """Write the numbers that style sheets count into the elements before whose text they stand."""
    if not sheets.write_before:
        return
    counters = _Counters()
    written: list[tuple[etree._Element, str]] = []
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "end":
            counters.leave(element)
            continue
        changes = sheets.counting(element)
        counters.reset(element, changes.get("counter-reset", ""))
        counters.increment(element, changes.get("counter-increment", ""))
        content = sheets.before(element)
        if "counter" in content:
            written.append((element, counters.written(content)))
    for element, text in reversed(written):  # what stands before the outer of two elements comes first
        _put(element, text)


def _put(element: etree._Element, text: str) -> None:
    """Put a text before that of an element, or of the first block inside it."""
    for _ in range(_DEEPEST):
        if (element.text or "").strip() or not len(element) or element[0].tag not in _INNER_BLOCKS:
            break
        element = element[0]
    element.text = text + (element.text or "")


class _Counters:
    """The counters that are in force at a place: by name the value of each that is open, the outermost first."""

    def __init__(self) -> None:
        self._open: dict[str, list[tuple[etree._Element | None, int]]] = {}
        self._of_parent: dict[etree._Element | None, list[str]] = {}

    def reset(self, element: etree._Element, changes: str) -> None:
        """Begin counters, which last until the parent of the element ends."""
        parent = element.getparent()
        for name, value in _CHANGE.findall(changes):
            if name == "none":
                continue
            opened = self._open.setdefault(name, [])
            if opened and opened[-1][0] is parent:
                opened.pop()
            else:
                self._of_parent.setdefault(parent, []).append(name)
            opened.append((parent, int(value or 0)))

    def increment(self, element: etree._Element, changes: str) -> None:
        """Count on; what is not begun begins here."""
        for name, value in _CHANGE.findall(changes):
            if name == "none":
                continue
            if not self._open.get(name):
                self.reset(element, name)
            parent, before = self._open[name][-1]
            self._open[name][-1] = parent, before + int(value or 1)

    def leave(self, element: etree._Element) -> None:
        """End the counters that began inside an element."""
        for name in self._of_parent.pop(element, ()):
            self._open[name].pop()

    def written(self, content: str) -> str:
        """What a `content` shows."""
        return "".join(map(self._piece, _PIECE.finditer(content)))

    def _piece(self, match: re.Match[str]) -> str:
        name = match["one"] or match["all"]
        if name is None:
            return _ESCAPE.sub(_character, match["double"] or match["single"] or "")
        values = [value for _, value in self._open.get(name, [(None, 0)])] or [0]
        style = LIST_STYLES.get((match["style"] or match["styles"] or "decimal").lower(), "decimal")
        between = (match["between"] or "''")[1:-1]
        return between.join(numeral(value, style) for value in values[-_DEEPEST if match["all"] else -1 :])


def _character(match: re.Match[str]) -> str:
    if match[1] is None:
        return match[2]
    code = int(match[1], 16)
    return chr(code) if 0 < code <= _LARGEST and not 0xD800 <= code < 0xE000 else ""
