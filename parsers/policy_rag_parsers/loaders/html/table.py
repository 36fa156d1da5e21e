"""Tables of an HTML page: which ones hold data, and their rows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.clause_tables import are_clause_numbers
from policy_rag_parsers.loaders.html.hidden_text import is_unseen
from policy_rag_parsers.loaders.html.superscripts import joined, raised_text
from policy_rag_parsers.loaders.html.symbols import sign_text
from policy_rag_parsers.loaders.size_limits import MOST_CELLS, require_at_most
from policy_rag_parsers.loaders.text_builder import LONGEST_REPEATED, one_line

_BLOCKS_IN_CELL: Final = frozenset({"p", "div", "li", "br", "tr", "dt", "dd", "blockquote"})
_MAX_SPAN: Final = 100
_DRAWN: Final = re.compile(
    r"border[a-z-]*\s*:[^;]*\b(?:solid|double|dashed|dotted|groove|ridge|inset|outset)\b", re.IGNORECASE
)
_BOLD: Final = re.compile(r"font-weight\s*:\s*(?:bold|[6-9]00)", re.IGNORECASE)
_STYLE_CHARS: Final = 1000  # of a style, at most, are read


def is_layout(table: etree._Element) -> bool:
    """Whether a table only places blocks on the page: it holds headings or tables, or has one column and no header.

    Its cells are then read as blocks, one after another.
    """
    if table.get("role") in {"presentation", "none"}:
        return True
    if next(table.iterdescendants("table", "h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
        return True
    rows = [list(row.iterchildren("td", "th")) for row in table.iterdescendants("tr")]
    return max(map(len, rows), default=0) < 2 and (len(rows) < 2 or next(table.iterdescendants("th"), None) is None)


def clause_cells(table: etree._Element) -> list[tuple[etree._Element, etree._Element]]:
    """The number and the text of each clause, where a table without borders sets nothing else; else nothing."""
    rows = [list(row.iterchildren("td", "th")) for row in _rows(table)]
    if any(len(row) != 2 or row[0].tag == "th" or row[0].find(".//table") is not None for row in rows):
        return []
    if table.get("border", "0") != "0" or any(_has_border(cell) for cell in (table, *chain(*rows))):
        return []
    pairs = [(number, text) for number, text in rows]
    return pairs if are_clause_numbers(cell_text(number) for number, _ in pairs) else []


def _has_border(element: etree._Element) -> bool:
    return _DRAWN.search((element.get("style") or "")[:_STYLE_CHARS]) is not None


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table, without those of tables in its cells."""
    for part in table:
        if part.tag == "tr":
            yield part
        elif part.tag in {"thead", "tbody", "tfoot"}:
            yield from part.iterchildren("tr")


def table_rows(table: etree._Element) -> tuple[list[list[str]], int]:
    """The cells of a table and how many rows at its head are its header: marked so, or in bold over one that is not.

    All rows have as many cells. A cell that spans columns has its text in the first of its places and "" in the
    others. One that spans rows has it in each row below the header, since it belongs to each, where it is no longer
    than `LONGEST_REPEATED` characters; a row with nothing of its own stays empty.

    Raises:
        LoadError: there are more than `MOST_CELLS`.
    """
    rows: list[list[str]] = []
    below: dict[int, _Spanning] = {}  # by column
    header_rows = width = 0
    bold: list[bool] = []
    for row in table.iterdescendants("tr"):
        if is_unseen(row):
            continue
        cells, header = _row(row, below)
        if header and header_rows == len(rows):
            header_rows += 1
        bold += [_is_bold(row)] if len(bold) < 2 else []
        rows.append(cells)
        width = max(width, len(cells))
        require_at_most(width * len(rows), MOST_CELLS, "cells in one table")
    return [cells + [""] * (width - len(cells)) for cells in rows], header_rows or int(bold == [True, False])


def _is_bold(row: etree._Element) -> bool:
    """Whether all text of a row is bold, of which there is some."""
    depth, seen = 0, False
    for event, element in etree.iterwalk(row, events=("start", "end")):
        bold = element.tag in {"b", "strong"} or _BOLD.search((element.get("style") or "")[:_STYLE_CHARS]) is not None
        depth += bold if event == "start" else -bold
        text = element.text if event == "start" else element.tail
        if text and text.strip():
            if not depth:
                return False
            seen = True
    return seen


@dataclass(slots=True)
class _Spanning:
    """A cell from above: what it says, and in how many more rows it covers its column."""

    text: str
    rows: int


def _row(row: etree._Element, below: dict[int, _Spanning]) -> tuple[list[str], bool]:
    parent = row.getparent()
    found = list(row.iterchildren("td", "th"))
    header = (parent is not None and parent.tag == "thead") or (bool(found) and all(cell.tag == "th" for cell in found))
    texts = [cell_text(cell) for cell in found]
    repeated = any(texts) and not header
    cells: list[str] = []
    for cell, text in zip(found, texts, strict=True):
        _covered(cells, below, repeated=repeated)
        across, down = _span(cell, "colspan"), _span(cell, "rowspan")
        parts = [text, *[""] * (across - 1)]
        if down > 1:
            below.update((len(cells) + at, _Spanning(part, down - 1)) for at, part in enumerate(parts))
        cells.extend(parts)
    _covered(cells, below, repeated=repeated)
    return cells, header


def _covered(cells: list[str], below: dict[int, _Spanning], *, repeated: bool) -> None:
    """Fill the places of cells from above that come next in the row."""
    while (above := below.get(len(cells))) is not None and above.rows:
        above.rows -= 1
        cells.append(above.text if repeated and len(above.text) <= LONGEST_REPEATED else "")


def _span(cell: etree._Element, name: str) -> int:
    written = cell.get(name, "1").strip()
    return min(max(int(written), 1), _MAX_SPAN) if written.isascii() and written.isdigit() else 1


def cell_text(cell: etree._Element) -> str:
    """What a reader sees of a cell or a caption, on one line."""
    return one_line(joined(list(_strings(cell))))


def _strings(cell: etree._Element) -> Iterator[str]:
    steps = etree.iterwalk(cell, events=("start", "end"))
    for event, element in steps:
        if event == "start":
            if is_unseen(element):
                steps.skip_subtree()
                continue
            written = sign_text(element)
            if written is None and element is not cell:
                written = raised_text(element)
            if written is not None:
                yield written
                steps.skip_subtree()
                continue
            if element.tag in _BLOCKS_IN_CELL:
                yield " "
            yield element.text or ""
        elif element is not cell:
            if element.tag in _BLOCKS_IN_CELL:
                yield " "
            yield element.tail or ""
