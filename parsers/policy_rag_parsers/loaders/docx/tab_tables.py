"""Tables that tab stops make: neighbouring lines of a Word document with as many cells between tabs."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.clause_tables import are_clause_numbers
from policy_rag_parsers.loaders.docx.xml import W
from policy_rag_parsers.loaders.text_builder import one_line

_LONGEST_CELL: Final = 60
_FEWEST_ROWS: Final = {2: 3}  # of two columns, as addresses and a few labels have them too; else
_FEWEST: Final = 2
_TABS: Final = re.compile(r"\t+")
_SIGNS: Final = {W + "tab": "\t", W + "br": "\n", W + "cr": "\n"}


def columns(paragraph: etree._Element) -> int:
    """How many cells each line of a paragraph has, all of them short; 0 where it has none."""
    if next(paragraph.iterfind(f".//{W}r/{W}tab"), None) is None:
        return 0
    counts = {len(row) if _is_row(row) else 0 for row in written(paragraph)}
    return counts.pop() if len(counts) == 1 else 0


def written(paragraph: etree._Element) -> list[list[str]]:
    """The cells of each line of a paragraph as its runs have them."""
    nodes = (node for run in paragraph.iter(W + "r") for node in run.iterchildren(W + "t", *_SIGNS))
    return cells("".join(_SIGNS.get(node.tag, node.text or "") for node in nodes))


def cells(text: str) -> list[list[str]]:
    r"""The cells of each line.

    >>> cells("Grade\tDays\n\nA\t\t25")
    [['Grade', 'Days'], ['A', '25']]
    """
    return [[one_line(cell) for cell in _TABS.split(line.strip())] for line in text.split("\n") if line.strip()]


def is_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows of as many cells are a table: no numbered clauses, and no entries with their pages."""
    if len(rows) < _FEWEST_ROWS.get(len(rows[0]), _FEWEST) or are_clause_numbers(row[0] for row in rows):
        return False
    last = [row[-1] for row in rows]
    paged = all(map(str.isdecimal, last)) and all(int(one) <= int(two) for one, two in pairwise(last))
    return len(rows[0]) > 2 or not paged


def _is_row(row: Sequence[str]) -> bool:
    return len(row) > 1 and all(len(cell) <= _LONGEST_CELL and cell.strip("_.…- ") for cell in row)
