"""Figures as files for other programs: CSV for tables, LaTeX for papers."""

import csv
import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.output_files import write_file
from policy_rag_eval.sweep.evaluation import Evaluation, ranked

_STEERING = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}
_CSV_FIGURES = ("mean", "low", "high")

Cell: TypeAlias = str | float | None
"""Of a table: a word, a figure, or nothing."""


class TableFile(ABC):
    """Figures that are written as CSV or for LaTeX."""

    __slots__ = ()

    @abstractmethod
    def csv(self) -> str:
        """A line a row, figures to six decimals."""

    @abstractmethod
    def latex(self) -> str:
        """A `tabular` with booktabs' rules, figures to three decimals."""

    def write(self, as_csv: Path | None, as_latex: Path | None) -> None:
        """Writes it where it is asked for.

        Raises:
            PolicyRagError: a file cannot be written.
        """
        for file, text in ((as_csv, self.csv), (as_latex, self.latex)):
            if file is not None:
                write_file(file, text())


@dataclass(frozen=True, slots=True)
class FigureTable(TableFile):
    r"""Figures in columns, each row as long as the head.

    >>> table = FigureTable(("name", "recall@10"), (("a_b", 2 / 3), ("c", None)))
    >>> print(table.csv(), end="")
    name,recall@10
    a_b,0.666667
    c,
    >>> print(table.latex().splitlines()[4])
    a\_b & 0.667 \\
    """

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def csv(self) -> str:
        """A line a row, figures to six decimals."""
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(self.head)
        writer.writerows([round(cell, 6) if isinstance(cell, float) else cell for cell in row] for row in self.rows)
        return written.getvalue()

    def latex(self) -> str:
        """A `tabular` with booktabs' rules, figures to three decimals."""
        kinds = "".join(
            "l" if all(isinstance(cell, str) for cell in column) else "r" for column in zip(*self.rows, strict=True)
        )
        shown = [[_escaped(cell if isinstance(cell, str) else _figure(cell)) for cell in row] for row in self.rows]
        return _tabular(kinds, list(map(_escaped, self.head)), shown)


def _figure(cell: float | None) -> str:
    return "" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell)


@dataclass(frozen=True, slots=True)
class SweepTable(TableFile):
    """A row a configuration, best first; as CSV every measure with its interval, latency, tokens and cost."""

    evaluations: Sequence[Evaluation]
    measure: Measure

    def csv(self) -> str:
        """Every measure with its interval, latency, tokens, cost."""
        order = ranked(self.evaluations, self.measure)
        measures = [self.measure, *(one for one in order[0].measures if one != self.measure)]
        columns = [f"{one}{'' if end == 'mean' else f'_{end}'}" for one in measures for end in _CSV_FIGURES]
        rows: list[tuple[Cell, ...]] = []
        for one in order:
            figures = [
                getattr(one.measures[m], end) if m in one.measures else None for m in measures for end in _CSV_FIGURES
            ]
            total = one.latencies_ms.get("total")
            took = (round(total.median, 3), round(total.p95, 3)) if total else (None, None)
            rows.append((one.name, *figures, *took, one.tokens, one.cost))
        return FigureTable(
            ("configuration", *columns, "ms_median", "ms_p95", "tokens", "cost_of_1000"), tuple(rows)
        ).csv()

    def latex(self) -> str:
        """Measures with a cut-off, the best figure of each in bold, the interval of the one that decides, latency."""
        order = ranked(self.evaluations, self.measure)
        measures = [self.measure, *(one for one in order[0].measures if one != self.measure and one.cutoff)]
        best = {m: max(one.measures[m].mean for one in order if m in one.measures) for m in measures}
        lines = []
        for one in order:
            cells = [_bold(one.measures[m].mean, best[m]) if m in one.measures else "" for m in measures]
            interval, total = one.measures[self.measure], one.latencies_ms.get("total")
            took = f"{total.median:.1f}" if total else ""
            lines.append([_escaped(one.name), *cells, f"{interval.low:.3f}--{interval.high:.3f}", took])
        head = ["configuration", *(_escaped(str(m)) for m in measures), r"95\,\% interval", "ms"]
        return _tabular("l" + "r" * (len(measures) + 2), head, lines)


def _tabular(kinds: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A `tabular` with booktabs' rules."""
    first, *lines = (" & ".join(cells) + r" \\" for cells in (head, *rows))
    frame = (rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", first, r"\midrule")
    return "\n".join([*frame, *lines, r"\bottomrule", r"\end{tabular}", ""])


def _bold(value: float, best: float) -> str:
    shown = f"{value:.3f}"
    return rf"\textbf{{{shown}}}" if shown == f"{best:.3f}" else shown


def _escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(_escaped("top_k=5 & 10%"))
    top\_k=5 \& 10\%
    """
    return "".join(_STEERING.get(character, character) for character in text)
