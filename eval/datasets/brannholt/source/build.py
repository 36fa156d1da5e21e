"""Write the DOCX and the PDF of the sample company from their readable sources, byte for byte the same each time.

A source holds one block a line. The line begins with `T` (the document's title), `1` or `2` (a heading of that
level), `P` (a paragraph), `B` (a bullet), `(a)` (a clause of a list) or `||` (a table's row, the first of a table
being its header).

Run it as `python eval/datasets/brannholt/source/build.py`; it needs python-docx and reportlab.
"""

import io
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCUMENTS = HERE.parent / "documents"
DOCX = "model-governance-standard"
PDF = "information-security-policy"
ZIP_DATE = (2025, 11, 15, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A block of a document: its kind (`T`, `1`, `2`, `P`, `B`, `C` for a clause, `||`) and its text or rows."""

    kind: str
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def _line(line: str) -> SourceBlock:
    if line.startswith("("):
        return SourceBlock("C", line)
    kind, _, text = line.partition(" ")
    if kind not in {"T", "1", "2", "P", "B", "||"}:
        message = f"a line begins with an unknown mark: {line[:40]!r}"
        raise ValueError(message)
    return SourceBlock(kind, text)


def read_blocks(source: str) -> Iterator[SourceBlock]:
    """Yield the blocks of a source in order, the rows of a table as one block."""
    lines = (_line(line) for line in source.splitlines() if line.strip())
    for is_table, group in groupby(lines, key=lambda block: block.kind == "||"):
        if is_table:
            yield SourceBlock("||", rows=tuple(tuple(c.strip() for c in block.text.split("|")) for block in group))
        else:
            yield from group


def write_docx(blocks: list[SourceBlock], path: Path) -> None:
    """Write a Word document with the built-in heading, list and table styles."""
    import docx

    document = docx.Document()
    properties = document.core_properties
    properties.title = blocks[0].text
    properties.author = "Model Risk Officer"
    properties.comments = ""
    properties.created = properties.modified = datetime(*ZIP_DATE, tzinfo=UTC)
    styles = {"T": "Title", "1": "Heading 1", "2": "Heading 2", "P": "Normal", "B": "List Bullet", "C": "Normal"}
    for block in blocks:
        if block.kind == "||":
            _docx_table(document, block.rows)
        else:
            document.add_paragraph(block.text, style=styles[block.kind])
    footer = document.sections[0].footer.paragraphs[0]
    footer.text = "Model Governance Standard 1.4 - internal"
    buffer = io.BytesIO()
    document.save(buffer)
    path.write_bytes(_with_fixed_dates(buffer.getvalue()))


def _docx_table(document: Any, rows: tuple[tuple[str, ...], ...]) -> None:
    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    for cell in table.rows[0].cells:
        cell.paragraphs[0].runs[0].bold = True


def _with_fixed_dates(data: bytes) -> bytes:
    """Return the zip archive with the same members under one date: python-docx stamps them with the clock."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            info = zipfile.ZipInfo(name, ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return target.getvalue()


def write_pdf(blocks: list[SourceBlock], path: Path) -> None:
    """Write a PDF of several pages with a running header, page numbers, and headings told by size and weight."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    body = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=13.5, spaceAfter=6)
    styles = {
        "T": ParagraphStyle("title", fontName="Helvetica-Bold", fontSize=20, leading=26, spaceAfter=10),
        "1": ParagraphStyle(
            "h1", body, fontName="Helvetica-Bold", fontSize=14, leading=18, spaceBefore=8, keepWithNext=1
        ),
        "2": ParagraphStyle("h2", body, fontName="Helvetica-Bold", fontSize=11.5, leading=15, keepWithNext=1),
        "P": body,
        "C": ParagraphStyle("clause", body, leftIndent=12),
        "B": ParagraphStyle("bullet", body, leftIndent=12),
    }
    title = blocks[0].text

    def page_frame(canvas: Canvas, template: SimpleDocTemplate) -> None:
        canvas.saveState()
        canvas.setFont("Helvetica", 8)
        canvas.drawString(22 * mm, 285 * mm, f"Brannholt Sensors SE | {title} 6.2")
        canvas.drawRightString(188 * mm, 285 * mm, "Classification: internal")
        canvas.drawCentredString(105 * mm, 12 * mm, f"Page {template.page}")
        canvas.restoreState()

    story: list[Any] = []
    for block in blocks:
        if block.kind == "||":
            story += _pdf_table(block.rows)
        else:
            story.append(Paragraph(escape(block.text), styles[block.kind]))
    template = SimpleDocTemplate(
        str(path), pagesize=A4, title=title, author="CISO", invariant=1,
        leftMargin=22 * mm, rightMargin=22 * mm, topMargin=24 * mm, bottomMargin=22 * mm,
    )  # fmt: skip
    template.build(story, onFirstPage=page_frame, onLaterPages=page_frame)


def _pdf_table(rows: tuple[tuple[str, ...], ...]) -> list[Any]:
    from reportlab.lib import colors
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.lib.units import mm
    from reportlab.platypus import Paragraph, Spacer, Table

    cell = ParagraphStyle("cell", fontName="Helvetica", fontSize=9, leading=11)
    head = ParagraphStyle("head", cell, fontName="Helvetica-Bold")
    data = [[Paragraph(escape(text), cell if n else head) for text in row] for n, row in enumerate(rows)]
    table = Table(data, colWidths=[166 * mm / len(rows[0])] * len(rows[0]), repeatRows=1)
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")])
    return [table, Spacer(1, 8)]


def build(folder: Path) -> list[Path]:
    """Write both documents into `folder` and return their paths."""
    written = [folder / f"{DOCX}.docx", folder / f"{PDF}.pdf"]
    for path, write in zip(written, (write_docx, write_pdf), strict=True):
        write(list(read_blocks((HERE / f"{path.stem}.txt").read_text(encoding="utf-8"))), path)
    return written


if __name__ == "__main__":
    for built in build(DOCUMENTS):
        sys.stdout.write(f"{built}\n")
