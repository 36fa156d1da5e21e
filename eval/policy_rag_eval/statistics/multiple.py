"""Many configurations at once: p-values corrected by what they have in common, not by counting pairs.

For each question one sign is drawn for all configurations, and the largest statistic over all pairs is looked at
(max-T; Westfall and Young 1993): pairs that move together are corrected as the few that they are. The correction goes
step by step (Romano and Wolf 2005): a configuration that is clearly worse than the first leaves the family, with every
pair that it is in, before the next one is tested. So junk beside good configurations costs next to nothing.

The signs assume that differences spread alike to both sides of their mean. `bootstrap` draws questions instead, which
assumes no symmetry and needs more of them: where differences are skewed, both must agree.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.statistics.intervals import LEAST_DIFFERING, ROUNDING, SEED, students
from policy_rag_eval.statistics.permutation import paired_p_value

DRAWS = 20_000
"""Assignments of signs, or samples of questions: a corrected p-value of 0.05 is told to 0.0015."""

ALL_SIGNS = 14
"""Up to so many questions on which any two differ, all assignments are counted."""

_BLOCK = 500
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Corrected:
    """One configuration against the first.

    Attributes:
        p_value: corrected; at most 1.
        critical: Student's t that a difference must reach to be shown at the level, in its step.
        critical_of_all: the same for all pairs at once, for intervals that hold together.
    """

    p_value: float
    critical: float
    critical_of_all: float


def step_down(
    table: Sequence[Sequence[float]],
    *,
    baseline: bool = False,
    level: float = 0.05,
    draws: int = DRAWS,
    bootstrap: bool = False,
    seed: int = SEED,
) -> tuple[Corrected, ...]:
    """The first row against each other one.

    The first row is the best of all by the same figures, which is why every pair counts; `baseline` says that it was
    named beforehand, so that only the pairs with it do.

    Args:
        table: a row a configuration, no two the same; a figure a question, questions in the same order.
        baseline: whether the first row was chosen without regard to the figures.
        level: of the tests.
        draws: how many assignments are drawn where there are too many to count.
        bootstrap: draw questions instead of signs; the statistic is then Student's of each draw. A pair of which so few
            questions differ that signs could not decide it then corrects nothing: it is never claimed, and chance alone
            would often give it a large statistic, where few of these questions are drawn.
        seed: of the random numbers.

    Returns:
        One for each row but the first, in order.

    Raises:
        ValueError: the rows are of different lengths, or two are the same.

    >>> [one.p_value for one in step_down([[1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]])]
    [0.03125]
    """
    if len({len(row) for row in table}) > 1:
        raise ValueError("a paired test needs the same questions for every configuration")
    values = np.asarray(table, dtype=np.float64)
    if len(values) < 2:
        return ()
    questions = values.shape[1]
    pairs = [(0, j) for j in range(1, len(values))]
    if not baseline:
        pairs += list(combinations(range(1, len(values)), 2))
    differences = np.stack([values[i] - values[j] for i, j in pairs])
    if not np.abs(differences).max(axis=1).all():
        raise ValueError("configurations with the same figures are one")
    centred = differences - differences.mean(axis=1, keepdims=True) if bootstrap else differences
    sizes = np.sqrt((centred**2).sum(axis=1))
    seen = np.abs(differences.sum(axis=1)) / np.where(sizes > 0, sizes, ROUNDING)
    order = np.argsort(-seen[: len(values) - 1], kind="stable")  # the others, the clearest difference first
    left = np.full(len(values), len(values))  # at which step a row leaves the family; the first one never does
    left[1 + order] = np.arange(len(order))
    step = np.array([min(left[i], left[j]) for i, j in pairs])
    sorted_pairs = np.argsort(step, kind="stable")
    begins = np.searchsorted(step[sorted_pairs], np.arange(len(order)))
    beyond = np.zeros(len(order), dtype=np.int64)
    largest: list[Floats] = []
    threshold = seen[order] * (1 - 1e-9) - ROUNDING
    hopeless = np.count_nonzero(differences, axis=1) < LEAST_DIFFERING
    for block in _nulls(differences, sizes, draws, seed, bootstrap=bootstrap):
        if bootstrap:
            block[:, hopeless] = 0.0
        of_step = np.maximum.reduceat(block[:, sorted_pairs], begins, axis=1)
        family = np.maximum.accumulate(of_step[:, ::-1], axis=1)[:, ::-1]
        beyond += (family >= threshold).sum(axis=0)
        largest.append(family)
    drawn = np.concatenate(largest)
    counted = not bootstrap and _few(differences)
    shares = beyond / len(drawn) if counted else (1 + beyond) / (1 + len(drawn))
    p_values = np.minimum(np.maximum.accumulate(shares), 1.0)
    if len(values) == 2 and not bootstrap:
        p_values = np.array([paired_p_value(table[0], table[1], seed=seed)])
    criticals = np.quantile(drawn, 1 - level, axis=0, method="higher")  # what lies above is below the level
    if not bootstrap:
        criticals = np.array([students(float(one), questions) for one in criticals])
    made: list[Corrected | None] = [None] * len(order)
    for place, row in enumerate(order.tolist()):
        made[row] = Corrected(float(p_values[place]), float(criticals[place]), float(criticals[0]))
    return tuple(one for one in made if one is not None)


def skewed(differences: Sequence[float]) -> bool:
    """Whether differences lean so far to one side, for their number, that the signs' symmetry is in doubt.

    The skewness over the root of the number of questions is above 0.1: a one-sided error rate of 2.5 % is then off by
    about 0.8 points (the first term of Edgeworth's expansion).

    >>> skewed([1.0] + [0.0] * 30), skewed([1.0, -1.0] * 20)
    (True, False)
    """
    values = np.asarray(differences, dtype=np.float64)
    away = values - values.mean()
    spread = float((away**2).mean())
    if spread <= ROUNDING:
        return False
    return bool(abs(float((away**3).mean())) / spread**1.5 / math.sqrt(len(values)) > 0.1)


def _few(differences: Floats) -> bool:
    return int(differences.any(axis=0).sum()) <= ALL_SIGNS


def _nulls(differences: Floats, sizes: Floats, draws: int, seed: int, *, bootstrap: bool) -> Iterator[Floats]:
    """Blocks of what chance alone gives, of shape (draws, pairs)."""
    rng = np.random.default_rng(seed)
    questions = differences.shape[1]
    if bootstrap:
        away = differences - differences.mean(axis=1, keepdims=True)
        squares = away**2
        for begin in range(0, draws, _BLOCK):
            size = min(_BLOCK, draws - begin)
            counts = rng.multinomial(questions, np.full(questions, 1 / questions), size=size).astype(np.float64)
            means = counts @ away.T / questions
            spread = np.sqrt(np.maximum(counts @ squares.T / questions - means**2, ROUNDING))
            yield np.abs(means) / spread * math.sqrt(questions)
        return
    scaled = differences[:, differences.any(axis=0)] / sizes[:, None]
    differing = scaled.shape[1]
    if _few(differences):
        counted = np.arange(2 ** (differing - 1))[:, None]  # with the other sign everywhere the size is the same
        yield np.abs((1.0 - 2.0 * (counted >> np.arange(differing) & 1)) @ scaled.T)
        return
    for begin in range(0, draws, _BLOCK):
        size = min(_BLOCK, draws - begin)
        drawn = np.frombuffer(rng.bytes(size * -(-differing // 8)), dtype=np.uint8).reshape(size, -1)
        signs = 2.0 * np.unpackbits(drawn, axis=1, count=differing) - 1.0
        yield np.abs(signs @ scaled.T)
