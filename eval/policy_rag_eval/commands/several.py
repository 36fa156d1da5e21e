"""What people read of several configurations: the best five with what they take, and where the rest is."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from policy_rag.cli.output import console

if TYPE_CHECKING:
    from rich.table import Table

    from policy_rag_eval.reports.decision import DecisionRow
    from policy_rag_eval.sweep.verdicts import Comparison

_PARTS = re.compile(r"[^,;=/-]*[,;=/-]+|[^,;=/-]+")


def show_best(
    headline: str,
    rows: Sequence["DecisionRow"],
    head: Sequence[str],
    comparisons: Sequence["Comparison"],
    verdicts: Sequence[str],
) -> None:
    """The headline, a row a configuration of the best five, the verdicts among them, and how many more there are.

    Rows are all configurations, best first; `head` is of their figures, comparisons are of the best, or of a baseline.
    """
    from policy_rag_eval.reports.decision import FIRST, USAGE
    from policy_rag_eval.reports.number_format import usage_cells

    out = console()
    out.print(headline, markup=False, style="bold")
    shown = rows[:FIRST]
    heads = [*head, *(one.replace(", ", ",\n").replace(" of ", "\nof ") for one in USAGE)]
    cells = [[*(one.replace(" (", "\n").rstrip(")") for one in row.figures), *usage_cells(row.usage)] for row in shown]
    out.print(known_figures(heads, [(row.name, figures) for row, figures in zip(shown, cells, strict=True)]))
    names = {one.name for one in shown}
    show_verdicts(names, comparisons, verdicts)
    show_folded(len(rows) - len(shown), "and {} more")


def known_figures(heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> "Table":
    """A row a configuration, of its name and figures; a column of dashes alone takes no room."""
    known = [place for place in range(len(heads)) if any(figures[place] != "–" for _, figures in rows)]
    table = figure_table(("configuration",), [heads[place] for place in known])
    columns = [[heads[place], *(figures[place] for _, figures in rows)] for place in known]
    taken = sum(1 + max(len(line) for cell in column for line in cell.split("\n")) for column in columns)
    room = max(console().width - taken - 2, len("configuration"))
    for name, figures in rows:
        table.add_row(foldable(name, room), *(figures[place] for place in known))
    return table


def foldable(name: str, room: int) -> str:
    r"""A name of which no word is longer than the room: such a word goes on behind a sign of it, on the next line.

    >>> foldable("search=rrf, embedding_model=intfloat/multilingual-e5-small", 26)
    'search=rrf, embedding_model=intfloat/\nmultilingual-e5-small'
    """
    words = []
    for word in name.split(" "):
        lines = [""]
        for part in _PARTS.findall(word):
            if lines[-1] and len(lines[-1] + part) > room:
                lines.append("")
            lines[-1] += part
        words.append("\n".join(lines))
    return " ".join(words)


def figure_table(names: Sequence[str], figures: Sequence[str]) -> "Table":
    """Columns of names, which fold where they are long, and of figures, which do not."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    for name in names:
        table.add_column(name, overflow="fold", min_width=len(name))
    for name in figures:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def show_verdicts(names: set[str], comparisons: Sequence["Comparison"], verdicts: Sequence[str]) -> None:
    """The verdicts between configurations that are shown."""
    for text, comparison in zip(verdicts, comparisons, strict=True):
        if {comparison.first, comparison.second} <= names:
            console().print(text, markup=False)


def show_folded(count: int, what: str, *, where: Sequence[str] = ("--report FILE", "--csv FILE", "--json")) -> None:
    """How much is not shown, and where it is; nothing where nothing is folded.

    `what` has `{}` for the number; `where` are the options that give it.
    """
    if count > 0:
        console().print(f"{what.format(count)}: {', '.join(where[:-1])} and {where[-1]} have all of them", markup=False)
