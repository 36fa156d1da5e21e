"""Retrieval against answers as a plot: a numbered point a configuration, its ceiling and floor as marks."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from policy_rag_eval.answers.scoring import AnswerEvaluation, Loss
from policy_rag_eval.reports.plots import STYLE, png
from policy_rag_eval.statistics.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#33658a", "#c2571a", "#4f772d", "#7b4b94", "#a63d40", "#0b7a75", "#8a6d3b", "#555555")
_NAME_CHARS = 40
_MAX_NAMED = 40
_PLOT, _NAMES_WIDTH, _LINE = (7.2, 5.0), 3.2, 0.14  # inches


@dataclass(frozen=True, slots=True)
class _Point:
    """A configuration that can be drawn."""

    name: str
    llm: str
    recall: Interval
    loss: Loss


def scatter_plot(evaluations: Sequence[AnswerEvaluation], *, title: str) -> bytes:
    """Recall of what was given against the answer score with both intervals; above it the ceiling, below it the floor.

    Several points are numbered, in order, and named beside the plot; those at the same place share a label.

    Args:
        evaluations: those with a recall and a loss are drawn; beyond forty only the colours of LLMs are named.
        title: of the plot.
    """
    points = [_Point(one.name, one.llm, one.recall, one.loss) for one in evaluations if one.recall and one.loss]
    return png(_figure(points, title))


def _figure(points: Sequence[_Point], title: str) -> "Figure":
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    width, height = _PLOT
    names = [f"{number}  {line}" for number, one in enumerate(points, 1) for line in [_wrapped(one.name)]]
    named = 1 < len(points) <= _MAX_NAMED
    if named:
        width += _NAMES_WIDTH
        height = max(height, _LINE * sum(name.count("\n") + 1 for name in names) + 1.2)
    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots()
        _draw(axes, points)
        axes.set_title(title)
        if points:
            figure.legend(loc="outside lower center", frameon=False, ncols=4)
        if named:
            _number(axes, points)
            axes.text(1.03, 1.0, "\n".join(names), transform=axes.transAxes, va="top", fontsize=7.5)
    return figure


def _wrapped(name: str) -> str:
    return textwrap.fill(name, _NAME_CHARS, subsequent_indent="    ")


def _draw(axes: "Axes", points: Sequence[_Point]) -> None:
    colours = _colours(points)
    in_legend: set[str] = set()

    def label(name: str) -> str | None:
        """The name where it is new to the legend."""
        new = name not in in_legend
        in_legend.add(name)
        return name if new else None

    for one in points:
        colour, x, y = colours[one.llm], one.recall, one.loss.found
        axes.errorbar([x.mean], [y.mean], _ends(y), _ends(x), "o", color=colour, elinewidth=0.8, label=label(one.llm))
        for level, mark, name in ((one.loss.ceiling, "^", "ceiling"), (one.loss.floor, "v", "floor")):
            axes.plot([x.mean], [level.mean], mark, color=colour, markerfacecolor="none", label=label(name))
    axes.set_xlabel("retrieval: share of the gold among the sections given")
    axes.set_ylabel(f"answers: mean {points[0].loss.judge if points else 'score'}")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)


def _ends(interval: Interval) -> list[list[float]]:
    """How far the ends of an interval are from its mean."""
    return [[interval.mean - interval.low], [interval.high - interval.mean]]


def _colours(points: Sequence[_Point]) -> dict[str, str]:
    llms = dict.fromkeys(one.llm for one in points)
    return {llm: _COLOURS[place % len(_COLOURS)] for place, llm in enumerate(llms)}


def _number(axes: "Axes", points: Sequence[_Point]) -> None:
    """The numbers of the points that are at each place."""
    places: dict[tuple[float, float], list[str]] = {}
    for number, one in enumerate(points, 1):
        place = (round(one.recall.mean, 2), round(one.loss.found.mean, 2))
        places.setdefault(place, []).append(str(number))
    for place, numbers in places.items():
        axes.annotate(", ".join(numbers), place, xytext=(6, 5), textcoords="offset points", fontweight="bold")
