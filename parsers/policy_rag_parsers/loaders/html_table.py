"""Tables of an HTML page: which ones hold data, and their rows."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.builder import one_line

_BLOCKS_IN_CELL: Final = frozenset({"p", "div", "li", "br", "tr", "dt", "dd", "blockquote"})
_UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "del"})
_MAX_SPAN: Final = 100


def is_layout(table: etree._Element) -> bool:
    """Whether a table only places blocks on the page: it holds headings or tables, or has a single cell.

    Its cells are then read as blocks, one after another.
    """
    if table.get("role") in {"presentation", "none"}:
        return True
    if next(table.iterdescendants("table", "h1", "h2", "h3", "h4", "h5", "h6"), None) is not None:
        return True
    cells = table.iterdescendants("td", "th")
    return next(cells, None) is None or next(cells, None) is None


def table_rows(table: etree._Element) -> tuple[list[list[str]], int]:
    """The cells of a table and how many rows at its head are its header.

    A cell that spans rows or columns has its text in the first of its places and "" in the others, so that all rows
    keep their columns.
    """
    rows: list[list[str]] = []
    below: dict[int, int] = {}  # column -> in how many more rows a cell from above covers it
    header_rows = 0
    for row in table.iterdescendants("tr"):
        cells, header = _row(row, below)
        if header and header_rows == len(rows):
            header_rows += 1
        rows.append(cells)
    width = max(map(len, rows), default=0)
    return [cells + [""] * (width - len(cells)) for cells in rows], header_rows


def _row(row: etree._Element, below: dict[int, int]) -> tuple[list[str], bool]:
    cells: list[str] = []
    parent = row.getparent()
    header = parent is not None and parent.tag == "thead"
    found = list(row.iterchildren("td", "th"))
    for cell in found:
        _covered(cells, below)
        across, down = _span(cell, "colspan"), _span(cell, "rowspan")
        for column in range(len(cells), len(cells) + across):
            if down > 1:
                below[column] = down - 1
        cells.extend([_cell_text(cell), *[""] * (across - 1)])
    _covered(cells, below)
    return cells, header or (bool(found) and all(cell.tag == "th" for cell in found))


def _covered(cells: list[str], below: dict[int, int]) -> None:
    while below.get(len(cells), 0):
        below[len(cells)] -= 1
        cells.append("")


def _span(cell: etree._Element, name: str) -> int:
    written = cell.get(name, "1").strip()
    return min(max(int(written), 1), _MAX_SPAN) if written.isascii() and written.isdigit() else 1


def _cell_text(cell: etree._Element) -> str:
    return one_line("".join(_strings(cell)))


def _strings(cell: etree._Element) -> Iterator[str]:
    steps = etree.iterwalk(cell, events=("start", "end"))
    for event, element in steps:
        if event == "start":
            if element.tag in _UNSEEN or element.get("hidden") is not None:
                steps.skip_subtree()
                continue
            if element.tag in _BLOCKS_IN_CELL:
                yield " "
            yield element.text or ""
        elif element is not cell:
            if element.tag in _BLOCKS_IN_CELL:
                yield " "
            yield element.tail or ""


__all__ = ["is_layout", "table_rows"]
