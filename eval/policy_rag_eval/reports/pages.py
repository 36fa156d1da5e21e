"""A report's page: written as Markdown, from which the HTML that stands alone in one file is rendered."""

import base64
import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag_eval.errors import PolicyRagError

MARKDOWN_FILE = "report.md"
HTML_FILE = "report.html"

# An underscore inside a word is plain text; so are a dash or a number, but at the beginning of a line.
_STEERS_MARKDOWN = re.compile(r"([\\`*{}\[\]<>#|~&$]|(?<![^\W_])_|_(?![^\W_])|^[-+=](?=\s)|(?<=^\d)[.)](?=\s))")
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
  overflow-wrap: anywhere; min-width: 4rem; max-width: 48rem; }
td:first-child { min-width: 6rem; }
th { background: var(--quiet); }
[style="text-align:right"] { font-variant-numeric: tabular-nums; padding: .3rem .35rem; }
td[style="text-align:right"] { white-space: nowrap; }
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


class Page:
    """A report that is written from top to bottom; no name or question in it acts as markup.

    Args:
        title: its heading.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.pictures: dict[str, bytes] = {}
        self._blocks: list[str] = []
        self.heading(title, 1)

    def heading(self, text: str, level: int = 2) -> None:
        """A heading; level 1 is the report's title."""
        self._blocks.append(f"{'#' * level} {_plain(text)}")

    def paragraph(self, text: str) -> None:
        """Text that runs on."""
        self._blocks.append(_plain(text))

    def items(self, items: Iterable[str]) -> None:
        """A list, an item a line; nothing where there are none."""
        lines = [f"- {_plain(item)}" for item in items]
        if lines:
            self._blocks.append("\n".join(lines))

    def table(self, head: Sequence[str], rows: Iterable[Sequence[str]], *, figures: int = 1) -> None:
        """A table; from column `figures` on (from 0) cells hold figures, which stand at the right."""
        ruler = ["---:" if column >= figures else "---" for column in range(len(head))]
        cells = [[_plain(cell) for cell in row] for row in (head, *rows)]
        self._blocks.append("\n".join("| " + " | ".join(row) + " |" for row in (cells[0], ruler, *cells[1:])))

    def picture(self, file: str, text: str, image: bytes) -> None:
        """A plot as PNG; `file` is its name beside the Markdown, `text` what it shows."""
        self.pictures[file] = image
        self._blocks.append(f"![{_plain(text)}]({file})")

    def markdown(self) -> str:
        """The page as GitHub's Markdown."""
        return "\n\n".join(self._blocks) + "\n"

    def html(self) -> str:
        """The Markdown as one HTML file: no script, nothing loaded from elsewhere, pictures inside."""
        from markdown_it import MarkdownIt

        body = MarkdownIt("commonmark", {"html": False}).enable("table").render(self.markdown())
        # All text is escaped by now: what still looks like a tag is one.
        body = body.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")
        for file, image in self.pictures.items():
            data = base64.b64encode(image).decode("ascii")
            body = body.replace(f'<img src="{file}"', f'<img src="data:image/png;base64,{data}"')
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            "style-src 'unsafe-inline'\">\n"
            f"<title>{html.escape(as_shown(self.title))}</title>\n<style>{_CSS}</style>\n</head>\n"
            f"<body>\n{body}</body>\n</html>\n"
        )

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Writes `report.md`, with its plots beside it, and `report.html`.

        Returns:
            The two files, Markdown first.

        Raises:
            PolicyRagError: the folder cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for file, image in self.pictures.items():
                (folder / file).write_bytes(image)
            (folder / MARKDOWN_FILE).write_text(self.markdown(), encoding="utf-8", newline="\n")
            (folder / HTML_FILE).write_text(self.html(), encoding="utf-8", newline="\n")
        except OSError as error:
            raise PolicyRagError(f"the report cannot be written to {folder} ({error}): give another folder") from error
        return folder / MARKDOWN_FILE, folder / HTML_FILE


def _plain(text: str) -> str:
    """Text of one line that Markdown leaves as it is."""
    return _STEERS_MARKDOWN.sub(r"\\\1", " ".join(as_shown(text).split()))
