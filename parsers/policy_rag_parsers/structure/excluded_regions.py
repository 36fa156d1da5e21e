"""Stretches of a document that hold no headings: tables, marked tables of contents and fenced code blocks."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.drawn_tables import aligned_tables
from policy_rag_parsers.text.markdown_lines import comments

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$", re.MULTILINE)
_TABLE_MARK = re.compile(r"^[ \t]*/table[ \t]+(start|end)\b.*$", re.MULTILINE | re.IGNORECASE)
_PIPE_ROWS = re.compile(r"^[ \t]*\|[^\n]*(?:\n[ \t]*\|[^\n]*)*", re.MULTILINE)
# Three short cells or more; "2.5.4<tab>(1)<tab>The Board ..." is a clause and no row.
_CELL = r"(?!\()[^\t\n]{1,60}"
_TWO_TABS = re.compile(r"\t[^\t\n]+\t")
_TAB_ROW = re.compile(rf"^{_CELL}(?:\t{_CELL}){{2,}}(?:\n|\Z)", re.MULTILINE)

_BLANKS = re.compile(r"\S {2,}(?=\S)")


class Regions:
    """Ranges of a text, merged, with a look-up in logarithmic time."""

    def __init__(self, ranges: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(ranges):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def __contains__(self, offset: int) -> bool:
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]


def table_regions(source: SourceText, text: str) -> Regions:
    """Return where tables stand, also of contents: marked, Markdown's, cells between tabs or blanks, `/Table Start`."""
    ranges = [*source.contents, *((table.start, table.end) for table in source.tables)]
    if "|" in text:
        ranges += [match.span() for match in _PIPE_ROWS.finditer(text)]
    if source.format is FileFormat.TEXT:
        ranges += _tab_rows(text) if "\t" in text else ()
        ranges += [(rows[0][0], rows[-1][1]) for rows in aligned_tables(text) if _in_columns(text, *rows[0])]
    opened: int | None = None
    for match in _TABLE_MARK.finditer(text) if "/table" in text.lower() else ():
        if match[1].lower() == "start":
            opened = match.start()
        elif opened is not None:
            ranges.append((opened, match.end()))
            opened = None
    return Regions(ranges)


def _in_columns(text: str, start: int, end: int) -> bool:
    """Whether the first row of a table that blanks draw has three cells: two are a number and its title."""
    return len(_BLANKS.findall(text, start, end)) > 1


def _tab_rows(text: str) -> Iterator[tuple[int, int]]:
    """Yield pairs of neighbouring lines with as many cells between tabs, three or more, all of them short."""
    before: re.Match[str] | None = None
    starts = (text.rfind("\n", 0, tabs.start()) + 1 for tabs in _TWO_TABS.finditer(text))
    for start in dict.fromkeys(starts):
        row = _TAB_ROW.match(text, start)
        if row is None:
            continue
        if before and before.end() == row.start() and before.group().count("\t") == row.group().count("\t"):
            yield before.start(), row.end()
        before = row


def code_regions(source: SourceText, text: str) -> Regions:
    """Return Markdown's fenced code blocks and comments; a fence that is never closed opens nothing."""
    if source.format is not FileFormat.MARKDOWN:
        return Regions(())
    ranges = comments(text)
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        if opened is None:
            opened = match
        elif match[1].startswith(opened[1]) and not match[2].strip():
            ranges.append((opened.start(), match.end()))
            opened = None
    return Regions(ranges)
