"""DOCX: paragraphs and tables in document order, with the numbers that Word writes before them.

Read: the body with content controls, hyperlinks, text boxes, SmartArt, formulas, form fields, embedded HTML and text,
and insertions that are not accepted yet; footnotes and endnotes, as "[1] ..." after the block that refers to them. Left
out: deletions, what is struck out or hidden, by itself or by its style. Page headers and footers are kept apart.
"""

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx import tab_tables
from policy_rag_parsers.loaders.docx.contents import contents_entry, contents_paragraphs
from policy_rag_parsers.loaders.docx.data_tables import (
    Layout,
    blocks,
    children,
    goes_on,
    header_rows,
    layout_of,
    rows,
    span,
    titles,
)
from policy_rag_parsers.loaders.docx.numbering import Numbering
from policy_rag_parsers.loaders.docx.package import open_document
from policy_rag_parsers.loaders.docx.paragraph_text import DocxParagraph, NoteKey, TextReader, paragraphs
from policy_rag_parsers.loaders.docx.related_parts import diagram_texts, embedded_file, margin_lines, note_elements
from policy_rag_parsers.loaders.docx.styles import Styles
from policy_rag_parsers.loaders.docx.tracked_changes import accept_deleted_marks
from policy_rag_parsers.loaders.docx.xml import W, child, flag, value
from policy_rag_parsers.loaders.list_numerals import BULLET
from policy_rag_parsers.loaders.size_limits import MOST_CELLS, require_at_most
from policy_rag_parsers.loaders.style_groups import StyleGroups
from policy_rag_parsers.loaders.text_builder import LONGEST_REPEATED, TextBuilder, lines, one_line
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.text.column_names import may_name_columns

if TYPE_CHECKING:
    from docx.document import Document

# What zipfile, lxml and python-docx raise on bytes that only look like a Word document.
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, etree.LxmlError, LookupError, ValueError, TypeError, AttributeError, OSError,
    RuntimeError,
)  # fmt: skip


def load_docx(data: bytes) -> SourceText:
    """Read a Word document.

    Raises:
        LoadError: the bytes are no Word document, are encrypted, or are broken.
    """
    try:
        document = open_document(data)
        reader = _Reader(document)
        reader.read_body()
        return reader.finish(_title(document))
    except _BROKEN as error:
        raise LoadError("is not a Word document, or a broken one; open it in Word and save it as .docx") from error


def _title(document: "Document") -> str | None:
    try:
        return one_line(document.core_properties.title or "") or None
    except AttributeError:
        # The part is there and holds something else: a file without a title is still worth reading.
        return None


@dataclass(slots=True)
class _Beside:
    """What a block refers to and what is anchored in it: written after the block."""

    notes: list[NoteKey] = field(default_factory=list)
    boxes: list[etree._Element] = field(default_factory=list)
    diagrams: list[str] = field(default_factory=list)
    pages: int = 0  # how many pages begin within a table

    def take(self, found: DocxParagraph) -> None:
        """Remember what was met in a paragraph of a table."""
        self.notes.extend(found.notes)
        self.boxes.extend(found.boxes)
        self.diagrams.extend(found.diagrams)
        self.pages += len(found.breaks)


class _Reader:
    """One pass over a document."""

    def __init__(self, document: "Document") -> None:
        body = document.element.find(W + "body")
        if body is None:
            raise LoadError("is a broken Word document without a body; open it in Word and save it again")
        accept_deleted_marks(body)
        self._document = document
        self._body: etree._Element = body
        self._styles = Styles(document)
        self._numbering = Numbering(document, self._styles)
        self._rendered = next(self._body.iter(W + "lastRenderedPageBreak"), None) is not None
        self._text = TextReader(self._styles, self._numbering, note_elements(document), rendered=self._rendered)
        self._out = TextBuilder()
        self._groups = StyleGroups()
        self._page = 1
        self._contents = contents_paragraphs(body, self._styles)
        self._unread: list[str] = []  # why embedded files are not read
        self._has_title = any(
            self._styles.is_title(paragraph) and any((node.text or "").strip() for node in paragraph.iter(W + "t"))
            for paragraph in self._body.iter(W + "p")
        )

    def read_body(self) -> None:
        """Read all blocks of the body."""
        self._out.page(1)
        self._read_blocks(self._body)

    def finish(self, title: str | None) -> SourceText:
        """The document as text; page marks only where it has more than one page."""
        self._groups.mark(self._out)
        if self._page == 1:
            self._out.drop_pages()
        notes = [*self._unread, *_left_out(self._text)]
        margins = margin_lines(self._document, self._text)
        return self._out.build(FileFormat.DOCX, title=title, notes=notes, margins=margins)

    def _read_blocks(self, container: etree._Element) -> None:
        for columns, run in groupby(blocks(container), key=self._columns):
            read = list(run)
            if not columns or not self._tabbed(read):
                for block in read:
                    self._read_block(block)

    def _columns(self, block: etree._Element) -> int:
        """How many columns the tabs of a plain paragraph make; 0 where they make none."""
        if block.tag != W + "p" or block in self._contents or self._level(block) or self._numbering.is_list(block):
            return 0
        if flag(child(block, "pPr", "pageBreakBefore")) or _ends_page(block):
            return 0
        return tab_tables.columns(block)

    def _tabbed(self, paragraphs: Sequence[etree._Element]) -> bool:
        """Read paragraphs with as many columns as a table, and say whether they are one."""
        if not tab_tables.is_table([row for one in paragraphs for row in tab_tables.written(one)]):
            return False
        beside = _Beside()
        read: list[list[str]] = []
        for paragraph in paragraphs:
            found = self._text.read(paragraph)
            read += tab_tables.cells(found.text)
            beside.take(found)
        for _ in range(beside.pages):
            self._new_page(0)
        self._out.table(read, int(may_name_columns(read[0])))
        self._write_beside(beside)
        return True

    def _read_block(self, block: etree._Element) -> None:
        if block.tag == W + "p":
            self._paragraph(block)
        elif block.tag == W + "tbl":
            self._table(block)
        elif (chunk := self._chunk(block)) is not None:
            self._out.include(chunk, below=int(self._has_title))

    def _paragraph(self, element: etree._Element, lead: str = "") -> bool:
        """Read a paragraph and say whether there is text in it; `lead` is its number where a cell of its own has it."""
        if not self._rendered and flag(child(element, "pPr", "pageBreakBefore")):
            self._new_page(0)
        found = self._text.read(element)
        text = lines(found.text)
        # A hidden paragraph is not counted by its list.
        marker = self._numbering.marker(element) if text or not self._styles.mark_is_hidden(element) else ""
        if text:
            self._write(element, found, lead + marker)
        else:
            if next(element.iter(W + "drawing", W + "pict"), None) is not None:
                self._groups.add_picture(self._out.length)
            for _ in found.breaks:
                self._new_page(0)
        if not self._rendered and _ends_page(element):
            self._new_page(0)
        self._write_beside(found)
        return bool(text)

    def _write(self, element: etree._Element, found: DocxParagraph, marker: str) -> None:
        text = lines(found.text)
        before = self._out.length
        level = self._level(element)
        if element in self._contents:
            self._out.contents(contents_entry(marker + found.text))
        elif level:
            self._out.heading(one_line(marker + text), level)
        elif marker or self._numbering.is_list(element):
            start = self._out.item(marker + text)
            if not marker.startswith(BULLET):
                self._groups.add(start, marker + text, found.look, is_item=True)
        else:
            self._groups.add(self._out.block(text), text, found.look)
        for part in found.breaks:
            lead = lines("".join(found.parts[:part]))
            whole = self._out.length - before
            # A page that begins within the paragraph begins as far from its end as the text that is left is long.
            rest = len(lines("".join(found.parts[part:])))
            self._new_page(-rest if lead else -whole)

    def _level(self, element: etree._Element) -> int:
        if self._styles.is_title(element):
            return 1
        level = self._styles.outline_level(element)
        if not level:
            return 0
        return level + 1 if self._has_title else level

    def _new_page(self, ahead: int) -> None:
        self._page += 1
        self._out.page(self._page, ahead)

    def _write_beside(self, found: DocxParagraph | _Beside) -> None:
        for box in found.boxes:
            self._read_blocks(box)
        for identity in found.diagrams:
            for text in diagram_texts(self._document, identity):
                self._out.item(f"{BULLET} {text}")
        for key in found.notes:
            self._out.block(self._text.note(key))

    def _chunk(self, element: etree._Element) -> SourceText | None:
        try:
            chunk = embedded_file(self._document, element)
        except LoadError as error:
            why = str(error).partition(";")[0]
            self._unread.append(f"a file within it {why}, and is not read; open it in Word and save it again")
            return None
        return chunk if chunk.text.strip() else None

    def _table(self, table: etree._Element) -> None:
        match layout_of(table, self._styles, self._numbering):
            case Layout.DATA:
                self._data(table)
            case Layout.FRAME:
                for row in rows(table):
                    for cell in children(row, "tc"):
                        self._read_blocks(cell)
            case Layout.CLAUSES:
                for row in rows(table):
                    self._clause(row)

    def _clause(self, row: etree._Element) -> None:
        """A number and its paragraphs; the number goes with the first of them that has text."""
        number, text = children(row, "tc")
        beside = _Beside()
        lead = one_line("".join(self._number(paragraph, beside) for paragraph in paragraphs(number)))
        for block in blocks(text):
            if block.tag != W + "p":
                self._read_block(block)
            elif self._paragraph(block, f"{lead} " if lead else ""):
                lead = ""
        if lead:
            self._out.item(lead)
        self._write_beside(beside)

    def _number(self, paragraph: etree._Element, beside: _Beside) -> str:
        found = self._text.read(paragraph)
        beside.take(found)
        return self._numbering.marker(paragraph) + found.text

    def _data(self, table: etree._Element) -> None:
        read: list[list[str]] = []
        beside = _Beside()
        headers, width = header_rows(table, self._styles), 0
        above = titles(table, self._styles)
        for cell in above:
            self._read_blocks(cell)
        for row in islice(rows(table), len(above), None):
            read.append(self._row(row, beside, above=() if len(read) < headers or not read else read[-1]))
            width = max(width, len(read[-1]))
            require_at_most(width * len(read), MOST_CELLS, "cells in one table")
        for _ in range(beside.pages):
            self._new_page(0)
        self._out.table([row + [""] * (width - len(row)) for row in read], headers)
        self._write_beside(beside)

    def _row(self, row: etree._Element, beside: _Beside, above: Sequence[str] = ()) -> list[str]:
        before = child(row, "trPr", "gridBefore")
        cells = [""] * (span(before) if before is not None else 0)
        covered: list[int] = []
        for cell in children(row, "tc"):
            covers = goes_on(cell)
            if covers:
                covered.append(len(cells))
            across = span(child(cell, "tcPr", "gridSpan"))
            cells.extend(["" if covers else self._cell(cell, beside), *[""] * (across - 1)])
        if any(cells):  # a cell that goes on from the row above belongs to this one as well
            for at in covered:
                cells[at] = above[at] if at < len(above) and len(above[at]) <= LONGEST_REPEATED else ""
        return cells

    def _cell(self, cell: etree._Element, beside: _Beside) -> str:
        parts: list[str] = []
        for block in blocks(cell):
            if block.tag == W + "p":
                found = self._text.read(block)
                text = one_line(found.text)
                parts.append(self._numbering.marker(block) + text if text else "")
                beside.take(found)
            elif block.tag == W + "tbl":
                parts.extend(" ".join(self._row(row, beside)) for row in rows(block))
            elif (chunk := self._chunk(block)) is not None:
                parts.append(chunk.text)
        return one_line(" ".join(parts))


def _ends_page(paragraph: etree._Element) -> bool:
    """Whether a section of the document ends here, and the next begins on a new page."""
    section = child(paragraph, "pPr", "sectPr")
    return section is not None and value(child(section, "type"), "nextPage") != "continuous"


def _left_out(text: TextReader) -> Iterator[str]:
    """Notes on what the text lacks: signs, and objects such as formulas of an old editor."""
    for font, count in sorted(text.lost.items()):
        signs = "sign" if count == 1 else "signs"
        yield f"{count} {signs} of the font {font or 'Symbol'} left out, as no character stands for them"
    for program, count in sorted(text.objects.items()):
        objects = "object" if count == 1 else "objects"
        yield f"{count} embedded {objects} of {program or 'an unnamed program'} left out; write what they show as text"
