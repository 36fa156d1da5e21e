"""Notes at the foot of a page of a PDF: taken out of the text, to stand behind the paragraph that has their mark."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from policy_rag_parsers.loaders.pdf.lines import TextLine, make_line
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.superscripts import is_raised

_LABEL: Final = re.compile(r"(?P<label>\d{1,3}|[*†‡]{1,3})[.)]?")
_CLOSED: Final = re.compile(r"[.!?][\"”’»)\]]*\Z")
_SMALLER: Final = 0.4  # points, at least, below the size of the text
_LONGEST_RULE: Final = 150.0  # points (Word's has 144), or
_WIDEST_RULE: Final = 0.45  # of the width of the column (TeX's has 0.4), at most, has the rule over notes
_BELOW_RULE: Final = 2.5  # font sizes, at most, between that rule and the first note

Columns = tuple[tuple[TextLine, ...], ...]


@dataclass(frozen=True, slots=True)
class Footnote:
    """A note: its number or sign, and its lines without that; without a label it goes on from the page before."""

    label: str
    lines: tuple[TextLine, ...]


def split_footnotes(
    columns: Columns, cells: Sequence[str], rules: Sequence[Rule], text_size: float, *, open_note: bool = False
) -> tuple[Columns, tuple[Footnote, ...]]:
    """The columns of a page without the notes at their feet, and these.

    Notes are the last lines of a column where they are smaller than the text and led by a raised number, or where they
    stand under a short rule at the left edge, led by a number or sign that is raised or is a mark in the text above.

    Args:
        columns: the lines of the page.
        cells: the texts in its tables, which may hold marks too.
        rules: its horizontal rules.
        text_size: the size of most of the document's text.
        open_note: whether a note of the page before may go on here, so that one without a number is taken too.
    """
    kept: list[tuple[TextLine, ...]] = []
    notes: list[Footnote] = []
    for column in _with_one_foot(columns):
        start = _under_rule(column, rules, text_size)
        found: list[Footnote] = []
        if start is not None:
            above = [line.text for part in (*kept, column[:start]) for line in part]
            found = _ruled_notes(column[start:], "\n".join([*above, *cells]), text_size, open_note=open_note)
        if not found:
            start = _small_tail(column, text_size)
            found = _notes(column[start:], raised=True)
        notes.extend(found)
        left = column[:start] if found else column
        if left:
            kept.append(left)
    return tuple(kept), tuple(notes)


def is_open(notes: Sequence[Footnote]) -> bool:
    """Whether the last of a page's notes may go on on the next page: its last line ends no sentence."""
    return bool(notes) and not _CLOSED.search(notes[-1].lines[-1].text)


def whole_notes(notes: Sequence[Sequence[Footnote]]) -> list[tuple[Footnote, ...]]:
    """The notes of each page with what stands of them on the next page."""
    whole: list[list[Footnote]] = []
    last: list[Footnote] | None = None
    for on_page in notes:
        whole.append([])
        for note in on_page:
            if not note.label and last:
                last[-1] = replace(last[-1], lines=last[-1].lines + note.lines)
            else:
                whole[-1].append(note)
                last = whole[-1]
    return [tuple(on_page) for on_page in whole]


def has_mark(text: str, label: str) -> bool:
    """Whether the mark of a note stands in a text.

    >>> has_mark("11[8] days", "8"), has_mark("50 euros[7, 8]", "8"), has_mark("8 days", "8"), has_mark("Free*.", "*")
    (True, True, False, True)
    """
    if not label.isdigit():
        return re.search(rf"(?<![*†‡]){re.escape(label)}(?![*†‡])", text) is not None
    return re.search(rf"\[(?:\d+[\s,;–-]+)*{label}(?:[\s,;–-]+\d+)*\]", text) is not None


def led_by_raised(line: TextLine) -> bool:
    """Whether a line begins with a raised number or sign, as a note does."""
    return bool(_label(line, raised=True))


def _with_one_foot(columns: Columns) -> list[tuple[TextLine, ...]]:
    """The columns, with single lines that end the page taken together."""
    end = len(columns)
    while end > 1 and len(columns[end - 1]) == 1:
        end -= 1
    foot = tuple(line for column in columns[end:] for line in column)
    return [*columns[:end], *([foot] if foot else [])]


def _under_rule(column: Sequence[TextLine], rules: Sequence[Rule], text_size: float) -> int | None:
    """The first line under a short rule at the left edge of the column, where no larger line follows."""
    x0, x1 = min(line.x0 for line in column), max(line.x1 for line in column)
    for rule in rules:
        if abs(rule.low - x0) > 6 or rule.high - rule.low > max(_LONGEST_RULE, _WIDEST_RULE * (x1 - x0)):
            continue
        start = next((at for at, line in enumerate(column) if line.top >= rule.at - 0.3 * line.size), None)
        if start is None or column[start].top - rule.at > _BELOW_RULE * column[start].size:
            continue
        above = column[start - 1].bottom if start else 0.0
        if above <= rule.at + 0.1 * text_size and all(line.size < text_size + _SMALLER for line in column[start:]):
            return start
    return None


def _small_tail(column: Sequence[TextLine], text_size: float) -> int:
    """The first line led by a raised number among the lines of small text that end the column."""
    start = len(column)
    while start and column[start - 1].size < text_size - _SMALLER:
        start -= 1
    while start < len(column) and not _label(column[start], raised=True):
        start += 1
    return start


def _ruled_notes(lines: Sequence[TextLine], above: str, text_size: float, *, open_note: bool) -> list[Footnote]:
    """Notes under a rule; of those without a raised number one must have its mark in the text above."""
    raised = any(_label(line, raised=True) for line in lines)
    notes = _notes(lines, raised=raised)
    labels = [note.label for note in notes if note.label]
    if raised or any(has_mark(above, label) for label in labels):
        return notes
    small = all(line.size < text_size - _SMALLER for line in lines)
    return [Footnote("", tuple(lines))] if open_note and small and not labels else []


def _notes(lines: Sequence[TextLine], *, raised: bool) -> list[Footnote]:
    notes: list[Footnote] = []
    for line in lines:
        label = _label(line, raised=raised)
        if label and (raised or not notes or _next_label(notes[-1].label, label)):
            notes.append(Footnote(label, (make_line(line.words[1:]),)))
        elif notes:
            notes[-1] = replace(notes[-1], lines=(*notes[-1].lines, line))
        else:
            notes.append(Footnote("", (line,)))
    return notes


def _next_label(before: str, label: str) -> bool:
    return not (before.isdigit() and label.isdigit()) or int(label) == int(before) + 1


def _label(line: TextLine, *, raised: bool) -> str:
    """The number or sign at the head of a line of a note; "" without one."""
    first = line.words[0]
    match = _LABEL.fullmatch(first.text)
    if match is None or len(line.words) < 2:
        return ""
    if raised:
        text = make_line(line.words[1:])
        return match["label"] if is_raised(first.bottom, first.size, text.bottom, text.size) else ""
    return match["label"]
