"""Figures as files for other programs: CSV for tables, LaTeX for papers."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from policy_rag_eval.errors import PolicyRagError
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.sweep.evaluation import Evaluation, ranked

_STEERING = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}
_CSV_FIGURES = ("mean", "low", "high")


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
