"""Retrieval against answers as a picture: a point a configuration, its ceiling and floor as marks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from policy_rag_eval.answers.scoring import AnswerEvaluation
from policy_rag_eval.plots import STYLE, png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCATTER_PLOT = "retrieval_answers.png"

_COLOURS = ("#33658a", "#c2571a", "#4f772d", "#7b4b94", "#a63d40", "#0b7a75", "#8a6d3b", "#555555")
_LABELLED = 12


def scatter_plot(evaluations: Sequence[AnswerEvaluation], *, title: str) -> bytes:
    """Recall of what was given against the answer score with both intervals; above it the ceiling, below it the floor.

    Args:
        evaluations: those with a recall and a loss are drawn; beyond twelve only the colours of LLMs are told.
        title: of the picture.
    """
    return png(_figure([one for one in evaluations if one.recall and one.loss], title))


def _figure(evaluations: Sequence[AnswerEvaluation], title: str) -> "Figure":
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    llms = list(dict.fromkeys(one.llm for one in evaluations))
    with rc_context(STYLE):
        figure = Figure(figsize=(7.2, 4.8), layout="constrained")
        axes = figure.add_subplot()
        told: set[str] = set()
        for one in evaluations:
            if one.recall is None or one.loss is None:
                continue
            colour = _COLOURS[llms.index(one.llm) % len(_COLOURS)]
            x, y = one.recall, one.loss.found
            axes.errorbar(
                [x.mean], [y.mean], xerr=[[x.mean - x.low], [x.high - x.mean]],
                yerr=[[y.mean - y.low], [y.high - y.mean]], fmt="o", color=colour, elinewidth=0.8,
                label=one.llm if one.llm not in told else None,
            )  # fmt: skip
            told.add(one.llm)
            for level, mark, name in ((one.loss.ceiling, "^", "ceiling"), (one.loss.floor, "v", "floor")):
                label = name if name not in told else None
                axes.plot([x.mean], [level.mean], mark, color=colour, markerfacecolor="none", label=label)
                told.add(name)
            if 1 < len(evaluations) <= _LABELLED:
                axes.annotate(one.name, (x.mean, y.mean), xytext=(6, 4), textcoords="offset points", fontsize=7)
        judge = next((one.loss.judge for one in evaluations if one.loss), "score")
        axes.set_xlabel("retrieval: share of the gold among the sections given")
        axes.set_ylabel(f"answers: mean {judge}")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(-0.02, 1.02)
        axes.set_title(title)
        if told:
            axes.legend(frameon=False, loc="upper left")
    return figure
