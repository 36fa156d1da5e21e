"""Small PDF files, drawn with reportlab: words at places in points from the upper left corner."""

import io
from collections.abc import Callable, Sequence
from typing import Any

from reportlab.pdfgen.canvas import Canvas

PAGE = (400, 500)
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
            font = "Helvetica-Bold" if bold and at == 0 else "Helvetica"
            put(canvas, x + place * 100 + 4, y + at * 16 + 12, text, font=font)
