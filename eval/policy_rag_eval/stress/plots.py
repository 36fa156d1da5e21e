"""Stress tests as plots: lines with intervals over what was varied, and outcomes as bars below."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from policy_rag_eval.reports.plots import STYLE, png
from policy_rag_eval.stress.records import ConditionResult, Outcome, StressResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINES = ("#33658a", "#c2571a", "#2f7d5b", "#7b4b94")
_COLOURS = {
    Outcome.GOLD: "#2f7d5b", Outcome.PART: "#9dc3a5", Outcome.BOTH: "#d9b44a", Outcome.PLANTED: "#a63d40",
    Outcome.OTHER: "#c2571a", Outcome.REFUSED: "#9aa5ab", Outcome.FAILED: "#222222",
}  # fmt: skip


def stress_plot(result: StressResult, *, title: str) -> bytes:
    """A test's plot as PNG: the share with its 95 % intervals, and how many questions had each outcome.

    Args:
        result: with one condition at least.
        title: what was tested, by which answerer.
    """
    return png(_figure(result, title))


def _figure(result: StressResult, title: str) -> "Figure":
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        bars = max(2.0, 0.28 * len(result.conditions) + 1.0)
        figure = Figure(figsize=(8.4, 3.6 + bars), layout="constrained")
        above, below = figure.subplots(2, 1, height_ratios=[3.4, bars])
        _lines(above, result)
        _bars(below, result.conditions)
        handles, labels = below.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
        above.set_title(f"{result.test.title}\n{title}", loc="left")
    return figure


def _lines(axes: "Axes", result: StressResult) -> None:
    """The share by level; levels stand at equal distances, for they are chosen, not measured."""
    from matplotlib.ticker import PercentFormatter

    test = result.test
    ticks = list(dict.fromkeys(str(one.levels[test.axis]) for one in result.conditions))
    groups: dict[str, list[ConditionResult]] = {}
    for one in result.conditions:
        groups.setdefault(str(one.levels[test.lines]) if test.lines else "", []).append(one)
    numbers = all(isinstance(one.levels[test.axis], int) for one in result.conditions)
    for place, (name, conditions) in enumerate(groups.items()):
        shown = [(ticks.index(str(one.levels[test.axis])), one.share) for one in conditions if one.share is not None]
        # Beside each other, so that no interval hides another.
        x = [at + 0.06 * (place - (len(groups) - 1) / 2) for at, _ in shown]
        means = [share.mean for _, share in shown]
        errors = [[share.mean - share.low for _, share in shown], [share.high - share.mean for _, share in shown]]
        colour = _LINES[place % len(_LINES)]
        line = "-" if numbers else ""
        axes.errorbar(x, means, yerr=errors, marker="o", linestyle=line, color=colour, capsize=3, label=name or None)
    reachable = [(ticks.index(str(one.levels[test.axis])), one.reachable) for one in result.conditions]
    if any(share is not None for _, share in reachable):
        known = [(at, share) for at, share in reachable if share is not None]
        axes.plot(*zip(*known, strict=True), "_", color="#777777", markersize=18, label="gold is among those given")
    axes.set_xticks(range(len(ticks)), ticks)
    axes.set_xlim(-0.4, len(ticks) - 0.6)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", alpha=0.25)
    axes.set_xlabel(test.axis)
    axes.set_ylabel(textwrap.fill(f"{test.share}, 95 % interval", 42))
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, loc="best")


def _bars(axes: "Axes", conditions: Sequence[ConditionResult]) -> None:
    left = [0] * len(conditions)
    for outcome, colour in _COLOURS.items():
        counts = [one.counts[outcome] for one in conditions]
        if not any(counts):
            continue
        axes.barh(range(len(conditions)), counts, left=left, color=colour, height=0.72, label=str(outcome))
        left = [before + count for before, count in zip(left, counts, strict=True)]
    axes.set_yticks(range(len(conditions)), [one.name for one in conditions])
    axes.set_ylim(len(conditions) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("questions")
