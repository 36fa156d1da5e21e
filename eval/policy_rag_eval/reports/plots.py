"""Plots of evaluations: measures with their intervals, precision against latency, combinations, slices.

All of them are drawn from figures alone, without a display, and the same figures give the same picture.
"""

import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from policy_rag_eval.measures.measures import DECIDED_BY, Measure, MeasureName
from policy_rag_eval.measures.slices import Slice
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Latency

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MEASURES_PLOT = "measures.png"
LATENCY_PLOT = "precision_latency.png"
HEAT_MAP = "combinations.png"
SLICES_PLOT = "slices.png"

_DPI = 110
_ROWS = 40  # more configurations than this are not told apart in one picture: the best are shown
_PANELS = 12
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


class Measured(Protocol):
    """What is drawn: an evaluation as it was made, or as it was read from a store."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def settings(self) -> Mapping[str, Any]: ...  # noqa: D102
    @property
    def measures(self) -> Mapping[Measure, Interval]: ...  # noqa: D102
    @property
    def timings_ms(self) -> Mapping[str, float]: ...  # noqa: D102
    @property
    def latencies_ms(self) -> Mapping[str, Latency]: ...  # noqa: D102
    @property
    def slices(self) -> Sequence[Slice]: ...  # noqa: D102


M = TypeVar("M", bound=Measured)


def plots(evaluations: Sequence[Measured]) -> dict[str, bytes]:
    """Every plot that these figures have something for, as PNG, by file name.

    The intervals always; precision against latency of two configurations or more; the combinations of at least two
    settings that differ; the slices of the best configuration.
    """
    drawings: dict[str, Callable[[], Figure | None]] = {
        MEASURES_PLOT: lambda: measures_figure(evaluations),
        LATENCY_PLOT: lambda: latency_figure(evaluations),
        HEAT_MAP: lambda: heat_map(evaluations),
        SLICES_PLOT: lambda: slices_figure(ranked(evaluations)[0]),
    }
    drawn = {name: draw() for name, draw in drawings.items()}
    return {name: png(figure) for name, figure in drawn.items() if figure is not None}


def png(figure: "Figure") -> bytes:
    """A figure as PNG; the same figure gives the same bytes."""
    made = io.BytesIO()
    with whatever_letters():
        figure.savefig(made, format="png", dpi=_DPI, metadata={"Software": None})
    return made.getvalue()


@contextmanager
def whatever_letters() -> Iterator[None]:
    """A letter that the font lacks is drawn as a box, without a warning; the name stands in the tables too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def deciding(evaluations: Sequence[Measured]) -> Measure:
    """The measure that ranks: `ndcg@10`, or the first where that was not asked for."""
    measures = evaluations[0].measures
    return DECIDED_BY if DECIDED_BY in measures else next(iter(measures))


def ranked(evaluations: Sequence[M]) -> list[M]:
    """Best first by the measure that decides, equals in their order."""
    measure = deciding(evaluations)
    return sorted(evaluations, key=lambda evaluation: -evaluation.measures[measure].mean)


def dimensions(evaluations: Sequence[Measured]) -> dict[str, tuple[str, ...]]:
    """The settings in which configurations differ, each with its values in order of appearance.

    A setting that changes only together with one before it says nothing more and is left out.
    """
    found: dict[str, tuple[str, ...]] = {}
    partitions: list[list[int]] = []
    for name in evaluations[0].settings:
        column = [str(evaluation.settings.get(name)) for evaluation in evaluations]
        values = tuple(dict.fromkeys(column))
        partition = [values.index(value) for value in column]
        if len(values) > 1 and partition not in partitions:
            found[name] = values
            partitions.append(partition)
    return found


def milliseconds(evaluation: Measured) -> float | None:
    """What a question takes: the sum of its steps' medians, or of their means where no medians were taken."""
    if evaluation.latencies_ms:
        latencies = evaluation.latencies_ms
        return latencies["total"].median if "total" in latencies else sum(one.median for one in latencies.values())
    return sum(evaluation.timings_ms.values()) if evaluation.timings_ms else None


def measures_figure(evaluations: Sequence[Measured]) -> "Figure":
    """A panel a measure, a row a configuration: mean and 95 % interval, best first by the measure that decides."""
    shown = ranked(evaluations)[:_ROWS]
    decides = deciding(evaluations)
    others = [m for m in evaluations[0].measures if m != decides and m.name is not MeasureName.HITS]
    measures = [decides, *others]
    labels = [_wrapped(evaluation.name) for evaluation in shown]
    rows = math.ceil(len(measures) / 5)
    columns = math.ceil(len(measures) / rows)
    lines = sum(label.count("\n") + 1.7 for label in labels)
    with _style():
        figure = _figure(11.5, rows * (0.155 * lines + 0.75) + 0.4)
        axes = figure.subplots(rows, columns, sharey=True, squeeze=False)
        for place, axis in enumerate(axes.flat):
            if place >= len(measures):
                axis.set_visible(False)
                continue
            _intervals(axis, [evaluation.measures[measures[place]] for evaluation in shown])
            axis.set_title(str(measures[place]), fontweight="bold" if place == 0 else "normal")
            axis.set_yticks(range(len(labels)), labels)
        left = len(evaluations) - len(shown)
        note = f", the best {len(shown)} of {len(evaluations)}" if left else ""
        figure.suptitle(f"Means over questions with 95 % intervals{note}", fontsize=11)
    return figure


def latency_figure(evaluations: Sequence[Measured]) -> "Figure | None":
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
        for index, ((one, _), (took, mean)) in enumerate(zip(timed, points, strict=True)):
            interval = one.measures[measure]
            colour = _FRONT if index in front else "#9aa5ab"
            axis.plot([took, took], [interval.low, interval.high], color=colour, alpha=0.45, linewidth=1.4)
            axis.plot(took, mean, "o", color=colour, markersize=6)
        axis.plot([points[i][0] for i in front], [points[i][1] for i in front], color=_FRONT, linewidth=0.8, alpha=0.6)
        for number, index in enumerate(front, start=1):
            axis.annotate(
                str(number),
                points[index],
                xytext=(6, 5),
                textcoords="offset points",
                color=_FRONT,
                fontweight="bold",
            )
        axis.set_xscale("log")
        _plain_ticks(axis)
        kind = "sum of the steps' medians" if timed[0][0].latencies_ms else "mean"
        if "total" in timed[0][0].latencies_ms:
            kind = "median"
        axis.set_xlabel(f"milliseconds a question ({kind}), logarithmic")
        axis.set_ylabel(f"{measure}, 95 % interval")
        axis.grid(alpha=0.25)
        named = [
            f"{number}  " + textwrap.fill(timed[index][0].name, _NAME_CHARS, subsequent_indent="    ")
            for number, index in enumerate(front, start=1)
        ]
        axis.text(1.02, 1.0, "\n".join(named), transform=axis.transAxes, va="top", fontsize=8.5)
        axis.set_title(f"{measure} against latency; numbered: no other is both better and faster", loc="left")
    return figure


def heat_map(evaluations: Sequence[Measured]) -> "Figure | None":
    """The measure that decides, for every combination of two settings; panels for the values of the others.

    The two settings with the most values are the axes. Where the others have more combinations than fit, each cell
    shows the best of them. A combination that was not run stays empty. None where fewer than two settings differ.
    """
    varied = dimensions(evaluations)
    if len(varied) < 2:
        return None
    across, down = sorted(varied, key=lambda name: -len(varied[name]))[:2]
    if len(varied[across]) > _CELLS or len(varied[down]) > _CELLS:
        return None
    others = [name for name in varied if name not in {across, down}]
    panels = [dict(zip(others, values, strict=True)) for values in product(*(varied[name] for name in others))]
    panels = [panel for panel in panels if any(_matches(one, panel) for one in evaluations)]
    best_of = len(panels) > _PANELS
    if best_of:
        panels = [{}]
    measure = deciding(evaluations)
    tables = [_cells(evaluations, panel, (down, varied[down]), (across, varied[across]), measure) for panel in panels]
    with _style():
        return _heat_panels(tables, panels, (down, varied[down]), (across, varied[across]), measure, best_of=best_of)


def slices_figure(evaluation: Measured) -> "Figure | None":
    """The measure that decides for each part of the questions, with intervals and the number of questions."""
    measure = deciding([evaluation])
    parts: dict[str, list[Slice]] = {}
    for part in evaluation.slices:
        if measure in part.measures:
            parts.setdefault(part.by, []).append(part)
    parts = {by: found for by, found in parts.items() if len(found) > 1}
    if not parts:
        return None
    parts = {by: found[:_ROWS] for by, found in parts.items()}
    with _style():
        rows = [len(found) for found in parts.values()]
        figure = _figure(8.5, sum(rows) * 0.27 + 0.75 * len(rows) + 0.5)
        axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False, height_ratios=rows)
        for axis, (by, found) in zip(axes.flat, parts.items(), strict=True):
            _intervals(axis, [part.measures[measure] for part in found], marked=False)
            axis.axvline(evaluation.measures[measure].mean, color=_BEST, linewidth=0.9, linestyle=":")
            labels = [f"{textwrap.shorten(part.value, 44, placeholder='…')}  ({part.questions})" for part in found]
            axis.set_yticks(range(len(found)), labels)
            axis.set_title(f"by {by}", loc="left")
        title = textwrap.fill(f"{measure} of {evaluation.name} (number of questions; dotted: all)", 80)
        figure.suptitle(title, fontsize=11)
    return figure


def differences_figure(names: Sequence[str], differences: Sequence[Interval], title: str) -> "Figure":
    """Paired differences with their intervals, a row each: left of zero the other one is better."""
    labels = [_wrapped(name) for name in names]
    with _style():
        lines = sum(label.count("\n") + 1.9 for label in labels)
        figure = _figure(9.0, 0.17 * lines + 1.1)
        axis = figure.subplots()
        _intervals(axis, differences, marked=False)
        axis.axvline(0.0, color="black", linewidth=0.8)
        axis.set_yticks(range(len(labels)), labels)
        axis.set_title(textwrap.fill(title, 90), loc="left")
    return figure


def _intervals(axis: "Axes", intervals: Sequence[Interval], *, marked: bool = True) -> None:
    """Dots with bars from above to below; the first is marked as the best."""
    from matplotlib.ticker import MaxNLocator

    for row, interval in enumerate(intervals):
        colour = _BEST if marked and row == 0 and len(intervals) > 1 else _OTHER
        axis.plot([interval.low, interval.high], [row, row], color=colour, linewidth=2.2, alpha=0.55)
        axis.plot(interval.mean, row, "o", color=colour, markersize=5)
    axis.set_ylim(len(intervals) - 0.4, -0.6)
    axis.grid(axis="x", alpha=0.25)
    axis.tick_params(axis="y", length=0)
    axis.margins(x=0.08)
    axis.xaxis.set_major_locator(MaxNLocator(3))


def _heat_panels(
    tables: Sequence[Sequence[Sequence[float]]],
    panels: Sequence[Mapping[str, str]],
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    measure: Measure,
    *,
    best_of: bool,
) -> "Figure":
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    columns = min(len(panels), 3 if len(across[1]) <= 4 else 2)
    rows = math.ceil(len(panels) / columns)
    width = max(6.5, 2.0 + columns * max(2.2, 0.95 * len(across[1])) + 1.2)
    figure = _figure(min(width, 15.0), rows * (0.55 * len(down[1]) + 1.3) + 0.5)
    axes = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    known = [value for table in tables for row in table for value in row if not math.isnan(value)]
    low, high = min(known), max(known)
    colours = ScalarMappable(Normalize(low, high), "YlGnBu")
    for place, axis in enumerate(axes.flat):
        if place >= len(panels):
            axis.set_visible(False)
            continue
        axis.imshow(tables[place], vmin=low, vmax=high, cmap="YlGnBu", aspect="auto")
        axis.set_xticks(range(len(across[1])), [textwrap.fill(value, 14) for value in across[1]])
        axis.set_yticks(range(len(down[1])), [textwrap.fill(value, 22) for value in down[1]])
        axis.tick_params(length=0)
        axis.spines[:].set_visible(False)
        axis.set_title(textwrap.fill(", ".join(f"{name}={value}" for name, value in panels[place].items()), 44))
        for y, row in enumerate(tables[place]):
            for x, value in enumerate(row):
                dark = not math.isnan(value) and high > low and (value - low) / (high - low) > 0.6
                text = "not run" if math.isnan(value) else f"{value:.3f}"
                axis.text(x, y, text, ha="center", va="center", color="white" if dark else "black")
    figure.supxlabel(across[0], fontsize=10)
    figure.supylabel(down[0], fontsize=10)
    figure.colorbar(colours, ax=axes, shrink=0.8, label=str(measure))
    note = ", each cell the best over the other settings" if best_of else ""
    figure.suptitle(f"{measure} of every combination{note}", fontsize=11)
    return figure


def _cells(
    evaluations: Sequence[Measured],
    panel: Mapping[str, str],
    down: tuple[str, Sequence[str]],
    across: tuple[str, Sequence[str]],
    measure: Measure,
) -> list[list[float]]:
    """Rows of means; nan where no configuration has the combination."""
    means: dict[tuple[str, str], float] = {}
    for one in evaluations:
        if _matches(one, panel):
            cell = (str(one.settings.get(down[0])), str(one.settings.get(across[0])))
            means[cell] = max(means.get(cell, -math.inf), one.measures[measure].mean)
    return [[means.get((y, x), math.nan) for x in across[1]] for y in down[1]]


def _matches(evaluation: Measured, panel: Mapping[str, str]) -> bool:
    return all(str(evaluation.settings.get(name)) == value for name, value in panel.items())


def _precision(evaluation: Measured) -> Measure:
    """The precision that is shown: the first with a cut-off, else any, else what decides."""
    found = [measure for measure in evaluation.measures if measure.name is MeasureName.PRECISION]
    return max(found, key=lambda measure: measure.cutoff > 0) if found else deciding([evaluation])


def _front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Places of the points (milliseconds, mean) that no other point beats: faster and as good, or as fast and better.

    >>> _front([(1.0, 0.5), (2.0, 0.4), (3.0, 0.9)])
    [0, 2]
    """
    return [
        index
        for index, (took, mean) in enumerate(points)
        if not any(
            (other_took <= took and other_mean > mean) or (other_took < took and other_mean >= mean)
            for other_took, other_mean in points
        )
    ]


def _plain_ticks(axis: "Axes") -> None:
    """Milliseconds written out instead of powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator

    axis.xaxis.set_major_locator(LogLocator(subs=(1.0, 1.5, 2.0, 3.0, 5.0, 7.0)))
    axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.xaxis.set_minor_formatter(FuncFormatter(lambda _value, _: ""))


def _wrapped(name: str) -> str:
    return textwrap.fill(name, _NAME_CHARS, max_lines=3, placeholder=" …")


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _style() -> Any:
    import matplotlib as mpl

    return mpl.rc_context(STYLE)
