"""The decision page of a calibration: from which confidence on to answer, and at what risk."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from policy_rag_eval.calibration.fit import Calibrated
from policy_rag_eval.calibration.risk_coverage import CoveragePoint
from policy_rag_eval.reports.decision import DecisionRow, Failure, write_best, write_failures, write_repeat
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.plots import curve_plot
from policy_rag_eval.reports.table_files import Cell, FigureTable

_MIN_ANSWERED = 10  # of fewer answered questions the share says nothing
_ROWS = 24
THRESHOLD_HEAD = ("ROC area", "threshold", "answered", "risk, at most", "answerable refused")
USAGE_TOLD = (
    "ms: what it takes to search for a question that is asked alone and to decide whether to answer, an LLM's replies "
    "as long as they took; the answer itself comes on top. tokens and cost: what an LLM was asked for its view of a "
    "question, by the setting prices; – where none is asked, or no price is known."
)


def headline(name: str, chosen: CoveragePoint | None, asked: str) -> str:
    """What to do, in a sentence."""
    if chosen is None:
        return f"No threshold on {name} keeps {asked}: ask for more risk, or add questions"
    return (
        f"Answer from a confidence of {chosen.threshold:.3f} on: {chosen.coverage.mean:.0%} of the questions on "
        f"{name} are "
        f"answered, at a risk of {chosen.risk.mean:.1%} that is {chosen.risk.high:.1%} at most ({asked})"
    )


def coverage_table(curves: Mapping[str, Sequence[CoveragePoint]]) -> FigureTable:
    """What happens at every threshold of every configuration, in their order."""
    rows: list[dict[str, Cell]] = [
        {"configuration": name, **one.as_row()} for name, curve in curves.items() for one in curve
    ]
    return FigureTable(tuple(rows[0]), tuple(tuple(row.values()) for row in rows))


@dataclass(frozen=True, slots=True)
class CalibrationFacts:
    """What a page tells beside what was fitted.

    Attributes:
        asked: what a threshold was chosen by, in words.
        risk: the risk that was asked for, or None.
        failures: questions that are misjudged, by the best of several; see `misjudged`.
        texts: whether words of questions and documents may stand in it.
        command: that repeats it; "" where it was not run by one.
        settings: those that were chosen, for the best of several.
    """

    asked: str
    risk: float | None
    failures: Sequence[Failure] = ()
    texts: bool = True
    command: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)


def calibration_page(name: str, made: Calibrated, facts: CalibrationFacts) -> ReportPage:
    """The page of a calibration on the data set of that name."""
    found, chosen = made.found, made.chosen
    answerable = int(found.answerable.sum())
    page = ReportPage(
        headline(name, chosen, facts.asked),
        f"{name}: {answerable} answerable and {len(found.answerable) - answerable} unanswerable questions, each "
        f"scored by a model that did not see it; area under the ROC curve {found.area:.3f}",
    )
    rows = [DecisionRow(f"the {found.model} weights", threshold_cells(made), made.usage)]
    write_best(page, rows, THRESHOLD_HEAD, (), measure="", about=USAGE_TOLD, title="At the threshold")
    write_curve(page, made, facts.risk, name)
    write_failures(page, "Where it is wrong", facts.failures, texts=facts.texts)
    page.heading("The rest")
    with page.folded("Thresholds", f"about {_ROWS}, evenly over the questions"):
        points = points_shown(found.curve, chosen, _ROWS)
        page.table(
            (
                "threshold", "answered", "coverage", "risk", "95 % interval", "answerable refused",
                "unanswerable refused",
            ),
            [point_cells(point) for point in points],
            figures=0,
            chosen=next((place for place, point in enumerate(points) if point == chosen), None),
        )  # fmt: skip
    with page.folded("The model", f"{found.model} weights, calibrated by Platt's method"):
        page.table(
            ("feature", "weight", "from", "to"),
            [(p.feature, f"{p.weight:.3f}", f"{p.low:g}", f"{p.high:g}") for p in found.weights.pieces if p.weight > 0],
        )
        page.items(f"log-loss of the {model} weights: {loss:.3f}" for model, loss in found.log_loss.items())
    write_repeat(page, facts.command, facts.settings)
    return page


def threshold_cells(one: Calibrated) -> tuple[str, ...]:
    """What happens at the threshold that was chosen, under `THRESHOLD_HEAD`."""
    if one.chosen is None:
        return f"{one.found.area:.3f}", "–", "–", "–", "–"
    chosen = one.chosen
    risk = f"{chosen.risk.mean:.1%}, {chosen.risk.high:.1%}"
    refused = f"{chosen.answerable_refused:.0%}"
    return f"{one.found.area:.3f}", f"{chosen.threshold:.3f}", f"{chosen.coverage.mean:.0%}", risk, refused


def write_curve(page: ReportPage, one: Calibrated, risk: float | None, name: str) -> None:
    """The risk over the coverage with the threshold that was chosen."""
    chosen = one.chosen
    shown = [point for point in one.found.curve if point.answered >= _MIN_ANSWERED] or list(one.found.curve)
    page.plot(
        curve_plot(
            [point.coverage.mean for point in shown],
            [point.risk for point in shown],
            across="coverage: share of the questions that are answered",
            up="risk: unanswerable ones among them",
            title=f"risk over coverage, {name}",
            asked=risk,
            chosen=None if chosen is None else (chosen.coverage.mean, chosen.risk.mean),
        ),
        "Risk over coverage with its 95 % band."
        + (" The threshold is chosen where the band's upper end keeps the risk that was asked for." if risk else ""),
    )


def points_shown(curve: Sequence[CoveragePoint], chosen: CoveragePoint | None, most: int) -> list[CoveragePoint]:
    """About `most` points, evenly over the curve, the chosen one among them."""
    places = {round(i * (len(curve) - 1) / most) for i in range(most + 1)}
    kept = [point for place, point in enumerate(curve) if place in places or point == chosen]
    return [point for point in kept if point.answered]


def point_cells(point: CoveragePoint) -> tuple[str, ...]:
    """What happens at a threshold: how many are answered, at what risk, and what is refused of both kinds."""
    return (
        f"{point.threshold:.3f}",
        str(point.answered),
        f"{point.coverage.mean:.0%}",
        f"{point.risk.mean:.1%}",
        f"{point.risk.low:.1%} to {point.risk.high:.1%}",
        f"{point.answerable_refused:.0%}",
        f"{point.unanswerable_refused:.0%}",
    )
