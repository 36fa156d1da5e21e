"""Tables that Markdown writes in HTML, as exports of wikis do: read as rows of cells, all else kept in its place."""

import re
from collections.abc import Iterator
from typing import Final

from policy_rag_parsers.loaders.struck_markdown import fence_end
from policy_rag_parsers.loaders.text_builder import CELL_SEPARATOR, one_line
from policy_rag_parsers.records import TableMark
from policy_rag_parsers.text.column_names import reads_as_header

_MAY_HOLD: Final = re.compile(r"^ {0,3}<table\b", re.MULTILINE | re.IGNORECASE)
_TOKEN: Final = re.compile(
    r"^ {0,3}(?:(?P<fence>`{3,}|~{3,})[^`\n]*$|<table\b)|(?P<comment><!--)", re.MULTILINE | re.IGNORECASE
)
_TABLE: Final = re.compile(r" *<table\b(?:(?!<table\b).)*?</table>", re.DOTALL | re.IGNORECASE)
_ROW: Final = re.compile(r"<tr\b", re.IGNORECASE)


def with_rows(text: str, start: int = 0) -> tuple[str, tuple[TableMark, ...]]:
    r"""A text of Markdown with a line for each row of the tables in it that are written in HTML, from `start` on.

    Each row stands on the line on which it begins, or on the next one that is free; the rest of the table becomes
    blank, so that all lines keep their numbers and what stands behind the table its place. A table that only sets
    blocks, or has more rows than lines, stays as it is written.

    Returns:
        The text, and where these tables stand in it.

    >>> text, marks = with_rows("<table>\n<tr><th>Days</th></tr>\n<tr><td>25</td></tr>\n</table>\n")
    >>> [line.rstrip() for line in text.split("\n")], [text[mark.start:mark.end].split() for mark in marks]
    (['', 'Days', '25', '', ''], [['Days', '25']])
    """
    if not _MAY_HOLD.search(text, start):
        return text, ()
    parts, marks = [text[:start]], list[TableMark]()
    at = start
    for first in _places(text, start):
        written = _TABLE.match(text, first) if first >= at else None
        read = _read(written[0]) if written else None
        if written is None or read is None:
            continue
        lines, header_rows = read
        marks.append(_mark(lines, header_rows, first))
        parts += [text[at:first], "\n".join(lines)]
        at = written.end()
    return "".join([*parts, text[at:]]), tuple(marks)


def _places(text: str, start: int) -> Iterator[int]:
    """Where lines begin with a table, outside of code and comments."""
    at, last_closed = start, text.rfind("-->")
    while token := _TOKEN.search(text, at):
        at = token.end()
        if token["fence"]:
            at = fence_end(text, at, token["fence"])
        elif token["comment"]:
            at = text.find("-->", at) if at <= last_closed else at
        else:
            yield token.start()


def _read(written: str) -> tuple[list[str], int] | None:
    """The lines of a table, rows on some of them, and how many rows are its header; None where it stays as it is."""
    from lxml import etree

    from policy_rag_parsers.loaders.html.table import is_layout, table_rows

    root = etree.fromstring(written, etree.HTMLParser(remove_comments=True, remove_pis=True, no_network=True))
    table = None if root is None else root.find(".//table")
    if table is None or is_layout(table) or table.find("caption") is not None:
        return None
    rows, header_rows = table_rows(table)
    begun = [written.count("\n", 0, row.start()) for row in _ROW.finditer(written)]
    lines = [""] * (written.count("\n") + 1)
    at = -1
    if len(begun) != len(rows):
        return None
    for place, row in zip(begun, rows, strict=True):
        at = max(at + 1, place)
        if at >= len(lines):
            return None
        lines[at] = CELL_SEPARATOR.join(map(one_line, row)) if any(row) else ""
    padded = _padded(lines, written.split("\n"))
    return (padded, header_rows or int(reads_as_header(rows))) if padded and any(lines) else None


def _padded(lines: list[str], written: list[str]) -> list[str] | None:
    """The lines with blanks behind them, together as long as those that were written; None where that is too short."""
    padded = list[str]()
    over = 0
    for line, before in zip(lines, written, strict=True):
        padded.append(line.ljust(len(before) - over))
        over += len(padded[-1]) - len(before)
    return None if over else padded


def _mark(lines: list[str], header_rows: int, start: int) -> TableMark:
    ends = list[int]()
    first = at = start
    for line in lines:
        if line.strip():
            first = first if ends else at
            ends.append(at + len(line.rstrip()))
        at += len(line) + 1
    return TableMark(first, ends[-1], ends[header_rows - 1] if header_rows else first)
