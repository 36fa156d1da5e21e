"""Two groups of users, each served by one configuration: how far apart their means are, and how often by chance."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from policy_rag_eval.statistics.intervals import OUTER, SEED, Interval

DRAWS = 20_000
"""Assignments of users to groups that are drawn where there are more than that."""


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """Mean of the first group minus that of the second, with its interval, and the p-value of the test."""

    difference: Interval
    p_value: float


def group_difference(first: Sequence[float], second: Sequence[float], *, seed: int = SEED) -> GroupDifference | None:
    """Welch's interval, and the randomisation test of Fisher, two-sided.

    Were the configurations the same, each user could as well have been assigned to the other: the p-value is the share
    of assignments, of groups of these sizes, whose means lie at least as far apart as those seen. All are counted
    where there are no more than `DRAWS`, else drawn.

    Figures are one a user; the difference of shares, all from 0 to 1, lies within -1 and 1, and so does its interval.

    Returns:
        None where a group has fewer than two users: nothing can be said then.

    >>> found = group_difference([1.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    >>> found.difference.mean, found.p_value
    (1.0, 0.1)
    """
    from scipy.stats import permutation_test

    if min(len(first), len(second)) < 2:
        return None
    mean = float(np.mean(first) - np.mean(second))
    test = permutation_test(
        (np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)),
        lambda a, b, axis: np.abs(np.mean(a, axis=axis) - np.mean(b, axis=axis)),
        vectorized=True,
        alternative="greater",
        n_resamples=DRAWS,
        rng=np.random.default_rng(seed),
    )
    half = _half_width(first, second)
    most = 1.0 if all(0 <= value <= 1 for value in (*first, *second)) else math.inf
    return GroupDifference(Interval(mean, max(-most, mean - half), min(most, mean + half)), float(test.pvalue))


def _half_width(first: Sequence[float], second: Sequence[float]) -> float:
    """Of Welch's interval; 2, the width of all shares, where both groups are each of one figure throughout."""
    from scipy.stats import t

    parts = [float(np.var(one, ddof=1)) / len(one) for one in (first, second)]
    if sum(parts) == 0:
        return 2.0
    freedom = sum(parts) ** 2 / sum(part**2 / (len(one) - 1) for part, one in zip(parts, (first, second), strict=True))
    return float(t.ppf(OUTER[1], freedom)) * math.sqrt(sum(parts))
