"""The risk and coverage curve as a picture."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from policy_rag_eval.calibration.risk_coverage import Point
from policy_rag_eval.reports.plots import STYLE, png

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CURVE_PLOT = "risk_coverage.png"

_LINE, _CHOSEN, _REQUESTED = "#33658a", "#c2571a", "#777777"
_MIN_ANSWERED = 10  # of fewer answered questions the share says nothing


def curve_plot(curve: Sequence[Point], *, title: str, risk: float | None = None, chosen: Point | None = None) -> bytes:
    """Risk over coverage with its 95 % band, the risk that is asked for and the threshold chosen, as PNG.

    Points at which fewer than ten questions are answered are left out.
    """
    return png(_figure(curve, title=title, risk=risk, chosen=chosen))


def _figure(curve: Sequence[Point], *, title: str, risk: float | None, chosen: Point | None) -> "Figure":
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    shown = [point for point in curve if point.answered >= _MIN_ANSWERED] or list(curve)
    coverage = [point.coverage.mean for point in shown]
    with rc_context(STYLE):
        figure = Figure(figsize=(6.4, 4.2), layout="constrained")
        axes = figure.add_subplot()
        lows, highs = [point.risk.low for point in shown], [point.risk.high for point in shown]
        axes.fill_between(coverage, lows, highs, color=_LINE, alpha=0.18, linewidth=0, label="95 % interval")
        axes.plot(coverage, [point.risk.mean for point in shown], color=_LINE, label="risk")
        if risk is not None:
            axes.axhline(risk, color=_REQUESTED, linewidth=1, linestyle="--", label=f"asked for: {risk:.0%}")
        if chosen is not None:
            where = f"threshold {chosen.threshold:.3f}"
            axes.plot([chosen.coverage.mean], [chosen.risk.mean], "o", color=_CHOSEN, label=where)
        axes.set_xlabel("coverage: questions that are answered")
        axes.set_ylabel("risk: unanswerable ones among them")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, None)
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_title(title)
        axes.legend(frameon=False, loc="upper left")
    return figure
