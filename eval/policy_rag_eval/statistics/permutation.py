"""Fisher's paired randomisation test: how often chance alone would set two configurations so far apart."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from policy_rag_eval.statistics.intervals import ROUNDING, SEED

EXACT = 30
"""Up to so many questions that differ, all assignments of signs are counted; 2^30 in about 10 ms."""

PERMUTATIONS = 10_000
"""The least number of assignments that are drawn where more questions differ."""

PER_PAIR = 2_000
"""So many are drawn for each pair that is tested: where m pairs are corrected for their number, a p-value of 0.05 / m
decides, which 2,000 m draws tell to a tenth of its size (100 times what decides must come up: 1 / sqrt(100))."""

MOST = 1_000_000
"""No more are drawn than this; a sweep of 33 configurations has more pairs than that serves."""

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
    return paired_p_values([first, second], permutations=permutations, seed=seed)[0, 1]


def paired_p_values(
    table: Sequence[Sequence[float]], *, permutations: int | None = None, seed: int = SEED
) -> dict[tuple[int, int], float]:
    """`paired_p_value` of every pair of rows, the same signs drawn for all of them.

    A pair's p-value is worth the same as alone; that pairs share their draws makes 153 of them cost little more than
    one, for the sum of differences is the difference of two sums.

    Args:
        table: a row a configuration, a figure a question, questions in the same order.
        permutations: how many assignments are drawn where it comes to that; by default `PER_PAIR` for each pair, but
            between `PERMUTATIONS` and `MOST`.
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
    differing = {(i, j): values[i] != values[j] for i, j in pairs}
    found = {
        (i, j): _share_of_all(values[i, where] - values[j, where])
        for (i, j), where in differing.items()
        if np.count_nonzero(where) <= EXACT
    }
    others = [pair for pair in pairs if pair not in found]
    if others:
        draws = permutations or min(MOST, max(PERMUTATIONS, PER_PAIR * len(pairs)))
        found |= zip(others, _shares_of_drawn(values, others, draws, seed), strict=True)
    return {pair: found[pair] for pair in pairs}


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


def _shares_of_drawn(values: Floats, pairs: Sequence[tuple[int, int]], draws: int, seed: int) -> list[float]:
    """For each pair of rows the share of assignments drawn, the one seen among them, that set them as far apart."""
    values = values[:, (values != values[0]).any(axis=0)]  # where all agree, no pair differs
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    sums, sizes = values.sum(axis=1), np.abs(values).sum(axis=1)
    seen = np.abs(sums[first] - sums[second]) - ROUNDING * (sizes[first] + sizes[second])
    rng = np.random.default_rng(seed)
    beyond = np.zeros(len(pairs), dtype=np.int64)
    questions = values.shape[1]
    for begin in range(0, draws, _BLOCK):
        size = min(_BLOCK, draws - begin)
        drawn = np.frombuffer(rng.bytes(size * -(-questions // 8)), dtype=np.uint8).reshape(size, -1)
        # Bits are 0 and 1, and signs twice a bit minus 1.
        signed = 2 * (np.unpackbits(drawn, axis=1, count=questions).astype(np.float64) @ values.T) - sums
        beyond += (np.abs(signed[:, first] - signed[:, second]) >= seen).sum(axis=0)
    shares: list[float] = ((1 + beyond) / (1 + draws)).tolist()
    return shares
