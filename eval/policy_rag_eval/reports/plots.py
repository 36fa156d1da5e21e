"""Plots of evaluations: measures with their intervals, precision against latency, combinations, slices.

All of them are drawn from figures alone, without a display, and the same figures give the same picture.
"""

import io
import math
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from policy_rag_eval.measures.measures import Measure, MeasureName
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, deciding_measure, ranked, varied_settings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from policy_rag_eval.measures.slices import Slice

MEASURES_PLOT = "measures.png"
LATENCY_PLOT = "precision_latency.png"
HEAT_MAP = "combinations.png"
SLICES_PLOT = "slices.png"
DIFFERENCES_PLOT = "differences.png"

_DPI = 110
_ROWS = 40  # more configurations than this are not told apart in one picture: the best are shown
_CELLS = 14
_NAME_CHARS = 38
_BEST, _OTHER, _FRONT = "#c2571a", "#33658a", "#2f7d5b"
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.axisbelow": True,
    "text.parse_math": False,  # a dollar sign in a name is one
}
"""What all pictures look like, as matplotlib's settings."""


def plots(evaluations: Sequence[Evaluation]) -> dict[str, bytes]:
    """Every plot that these figures have something for, as PNG, by file name.

    The intervals always; precision against latency of two configurations or more; the combinations of at least two
    settings that differ; the slices of the best configuration.
    """
    drawn = {
        MEASURES_PLOT: measures_figure(evaluations),
        LATENCY_PLOT: latency_figure(evaluations),
        HEAT_MAP: heat_map(evaluations),
        SLICES_PLOT: slices_figure(ranked(evaluations)[0]),
    }
    return {name: png(figure) for name, figure in drawn.items() if figure is not None}


def png(figure: "Figure") -> bytes:
    """A figure as PNG; the same figure gives the same bytes."""
    image = io.BytesIO()
    with whatever_letters():
        figure.savefig(image, format="png", dpi=_DPI, metadata={"Software": None})
    return image.getvalue()


@contextmanager
def whatever_letters() -> Iterator[None]:
    """A letter that the font lacks is drawn as a box, without a warning; the name stands in the tables too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def milliseconds(evaluation: Evaluation) -> float | None:
    """What a question takes that is asked alone, the median; the sum of the steps' means where none was taken."""
    if "total" in evaluation.latencies_ms:
        return evaluation.latencies_ms["total"].median
    return sum(evaluation.timings_ms.values()) if evaluation.timings_ms else None


def measures_figure(evaluations: Sequence[Evaluation]) -> "Figure":
    """A panel a measure, a row a configuration: mean and 95 % interval, best first by the measure that decides."""
    shown = ranked(evaluations)[:_ROWS]
    decides = deciding_measure(evaluations)
    others = [m for m in evaluations[0].measures if m != decides and m.name is not MeasureName.HITS]
    measures = [decides, *others]
    labels = [_wrapped(evaluation.name) for evaluation in shown]
    rows = math.ceil(len(measures) / 5)
    columns = math.ceil(len(measures) / rows)
    with _style():
        figure = _figure(11.5, rows * (0.155 * _lines(labels) + 0.75) + 0.4)
        axes = figure.subplots(rows, columns, sharey=True, squeeze=False).flat
        for axis in axes[len(measures) :]:
            axis.set_visible(False)
        for axis, measure in zip(axes, measures, strict=False):
            _intervals(axis, labels, [evaluation.measures[measure] for evaluation in shown], best=len(shown) > 1)
            axis.set_title(str(measure), fontweight="bold" if measure == decides else "normal")
        note = f", the best {len(shown)} of {len(evaluations)}" if len(shown) < len(evaluations) else ""
        figure.suptitle(f"Means over questions with 95 % intervals{note}", fontsize=11)
    return figure


def slices_figure(evaluation: Evaluation) -> "Figure | None":
    """The measure that decides for each part of the questions, with intervals and the number of questions."""
    measure = deciding_measure([evaluation])
    by_kind: dict[str, list[Slice]] = {}
    for part in evaluation.slices:
        if measure in part.measures:
            by_kind.setdefault(part.by, []).append(part)
    panels = {by: parts[:_ROWS] for by, parts in by_kind.items() if len(parts) > 1}
    if not panels:
        return None
    rows = [len(parts) for parts in panels.values()]
    with _style():
        figure = _figure(8.5, sum(rows) * 0.27 + 0.75 * len(rows) + 0.5)
        axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False, height_ratios=rows)
        for axis, (by, parts) in zip(axes.flat, panels.items(), strict=True):
            labels = [f"{textwrap.shorten(part.value, 44, placeholder='…')}  ({part.questions})" for part in parts]
            _intervals(axis, labels, [part.measures[measure] for part in parts])
            axis.axvline(evaluation.measures[measure].mean, color=_BEST, linewidth=0.9, linestyle=":")
            axis.set_title(f"by {by}", loc="left")
        title = f"{measure} of {evaluation.name} (number of questions; dotted: all)"
        figure.suptitle(textwrap.fill(title, 80), fontsize=11)
    return figure


def differences_figure(names: Sequence[str], differences: Sequence[Interval], title: str) -> "Figure":
    """Paired differences with their intervals, a row each: left of zero the other one is better."""
    labels = [_wrapped(name) for name in names]
    with _style():
        figure = _figure(9.0, 0.17 * _lines(labels) + 1.1)
        axis = figure.subplots()
        _intervals(axis, labels, differences)
        axis.axvline(0.0, color="black", linewidth=0.8)
        axis.set_title(textwrap.fill(title, 90), loc="left")
    return figure


def latency_figure(evaluations: Sequence[Evaluation]) -> "Figure | None":
    """Precision against milliseconds a question; named are those that no other beats in both.

    None for fewer than two configurations with timings.
    """
    measure = _precision(evaluations[0])
    timed = [(one, took) for one in evaluations if (took := milliseconds(one)) is not None and took > 0]
    if len(timed) < 2:
        return None
    points = [(took, one.measures[measure].mean) for one, took in timed]
    front = sorted(_front(points), key=lambda index: points[index][0])
    with _style():
        figure = _figure(11.5, 5.2)
        axis = figure.subplots()
        for index, (one, took) in enumerate(timed):
            interval, colour = one.measures[measure], _FRONT if index in front else "#9aa5ab"
            axis.plot([took, took], [interval.low, interval.high], color=colour, alpha=0.45, linewidth=1.4)
            axis.plot(took, interval.mean, "o", color=colour, markersize=6)
        axis.plot(*zip(*(points[i] for i in front), strict=True), color=_FRONT, linewidth=0.8, alpha=0.6)
        names = []
        for number, index in enumerate(front, start=1):
            axis.annotate(
                str(number), points[index], xytext=(6, 5), textcoords="offset points", color=_FRONT, fontweight="bold"
            )
            names.append(f"{number}  " + textwrap.fill(timed[index][0].name, _NAME_CHARS, subsequent_indent="    "))
        axis.text(1.02, 1.0, "\n".join(names), transform=axis.transAxes, va="top", fontsize=8.5)
        axis.set_xscale("log")
        _plain_ticks(axis)
        axis.set_xlabel("milliseconds a question, logarithmic")
        axis.set_ylabel(f"{measure}, 95 % interval")
        axis.grid(alpha=0.25)
        axis.set_title(f"{measure} against latency; numbered: no other is both better and faster", loc="left")
    return figure


def heat_map(evaluations: Sequence[Evaluation]) -> "Figure | None":
    """The measure that decides, for every combination of the two settings with the most values.

    Where other settings differ too, each cell shows the best over these. A combination that was not run stays empty.
    None where fewer than two settings differ, or one has too many values for a table.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    varied = varied_settings(evaluations)
    if len(varied) < 2:
        return None
    across, down = sorted(varied, key=lambda name: -len(varied[name]))[:2]
    if len(varied[across]) > _CELLS:
        return None
    measure = deciding_measure(evaluations)
    best: dict[tuple[str, str], float] = {}
    for one in evaluations:
        cell = str(one.settings.get(down)), str(one.settings.get(across))
        best[cell] = max(best.get(cell, -math.inf), one.measures[measure].mean)
    low, high = min(best.values()), max(best.values())
    table = [[best.get((y, x), math.nan) for x in varied[across]] for y in varied[down]]
    with _style():
        width = 2.0 + max(2.2, 0.95 * len(varied[across])) + 1.2
        figure = _figure(min(max(6.5, width), 15.0), 0.55 * len(varied[down]) + 1.8)
        axis = figure.subplots()
        axis.imshow(table, vmin=low, vmax=high, cmap="YlGnBu", aspect="auto")
        axis.set_xticks(range(len(varied[across])), [textwrap.fill(value, 14) for value in varied[across]])
        axis.set_yticks(range(len(varied[down])), [textwrap.fill(value, 22) for value in varied[down]])
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        axis.set_xlabel(across, fontsize=10)
        axis.set_ylabel(down, fontsize=10)
        for y, row in enumerate(table):
            for x, value in enumerate(row):
                dark = high > low and (value - low) / (high - low) > 0.6
                text = "not run" if math.isnan(value) else f"{value:.3f}"
                axis.text(x, y, text, ha="center", va="center", color="white" if dark else "black")
        figure.colorbar(ScalarMappable(Normalize(low, high), "YlGnBu"), ax=axis, shrink=0.8, label=str(measure))
        note = ", each cell the best over the other settings" if len(varied) > 2 else ""
        figure.suptitle(f"{measure} of every combination{note}", fontsize=11)
    return figure


def _intervals(axis: "Axes", labels: Sequence[str], intervals: Sequence[Interval], *, best: bool = False) -> None:
    """Dots with bars from above to below, a labelled row each; the first may be marked as the best."""
    from matplotlib.ticker import MaxNLocator

    for row, interval in enumerate(intervals):
        colour = _BEST if best and row == 0 else _OTHER
        axis.plot([interval.low, interval.high], [row, row], color=colour, linewidth=2.2, alpha=0.55)
        axis.plot(interval.mean, row, "o", color=colour, markersize=5)
    axis.set_ylim(len(intervals) - 0.4, -0.6)
    axis.set_yticks(range(len(labels)), labels)
    axis.grid(axis="x", alpha=0.25)
    axis.tick_params(axis="y", length=0)
    axis.margins(x=0.08)
    axis.xaxis.set_major_locator(MaxNLocator(3))


def _precision(evaluation: Evaluation) -> Measure:
    """The precision that is shown: the first with a cut-off, else any, else what decides."""
    measures = [measure for measure in evaluation.measures if measure.name is MeasureName.PRECISION]
    return max(measures, key=lambda measure: measure.cutoff > 0) if measures else deciding_measure([evaluation])


def _front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Places of the points (milliseconds, mean) that no other point beats: faster and as good, or as fast and better.

    >>> _front([(1.0, 0.5), (2.0, 0.4), (3.0, 0.9)])
    [0, 2]
    """

    def beaten(took: float, mean: float) -> bool:
        return any((t <= took and m > mean) or (t < took and m >= mean) for t, m in points)

    return [index for index, point in enumerate(points) if not beaten(*point)]


def _plain_ticks(axis: "Axes") -> None:
    """Milliseconds written out instead of powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 1.5, 2.0, 3.0, 5.0, 7.0)))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.xaxis.set_minor_formatter(FuncFormatter(lambda _value, _: ""))


def _wrapped(name: str) -> str:
    return textwrap.fill(name, _NAME_CHARS, max_lines=3, placeholder=" …")


def _lines(labels: Sequence[str]) -> float:
    """The height of labels in lines, with what stands between them."""
    return sum(label.count("\n") + 1.8 for label in labels)


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _style() -> Any:
    import matplotlib as mpl

    return mpl.rc_context(STYLE)
