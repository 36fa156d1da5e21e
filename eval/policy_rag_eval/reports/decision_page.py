"""A decision page: one HTML file that says what to do in its first sentence and folds away the rest.

No script, nothing loaded from elsewhere; plots are SVG in the page's own colours, which follow the reader's choice of
light or dark. All text is escaped: no name, question or section acts as markup.
"""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag_eval.output_files import write_file

PAGE_FILE = "decision.html"

_INSIDE = re.compile("(?=@)|(?<=_)")

_CSS = """
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --quiet: #5d6b7a; --line: #d7dde3; --tint: #f3f5f7;
  --accent: #b4500f; --mark: #2f6690; --good: #2c7a51; --bad: #a8323a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --paper: #15191e; --quiet: #9aa7b4; --line: #37414b;
  --tint: #1e242b; --accent: #f0954f; --mark: #7db4dd; --good: #6cc596; --bad: #f08a90; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1180px;
  margin: 0 auto; padding: 28px 20px 60px; }
h1 { font-size: 1.55rem; line-height: 1.3; font-weight: 650; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
p, li { max-width: 80ch; overflow-wrap: anywhere; }
.origin { color: var(--quiet); font-size: .87rem; margin: 0; }
pre { background: var(--tint); padding: .6rem .8rem; margin: .6rem 0; font-size: .85rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; }
th, td { padding: .32rem .8rem .32rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
  overflow-wrap: break-word; }
th { color: var(--quiet); font-weight: 600; vertical-align: bottom; overflow-wrap: normal; min-width: 3.4rem; }
td.name { min-width: 9rem; max-width: 26rem; }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
td.figure { white-space: pre; }
tr.chosen td { font-weight: 650; }
details { border-top: 1px solid var(--line); padding: .55rem 0; }
details:last-of-type { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; font-weight: 600; }
summary span { color: var(--quiet); font-weight: 400; margin-left: .5rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; margin: .3rem 0 1.3rem; }
.pair > div { background: var(--tint); border-left: 3px solid var(--good); padding: .6rem .8rem; min-width: 0; }
.pair > div + div { border-color: var(--bad); }
.pair b { display: block; font-size: .8rem; color: var(--quiet); font-weight: 600; overflow-wrap: anywhere; }
.pair p { margin: .3rem 0 0; font-size: .9rem; white-space: pre-line; }
svg { display: block; max-width: 100%; height: auto; margin: .7rem 0; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); } svg .quiet { fill: var(--quiet); } svg .grid { stroke: var(--line); }
svg .mark { stroke: var(--mark); fill: var(--mark); } svg .accent { stroke: var(--accent); fill: var(--accent); }
svg text.accent { stroke: none; } svg .band { fill: var(--mark); opacity: .16; } svg .none { fill: none; }
@media (max-width: 640px) { body { padding: 18px 14px 40px; } h1 { font-size: 1.25rem; }
  .pair { grid-template-columns: 1fr; } svg { max-width: none; width: 860px; } }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .wide { overflow: visible; }
  tr, svg, .pair { break-inside: avoid; } }
"""


class ReportPage:
    """A page that is written from top to bottom.

    The headline says what to do, and is the page's title; `origin` tells where the figures are from, in a line.
    """

    def __init__(self, headline: str, origin: str = "") -> None:
        self.headline = " ".join(headline.split())
        self._parts = [f"<h1>{shown(self.headline)}</h1>"]
        if origin:
            self._parts.append(f'<p class="origin">{shown(origin)}</p>')

    def heading(self, text: str) -> None:
        """A heading of a part."""
        self._parts.append(f"<h2>{shown(text)}</h2>")

    def paragraph(self, text: str) -> None:
        """Text that runs on."""
        self._parts.append(f"<p>{shown(text)}</p>")

    def code(self, text: str) -> None:
        """A command, to be copied; it keeps its spaces and wraps where the page ends."""
        self._parts.append(f"<pre>{html.escape(as_shown(text))}</pre>")

    def items(self, items: Iterable[str]) -> None:
        """A list, an item a line; nothing where there are none."""
        lines = "".join(f"<li>{shown(item)}</li>" for item in items)
        if lines:
            self._parts.append(f"<ul>{lines}</ul>")

    def table(
        self, head: Sequence[str], rows: Iterable[Sequence[str]], *, figures: int = 1, chosen: int | None = None
    ) -> None:
        """A table; from column `figures` on (from 0) cells hold figures, which break at new lines alone.

        `chosen` is the row that stands out.
        """

        def cells(row: Sequence[str], tag: str) -> str:
            kinds = ["figure" if place >= figures else "name" for place in range(len(row))]
            return "".join(
                f'<{tag} class="{kind}">{_breakable(cell) if tag == "th" else shown(cell, lines=True)}</{tag}>'
                for kind, cell in zip(kinds, row, strict=True)
            )

        lines = [f"<tr>{cells(head, 'th')}</tr>"]
        for number, row in enumerate(rows):
            mark = ' class="chosen"' if number == chosen else ""
            lines.append(f"<tr{mark}>{cells(row, 'td')}</tr>")
        self._parts.append(f'<div class="wide"><table>{"".join(lines)}</table></div>')

    def plot(self, svg: str, text: str) -> None:
        """A plot as `policy_rag_eval.reports.plots` draws it, with what it shows in words; an empty one is left out."""
        if svg:
            self._parts.append(f'<p>{shown(text)}</p><div class="wide">{svg}</div>')

    def pair(self, title: str, left: tuple[str, str], right: tuple[str, str]) -> None:
        """Two texts side by side, each with what it is."""
        sides = "".join(
            f"<div><b>{shown(name)}</b><p>{shown(text, lines=True)}</p></div>" for name, text in (left, right)
        )
        self._parts.append(f'<h3>{shown(title)}</h3><div class="pair">{sides}</div>')

    @contextmanager
    def folded(self, title: str, about: str = "") -> Iterator[None]:
        """What is written inside is folded away under a title."""
        said = f" <span>{shown(about)}</span>" if about else ""
        self._parts.append(f"<details><summary>{shown(title)}{said}</summary>")
        yield
        self._parts.append("</details>")

    def html(self) -> str:
        """The page as one file."""
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
            f"<title>{shown(self.headline)}</title>\n<style>{_CSS}</style>\n</head>\n"
            f"<body>\n{chr(10).join(self._parts)}\n</body>\n</html>\n"
        )


def _breakable(head: str) -> str:
    """The head of a column, which may break inside a measure's name: at a space of no width."""
    return _INSIDE.sub("\u200b", shown(head))


def write_page(page: str, file: Path) -> Path:
    """Writes a page, its folder too; `file` may be a folder, in which it is then `decision.html`.

    Returns:
        The file.

    Raises:
        PolicyRagError: it cannot be written.
    """
    target = file if file.suffix == ".html" else file / PAGE_FILE
    write_file(target, page)
    return target


def shown(text: str, *, lines: bool = False) -> str:
    """Text as HTML shows it, on one line unless its lines are to be kept."""
    kept = "\n".join(" ".join(line.split()) for line in text.splitlines()) if lines else " ".join(text.split())
    return html.escape(as_shown(kept))
