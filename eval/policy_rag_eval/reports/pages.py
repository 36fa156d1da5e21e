"""A report as blocks, and the two forms in which it is written: Markdown, and HTML that stands alone in one file."""

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag_eval.errors import PolicyRagError


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the report's title."""

    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text that runs on."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list, an item a line."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `figures` says from which column on cells hold figures, which stand at the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: int = 1


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot as PNG; `file` is its name beside the Markdown, `text` what it shows."""

    file: str
    text: str
    image: bytes


Block: TypeAlias = Heading | Paragraph | Items | Table | Picture

MARKDOWN_FILE = "report.md"
HTML_FILE = "report.html"

# An underscore inside a word is plain text; so are a dash or a number, but at the beginning of a line.
_STEERS_MARKDOWN = re.compile(r"([\\`*{}\[\]<>#|~&$]|(?<!\w)_|_(?!\w)|^[-+=](?=\s)|(?<=^\d)[.)](?=\s))")
_CSS = """
:root { color-scheme: light dark; --line: #8884; --quiet: #8881; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1160px; margin: 2rem auto; padding: 0 20px; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { font-size: 1rem; margin-top: 1.4rem; }
p, li { max-width: 75ch; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; }
th, td { padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  overflow-wrap: break-word; max-width: 48rem; }
td:first-child { min-width: 6rem; }
th { background: var(--quiet); }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; padding: .3rem .35rem; }
td.n { white-space: nowrap; }
img { max-width: 100%; height: auto; background: white; display: block; margin: .8rem 0; }
@media print {
  @page { margin: 14mm; }
  body { font-size: 10pt; margin: 0; max-width: none; padding: 0; }
  table { font-size: 7.5pt; }
  .wide { overflow: visible; }
  h2, h3 { break-after: avoid; }
  tr, img { break-inside: avoid; }
  img { max-height: 240mm; }
}
"""


def markdown(blocks: Sequence[Block]) -> str:
    """The blocks as GitHub's Markdown; no name or question in them acts as markup."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def page(blocks: Sequence[Block], title: str) -> str:
    """The blocks as one HTML file: no script, nothing loaded from elsewhere, pictures inside, all text escaped."""
    body = "\n".join(_html(block) for block in blocks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{_escaped(title)}</title>\n<style>{_CSS}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def write_report(folder: Path, blocks: Sequence[Block], title: str) -> tuple[Path, Path]:
    """Writes `report.md`, with its plots beside it, and `report.html`.

    Returns:
        The two files, Markdown first.

    Raises:
        PolicyRagError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for block in blocks:
            if isinstance(block, Picture):
                (folder / block.file).write_bytes(block.image)
        (folder / MARKDOWN_FILE).write_text(markdown(blocks), encoding="utf-8", newline="\n")
        (folder / HTML_FILE).write_text(page(blocks, title), encoding="utf-8", newline="\n")
    except OSError as error:
        raise PolicyRagError(f"the report cannot be written to {folder} ({error}): give another folder") from error
    return folder / MARKDOWN_FILE, folder / HTML_FILE


def _markdown(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_plain(block.text)}"
        case Paragraph():
            return _plain(block.text)
        case Items():
            return "\n".join(f"- {_plain(item)}" for item in block.items)
        case Picture():
            return f"![{_plain(block.text)}]({block.file})"
        case Table():
            ruler = ["---:" if _is_figure(block, column) else "---" for column in range(len(block.head))]
            rows = [[_plain(cell) for cell in row] for row in (block.head, *block.rows)]
            return "\n".join("| " + " | ".join(row) + " |" for row in (rows[0], ruler, *rows[1:]))


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{_escaped(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{_escaped(block.text)}</p>"
        case Items():
            return "<ul>" + "".join(f"<li>{_escaped(item)}</li>" for item in block.items) + "</ul>"
        case Picture():
            data = base64.b64encode(block.image).decode("ascii")
            return f'<img alt="{_escaped(block.text)}" src="data:image/png;base64,{data}">'
        case Table():
            head = "".join(f"<th{_class(block, i)}>{_cell(cell)}</th>" for i, cell in enumerate(block.head))
            rows = (
                "<tr>" + "".join(f"<td{_class(block, i)}>{_cell(cell)}</td>" for i, cell in enumerate(row)) + "</tr>"
                for row in block.rows
            )
            body = "\n".join(rows)
            return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def _is_figure(table: Table, column: int) -> bool:
    return column >= table.figures


def _class(table: Table, column: int) -> str:
    return ' class="n"' if _is_figure(table, column) else ""


def _cell(text: str) -> str:
    """Names are long words: they may break where their parts meet."""
    return re.sub(r"([_/=]|(?=@))(?=[^\s])", r"\1<wbr>", _escaped(text))


def _plain(text: str) -> str:
    """Text of one line that Markdown leaves as it is."""
    return _STEERS_MARKDOWN.sub(r"\\\1", " ".join(as_shown(text).split()))


def _escaped(text: str) -> str:
    return html.escape(as_shown(text), quote=True)
