"""The tables of a PDF page: drawn as a grid, between horizontal rules, under a header in bold; and of contents."""

from collections.abc import Iterable, Sequence
from typing import Final

from policy_rag_parsers.loaders.pdf.borderless_tables import (
    LEAST_RULES,
    bare_tables,
    rule_stacks,
    ruled_table,
    ruled_tables,
)
from policy_rag_parsers.loaders.pdf.cells import NEAR, PageTable
from policy_rag_parsers.loaders.pdf.contents import entry_text, find_contents, may_hold_contents
from policy_rag_parsers.loaders.pdf.lines import TextLine, gather_lines
from policy_rag_parsers.loaders.pdf.page import PageContent
from policy_rag_parsers.loaders.pdf.reading_order import PageColumns
from policy_rag_parsers.loaders.pdf.ruled_tables import RuledGrid, grids
from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.words import Box, PdfWord

MAX_RULES: Final = 3000
"""A page with more rules holds a drawing."""


def find_tables(content: PageContent, pages: int, columns: PageColumns) -> tuple[list[PageTable], list[PdfWord]]:
    """The tables of a page from top to bottom, and the words that are in none of them.

    Args:
        content: what is on the page.
        pages: how many pages the document has.
        columns: what its pages tell of columns.
    """
    words = list(content.words)
    tables: list[PageTable] = []

    def take(table: PageTable | None) -> None:
        if table is not None:
            tables.append(table)
            words[:] = (word for word in words if not table.box.holds(word))

    across: list[Rule] = []
    if len(content.across) + len(content.down) <= MAX_RULES:
        across = _merged(content.across)
        for grid in grids(across, _merged(content.down)):
            take(_read(grid, words))
        for rules in rule_stacks(across, tables):
            for table in ruled_tables(rules, words):
                take(table)
    for entries in find_contents(gather_lines(words), pages) if may_hold_contents(words) else ():
        take(_of_contents(entries))
    for table in bare_tables(words, across, columns):
        take(table)
    return sorted(tables, key=lambda table: table.box.top), words


def without_contents(columns: Sequence[list[TextLine]], pages: int) -> tuple[list[list[TextLine]], list[PageTable]]:
    """The columns of a page without the tables of contents in them, and these.

    Args:
        columns: lines from top to bottom.
        pages: how many pages the document has.
    """
    tables: list[PageTable] = []
    rest: list[list[TextLine]] = []
    for column in columns:
        found = find_contents(column, pages)
        tables.extend(map(_of_contents, found))
        taken = {id(line) for entries in found for entry in entries for line in entry}
        rest.append([line for line in column if id(line) not in taken])
    return [column for column in rest if column], tables


def _of_contents(entries: Sequence[Sequence[TextLine]]) -> PageTable:
    box = Box.around(word for entry in entries for line in entry for word in line.words)
    return PageTable(box, tuple((entry_text(entry),) for entry in entries), header_rows=0, contents=True)


def _read(grid: RuledGrid, words: list[PdfWord]) -> PageTable | None:
    """The table of a grid: by its walls, or where rows lack them by blanks, if that fills more cells of the columns."""
    walled, rules = grid.table(words), grid.open_rules()
    if walled is None or len(rules) < LEAST_RULES:
        return walled
    blank = ruled_table(rules, words)
    if blank is None or len(blank.rows[0]) < len(walled.rows[0]):
        return walled
    return blank if sum(map(bool, blank.cells())) > sum(map(bool, walled.cells())) else walled


def _merged(rules: Iterable[Rule]) -> list[Rule]:
    """Rules on one line that touch become one."""
    merged: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.at), rule.low)):
        last = merged[-1] if merged else None
        if last is not None and abs(last.at - rule.at) <= 1.5 and rule.low <= last.high + NEAR:
            merged[-1] = Rule(last.at, last.low, max(last.high, rule.high))
        else:
            merged.append(rule)
    return merged
