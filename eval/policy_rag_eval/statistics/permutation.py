"""Fisher's paired randomisation test: how often chance alone would set two configurations so far apart."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.statistics.intervals import ROUNDING, SEED

EXACT = 30
"""Up to so many questions that differ, all assignments of signs are counted; 2^30 in about 10 ms."""

PERMUTATIONS = 20_000
"""Assignments that are drawn where more questions differ: a p-value of 0.05 is told to 0.0015."""

_BLOCK = 250
Floats = NDArray[np.float64]


def paired_p_value(
    first: Sequence[float], second: Sequence[float], *, permutations: int | None = None, seed: int = SEED
) -> float:
    """Two-sided paired randomisation test of equal means (Fisher's; for retrieval, Smucker, Allan, Carterette 2007).

    Were the two configurations the same, each question's difference could as well have the other sign. The p-value is
    the share of sign assignments whose mean difference is at least as large as the one seen: of all of them where no
    more than `EXACT` questions differ, else of drawn ones, the seen one counted in (Phipson, Smyth 2010).

    Args:
        first: a figure a question.
        second: the same questions' figures, in the same order.
        permutations: how many assignments are drawn where it comes to that; `PERMUTATIONS` by default.
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
    if differences.size <= EXACT:
        return _share_of_all(differences)
    return _share_of_drawn(differences, permutations or PERMUTATIONS, seed)


def _share_of_all(differences: Floats) -> float:
    """The share of all assignments of signs with a sum at least as large, in size, as that of `differences`.

    The sums of both halves are made apart; for each of one half, those of the other that reach far enough are counted
    in their order of size. So 2^n assignments cost about 2^(n / 2) steps.
    """
    seen = abs(float(differences.sum())) - ROUNDING * float(np.abs(differences).sum())
    half = differences.size // 2
    ones, others = _all_sums(differences[:half]), np.sort(_all_sums(differences[half:]))
    above = len(others) - np.searchsorted(others, seen - ones, "left")
    below = np.searchsorted(others, -seen - ones, "right")
    # Where the sum seen is 0, assignments that sum to 0 count from above and from below.
    return min(1.0, float((above + below).sum()) / (len(ones) * len(others)))


def _all_sums(differences: Floats) -> Floats:
    """The sums under all assignments of signs."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def _share_of_drawn(differences: Floats, draws: int, seed: int) -> float:
    """The share of assignments drawn, the one seen among them, whose sum is at least as large in size."""
    seen = abs(float(differences.sum())) - ROUNDING * float(np.abs(differences).sum())
    rng = np.random.default_rng(seed)
    beyond = 0
    for begin in range(0, draws, _BLOCK):
        size = min(_BLOCK, draws - begin)
        drawn = np.frombuffer(rng.bytes(size * -(-differences.size // 8)), dtype=np.uint8).reshape(size, -1)
        signs = 2.0 * np.unpackbits(drawn, axis=1, count=differences.size) - 1.0
        beyond += int((np.abs(signs @ differences) >= seen).sum())
    return (1 + beyond) / (1 + draws)
