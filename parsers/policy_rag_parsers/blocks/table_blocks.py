"""Tables in a text: those that its format marked, and those that its characters draw."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy_rag_parsers.records import SourceText, TableMark
from policy_rag_parsers.text.column_names import may_name_columns
from policy_rag_parsers.text.sentences import LIST_MARK, Span, trimmed

_BLOCK_START = re.compile(r"/Table Start[ \t]*$", re.IGNORECASE)
_BLOCK_END = re.compile(r"[ \t]*/Table End[ \t]*$", re.IGNORECASE)
_RULED = re.compile(r"\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?")
_BOUNDARY = re.compile(r"[\t|]")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without the blanks around it; empty when `first == last`."""

    first: int
    last: int


def find_tables(source: SourceText) -> tuple[TableMark, ...]:
    r"""All tables of a document, in order of `start`, not overlapping.

    Besides the marks of the source these are Markdown pipe tables, rows of cells joined by `" | "`, two lines or more
    with the same number of tab-separated cells, and what stands between the lines `/Table Start` and `/Table End`.
    A mark of the source wins over what is found in its place.

    >>> from policy_rag_parsers.records import FileFormat
    >>> find_tables(SourceText("| A | B |\n|---|---|\n| 1 | 2 |\n", FileFormat.MARKDOWN))
    (TableMark(start=0, end=29, header_end=19),)
    """
    found = list(_drawn(source.text, source.body_start))
    if source.tables:
        found = [t for t in found if not any(t.start < m.end and m.start < t.end for m in source.tables)]
    return tuple(sorted([*source.tables, *found], key=lambda table: table.start))


def table_rows(text: str, table: TableMark) -> list[Span]:
    """The rows of a table below its header, trimmed, in order; a row's cells may run over several lines.

    A line begins a row when it has as much as one cell boundary; a line without any continues the row before it.
    """
    rows: list[Span] = []
    for line in _lines(text, table.header_end, table.end):
        if line.first == line.last:
            continue
        if rows and _cells(text, line) < 2:
            rows[-1] = (rows[-1][0], line.last)
        else:
            rows.append((line.first, line.last))
    return rows


def header_span(text: str, table: TableMark) -> Span | None:
    """The header row without a Markdown table's ruled line, or None where the table has none."""
    lines = _header_lines(text, table)
    return (lines[0].first, lines[-1].last) if lines else None


def header_text(text: str, table: TableMark) -> str:
    """The header row as it is repeated before later rows: without a Markdown table's ruled line; "" without header."""
    return "\n".join(text[line.first : line.last] for line in _header_lines(text, table))


def _header_lines(text: str, table: TableMark) -> list[_Line]:
    lines = (line for line in _lines(text, table.start, table.header_end) if line.first < line.last)
    return [line for line in lines if not _RULED.fullmatch(text, line.first, line.last)]


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        yield _Line(*trimmed(text, at, stop))
        at = stop + 1


def _cells(text: str, line: _Line) -> int:
    """How many cells a line has; 1 is no row. The tab behind a clause's number bounds no cell."""
    if text.find("|", line.first, line.last) >= 0:
        inner = text.count("|", line.first, line.last)
        if text[line.first] == "|":
            return inner - (text[line.last - 1] == "|") or 1
        return text.count(" | ", line.first, line.last) + 1
    mark = LIST_MARK.match(text, line.first, line.last)
    begin = mark.end() if mark else line.first
    while begin < line.last and text[begin] in " \t":
        begin += 1
    return text.count("\t", begin, line.last) + 1


def _drawn(text: str, start: int) -> Iterator[TableMark]:
    """Tables that the characters draw, in order."""
    run: list[_Line] = []
    block: list[_Line] | None = None
    for line in _lines(text, start, len(text)):
        if block is not None:
            if _BLOCK_END.match(text, line.first, line.last):
                yield from _block_table(text, block)
                block = None
            else:
                block.append(line)
            continue
        if _opens_block(text, line):
            yield from _run_table(text, run)
            run, block = [], []
        elif _continues(text, run, line):
            run.append(line)
        else:
            yield from _run_table(text, run)
            run = [line] if _cells(text, line) > 1 else []
    yield from _run_table(text, run)


def _opens_block(text: str, line: _Line) -> bool:
    at = max(line.first, line.last - 20)
    return text.find("/", at, line.last) >= 0 and _BLOCK_START.search(text, at, line.last) is not None


def _continues(text: str, run: Sequence[_Line], line: _Line) -> bool:
    if not run or line.first == line.last:
        return False
    if text[line.first] == "|" or _RULED.fullmatch(text, line.first, line.last):
        return True
    first = _cells(text, run[0])
    # A bar at the head alone may follow an empty first cell, as over the names of rows.
    half_framed = text[run[0].first] == "|" != text[run[0].last - 1]
    return _cells(text, line) in (first, first + half_framed)


def _run_table(text: str, run: Sequence[_Line]) -> Iterator[TableMark]:
    if len(run) < 2:
        return
    ruled = _RULED.fullmatch(text, run[1].first, run[1].last) is not None
    if ruled:
        header_end = run[1].last
    else:
        header_end = run[0].last if len(run) > 2 and _looks_like_header(text, run[0]) else run[0].first
    yield TableMark(run[0].first, run[-1].last, header_end)


def _block_table(text: str, block: Sequence[_Line]) -> Iterator[TableMark]:
    lines = [line for line in block if line.first < line.last]
    if not lines:
        return
    has_header = len(lines) > 1 and _cells(text, lines[0]) > 1 and _looks_like_header(text, lines[0])
    yield TableMark(lines[0].first, lines[-1].last, lines[0].last if has_header else lines[0].first)


def _looks_like_header(text: str, line: _Line) -> bool:
    return may_name_columns(_BOUNDARY.split(text[line.first : line.last]))
