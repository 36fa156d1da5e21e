"""Clauses by reference: the range of "4.2", "section 4.2(b)(ii)" or "Part 6 Chapter 2" in a document.

List items such as (a) and (i) are no sections; they stay inside theirs and are found here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_parsers.numbering import INVISIBLE, UNIT_WORDS, Component, read_marker, roman_value, step
from policy_rag_parsers.records import Section

_INVISIBLE_MARK = re.compile(f"[{INVISIBLE}]")
_PLAIN_UNITS = frozenset(UNIT_WORDS) | {
    "sections",
    "para",
    "paragraph",
    "point",
    "item",
    "sub-paragraph",
    "subparagraph",
}
_LEADING_WORD = re.compile(r"\s*(?:the\s+)?([A-Za-z-]+)\.?\s+(?=[\dA-Za-z(§])")
_TOKEN = re.compile(r"\s*[.,]?\s*\(?([A-Za-z0-9]+)\)?")
# An item's marker at the head of a line, after another marker on it, or after a bullet: "(a)", "a)", "a.", "1.", "iv)"
_ITEM = re.compile(
    rf"[ \t\u00a0{INVISIBLE}>*]*(?:[-*•]\s+)?(?:\((?P<both>[A-Za-z]{{1,6}}|\d{{1,3}}[A-Za-z]?)\)"
    r"|(?P<open>[A-Za-z]{1,5}|\d{1,3})[.)](?=[ \t\u00a0]|$))[ \t\u00a0]*"
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


def find_clause(text: str, sections: Sequence[Section], reference: str) -> tuple[int, int] | None:
    r"""Return the range of the clause that a reference names, or None where the document has none of that number.

    A section's range is that of the section with all under it. Where two sections have the number the first one counts.
    Case and punctuation do not matter: "Section 4.2 (B)" finds "4.2(b)" where there is no "(B)".

    Args:
        text: the document.
        sections: its sections, in order.
        reference: such as "4.2(b)(ii)", "section 4.2", "Rule 7", "Part 6 Chapter 2".

    >>> from policy_rag_parsers.records import FileFormat, SourceText
    >>> from policy_rag_parsers.sections import parse_sections
    >>> text = "4.1 Trains\nAny class.\n4.2 Flights\n(a) economy;\n(b) business over six hours.\n"
    >>> found = parse_sections(SourceText(text, FileFormat.TEXT), title="Travel")
    >>> start, end = find_clause(text, found, "section 4.2(b)")
    >>> text[start:end]
    '(b) business over six hours.'
    """
    for parts in _readings(reference):
        for length in range(len(parts), 0, -1):
            found = _in_section(text, sections, parts[:length], [part.value for part in parts[length:]])
            if found is not None:
                return found
    return None


def _in_section(
    text: str, sections: Sequence[Section], parts: tuple[Component, ...], labels: list[str]
) -> tuple[int, int] | None:
    """Look the labels up in each section of that number."""
    for section in sections:
        if section.number is None or not _names(section.number, parts):
            continue
        if not labels:
            return section.start, section.subtree_end
        found = _item(list_items(text, section), labels)
        if found is not None:
            return found.start, found.end
    return None


def _item(items: Sequence[ListItem], labels: list[str]) -> ListItem | None:
    wanted = tuple(labels)
    folded = tuple(label.casefold() for label in labels)
    exact = next((item for item in items if item.labels == wanted), None)
    return exact or next((item for item in items if tuple(map(str.casefold, item.labels)) == folded), None)


def _readings(reference: str) -> list[tuple[Component, ...]]:
    """Return what a reference may mean: with its word ("Rule 7"), and as a bare number."""
    reference = _INVISIBLE_MARK.sub("", reference).strip().rstrip(".,;:")
    readings = []
    marker = read_marker(reference[:1].upper() + reference[1:])
    if marker is not None:
        rest = _values(reference[marker.rest :])
        readings.append((*marker.parts, *rest))
    word = _LEADING_WORD.match(reference)
    if word and word[1].lower() in _PLAIN_UNITS:
        readings.append(_values(reference[word.end() :]))
    elif marker is None:
        readings.append(_values(reference))
    return [reading for reading in readings if reading]


def _values(text: str) -> tuple[Component, ...]:
    """Read bare components: "4.2(b)" gives 4, 2 and b."""
    parts: list[Component] = []
    position = 0
    while match := _TOKEN.match(text, position):
        parts.append(Component("", match[1]))
        position = match.end()
    return tuple(parts) if position >= len(text.rstrip()) else ()


def _names(number: str, parts: tuple[Component, ...]) -> bool:
    """Whether a section's number says the same as `parts`, its unit's word left out where `parts` has none."""
    marker = read_marker(number)
    own = marker.parts if marker else (Component("", number),)
    if not parts[0].word and own[0].word:
        own = (Component("", own[0].value), *own[1:])
    return len(own) == len(parts) and all(_same(one, two) for one, two in zip(own, parts, strict=True))


def _same(one: Component, two: Component) -> bool:
    return one.word == two.word and one.value.casefold() == two.value.casefold()


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
            depth = _depth([item.label for item in opened], label, following)
            found += _closed(opened, depth, last_line)
            labels = (*(item.label for item in opened), label)
            opened.append(_Open(labels, position, _indent(text, start)))
        last_line = _ink_end(text, start, end)
    found += _closed(opened, 0, last_line)
    return tuple(sorted(found, key=lambda item: (item.start, len(item.labels))))


@dataclass(frozen=True, slots=True)
class _Open:
    """An item that has begun and may go on."""

    labels: tuple[str, ...]
    start: int
    indent: int

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
        if match["open"] and (len(markers) > 0 or not (len(label) == 1 or label.isdigit() or roman_value(label))):
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
    if label.isdigit():
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
