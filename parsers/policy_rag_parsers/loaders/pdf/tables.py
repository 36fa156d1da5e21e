"""The tables of a PDF page: drawn as a grid, between horizontal rules, or under a header in bold."""

from collections.abc import Iterable
from typing import Final

from policy_rag_parsers.loaders.pdf.borderless_tables import (
    LEAST_RULES,
    bare_tables,
    rule_stacks,
    ruled_table,
    ruled_tables,
)
from policy_rag_parsers.loaders.pdf.cells import NEAR, PageTable
from policy_rag_parsers.loaders.pdf.page import PageContent, Rule, Word
from policy_rag_parsers.loaders.pdf.ruled_tables import Grid, grids

MAX_RULES: Final = 3000
"""A page with more rules holds a drawing."""


def find_tables(content: PageContent) -> tuple[list[PageTable], list[Word]]:
    """The tables of a page from top to bottom, and the words that are in none of them."""
    words = list(content.words)
    tables: list[PageTable] = []

    def take(table: PageTable | None) -> None:
        if table is not None:
            tables.append(table)
            words[:] = (word for word in words if not _inside(word, table))

    across: list[Rule] = []
    if len(content.across) + len(content.down) <= MAX_RULES:
        across = _merged(content.across)
        for grid in grids(across, _merged(content.down)):
            take(_read(grid, words))
        for rules in rule_stacks(across, tables):
            for table in ruled_tables(rules, words):
                take(table)
    for table in bare_tables(words, across):
        take(table)
    return sorted(tables, key=lambda table: table.top), words


def _read(grid: Grid, words: list[Word]) -> PageTable | None:
    """The table of a grid: by its walls, or where rows lack them by blanks, if that fills more cells of the columns."""
    walled, rules = grid.table(words), grid.open_rules()
    if walled is None or len(rules) < LEAST_RULES:
        return walled
    blank = ruled_table(rules, words)
    if blank is None or len(blank.rows[0]) < len(walled.rows[0]):
        return walled
    return blank if sum(map(bool, blank.cells())) > sum(map(bool, walled.cells())) else walled


def _inside(word: Word, table: PageTable) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return table.x0 <= x <= table.x1 and table.top <= y <= table.bottom


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
