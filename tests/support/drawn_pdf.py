"""Small PDF files, drawn with reportlab: words at places in points from the upper left corner."""

import io
from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.records import SourceText

PAGE = (400, 500)
BOLD = "Helvetica-Bold"
FULL = "This line is as long as all the full lines of this page are, it ends"
Drawn = Callable[[Canvas], object]


def pdf(*pages: Drawn, **options: Any) -> bytes:
    """A file with a page for each function that draws one."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, **{"pagesize": PAGE, "invariant": 1, **options})
    canvas.setTitle("")
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def read(*pages: Drawn) -> SourceText:
    """What the loader makes of such a file."""
    return load_pdf(pdf(*pages))


def drawn(page: str) -> Drawn:
    """A page as it is described, a line each, all places in points from the upper left corner.

    - `100 | 40 Leave | 170 Travel` writes words at a height at some places, `=170` for the middle of what stands there;
      ` / ` goes on 12 points lower, `^1^` is raised, and FULL is the full line;
    - `*100@13 | 40 Leave` writes them in bold, in 13 points;
    - `rules 40 360 | 100 116` draws horizontal rules between two places, `walls 100 148 | 40 360` vertical ones;
    - `frame 40 88 180 132` draws a rectangle by its left, top, right and bottom, `shade 40 88 180 132` fills one;
    - `grid 100 | City; Rate | Paris; 200` is a ruled table.
    """

    def draw(canvas: Canvas) -> None:
        for line in filter(None, map(str.strip, page.splitlines())):
            head, *parts = (part.strip() for part in line.replace("FULL", FULL).split("|"))
            kind, *places = head.split()
            if kind in {"rules", "walls"}:
                low, high = map(float, places)
                for at in map(float, parts[0].split()):
                    ends = (
                        (low, PAGE[1] - at, high, PAGE[1] - at)
                        if kind == "rules"
                        else (at, PAGE[1] - low, at, PAGE[1] - high)
                    )
                    canvas.line(*ends)
            elif kind in {"frame", "shade"}:
                x0, top, x1, bottom = map(float, places)
                canvas.setFillGray(0.9)
                canvas.rect(x0, PAGE[1] - bottom, x1 - x0, bottom - top, stroke=kind == "frame", fill=kind == "shade")
                canvas.setFillGray(0)
            elif kind == "grid":
                grid(canvas, float(places[0]), [[cell.strip() for cell in row.split(";")] for row in parts])
            else:
                height, _, size = head.lstrip("*").partition("@")
                for part in parts:
                    _write(canvas, part, float(height), float(size or 10), BOLD if head[0] == "*" else "Helvetica")

    return draw


def _write(canvas: Canvas, part: str, y: float, size: float, font: str) -> None:
    place, text = part.split(" ", 1)
    for at, line in enumerate(text.split(" / ")):
        x = float(place.lstrip("=")) - (canvas.stringWidth(line, font, size) / 2 if place[0] == "=" else 0)
        for raised, piece in zip(cycle((False, True)), line.split("^"), strict=False):
            small = 0.6 * size if raised else size
            put(canvas, x, y + 12 * at - (0.35 * size if raised else 0), piece, small, font)
            x += canvas.stringWidth(piece, font, small)


def put(canvas: Canvas, x: float, y: float, text: str, size: float = 10, font: str = "Helvetica") -> None:
    """Write a line with its baseline `y` points below the top of the page."""
    canvas.setFont(font, size)
    canvas.drawString(x, PAGE[1] - y, text)


def column(canvas: Canvas, x: float, y: float, lines: Sequence[str], size: float = 10) -> None:
    """Write lines under each other, 12 points apart."""
    for at, line in enumerate(lines):
        put(canvas, x, y + at * 12, line, size)


def grid(canvas: Canvas, y: float, rows: Sequence[Sequence[str]], *, bold: bool = True, x: float = 40) -> None:
    """A ruled table with columns 100 points and rows 16 points wide."""
    width = len(rows[0]) * 100
    for at in range(len(rows) + 1):
        canvas.line(x, PAGE[1] - y - at * 16, x + width, PAGE[1] - y - at * 16)
    for at in range(len(rows[0]) + 1):
        canvas.line(x + at * 100, PAGE[1] - y, x + at * 100, PAGE[1] - y - len(rows) * 16)
    for at, row in enumerate(rows):
        for place, text in enumerate(row):
            font = BOLD if bold and at == 0 else "Helvetica"
            put(canvas, x + place * 100 + 4, y + at * 16 + 12, text, font=font)
