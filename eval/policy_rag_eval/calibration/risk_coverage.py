"""What happens at each threshold: how many questions are answered, and how many of these are unanswerable.

Risk is the share of unanswerable questions among those that are answered, coverage the share of all questions that
are answered (El-Yaniv and Wiener 2010). Both depend on how many of the data set's questions are unanswerable.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.statistics.intervals import Interval


@dataclass(frozen=True, slots=True)
class CoveragePoint:
    """What happens at a threshold.

    A question is answered if its confidence is at least the threshold. `risk` is the share of unanswerable ones among
    those answered, `coverage` the share of all that are, both with Wilson's 95 % interval; the others are the shares of
    each kind that are refused.
    """

    threshold: float
    answered: int
    risk: Interval
    coverage: Interval
    answerable_refused: float
    unanswerable_refused: float

    def as_row(self) -> dict[str, float]:
        """The point as columns of a table."""
        return {
            "threshold": self.threshold,
            "answered": self.answered,
            "risk": self.risk.mean,
            "risk_low": self.risk.low,
            "risk_high": self.risk.high,
            "coverage": self.coverage.mean,
            "coverage_low": self.coverage.low,
            "coverage_high": self.coverage.high,
            "answerable_refused": self.answerable_refused,
            "unanswerable_refused": self.unanswerable_refused,
        }


def risk_coverage(confidences: NDArray[np.float64], answerable: NDArray[np.bool_]) -> tuple[CoveragePoint, ...]:
    """A point for each distinct confidence, thresholds rising; each threshold lies halfway to the next lower one."""
    levels = np.unique(confidences)
    points = []
    for threshold in [0.0, *(levels[1:] + levels[:-1]) / 2]:
        taken = confidences >= threshold
        answered = int(taken.sum())
        points.append(
            CoveragePoint(
                threshold=float(threshold),
                answered=answered,
                risk=wilson(int((taken & ~answerable).sum()), answered),
                coverage=wilson(answered, len(taken)),
                answerable_refused=float((~taken)[answerable].mean()),
                unanswerable_refused=float((~taken)[~answerable].mean()),
            )
        )
    return tuple(points)


def wilson(count: int, total: int) -> Interval:
    """A share and its 95 % interval (Wilson 1927); `total` is at least 1.

    >>> shown = wilson(1, 20)
    >>> round(shown.mean, 3), round(shown.low, 3), round(shown.high, 3)
    (0.05, 0.009, 0.236)
    """
    from scipy.stats import binomtest

    interval = binomtest(count, total).proportion_ci(method="wilson")
    return Interval(count / total, float(interval.low), float(interval.high))


def threshold_for_risk(curve: Sequence[CoveragePoint], risk: float) -> CoveragePoint | None:
    """The point that answers most questions at no more than this risk, or None where none does.

    The risk is the upper end of its 95 % interval: what other questions of the same kind may turn out to be, not what
    these happened to be.

    Raises:
        ValueError: `risk` is not above 0 and below 1.
    """
    if not 0 < risk < 1:
        raise ValueError(f"a risk lies between 0 and 1, not {risk}")
    return next((point for point in curve if point.answered and point.risk.high <= risk), None)


def threshold_for_refusals(curve: Sequence[CoveragePoint], share: float) -> CoveragePoint:
    """The highest threshold that refuses at most this share of the answerable questions."""
    return max((p for p in curve if p.answerable_refused <= share), key=lambda p: p.threshold)
