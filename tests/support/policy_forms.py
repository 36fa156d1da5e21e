"""One policy in five formats: a neutral form of its sections, and a writer for each format."""

import io
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

Rows = tuple[tuple[str, ...], ...]
Block = str | Rows  # a paragraph or a table, its first row the header
Key = tuple[str | None, str, str | None]


@dataclass(frozen=True)
class Node:
    """A section: a heading, or without a title a clause whose first block follows its number on the line."""

    number: str | None
    title: str
    level: int
    blocks: tuple[Block, ...] = ()

    @property
    def label(self) -> str:
        """The number as it is printed in front of the title or the text."""
        if self.number is None:
            return ""
        return f"{self.number}." if self.number.isdigit() else self.number

    @property
    def heading(self) -> str:
        return f"{self.label} {self.title}".strip()


@dataclass(frozen=True)
class Policy:
    title: str
    blocks: tuple[Block, ...] = ()
    nodes: tuple[Node, ...] = field(default=())

    def tree(self) -> list[Key]:
        """Number, title, and the parent's number or title, of each section."""
        above: list[Node] = []
        keys: list[Key] = []
        for node in self.nodes:
            del above[node.level - 1 :]
            parent = above[-1] if above else None
            keys.append((node.number, node.title, (parent.number or parent.title) if parent else None))
            above.append(node)
        return keys


def parts(policy: Policy) -> Iterator[tuple[str, int, Block]]:
    """The policy in order: ("title", 0, text), ("heading", level, text), ("text", level, text), ("table", level, rows)."""
    yield "title", 0, policy.title
    yield from ((_kind(block), 0, block) for block in policy.blocks)
    for node in policy.nodes:
        blocks = list(node.blocks)
        if node.title:
            yield "heading", node.level, node.heading
        elif blocks and isinstance(blocks[0], str):
            yield "text", node.level, f"{node.label} {blocks.pop(0)}"
        else:
            yield "text", node.level, node.label
        yield from ((_kind(block), node.level, block) for block in blocks)


def _kind(block: Block) -> str:
    return "text" if isinstance(block, str) else "table"


def markdown(policy: Policy) -> bytes:
    out = []
    for kind, level, block in parts(policy):
        if isinstance(block, str):
            out.append(f"{'#' * (level + 1)} {block}" if kind in {"title", "heading"} else block)
        else:
            rule = "| " + " | ".join("---" for _ in block[0]) + " |"
            rows = ["| " + " | ".join(row) + " |" for row in block]
            out.append("\n".join([rows[0], rule, *rows[1:]]))
    return ("\n\n".join(out) + "\n").encode()


def plain(policy: Policy, width: int = 0) -> bytes:
    """Numbered text, each paragraph on a line of its own, or broken at `width` characters."""
    out = []
    for kind, _, block in parts(policy):
        if not isinstance(block, str):
            out.append("\n".join("\t".join(row) for row in block))
        elif kind == "title":
            out.append(block.upper())
        else:
            out.append(textwrap.fill(block, width, break_on_hyphens=False) if width else block)
    return ("\n\n".join(out) + "\n").encode()


def wrapped(policy: Policy) -> bytes:
    return plain(policy, 76)


def html(policy: Policy) -> bytes:
    out = [f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{escape(policy.title)}</title></head><body>"]
    for kind, level, block in parts(policy):
        if isinstance(block, str):
            tag = f"h{min(level + 1, 6)}" if kind in {"title", "heading"} else "p"
            out.append(f"<{tag}>{escape(block)}</{tag}>")
        else:
            rows = [f"<tr>{''.join(f'<{c}>{escape(x)}</{c}>' for x in r)}</tr>" for r, c in _cells(block)]
            out.append(f"<table>{''.join(rows)}</table>")
    return ("\n".join([*out, "</body></html>"])).encode()


def _cells(rows: Rows) -> list[tuple[tuple[str, ...], str]]:
    return [(row, "td" if at else "th") for at, row in enumerate(rows)]


def docx(policy: Policy, *, automatic: bool = False) -> bytes:
    """A Word document; with `automatic` Word counts the headings itself, and "1.2" stands nowhere in the file."""
    import docx

    document = docx.Document()
    if automatic:
        _count_headings(document)
    for kind, level, block in parts(policy):
        if kind == "title":
            document.add_paragraph(str(block), style="Title")
        elif kind == "heading":
            number, _, title = str(block).partition(" ")
            counted = automatic and number[0].isdigit()
            paragraph = document.add_heading(title if counted else str(block), level)
            if automatic and not counted:
                _set_number(paragraph._p.get_or_add_pPr(), 0, 0)
        elif isinstance(block, str):
            document.add_paragraph(block)
        else:
            table = document.add_table(len(block), len(block[0]), style="Table Grid")
            for at, (row, texts) in enumerate(zip(table.rows, block, strict=True)):
                for cell, text in zip(row.cells, texts, strict=True):
                    cell.paragraphs[0].add_run(text).bold = at == 0
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _count_headings(document: Any) -> None:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Heading{at + 1}"/>'
        f'<w:lvlText w:val="{".".join(f"%{n}" for n in range(1, at + 2))}{"" if at else "."}"/></w:lvl>'
        for at in range(3)
    )
    numbering = document.part.numbering_part.element
    numbering.insert(
        0,
        parse_xml(
            f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77"><w:multiLevelType w:val="multilevel"/>{levels}</w:abstractNum>'
        ),
    )
    numbering.append(parse_xml(f'<w:num {nsdecls("w")} w:numId="77"><w:abstractNumId w:val="77"/></w:num>'))
    for at in range(3):
        _set_number(document.styles[f"Heading {at + 1}"].element.get_or_add_pPr(), at, 77)


def _set_number(properties: Any, level: int, number: int) -> None:
    from docx.oxml import parse_xml
    from docx.oxml.ns import nsdecls

    properties.append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')
    )


def pdf(policy: Policy) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import Paragraph, SimpleDocTemplate

    styles = _pdf_styles()
    story: list[Any] = []
    for kind, level, block in parts(policy):
        if isinstance(block, str):
            style = f"h{min(level, 4)}" if kind in {"title", "heading"} else "p"
            story.append(Paragraph(escape(block), styles[style]))
        else:
            story.append(_pdf_table(block, styles))
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, title=policy.title, invariant=1).build(
        story, onFirstPage=_pdf_frame, onLaterPages=_pdf_frame
    )
    return buffer.getvalue()


def _pdf_frame(canvas: Any, template: Any) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.drawString(72, 800, "Internal use only")
    canvas.drawRightString(523, 40, f"Page {template.page}")


def _pdf_styles() -> dict[str, Any]:
    from reportlab.lib.styles import ParagraphStyle

    body = ParagraphStyle("p", fontName="Helvetica", fontSize=10, leading=13, spaceAfter=7)
    sizes = {"h0": 20, "h1": 15, "h2": 12.5, "h3": 11, "h4": 10}
    heads = {
        name: ParagraphStyle(
            name,
            fontName="Helvetica-Bold",
            fontSize=size,
            leading=size * 1.3,
            spaceBefore=6,
            spaceAfter=6,
            keepWithNext=1,
        )
        for name, size in sizes.items()
    }
    return {"p": body, **heads}


def _pdf_table(rows: Rows, styles: dict[str, Any]) -> Any:
    from reportlab.lib import colors
    from reportlab.platypus import Paragraph, Table

    data = [[Paragraph(escape(text), styles["p" if at else "h4"]) for text in row] for at, row in enumerate(rows)]
    table = Table(data, colWidths=[450 / len(rows[0])] * len(rows[0]), repeatRows=1)
    table.setStyle([("GRID", (0, 0), (-1, -1), 0.5, colors.grey), ("VALIGN", (0, 0), (-1, -1), "TOP")])
    return table


WRITERS: dict[str, tuple[str, Callable[[Policy], bytes]]] = {
    "markdown": ("md", markdown),
    "plain text": ("txt", plain),
    "broken lines": ("txt", wrapped),
    "html": ("html", html),
    "docx": ("docx", docx),
    "pdf": ("pdf", pdf),
}


def write(policy: Policy, form: str, folder: Path) -> Path:
    suffix, writer = WRITERS[form]
    path = folder / f"{form.replace(' ', '-')}.{suffix}"
    path.write_bytes(writer(policy))
    return path


def agreement(one: Sequence[Key], two: Sequence[Key]) -> float:
    """The share of sections that two trees have in common, of the larger of the two."""
    from collections import Counter

    common = Counter(one) & Counter(two)
    return common.total() / max(len(one), len(two), 1)
