"""Tables of a Word document: which hold data, which only place text on the page; where their header ends."""

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.clause_tables import are_clause_numbers
from policy_rag_parsers.loaders.docx.numbering import Numbering
from policy_rag_parsers.loaders.docx.paragraph_text import paragraphs
from policy_rag_parsers.loaders.docx.styles import Styles
from policy_rag_parsers.loaders.docx.xml import SKIPPED, W, child, flag, integer, value
from policy_rag_parsers.loaders.text_builder import one_line

_MAX_SPAN: Final = 100
_MOST_STYLED: Final = 2  # rows of a header, as merged cells make it, that only the table's style lets stand out
_THROUGH: Final = frozenset({W + "sdt", W + "sdtContent", W + "ins", W + "customXml"})
_BORDERLESS: Final = frozenset({"nil", "none"})


class Layout(Enum):
    """What a table is for."""

    DATA = auto()  # rows of cells
    FRAME = auto()  # blocks that are placed or boxed: read cell by cell
    CLAUSES = auto()  # the numbers of paragraphs and their text, beside each other


def layout_of(table: etree._Element, styles: Styles, numbering: Numbering) -> Layout:
    """What a table is for.

    A frame has one column, unless that is a list of lines under a header, or headings below its first row: such as
    stand over other text, where it has more than two columns. Clauses stand without borders in two columns, the first
    of which holds nothing but numbers.
    """
    cells = [list(children(row, "tc")) for row in rows(table)]
    if not cells:
        return Layout.DATA
    if all(len(row) == 1 for row in cells):
        listed = len(cells) > 1 and not any(_has_heading(row[0], styles) or _has_more(row[0]) for row in cells[1:])
        return Layout.DATA if listed and header_rows(table, styles) else Layout.FRAME
    narrow = max(map(len, cells)) <= 2
    if any(_has_heading(cell, styles) and (narrow or _has_more(cell)) for row in cells[1:] or cells for cell in row):
        return Layout.FRAME
    if all(len(row) == 2 for row in cells) and not _has_borders(table, styles) and _are_numbered(cells, numbering):
        return Layout.CLAUSES
    return Layout.DATA


def rows(table: etree._Element) -> Iterator[etree._Element]:
    """The rows of a table that are not deleted."""
    return (row for row in children(table, "tr") if child(row, "trPr", "del") is None)


def children(container: etree._Element, name: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, through content controls."""
    for node in container:
        if node.tag == W + name:
            yield node
        elif node.tag in _THROUGH:
            yield from children(node, name)


def blocks(container: etree._Element) -> Iterator[etree._Element]:
    """Paragraphs, tables and embedded files in order, through content controls and tracked insertions."""
    for node in container:
        if node.tag in {W + "p", W + "tbl", W + "altChunk"}:
            yield node
        elif isinstance(node.tag, str) and node.tag not in SKIPPED:
            yield from blocks(node)


def span(element: etree._Element | None) -> int:
    """Over how many columns something goes, from 0 to 100; 1 where it does not say."""
    return min(max(integer(element, 1), 0), _MAX_SPAN)


def titles(table: etree._Element, styles: Styles) -> list[etree._Element]:
    """The cells of the first rows that hold nothing but a heading: it stands over the table, and is no part of it."""
    found: list[etree._Element] = []
    for row in rows(table):
        cells = list(children(row, "tc"))
        if len(cells) != 1 or not _has_heading(cells[0], styles) or _has_more(cells[0]):
            return found
        found.append(cells[0])
    return []


def header_rows(table: etree._Element, styles: Styles) -> int:
    """How many rows below its titles are its header: those repeated on each page, or a first one that stands out."""
    found = list(rows(table))[len(titles(table, styles)) :]
    repeated = 0
    while repeated < len(found) and flag(child(found[repeated], "trPr", "tblHeader")):
        repeated += 1
    if repeated or len(found) < 2:
        return repeated
    depth = 1
    while depth < len(found) and any(goes_on(cell) for cell in children(found[depth], "tc")):
        depth += 1  # cells of the first row go on in this one
    return next((rows for rows in (depth, 1) if rows < len(found) and _stand_out(table, found, rows, styles)), 0)


def goes_on(cell: etree._Element) -> bool:
    """Whether a cell is the lower part of one that begins in a row above."""
    merged = child(cell, "tcPr", "vMerge")
    return merged is not None and value(merged, "continue") == "continue"


def _stand_out(table: etree._Element, found: Sequence[etree._Element], depth: int, styles: Styles) -> bool:
    """Whether the first rows are laid out as a header: by the table's style, or in bold while the next is not."""
    look = child(table, "tblPr", "tblLook")
    styled = value(child(table, "tblPr", "tblStyle"), "") not in {"", "TableGrid", "TableNormal", "Table Grid"}
    if styled and look is not None and _first_row_flag(look) and depth <= _MOST_STYLED:
        return True
    return all(_is_bold(row, styles) for row in found[:depth]) and not _is_bold(found[depth], styles)


def _first_row_flag(look: etree._Element) -> bool:
    explicit = look.get(W + "firstRow")
    if explicit is not None:
        return explicit in {"1", "true", "on"}
    try:
        return bool(int(look.get(W + "val", "0"), 16) & 0x20)
    except ValueError:
        return False


def _is_bold(row: etree._Element, styles: Styles) -> bool:
    seen = False
    for paragraph in paragraphs(row):
        of_paragraph = styles.look(paragraph)
        for run in paragraph.iter(W + "r"):
            look = styles.run_look(run, of_paragraph)
            if look.unseen or not _text(run):
                continue
            if not look.bold:
                return False
            seen = True
    return seen


def _has_more(cell: etree._Element) -> bool:
    """Whether a cell holds more than one paragraph."""
    filled = [block for block in blocks(cell) if block.tag != W + "p" or _text(block)]
    return len(filled) > 1 or any(block.tag != W + "p" for block in filled)


def _has_heading(cell: etree._Element, styles: Styles) -> bool:
    return any(styles.outline_level(paragraph) and _text(paragraph) for paragraph in paragraphs(cell))


def _has_borders(table: etree._Element, styles: Styles) -> bool:
    properties = [child(table, "tblPr"), *(child(style, "tblPr") for style in styles.of_table(table))]
    drawn = [child(one, "tblBorders") for one in properties] + list(table.iter(W + "tcBorders"))
    return any(value(line, "nil") not in _BORDERLESS for lines in drawn if lines is not None for line in lines)


def _are_numbered(cells: Sequence[Sequence[etree._Element]], numbering: Numbering) -> bool:
    """Whether first cells hold the numbers of clauses, written or counted."""
    held = [list(paragraphs(row[0])) for row in cells]
    texts = [one_line(" ".join(map(_text, cell))) for cell in held]
    counted = any(not text and any(map(numbering.is_list, cell)) for text, cell in zip(texts, held, strict=True))
    return are_clause_numbers(texts, counted=counted)


def _text(element: etree._Element) -> str:
    return "".join(node.text or "" for node in element.iter(W + "t")).strip()
