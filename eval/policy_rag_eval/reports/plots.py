"""Plots as SVG: intervals, a figure against another, a curve with its band. They take their colours from the page.

All of them are drawn from figures alone, and the same figures give the same picture.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from policy_rag_eval.reports.decision_page import shown
from policy_rag_eval.statistics.intervals import Interval

_WIDTH, _ROW, _CHARACTER = 1040, 22, 7.6
_NAME_CHARS = 58
_LABEL = 16  # the height of a line of labels
_STEPS_OF_A_DECADE = ((1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0,))


@dataclass(frozen=True, slots=True)
class PlottedPoint:
    """A point of a plot of two figures.

    Attributes:
        name: what it is.
        x: where it is across, above 0 where the axis is logarithmic.
        y: how high, with its interval.
        label: what stands beside it; empty for nothing.
        chosen: whether it stands out.
        ceiling: a mark above it, or None.
    """

    name: str
    x: float
    y: Interval
    label: str = ""
    chosen: bool = False
    ceiling: float | None = None


def intervals_plot(names: Sequence[str], intervals: Sequence[Interval], *, title: str, zero: bool = False) -> str:
    """Means with their intervals, a row each; the first stands out. With `zero` a line marks no difference.

    `title` is for those who hear the page.
    """
    if not intervals:
        return ""
    labels = [_shortened(name) for name in names]
    left = 14 + _CHARACTER * max(map(len, labels))
    right = _WIDTH - 70
    ends = [end for one in intervals for end in (one.low, one.high)] + ([0.0] if zero else [])
    scale = _Scale(min(ends), max(ends), left, right)
    height = _ROW * len(labels) + 34
    body = [_grid(scale, 6, height - 26)]
    if zero:
        body.append(f'<line class="accent" x1="{scale(0):.1f}" x2="{scale(0):.1f}" y1="6" y2="{height - 26}"/>')
    for row, (name, label, one) in enumerate(zip(names, labels, intervals, strict=True)):
        y = 6 + _ROW * (row + 0.5)
        kind = "accent" if row == 0 and not zero else "mark"
        told = f"{name}: {one.mean:.3f}, {one.low:.3f} to {one.high:.3f}"
        body.append(
            f'<g><title>{shown(told)}</title><text x="{left - 10:.1f}" y="{y + 4:.1f}" text-anchor="end">{shown(label)}'
            f'</text><line class="{kind}" stroke-width="2.5" stroke-opacity=".55" x1="{scale(one.low):.1f}" '
            f'x2="{scale(one.high):.1f}" y1="{y:.1f}" y2="{y:.1f}"/><circle class="{kind}" r="3.5" '
            f'cx="{scale(one.mean):.1f}" cy="{y:.1f}"/><text class="quiet" x="{right + 12}" y="{y + 4:.1f}">'
            f"{one.mean:{'+' if zero else ''}.3f}</text></g>"
        )
    return _svg(height, title, body)


def points_plot(points: Sequence[PlottedPoint], *, across: str, up: str, title: str, logarithmic: bool = False) -> str:
    """A point a configuration with the interval of its height.

    `title` is for those who hear the page; `logarithmic` is the axis across.
    """
    drawn = [point for point in points if point.x > 0 or not logarithmic]
    if len(drawn) < 2:
        return ""
    height = 360
    x_of = _Scale.of([point.x for point in drawn], 60, _WIDTH - 190, logarithmic=logarithmic)
    heights = [value for point in drawn for value in (point.y.low, point.y.high, point.ceiling) if value is not None]
    y_of = _Scale.of(heights, height - 46, 20)
    body = [_grid(x_of, 12, height - 38), _grid_up(y_of, _WIDTH - 190)]
    at = _label_places([(x_of(one.x), y_of(one.y.mean), one.label, one.chosen) for one in drawn])
    for place, point in sorted(zip(at, drawn, strict=True), key=lambda one: one[1].chosen):
        x, kind = x_of(point.x), "accent" if point.chosen else "mark"
        told = f"{point.name}: {point.y.mean:.3f}, {point.y.low:.3f} to {point.y.high:.3f}; {point.x:g} {across}"
        label = (
            ""
            if place is None
            else f'<text class="{kind}" x="{place[0]:.1f}" y="{place[1]:.1f}" stroke="none">{shown(point.label)}</text>'
        )
        ceiling = (
            ""
            if point.ceiling is None
            else f'<path class="{kind} none" d="M{x - 5:.1f} {y_of(point.ceiling) + 4:.1f}h10l-5 -8z"/>'
        )
        body.append(
            f'<g><title>{shown(told)}</title><line class="{kind}" stroke-opacity=".5" stroke-width="1.6" x1="{x:.1f}" '
            f'x2="{x:.1f}" y1="{y_of(point.y.low):.1f}" y2="{y_of(point.y.high):.1f}"/><circle class="{kind}" '
            f'r="4" cx="{x:.1f}" cy="{y_of(point.y.mean):.1f}"/>{label}{ceiling}</g>'
        )
    return _svg(height, title, [*body, *_told_axes(across, up, _WIDTH - 190, height)])


def _label_places(points: Sequence[tuple[float, float, str, bool]]) -> list[tuple[float, float] | None]:
    """Where the label of each point begins, so that none lies on another; None where it has no room, or is empty.

    The chosen ones come first, then those to the left; each is put to the right of its point if it can be, above it or
    below, else to the left.
    """
    taken: list[tuple[float, float, float]] = []
    places: list[tuple[float, float] | None] = [None] * len(points)
    for number in sorted(range(len(points)), key=lambda i: (not points[i][3], points[i][0])):
        x, y, label, _ = points[number]
        width = _CHARACTER * (len(label) + 0.5)  # half a character apart, so that two are not read as one
        corners = ((begin, line) for begin in (x + 8, x - 8 - width) for line in (y - 6, y + 16))
        for begin, line in corners if label else ():
            if all(
                begin + width < left or right < begin or abs(line - other) >= _LABEL for left, right, other in taken
            ):
                taken.append((begin, begin + width, line))
                places[number] = begin, line
                break
    return places


def curve_plot(
    xs: Sequence[float],
    figures: Sequence[Interval],
    *,
    across: str,
    up: str,
    title: str,
    asked: float | None = None,
    chosen: tuple[float, float] | None = None,
) -> str:
    """A figure over another as a line with the band of its intervals.

    `xs` are shares from 0 to 1; `asked` is a level that is asked for, `chosen` the point that was; `title` is for those
    who hear the page.
    """
    height = 340
    x_of = _Scale(0.0, 1.0, 60, _WIDTH - 60)
    y_of = _Scale.of([0.0, *(one.high for one in figures), asked or 0.0], height - 46, 20)
    order = sorted(range(len(xs)), key=lambda i: xs[i])
    upper = [f"{x_of(xs[i]):.1f},{y_of(figures[i].high):.1f}" for i in order]
    lower = [f"{x_of(xs[i]):.1f},{y_of(figures[i].low):.1f}" for i in reversed(order)]
    line = " ".join(f"{x_of(xs[i]):.1f},{y_of(figures[i].mean):.1f}" for i in order)
    body = [
        _grid(x_of, 12, height - 38),
        _grid_up(y_of, _WIDTH - 60),
        f'<polygon class="band" points="{" ".join((*upper, *lower))}"/>',
        f'<polyline class="mark none" stroke-width="2" points="{line}"/>',
    ]
    if asked is not None:
        y = y_of(asked)
        body.append(
            f'<line class="accent" stroke-dasharray="5 4" x1="60" x2="{_WIDTH - 60}" y1="{y:.1f}" y2="{y:.1f}"/>'
        )
    if chosen is not None:
        body.append(f'<circle class="accent" r="5" cx="{x_of(chosen[0]):.1f}" cy="{y_of(chosen[1]):.1f}"/>')
    return _svg(height, title, [*body, *_told_axes(across, up, _WIDTH - 60, height)])


class _Scale:
    """From figures to places."""

    def __init__(self, low: float, high: float, first: float, last: float, *, logarithmic: bool = False) -> None:
        self._as: Callable[[float], float] = math.log10 if logarithmic else float
        self.logarithmic = logarithmic
        self.low, self.high = low, high if high > low else low + (abs(low) or 1.0)
        self._first, self._last = first, last

    @classmethod
    def of(cls, values: Sequence[float], first: float, last: float, *, logarithmic: bool = False) -> "_Scale":
        """One that holds these with a little room."""
        low, high = min(values), max(values)
        if logarithmic:
            return cls(low / 1.15, high * 1.15, first, last, logarithmic=True)
        room = 0.04 * (high - low)
        return cls(low - room, high + room, first, last)

    def __call__(self, value: float) -> float:
        """The place of a figure."""
        share = (self._as(value) - self._as(self.low)) / (self._as(self.high) - self._as(self.low))
        return self._first + share * (self._last - self._first)

    def ticks(self) -> list[float]:
        """Round figures in between, about five."""
        if self.logarithmic:
            decades = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = _STEPS_OF_A_DECADE[sum(self.high / self.low > span for span in (8, 500))]
            return [m * 10.0**d for d in decades for m in steps if self.low <= m * 10.0**d <= self.high]
        rough = (self.high - self.low) / 5
        unit = 10.0 ** math.floor(math.log10(rough))
        step = next(m * unit for m in (1.0, 2.0, 5.0, 10.0) if m * unit >= rough)
        first = math.ceil(self.low / step - 1e-9)
        return [i * step for i in range(first, math.floor(self.high / step + 1e-9) + 1)]


def _grid(scale: _Scale, top: float, bottom: float) -> str:
    return "".join(
        f'<line class="grid" x1="{scale(t):.1f}" x2="{scale(t):.1f}" y1="{top}" y2="{bottom}"/>'
        f'<text class="quiet" x="{scale(t):.1f}" y="{bottom + 16}" text-anchor="middle">{t:g}</text>'
        for t in (round(one, 10) for one in scale.ticks())
    )


def _grid_up(scale: _Scale, right: float) -> str:
    return "".join(
        f'<line class="grid" y1="{scale(t):.1f}" y2="{scale(t):.1f}" x1="60" x2="{right}"/>'
        f'<text class="quiet" y="{scale(t) + 4:.1f}" x="52" text-anchor="end">{t:g}</text>'
        for t in (round(one, 10) for one in scale.ticks())
    )


def _told_axes(across: str, up: str, right: int, height: int) -> tuple[str, str]:
    return (
        f'<text class="quiet" x="{right}" y="{height - 4}" text-anchor="end">{shown(across)}</text>',
        f'<text class="quiet" x="60" y="10">{shown(up)}</text>',
    )


def _shortened(name: str) -> str:
    """A name that fits beside a plot: its beginning and its end.

    >>> _shortened("short")
    'short'
    """
    if len(name) <= _NAME_CHARS:
        return name
    half = (_NAME_CHARS - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def _svg(height: float, title: str, body: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" role="img" aria-label="{shown(title)}">'
    return f"{head}{''.join(body)}</svg>"
