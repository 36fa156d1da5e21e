"""How sure a figure is: intervals over questions, paired tests between configurations, and correction for many."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
RESAMPLES = 5_000
PERMUTATIONS = 10_000
SEED = 20_240_501

_BLOCK = 250
_SAME = 1e-12
"""Sums of the same numbers in another order differ by less than this, a share of their size: they count as equal."""

Key = TypeVar("Key")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval. One question gives it no width."""

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def bootstrap_intervals(
    values: Mapping[Key, Sequence[float]],
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[Key, Interval]:
    """Percentile bootstrap intervals of means over questions (Efron and Tibshirani 1993, chapter 13).

    Questions are drawn with replacement, as many as there are; the interval lies between the outer quantiles of the
    means. All measures see the same draws, and the same seed gives the same interval.

    Args:
        values: measure to one figure a question; all of one length.
        confidence: above 0 and below 1.
        resamples: how many samples are drawn.
        seed: of the random numbers.

    Raises:
        ValueError: no questions, lengths differ, or `confidence` is out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    if len({len(figures) for figures in values.values()}) > 1:
        raise ValueError("every measure needs one figure for each question")
    table = np.array(list(values.values()), dtype=np.float64)
    if not table.size:
        if values:
            raise ValueError("an interval needs at least one question")
        return {}
    # A constant column resamples to itself but for rounding: it is counted from its first figure.
    shift = table[:, :1]
    means = np.concatenate(list(_resampled_means(table - shift, resamples, seed))) + shift.T
    edges = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    centre = table.mean(axis=1)
    return {key: Interval(float(centre[i]), float(edges[0, i]), float(edges[1, i])) for i, key in enumerate(values)}


def bootstrap_interval(
    values: Sequence[float], *, confidence: float = CONFIDENCE, resamples: int = RESAMPLES, seed: int = SEED
) -> Interval:
    """The interval of one mean; see `bootstrap_intervals`.

    >>> bootstrap_interval([0.25, 0.25, 0.25])
    Interval(mean=0.25, low=0.25, high=0.25)
    """
    return bootstrap_intervals({0: values}, confidence=confidence, resamples=resamples, seed=seed)[0]


def _resampled_means(table: Floats, resamples: int, seed: int) -> "list[Floats]":
    """Means of resampled questions, in blocks of shape (at most `_BLOCK`, measures)."""
    rng = np.random.default_rng(seed)
    questions = table.shape[1]
    blocks = []
    for begin in range(0, resamples, _BLOCK):
        size = min(_BLOCK, resamples - begin)
        drawn = rng.integers(0, questions, size=(size, questions))
        # How often each question was drawn, as a matrix: one product then serves all measures.
        flat = (drawn + questions * np.arange(size)[:, None]).ravel()
        counts = np.bincount(flat, minlength=size * questions).reshape(size, questions)
        blocks.append(counts @ table.T / questions)
    return blocks


def paired_p_value(
    first: Sequence[float], second: Sequence[float], *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> float:
    """Two-sided paired randomisation test of equal means (Fisher's; for retrieval, Smucker, Allan, Carterette 2007).

    Were the two configurations the same, each question's difference could as well have the other sign. The p-value is
    the share of sign assignments whose mean difference is at least as large as the one seen: of all of them where
    there are no more than `permutations`, else of that many drawn ones, the seen one counted in (Phipson, Smyth 2010).

    Args:
        first: a figure a question.
        second: the same questions' figures, in the same order.
        permutations: how many assignments are looked at.
        seed: of the random numbers.

    Returns:
        Above 0, at most 1; 1 where the two never differ.

    Raises:
        ValueError: the lengths differ.

    >>> paired_p_value([1, 1, 1, 1, 1], [0, 0, 0, 0, 0])
    0.0625
    """
    if len(first) != len(second):
        raise ValueError("a paired test needs the same questions on both sides")
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    differences = differences[differences != 0]
    if not differences.size:
        return 1.0
    seen = abs(float(differences.sum())) - _SAME * float(np.abs(differences).sum())
    if differences.size < 63 and 2**differences.size <= permutations:
        return float((np.abs(_all_sums(differences)) >= seen).mean())
    rng = np.random.default_rng(seed)
    beyond = 0
    for begin in range(0, permutations, _BLOCK):
        size = min(_BLOCK, permutations - begin)
        signs = rng.integers(0, 2, size=(size, differences.size), dtype=np.int8) * 2 - 1
        beyond += int((np.abs(signs @ differences) >= seen).sum())
    return (1 + beyond) / (1 + permutations)


def paired_p_values(
    table: Sequence[Sequence[float]], *, permutations: int = PERMUTATIONS, seed: int = SEED
) -> dict[tuple[int, int], float]:
    """`paired_p_value` of every pair of rows, the same signs drawn for all of them.

    A pair's p-value is worth the same as alone; that pairs share their draws makes 153 of them cost little more than
    one, for the sum of differences is the difference of two sums.

    Args:
        table: a row a configuration, a figure a question, questions in the same order.
        permutations: how many assignments are looked at.
        seed: of the random numbers.

    Returns:
        `(i, j)` with `i < j` to the p-value.

    Raises:
        ValueError: the lengths differ.
    """
    if len({len(row) for row in table}) > 1:
        raise ValueError("a paired test needs the same questions on both sides")
    pairs = list(combinations(range(len(table)), 2))
    values = np.asarray(table, dtype=np.float64)
    most = math.log2(permutations)  # so many differing questions have no more assignments than that
    few = [(i, j) for i, j in pairs if np.count_nonzero(values[i] != values[j]) <= most]
    found = {(i, j): paired_p_value(table[i], table[j], permutations=permutations, seed=seed) for i, j in few}
    drawn = [pair for pair in pairs if pair not in found]
    if drawn:
        first, second = (np.array(side) for side in zip(*drawn, strict=True))
        sizes = np.abs(values).sum(axis=1)
        sums = values.sum(axis=1)
        seen = np.abs(sums[first] - sums[second]) - _SAME * (sizes[first] + sizes[second])
        rng = np.random.default_rng(seed)
        beyond = np.zeros(len(drawn), dtype=np.int64)
        for begin in range(0, permutations, _BLOCK):
            size = (min(_BLOCK, permutations - begin), values.shape[1])
            signed = (rng.integers(0, 2, size=size, dtype=np.int8) * 2.0 - 1.0) @ values.T
            beyond += (np.abs(signed[:, first] - signed[:, second]) >= seen).sum(axis=0)
        found |= zip(drawn, ((1 + beyond) / (1 + permutations)).tolist(), strict=True)
    return {pair: found[pair] for pair in pairs}


def _all_sums(differences: Floats) -> Floats:
    """The sums under all assignments of signs."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted for their number so that the chance of any false claim stays below the level (Holm 1979).

    In order of size the i-th of m (from 0) is multiplied by m - i, never falls below the one before, and is at most 1.

    Returns:
        Adjusted values in the order given.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - place)))
        adjusted[index] = largest
    return tuple(adjusted)


def questions_needed(first: Sequence[float], second: Sequence[float], *, level: float = 0.05) -> int | None:
    """About how many questions would show a difference of the size seen, in four sweeps of five.

    The usual power calculation for a paired mean: ((z(1 - level / 2) + z(0.8)) * deviation / mean)^2 of the
    differences, which at 5 % is ((1.960 + 0.842) * deviation / mean)^2.

    Args:
        first: a figure a question.
        second: the same questions' figures, in the same order.
        level: of the test; for one of m comparisons that are corrected for their number, the level divided by m.

    Returns:
        A number of questions, at least 2, or None where the two do not differ on average or there is one question.
    """
    differences = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if differences.size < 2 or math.isclose(float(differences.mean()), 0.0, abs_tol=_SAME):
        return None
    normal = NormalDist()
    quantiles = normal.inv_cdf(1 - level / 2) + normal.inv_cdf(0.8)
    return max(2, math.ceil((quantiles * float(differences.std(ddof=1)) / float(differences.mean())) ** 2))
