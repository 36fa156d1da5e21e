"""Figures as files for other programs: CSV for tables, LaTeX for papers."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.sweep.evaluation import Evaluation, ranked

_STEERING = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}
_CSV_FIGURES = ("mean", "low", "high")

Cell: TypeAlias = str | float | None
"""Of a table: a word, a figure, or nothing."""


@dataclass(frozen=True, slots=True)
class FigureTable:
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
        head, *lines = (" & ".join(cells) + r" \\" for cells in (map(_escaped, self.head), *shown))
        frame = (rf"\begin{{tabular}}{{{kinds}}}", r"\toprule", head, r"\midrule")
        return "\n".join([*frame, *lines, r"\bottomrule", r"\end{tabular}", ""])

    def write(self, as_csv: Path | None, as_latex: Path | None) -> None:
        """Writes it where it is asked for.

        Raises:
            PolicyRagError: a file cannot be written.
        """
        for file, text in ((as_csv, self.csv), (as_latex, self.latex)):
            if file is not None:
                write_table(text(), file)


def _figure(cell: float | None) -> str:
    return "" if cell is None else f"{cell:.3f}" if isinstance(cell, float) else str(cell)


def as_csv(evaluations: Sequence[Evaluation], measure: Measure) -> str:
    """A row a configuration, best first: each measure with its interval, latency, tokens, cost."""
    order = ranked(evaluations, measure)
    measures = [measure, *(one for one in order[0].measures if one != measure)]
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    columns = [f"{one}{'' if end == 'mean' else f'_{end}'}" for one in measures for end in _CSV_FIGURES]
    writer.writerow(["configuration", *columns, "ms_median", "ms_p95", "tokens", "cost_of_1000"])
    for one in order:
        total = one.latencies_ms.get("total")
        figures = [
            round(getattr(one.measures[m], end), 6) if m in one.measures else ""
            for m in measures
            for end in _CSV_FIGURES
        ]
        took = [round(total.median, 3), round(total.p95, 3)] if total else ["", ""]
        spent = ["" if value is None else round(value, 6) for value in (one.tokens, one.cost)]
        writer.writerow([one.name, *figures, *took, *spent])
    return written.getvalue()


def as_latex(evaluations: Sequence[Evaluation], measure: Measure) -> str:
    """A `tabular` with booktabs' rules: a row a configuration, best first, the best figure of each column in bold."""
    order = ranked(evaluations, measure)
    measures = [measure, *(one for one in order[0].measures if one != measure and one.cutoff)]
    best = {m: max(one.measures[m].mean for one in order if m in one.measures) for m in measures}
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(measures) + 2)}}}",
        r"\toprule",
        " & ".join(["configuration", *(_escaped(str(m)) for m in measures), r"95\,\% interval", "ms"]) + r" \\",
        r"\midrule",
    ]
    for one in order:
        cells = [_bold(one.measures[m].mean, best[m]) if m in one.measures else "" for m in measures]
        interval, total = one.measures[measure], one.latencies_ms.get("total")
        took = f"{total.median:.1f}" if total else ""
        lines.append(
            " & ".join([_escaped(one.name), *cells, f"{interval.low:.3f}--{interval.high:.3f}", took]) + r" \\"
        )
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def write_table(text: str, file: Path) -> None:
    """Writes a table, its folder too.

    Raises:
        PolicyRagError: it cannot be written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PolicyRagError(f"{file} cannot be written ({error}): give another place") from error


def _bold(value: float, best: float) -> str:
    shown = f"{value:.3f}"
    return rf"\textbf{{{shown}}}" if shown == f"{best:.3f}" else shown


def _escaped(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    >>> print(_escaped("top_k=5 & 10%"))
    top\_k=5 \& 10\%
    """
    return "".join(_STEERING.get(character, character) for character in text)
