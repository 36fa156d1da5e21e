"""How sure a figure is: intervals over questions, correction for several measures, and what a set can show."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

OUTER = (0.025, 0.975)
"""The shares at which the two ends of a 95 % interval lie."""

RESAMPLES = 5_000
SEED = 20_240_501

FEW = 20
"""Below so many questions a percentile bootstrap interval is too narrow."""

LEAST_APART = 10
"""So many questions must have another figure than the commonest before the bootstrap tells how far a mean moves."""

LEAST_DIFFERING = 6
"""The least number of questions with which a paired two-sided test can reach 5 %: 2 / 2^6 = 0.031."""

_BLOCK = 250

ROUNDING = 1e-12
"""Sums of the same numbers in another order differ by less than this, a share of their size: they count as equal."""

Key = TypeVar("Key")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean and its confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def as_json(self) -> dict[str, float]:
        """What `--json` prints."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


def bootstrap_intervals(
    values: Mapping[Key, Sequence[float]],
    *,
    counts: Collection[Key] = (),
    most: Mapping[Key, float] | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[Key, Interval]:
    """95 % confidence intervals of means over questions, for figures from 0 to 1.

    Where questions are many and differ, percentile bootstrap intervals (Efron and Tibshirani 1993, chapter 13):
    questions are drawn with replacement, as many as there are, and the interval lies between the outer quantiles of the
    means. That tells nothing of figures that did not come up. So below `FEW` questions, and where fewer than
    `LEAST_APART` of them have another figure than the commonest, one imaginary question more is counted in: with 0 for
    the lower end, with the most that there can be for the upper (Gaffke 2005, Mathematical Methods of Statistics 14).
    All questions, that one included, then get random weights, uniform over those that sum to 1, and the ends are
    quantiles of the weighted means. For figures of 0 and 1 these are the ends of Clopper and Pearson (1934): 44 of 44
    give 0.920 to 1.

    Counts have no such ends: theirs is the percentile bootstrap always, without width where all are equal.
    All measures see the same draws, and the same seed gives the same interval.

    Args:
        values: measure to one figure a question; all of one length.
        counts: the measures that count; one with a figure below 0 or above 1 is taken for a count too.
        most: the highest figure that a question can have, of measures that cannot reach 1; not below those seen.
        resamples: how many samples are drawn.
        seed: of the random numbers.

    Raises:
        ValueError: no questions, or lengths differ.

    >>> round(bootstrap_intervals({"precision@5": [0.2] * 3}, most={"precision@5": 0.2})["precision@5"].high, 3)
    0.2
    """
    table = _table(values)
    shares = _shares(values, table, (0.0, 1.0), counts)
    guarded = shares & ((table.shape[1] < FEW) | (_apart(table) < LEAST_APART))
    edges = np.empty((2, len(table)))
    edges[:, ~guarded] = _percentiles(table[~guarded], resamples, seed)
    ends = np.array([(most or {}).get(key, 1.0) for key in values])
    above = np.maximum(ends, table.max(axis=1))[guarded]
    edges[:, guarded] = _with_imaginary(table[guarded], (np.zeros_like(above), above), resamples, seed)
    return _intervals(values, table, edges)


def bootstrap_interval(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The interval of one mean; see `bootstrap_intervals`.

    >>> one = bootstrap_interval([1.0])
    >>> one.mean, round(one.low, 1), one.high
    (1.0, 0.0, 1.0)
    """
    return bootstrap_intervals({0: values}, resamples=resamples, seed=seed)[0]


def difference_intervals(
    values: Mapping[Key, Sequence[float]],
    *,
    counts: Collection[Key] = (),
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> dict[Key, Interval]:
    """95 % confidence intervals of mean differences, from -1 to 1 a question.

    As `bootstrap_intervals`, with three changes. Only where fewer than `LEAST_DIFFERING` questions have another
    difference than the commonest are imaginary ones counted in, with -1 and 1: so few cannot show a difference at the
    5 % level, whatever it is. Below `FEW` questions the interval is otherwise Student's, cut off at -1 and 1, since the
    percentile bootstrap is too narrow there. Differences of counts keep the percentile bootstrap.

    Args:
        values: measure to one difference a question; all of one length.
        counts: the measures that count; one with a difference below -1 or above 1 is taken for a count too.
        resamples: how many samples are drawn.
        seed: of the random numbers.

    Raises:
        ValueError: no questions, or lengths differ.
    """
    table = _table(values)
    shares = _shares(values, table, (-1.0, 1.0), counts)
    guarded = shares & (_apart(table) < LEAST_DIFFERING)
    students = shares & ~guarded & (table.shape[1] < FEW)
    drawn = ~guarded & ~students
    edges = np.empty((2, len(table)))
    edges[:, drawn] = _percentiles(table[drawn], resamples, seed)
    one = np.ones(int(guarded.sum()))
    edges[:, guarded] = _with_imaginary(table[guarded], (-one, one), resamples, seed)
    edges[:, students] = _students(table[students])
    return _intervals(values, table, edges)


def difference_interval(values: Sequence[float], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The interval of one mean difference; see `difference_intervals`."""
    return difference_intervals({0: values}, resamples=resamples, seed=seed)[0]


def _table(values: Mapping[Key, Sequence[float]]) -> Floats:
    """A row a measure, a column a question."""
    if len({len(figures) for figures in values.values()}) > 1:
        raise ValueError("every measure needs one figure for each question")
    table = np.array(list(values.values()), dtype=np.float64)
    if values and not table.size:
        raise ValueError("an interval needs at least one question")
    return table if values else np.empty((0, 1))


def _shares(
    values: Mapping[Key, Sequence[float]], table: Floats, span: tuple[float, float], counts: Collection[Key]
) -> NDArray[np.bool_]:
    """For each row, whether its figures can lie nowhere but within `span`."""
    outside = np.array([key in counts for key in values], dtype=np.bool_)
    return np.asarray(~outside & (table.min(axis=1) >= span[0]) & (table.max(axis=1) <= span[1]))


def _intervals(values: Mapping[Key, Sequence[float]], table: Floats, edges: Floats) -> dict[Key, Interval]:
    centre = table.mean(axis=1)
    edges = np.stack([np.minimum(edges[0], centre), np.maximum(edges[1], centre)])
    return {key: Interval(float(centre[i]), float(edges[0, i]), float(edges[1, i])) for i, key in enumerate(values)}


def _apart(table: Floats) -> NDArray[np.int64]:
    """For each row, how many figures are not the commonest of it."""
    return np.array([len(row) - np.unique(row, return_counts=True)[1].max() for row in table], dtype=np.int64)


def _percentiles(table: Floats, resamples: int, seed: int) -> Floats:
    """Ends of shape (2, measures): quantiles of the means of questions drawn with replacement."""
    if not len(table):
        return np.empty((2, 0))
    # A constant column resamples to itself but for rounding: it is counted from its first figure.
    shift = table[:, :1]
    means = _resampled_means(table - shift, resamples, seed) + shift.T
    return np.asarray(np.quantile(means, OUTER, axis=0))


def _with_imaginary(table: Floats, span: tuple[Floats, Floats], resamples: int, seed: int) -> Floats:
    """Ends of shape (2, measures): each counts in one question more, with the least or the most that there can be.

    `span` gives both for each measure.
    """
    if not len(table):
        return np.empty((2, 0))
    rng = np.random.default_rng(seed)
    questions = table.shape[1]
    # In order of size the figures' order tells nothing, and what is turned round has its interval turned round.
    sides = np.concatenate([np.sort(table), np.sort(-table)])
    blocks = []
    for begin in range(0, resamples, _BLOCK):
        # Exponential numbers over their sum are uniform over all weights that sum to 1.
        weights = rng.standard_exponential((min(_BLOCK, resamples - begin), questions))
        blocks.append(weights / weights.sum(axis=1, keepdims=True) @ sides.T)
    # One weight of n + 1 such is distributed as 1 - U^(1 / n), apart from how the others share the rest. Evenly spread
    # instead of drawn, it makes the ends exact where all figures are equal.
    known_share = np.linspace(0, 1, resamples)[:, None] ** (1 / questions)
    least = np.concatenate([span[0], -span[1]])
    ends = np.quantile(known_share * np.concatenate(blocks) + (1 - known_share) * least, OUTER[0], axis=0)
    return np.asarray(np.clip(np.stack([ends[: len(table)], -ends[len(table) :]]), *span))


def _students(table: Floats) -> Floats:
    """Ends of shape (2, measures) of Student's intervals, within -1 and 1; for at least six questions."""
    if not len(table):
        return np.empty((2, 0))
    from scipy.stats import t

    questions = table.shape[1]
    half = t.ppf(OUTER[1], questions - 1) * table.std(axis=1, ddof=1) / math.sqrt(questions)
    centre = table.mean(axis=1)
    return np.asarray(np.clip(np.stack([centre - half, centre + half]), -1.0, 1.0))


def _resampled_means(table: Floats, resamples: int, seed: int) -> Floats:
    """Means of resampled questions, of shape (resamples, measures), drawn in blocks."""
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
    return np.concatenate(blocks)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """P-values adjusted for their number so that the chance of any false claim stays below the level (Holm 1979).

    In order of size the i-th of m (from 0) is multiplied by m - i, never falls below the one before, and is at most 1.
    statsmodels' `multipletests` gives the same and takes 60 ms a call, too long for simulations.

    Returns:
        Adjusted values in the order given.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    given = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1)), 1.0)
    return tuple(adjusted.tolist())


def standard_error(values: Sequence[float]) -> float | None:
    """The standard error of a mean; None for one value, or where all are 0.

    >>> standard_error([0.1, -0.1] * 50) < 0.0101
    True
    """
    figures = np.asarray(values, dtype=np.float64)
    if figures.size < 2 or not figures.any():
        return None
    return float(figures.std(ddof=1)) / math.sqrt(figures.size)


def students(share: float, questions: int) -> float:
    """Student's t of a sum over the root of the sum of squares, of which it is a rising function.

    >>> students(0.0, 10), round(students(1.96, 1000), 3)
    (0.0, 1.963)
    """
    return share * math.sqrt((questions - 1) / max(questions - share**2, ROUNDING)) if questions > 1 else math.inf


def detectable(differences: Sequence[float], *, critical: float) -> float | None:
    """The mean difference that questions would show in four sweeps of five: (t + z(0.8)) * standard error.

    No more than the mean that there would be if every question that differs did so to the same side; None where even
    that would not be shown, because so few differ.

    Args:
        differences: one a question.
        critical: Student's t that the test asks for; 1.96 for one comparison at 5 %, more where many are corrected.

    >>> round(detectable([0.1, -0.1] * 50, critical=1.96), 3), detectable([0.1] * 3 + [0.0] * 97, critical=1.96)
    (0.028, None)
    """
    figures = np.abs(np.asarray(differences, dtype=np.float64))
    error = standard_error(differences)
    if error is None:
        return None
    most = float(figures.sum()) / math.sqrt(float((figures**2).sum()))
    if students(most, figures.size) <= critical * (1 + 1e-9):
        return None
    return min((critical + NormalDist().inv_cdf(0.8)) * error, float(figures.mean()))
