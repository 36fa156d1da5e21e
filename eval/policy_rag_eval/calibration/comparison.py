"""Calibrations of several configurations, compared by how sure each is of what is the case."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import UsageError
from policy_rag_eval.calibration.fit import Calibrated, Calibration
from policy_rag_eval.calibration.page import THRESHOLD_HEAD, USAGE_TOLD, CalibrationFacts, threshold_cells, write_curve
from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.reports.decision import (
    DecisionRow,
    write_all,
    write_best,
    write_failures,
    write_repeat,
    write_verdicts,
)
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.number_format import with_span
from policy_rag_eval.sweep.several import Several, compared
from policy_rag_parsers.text.near_names import did_you_mean

_LEAST = 0.001  # probability: no single question outweighs all others

Floats = NDArray[np.float64]


def log_score(given: Floats) -> Floats:
    """The natural logarithm of the probability given to what is the case, at most 0 (Good 1952)."""
    return np.log(np.clip(given, _LEAST, 1.0))


def quadratic_score(given: Floats) -> Floats:
    """1 less the squared distance from what is the case, from 0 to 1 (Brier 1950)."""
    return 1 - (1 - given) ** 2


SCORES: Mapping[str, Callable[[Floats], Floats]] = {"log_score": log_score, "quadratic_score": quadratic_score}
"""Proper scores of a question's confidence, which scored it without having seen it; the first decides unless said."""


@dataclass(frozen=True, slots=True)
class CalibrationComparison:
    """Calibrations on the same questions.

    Attributes:
        dataset: its name.
        made: name of a configuration to its calibration.
        several: how they compare.
    """

    dataset: str
    made: Mapping[str, Calibrated]
    several: Several


def measure_of(name: str | None) -> str:
    """The score that decides.

    Raises:
        UsageError: there is no such score.
    """
    if name is not None and name not in SCORES:
        hint = did_you_mean(name, SCORES, otherwise=f"there are {', '.join(SCORES)}")
        raise UsageError(f"--measure {name}: {hint}")
    return name or next(iter(SCORES))


def compare_calibrations(
    dataset: str,
    questions: Sequence[str],
    made: Mapping[str, Calibrated],
    measure: str | None = None,
    *,
    against: str | None = None,
    margin: float = MARGIN,
) -> CalibrationComparison:
    """Compares calibrations by a proper score of the confidence in each question.

    Questions are in the order in which they were calibrated on. `measure` is one of `SCORES`, by default the first,
    `against` names a baseline, by default the best; one that is worse by no more than the margin is said to be no
    worse.

    Raises:
        UsageError: there is no such score or baseline.
    """
    by = measure_of(measure)
    figures = {
        name: dict(zip(questions, SCORES[by](probabilities(one.found)).tolist(), strict=True))
        for name, one in made.items()
    }
    return CalibrationComparison(dataset, made, compared(figures, by, against=against, margin=margin))


def probabilities(found: Calibration) -> Floats:
    """The probability given to what is the case, a question."""
    return np.where(found.answerable, found.confidences, 1 - found.confidences)


def alike(made: Mapping[str, Calibrated]) -> tuple[str, ...]:
    """A line for each set of configurations that give every question the same confidence."""
    groups: dict[bytes, list[str]] = {}
    for name, one in made.items():
        groups.setdefault(one.found.confidences.tobytes(), []).append(name)
    return tuple(
        f"{', '.join(names)} give equal figures: what differs between them changes nothing that confidence is fitted "
        "to (support is measured by both searches, whichever ranks)"
        for names in groups.values()
        if len(names) > 1
    )


def comparison_page(found: CalibrationComparison, facts: CalibrationFacts) -> ReportPage:
    """The page of several calibrations."""
    several = found.several
    page = ReportPage(
        several.headline,
        f"{found.dataset}: {several.questions} questions, each scored by a model that did not see it; thresholds for "
        f"{facts.asked}",
    )
    head, rows = comparison_head(found), comparison_rows(found)
    write_best(
        page,
        rows,
        head,
        several.comparisons,
        measure=several.measure,
        about=f"{_EXPLAINED[several.measure]} {USAGE_TOLD}",
        margin=several.margin,
    )
    for line in alike(found.made):
        page.paragraph(line)
    write_failures(page, f"Where {several.best} is wrong", facts.failures, texts=facts.texts)
    page.heading("The rest")
    write_all(page, rows, head, measure=several.measure)
    write_verdicts(page, several.verdicts, several.comparisons, best=several.best, measure=several.measure)
    with page.folded("Risk over coverage", f"{len(several.means)} configurations"):
        for name in several.means:
            page.heading(name)
            write_curve(page, found.made[name], facts.risk, name)
    write_repeat(page, facts.command, facts.settings)
    return page


def comparison_head(found: CalibrationComparison) -> tuple[str, ...]:
    """The score that decides, then what happens at each threshold."""
    return found.several.measure, *THRESHOLD_HEAD


def comparison_rows(found: CalibrationComparison) -> list[DecisionRow]:
    """The configurations under `comparison_head`, best first."""
    made, intervals = found.made, found.several.intervals
    return [
        DecisionRow(
            name,
            (with_span(intervals.get(name)), *threshold_cells(made[name])),
            made[name].usage,
            intervals.get(name),
        )
        for name in found.several.means
    ]


_EXPLAINED = {
    "log_score": "log_score: the mean natural logarithm of the probability given to what is the case; 0 is best.",
    "quadratic_score": "quadratic_score: 1 less the mean squared distance of the confidence from what is the case.",
}


def as_json(found: CalibrationComparison, each: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """What `--json` prints.

    `each` has by name what is printed of a configuration alone.
    """
    made = [{"name": name, **one} for name, one in each.items()]
    return {"dataset": found.dataset, "configurations": made, **found.several.as_json()}
