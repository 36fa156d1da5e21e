"""DOCX: paragraphs and tables in document order, with the numbers that Word writes before them.

Read: the body with content controls, hyperlinks, text boxes and insertions that are not accepted yet; footnotes and
endnotes, as "[1] ..." after the block that refers to them. Left out: deletions, hidden text, page headers and footers.
"""

import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.bold import BoldLines
from policy_rag_parsers.loaders.builder import LONGEST_REPEATED, TextBuilder, lines, one_line
from policy_rag_parsers.loaders.docx_numbering import Numbering
from policy_rag_parsers.loaders.docx_styles import Styles, flag
from policy_rag_parsers.loaders.docx_xml import M, R, W, child, value
from policy_rag_parsers.loaders.numerals import BULLET
from policy_rag_parsers.records import FileFormat, SourceText

if TYPE_CHECKING:
    from docx.document import Document

_SKIPPED: Final = frozenset(
    {
        W + "del",
        W + "moveFrom",
        W + "pPr",
        W + "rPr",
        W + "instrText",
        W + "delText",
        W + "sdtPr",
        W + "tblPr",
        M + "Fallback",
    }
)
# What zipfile, lxml and python-docx raise on bytes that only look like a Word document.
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    etree.LxmlError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    OSError,
    NotImplementedError,
    RuntimeError,
)
_SIGNS: Final = {"tab": " ", "ptab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def load_docx(data: bytes) -> SourceText:
    """Read a Word document.

    Raises:
        LoadError: the bytes are no Word document, are encrypted, or are broken.
    """
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise LoadError("is encrypted or in Word's old format; open it in Word and save it as .docx without a password")
    import docx

    try:
        document = docx.Document(io.BytesIO(data))
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


class _Paragraph:
    """The text of one paragraph with what was met in it."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.plain = False  # whether any of its text is not bold
        self.breaks: list[int] = []  # pages begin before these parts
        self.notes: list[tuple[str, str]] = []  # kind and id of the notes that it refers to
        self.boxes: list[etree._Element] = []


class _Reader:
    """One pass over a document."""

    def __init__(self, document: "Document") -> None:
        body = document.element.find(W + "body")
        if body is None:
            raise LoadError("is a broken Word document without a body; open it in Word and save it again")
        self._body: etree._Element = body
        self._styles = Styles(document)
        self._numbering = Numbering(document, self._styles)
        self._notes = _note_texts(document)
        self._note_numbers: dict[tuple[str, str], int] = {}
        self._out = TextBuilder()
        self._bold = BoldLines()
        self._page = 1
        # Where Word has left marks of its last layout, they count explicit breaks as well.
        self._rendered = next(self._body.iter(W + "lastRenderedPageBreak"), None) is not None
        self._has_title = any(
            self._styles.is_title(paragraph) and one_line("".join(_plain_text(paragraph)))
            for paragraph in self._body.iter(W + "p")
        )

    def read_body(self) -> None:
        """Read all blocks of the body."""
        self._out.page(1)
        for block in _blocks(self._body):
            if block.tag == W + "p":
                self._paragraph(block)
            else:
                self._table(block)

    def finish(self, title: str | None) -> SourceText:
        """The document as text; page marks only where it has more than one page."""
        self._bold.mark(self._out)
        if self._page == 1:
            self._out.drop_pages()
        return self._out.build(FileFormat.DOCX, title=title)

    def _paragraph(self, element: etree._Element) -> None:
        if not self._rendered and flag(child(element, "pPr", "pageBreakBefore")):
            self._new_page(0)
        found = _Paragraph()
        self._collect(element, found, bold=self._styles.is_bold(element))
        marker = self._numbering.marker(element)
        self._write(element, found, marker)
        if not self._rendered and _ends_page(element):
            self._new_page(0)
        for box in found.boxes:
            for block in _blocks(box):
                (self._paragraph if block.tag == W + "p" else self._table)(block)
        self._write_notes(found.notes)

    def _write(self, element: etree._Element, found: _Paragraph, marker: str) -> None:
        raw = "".join(found.parts)
        text = lines(raw)
        if not text:
            for _ in found.breaks:
                self._new_page(0)
            return
        before = self._out.length
        level = self._level(element)
        if level:
            self._out.heading(one_line(marker + text), level)
        elif marker or self._numbering.is_list(element):
            start = self._out.item(marker + text)
            if not found.plain and not marker.startswith(BULLET):
                self._bold.add(start, marker + text)
        else:
            start = self._out.block(text)
            if not found.plain:
                self._bold.add(start, text)
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

    def _collect(self, element: etree._Element, found: _Paragraph, *, bold: bool) -> None:
        """Gather a paragraph's text. `bold` is what its runs are unless they say otherwise."""
        for node in element:
            tag = node.tag
            if tag in _SKIPPED or not isinstance(tag, str):
                continue
            if tag == W + "r":
                self._run(node, found, bold=bold)
            elif tag == W + "txbxContent":
                found.boxes.append(node)
            else:
                self._collect(node, found, bold=bold)

    def _run(self, run: etree._Element, found: _Paragraph, *, bold: bool) -> None:
        if flag(child(run, "rPr", "vanish")):
            return
        own = self._styles.run_bold(run)
        heavy = bold if own is None else own
        for node in run:
            text = self._run_text(node, found)
            if text:
                found.parts.append(text)
                if text.strip() and not heavy:
                    found.plain = True

    def _run_text(self, node: etree._Element, found: _Paragraph) -> str:
        name = str(node.tag).removeprefix(W)
        if name == "t":
            return node.text or ""
        if name in {"footnoteReference", "endnoteReference"}:
            return self._reference(name.removesuffix("Reference"), node.get(W + "id", ""), found)
        if name in {"drawing", "pict", "object", M + "AlternateContent"}:
            found.boxes.extend(_text_boxes(node))
        is_break = name == "br" and node.get(W + "type") == "page" and not self._rendered
        if is_break or name == "lastRenderedPageBreak":
            found.breaks.append(len(found.parts))
        return _SIGNS.get(name, "")

    def _reference(self, kind: str, identity: str, found: _Paragraph) -> str:
        key = (kind, identity)
        if key not in self._notes:
            return ""
        number = self._note_numbers.setdefault(key, len(self._note_numbers) + 1)
        found.notes.append(key)
        return f"[{number}]"

    def _write_notes(self, notes: list[tuple[str, str]]) -> None:
        for key in notes:
            self._out.block(f"[{self._note_numbers[key]}] {self._notes[key]}")

    def _table(self, table: etree._Element) -> None:
        rows: list[list[str]] = []
        notes: list[tuple[str, str]] = []
        header_rows = 0
        for row in _children(table, "tr"):
            if child(row, "trPr", "del") is not None:
                continue
            header = flag(child(row, "trPr", "tblHeader")) and header_rows == len(rows)
            cells = self._row(row, notes, above=() if header or not rows else rows[-1])
            header_rows += header
            rows.append(cells)
        if len(rows) == 1 and len(rows[0]) == 1:
            self._single_cell(table)
            return
        width = max(map(len, rows), default=0)
        if not header_rows and len(rows) > 1 and self._first_row_stands_out(table):
            header_rows = 1
        self._out.table([row + [""] * (width - len(row)) for row in rows], header_rows)
        self._write_notes(notes)

    def _row(self, row: etree._Element, notes: list[tuple[str, str]], above: Sequence[str] = ()) -> list[str]:
        cells = [""] * int(value(child(row, "trPr", "gridBefore"), "0"))
        covered: list[int] = []
        for cell in _children(row, "tc"):
            merged = child(cell, "tcPr", "vMerge")
            goes_on = merged is not None and value(merged, "continue") == "continue"
            if goes_on:
                covered.append(len(cells))
            across = int(value(child(cell, "tcPr", "gridSpan"), "1"))
            cells.extend(["" if goes_on else self._cell(cell, notes), *[""] * (across - 1)])
        if any(cells):  # a cell that goes on from the row above belongs to this one as well
            for at in covered:
                cells[at] = above[at] if at < len(above) and len(above[at]) <= LONGEST_REPEATED else ""
        return cells

    def _cell(self, cell: etree._Element, notes: list[tuple[str, str]]) -> str:
        parts: list[str] = []
        for block in _blocks(cell):
            if block.tag == W + "tbl":
                inner = (self._row(row, notes) for row in _children(block, "tr"))
                parts.extend(" ".join(row) for row in inner)
                continue
            found = _Paragraph()
            self._collect(block, found, bold=False)
            text = one_line("".join(found.parts))
            parts.append(self._numbering.marker(block) + text if text else "")
            notes.extend(found.notes)
            for _ in found.breaks:
                self._new_page(0)
        return one_line(" ".join(parts))

    def _single_cell(self, table: etree._Element) -> None:
        """A box around some text: its blocks are read as if there were no box."""
        for cell in table.iter(W + "tc"):
            for block in _blocks(cell):
                (self._paragraph if block.tag == W + "p" else self._table)(block)
            return

    def _first_row_stands_out(self, table: etree._Element) -> bool:
        """Whether the first row is laid out as a header: by the table's style, or in bold while the next is not."""
        look = child(table, "tblPr", "tblLook")
        styled = value(child(table, "tblPr", "tblStyle"), "") not in {"", "TableGrid", "TableNormal", "Table Grid"}
        if styled and look is not None and _first_row_flag(look):
            return True
        rows = list(_children(table, "tr"))
        return self._is_bold_row(rows[0]) and not self._is_bold_row(rows[1])

    def _is_bold_row(self, row: etree._Element) -> bool:
        seen = False
        for paragraph in row.iter(W + "p"):
            found = _Paragraph()
            self._collect(paragraph, found, bold=self._styles.is_bold(paragraph))
            if found.plain:
                return False
            seen = seen or bool("".join(found.parts).strip())
        return seen


def _ends_page(paragraph: etree._Element) -> bool:
    """Whether a section of the document ends here, and the next begins on a new page."""
    section = child(paragraph, "pPr", "sectPr")
    return section is not None and value(child(section, "type"), "nextPage") != "continuous"


def _first_row_flag(look: etree._Element) -> bool:
    explicit = look.get(W + "firstRow")
    if explicit is not None:
        return explicit in {"1", "true", "on"}
    try:
        return bool(int(look.get(W + "val", "0"), 16) & 0x20)
    except ValueError:
        return False


def _blocks(container: etree._Element) -> Iterator[etree._Element]:
    """Paragraphs and tables in document order, through content controls and tracked insertions."""
    for node in container:
        if node.tag in {W + "p", W + "tbl"}:
            yield node
        elif isinstance(node.tag, str) and node.tag not in _SKIPPED:
            yield from _blocks(node)


def _children(container: etree._Element, name: str) -> Iterator[etree._Element]:
    """Rows of a table or cells of a row, through content controls."""
    for node in container:
        if node.tag == W + name:
            yield node
        elif node.tag in {W + "sdt", W + "sdtContent", W + "ins", W + "customXml"}:
            yield from _children(node, name)


def _text_boxes(node: etree._Element) -> Iterator[etree._Element]:
    for box in node.iter(W + "txbxContent"):
        # Old readers are offered the same box a second time.
        if not any(parent.tag == M + "Fallback" for parent in box.iterancestors()):
            yield box


def _plain_text(element: etree._Element) -> Iterator[str]:
    for node in element.iter(W + "t"):
        yield node.text or ""


def _note_texts(document: "Document") -> dict[tuple[str, str], str]:
    """The text of each footnote and endnote by kind and id."""
    texts: dict[tuple[str, str], str] = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.removeprefix(R).removesuffix("s")
        if relation.is_external or kind not in {"footnote", "endnote"}:
            continue
        root = etree.fromstring(relation.target_part.blob, etree.XMLParser(resolve_entities=False, no_network=True))
        for note in root.iter(W + kind):
            text = one_line(" ".join("".join(_plain_text(paragraph)) for paragraph in note.iter(W + "p")))
            if text and note.get(W + "type") in {None, "normal"}:
                texts[kind, note.get(W + "id", "")] = text
    return texts


__all__ = ["load_docx"]
