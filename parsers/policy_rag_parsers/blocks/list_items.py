"""Items of lists inside a section: (a), (i), 1. They are no sections, and are found by reference all the same."""

import re
from dataclasses import dataclass

from policy_rag_parsers.records import Section
from policy_rag_parsers.structure.numbering import INVISIBLE, Component, roman_value, step

# An item's marker at the head of a line, after another marker on it, or after a bullet: "(a)", "a)", "a.", "1.", "iv)"
_ITEM = re.compile(
    rf"[ \t\u00a0{INVISIBLE}>*]*(?:[-*•]\s+)?(?:\((?P<both>[A-Za-z]{{1,6}}|\d{{1,3}}[A-Za-z]?)\)"
    r"|(?P<open>[A-Za-z]{1,5}|\d{1,3}[a-f]?)[.)](?=[ \t\u00a0]|$))[ \t\u00a0]*"
)
_ENDS_ITEM = re.compile(r"(?:[.;:,—–]|\band|\bor)[\"'”’)]*\s*$")


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item of a list inside a section.

    Attributes:
        labels: the labels from the outermost list down to this item's own, without brackets: ("b", "ii").
        start: first character of its marker.
        end: one past its last character, the items nested in it included.
    """

    labels: tuple[str, ...]
    start: int
    end: int


def list_items(text: str, section: Section) -> tuple[ListItem, ...]:
    """Return the items of the lists in a section's own text, in order, each with those nested in it inside its range.

    A label opens a nested list when it is of another kind than those open ((i) under (a)), and goes on with the
    innermost list that it follows in. An item ends before the next one, or with its paragraph.
    """
    opened: list[_Open] = []
    found: list[ListItem] = []
    last_line = section.start
    for start, end in _lines(text, section.body, section.end):
        position = start
        markers = list(_markers(text, start, end))
        if not markers:
            if opened and _leaves(text, opened, last_line, start, end):
                found += _closed(opened, 0, last_line)
            elif text[start:end].strip():
                last_line = _ink_end(text, start, end)
            continue
        for label, position in markers:
            following = _next_label(text, end, section.end) if label in {"i", "I"} else None
            bracketed = text[position] == "("
            depth = _depth(_comparable(opened, label, bracketed=bracketed), label, following)
            found += _closed(opened, depth, last_line)
            labels = (*(item.label for item in opened), label)
            opened.append(_Open(labels, position, _indent(text, start), bracketed))
        last_line = _ink_end(text, start, end)
    found += _closed(opened, 0, last_line)
    return tuple(sorted(found, key=lambda item: (item.start, len(item.labels))))


@dataclass(frozen=True, slots=True)
class _Open:
    """An item that has begun and may go on."""

    labels: tuple[str, ...]
    start: int
    indent: int
    bracketed: bool

    @property
    def label(self) -> str:
        return self.labels[-1]


def _closed(opened: list[_Open], depth: int, end: int) -> list[ListItem]:
    """Close the items from `depth` on, which end at `end`."""
    closing = opened[depth:]
    del opened[depth:]
    return [ListItem(item.labels, item.start, max(end, item.start)) for item in closing]


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    lines = []
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        lines.append((start, stop))
        start = stop + 1
    return lines


def _markers(text: str, start: int, end: int) -> list[tuple[str, int]]:
    """Return the labels that stand one after another at the head of a line, with where their markers begin."""
    markers: list[tuple[str, int]] = []
    position = start
    while match := _ITEM.match(text, position, min(end, start + 200)):
        label = match["both"] or match["open"]
        if match["open"] and (len(markers) > 0 or not (len(label) == 1 or label[0].isdigit() or roman_value(label))):
            break
        mark = match.start("both") - 1 if match["both"] else match.start("open")
        markers.append((label, mark))
        position = match.end()
    return markers


def _next_label(text: str, start: int, end: int) -> str | None:
    """Return the label of the next item, which tells "(i)" behind "(h)" from "(i)" that begins a list."""
    for line_start, line_end in _lines(text, start + 1, min(end, start + 4000)):
        markers = _markers(text, line_start, line_end)
        if markers:
            return markers[0][0]
    return None


def _comparable(opened: list[_Open], label: str, *, bracketed: bool) -> list[str]:
    """The labels of the open items, "" for figures of another form: "1." lies in "(2)", and "(3)" goes on with that.

    Where no open figure has the form, only a "1" opens a list: "1." and then "2)" is one list.
    """
    figures = [item for item in opened if item.label.isdecimal()]
    alike = any(item.bracketed == bracketed for item in figures)
    if not label.isdecimal() or not (alike or label == "1"):
        return [item.label for item in opened]
    other = [item.label.isdecimal() and item.bracketed != bracketed for item in opened]
    return ["" if differs else item.label for item, differs in zip(opened, other, strict=True)]


def _depth(opened: list[str], label: str, following: str | None) -> int:
    """Return how many of the open items enclose a new one."""
    for depth in range(len(opened) - 1, -1, -1):
        gap = step(Component("", opened[depth]), Component("", label))
        if gap is None or not 1 <= gap <= 2:
            continue
        begins_anew = label in {"i", "I"} and following in {"ii", "II"} and opened[depth].lower() in {"h", "g"}
        if not begins_anew:
            return depth
    alike = [depth for depth, one in enumerate(opened) if _kind(one) == _kind(label)]
    if label in {"i", "I"}:
        # a numeral's first letter begins a list under "(a)", and a new one beside "(ii)"
        alike = [depth for depth in alike if len(opened[depth]) > 1 or opened[depth] == label]
    return alike[-1] if alike else len(opened)


def _kind(label: str) -> str:
    if not label:
        return ""
    if label[0].isdigit():
        return "1"
    return "A" if label.isupper() else "a"


def _indent(text: str, start: int) -> int:
    position = start
    while position < len(text) and text[position] in " \t":
        position += 1
    return position - start


def _ink_end(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _leaves(text: str, opened: list[_Open], last: int, start: int, end: int) -> bool:
    """Whether a line without a marker is behind the list: flush text after a finished item or after a blank line."""
    line = text[start:end]
    if not line.strip() or _indent(text, start) > opened[-1].indent:
        return False
    after_blank = "\n\n" in text[last:start].replace(" ", "").replace("\t", "")
    finished = _ENDS_ITEM.search(text[max(last - 80, 0) : last]) is not None
    return after_blank or finished
