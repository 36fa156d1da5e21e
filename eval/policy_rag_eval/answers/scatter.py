"""Retrieval against answers as a picture: a point a configuration, its ceiling and floor as marks."""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from policy_rag_eval.answers.label_placement import Box, placed
from policy_rag_eval.answers.scoring import AnswerEvaluation, Loss
from policy_rag_eval.reports.plots import STYLE, png, whatever_letters
from policy_rag_eval.statistics.intervals import Interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = ("#33658a", "#c2571a", "#4f772d", "#7b4b94", "#a63d40", "#0b7a75", "#8a6d3b", "#555555")
_LABELLED = 40
_NAMED = 9  # more names than these are not read in the picture: they are numbered, and stand beside it
_SMALL = 7
_MARK_PX = 9.0
_PAD_PX = 2.0  # kept free around a label
_KEY_CHARS = 40
_SIZE, _KEY_WIDTH, _KEY_LINE, _KEY_GAP, _BELOW = (7.2, 5.0), 3.0, 0.125, 0.05, 1.2  # inches
_TEXT = "#222222"


@dataclass(frozen=True, slots=True)
class _Point:
    """A configuration that can be drawn."""

    name: str
    llm: str
    recall: Interval
    loss: Loss


def scatter_plot(evaluations: Sequence[AnswerEvaluation], *, title: str) -> bytes:
    """Recall of what was given against the answer score with both intervals; above it the ceiling, below it the floor.

    Points are named, more than nine by a number that is told beside the picture, as are those whose names find no
    place in it; configurations at the same point share a label. A number that finds no place is left out.

    Args:
        evaluations: those with a recall and a loss are drawn; beyond forty only the colours of LLMs are told.
        title: of the picture.
    """
    points = [_Point(one.name, one.llm, one.recall, one.loss) for one in evaluations if one.recall and one.loss]
    figure, whole = _figure(points, title, numbered=len(points) > _NAMED)
    if not whole and len(points) <= _NAMED:
        figure, _ = _figure(points, title, numbered=True)
    return png(figure)


def _figure(points: Sequence[_Point], title: str, *, numbered: bool) -> "tuple[Figure, bool]":
    """The picture, and whether every label found its place in it."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    labelled, whole = 1 < len(points) <= _LABELLED, True
    width, height = _SIZE
    if labelled and numbered:
        height = max(height, sum(map(_key_inches, points)) + _BELOW)
    with rc_context(STYLE):
        figure = Figure(figsize=(width + (_KEY_WIDTH if labelled and numbered else 0), height), layout="constrained")
        if labelled and numbered:
            axes, key = figure.subplots(1, 2, width_ratios=(width, _KEY_WIDTH))
            _draw_key(key, points, height - _BELOW)
        else:
            axes = figure.add_subplot()
        _draw(axes, points)
        axes.set_title(title)
        if points:
            figure.legend(loc="outside lower center", frameon=False, ncols=4)
        if labelled:
            whole = _label(figure, axes, points, numbered=numbered)
    return figure, whole


def _draw(axes: "Axes", points: Sequence[_Point]) -> None:
    colours = _colours(points)
    told: set[str] = set()
    for one in points:
        colour, x, y = colours[one.llm], one.recall, one.loss.found
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
    axes.set_xlabel("retrieval: share of the gold among the sections given")
    axes.set_ylabel(f"answers: mean {points[0].loss.judge if points else 'score'}")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)


def _colours(points: Sequence[_Point]) -> dict[str, str]:
    llms = dict.fromkeys(one.llm for one in points)
    return {llm: _COLOURS[place % len(_COLOURS)] for place, llm in enumerate(llms)}


def _key_lines(one: _Point) -> list[str]:
    return textwrap.wrap(one.name, _KEY_CHARS) or [one.name]


def _key_inches(one: _Point) -> float:
    return len(_key_lines(one)) * _KEY_LINE + _KEY_GAP


def _draw_key(axes: "Axes", points: Sequence[_Point], inches: float) -> None:
    """The names of the numbers."""
    axes.axis("off")
    colours = _colours(points)
    look: dict[str, Any] = {"fontsize": _SMALL, "va": "top", "transform": axes.transAxes}
    y = 1.0
    for number, one in enumerate(points, 1):
        axes.text(0.05, y, str(number), color=colours[one.llm], ha="right", fontweight="bold", **look)
        axes.text(0.09, y, "\n".join(_key_lines(one)), **look)
        y -= _key_inches(one) / inches


def _label(figure: "Figure", axes: "Axes", points: Sequence[_Point], *, numbered: bool) -> bool:
    """Writes what points are called beside them; whether each found its place."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(figure)
    with whatever_letters():
        figure.draw_without_rendering()  # only then is known where anything is
    figure.set_layout_engine("none")

    def spot(x: float, y: float) -> tuple[float, float]:
        across, up = axes.transData.transform((x, y))
        return float(across), float(up)

    groups: dict[tuple[float, float], list[str]] = {}
    tints: dict[tuple[float, float], set[str]] = {}
    for number, one in enumerate(points, 1):
        at = (round(one.recall.mean, 3), round(one.loss.found.mean, 3))
        groups.setdefault(at, []).append(str(number) if numbered else one.name)
        tints.setdefault(at, set()).add(_colours(points)[one.llm])
    texts = [(", " if numbered else "\n").join(names) for names in groups.values()]
    frame = axes.get_window_extent()
    sizes = []
    for text in texts:
        drawn = axes.text(0, 0, text, fontsize=_SMALL)
        with whatever_letters():
            extent = drawn.get_window_extent()
        sizes.append((extent.width + 2 * _PAD_PX, extent.height + 2 * _PAD_PX))
        drawn.remove()
    levels = [(one.recall.mean, of.mean) for one in points for of in (one.loss.ceiling, one.loss.floor)]
    found = placed(
        [spot(*at) for at in groups],
        sizes,
        within=Box(frame.x0, frame.y0, frame.x1, frame.y1),
        marks=[_around(*spot(*at)) for at in (*groups, *levels)],
        lines=[box for one in points for box in _bars(one, spot)],
    )
    for at, text, box in zip(groups, texts, found, strict=True):
        if box is not None:
            _write(axes, text, spot(*at), box, tints[at].pop() if len(tints[at]) == 1 else _TEXT)
    return None not in found


def _around(x: float, y: float) -> Box:
    return Box(x - _MARK_PX / 2, y - _MARK_PX / 2, x + _MARK_PX / 2, y + _MARK_PX / 2)


def _bars(one: _Point, spot: Any) -> tuple[Box, Box]:
    """The two intervals of a point."""
    x, y = one.recall, one.loss.found
    left, right, low, high = spot(x.low, y.mean), spot(x.high, y.mean), spot(x.mean, y.low), spot(x.mean, y.high)
    return Box(left[0], left[1] - 1, right[0], right[1] + 1), Box(low[0] - 1, low[1], high[0] + 1, high[1])


def _write(axes: "Axes", text: str, spot: tuple[float, float], box: Box, colour: str) -> None:
    """A label, with a line to its point where it does not stand next to it."""
    end = (min(max(spot[0], box.left), box.right), min(max(spot[1], box.bottom), box.top))
    # As shares of the frame: the picture may be written with more dots an inch than it was laid out with.
    left_below = (box.left + _PAD_PX, box.bottom + _PAD_PX)
    start, stop, corner = axes.transAxes.inverted().transform([spot, end, left_below]).tolist()
    if math.dist(spot, end) > _MARK_PX:
        across, up = zip(start, stop, strict=True)
        axes.plot(across, up, color=colour, linewidth=0.4, transform=axes.transAxes, zorder=1)
    behind = {"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.5}
    look: dict[str, Any] = {"fontsize": _SMALL, "va": "bottom", "ha": "left", "color": colour, "bbox": behind}
    left, bottom = corner
    axes.text(left, bottom, text, transform=axes.transAxes, **look)
