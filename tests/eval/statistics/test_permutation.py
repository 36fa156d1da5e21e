"""The paired randomisation test: by hand, against the binomial, in simulation, and where there is nothing to tell."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from policy_rag_eval.statistics.permutation import PERMUTATIONS, paired_p_value


def test_p_value_by_hand() -> None:
    # Differences 1, 1, -1: of the 8 assignments the sums are 3, -3 and six of size 1. All are at least 1 in size.
    assert paired_p_value([1, 1, 0], [0, 0, 1]) == 1.0
    # Differences 3, 1, 1: only the two assignments of one sign reach 5.
    assert paired_p_value([3, 1, 1], [0, 0, 0]) == 2 / 8
    # Differences 3, 1, -1: the sum 3 is reached by 5, 3, 3 and their negatives: 6 of 8.
    assert paired_p_value([3, 1, 0], [0, 0, 1]) == 6 / 8


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), min_size=1, max_size=8))
def test_p_value_is_the_share_of_all_assignments(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    differences = [a - b for a, b in pairs]
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(pairs))
    ]
    assert paired_p_value(first, second) == pytest.approx(sum(s >= seen for s in sums) / len(sums))
    assert paired_p_value(second, first) == pytest.approx(paired_p_value(first, second))


def test_a_tie_with_the_mirror_image_counts_whatever_rounding_does() -> None:
    base = list(np.random.default_rng(4).random(2000))
    near = [value + (0.1 if i < 3 else 0.0) for i, value in enumerate(base)]
    assert paired_p_value(base, near) == 2 / 8


def test_equal_configurations_differ_by_nothing() -> None:
    assert paired_p_value([0.5] * 100, [0.5] * 100) == 1.0
    assert paired_p_value([], []) == 1.0
    with pytest.raises(ValueError, match="same questions"):
        paired_p_value([1.0], [])


def test_up_to_thirty_differing_questions_all_assignments_count() -> None:
    # Thirty times 1: of 2^30 assignments only those of one sign reach 30, and 2 * (1 + 30 + 435) reach 26.
    assert paired_p_value([1] * 30, [0] * 30) == 2 / 2**30
    assert paired_p_value([1] * 28 + [0, 0], [0] * 28 + [1, 1]) == 2 * (1 + 30 + 435) / 2**30
    # Questions that agree change nothing, and the seed has no part in it.
    assert paired_p_value([1] * 30 + [0.5] * 400, [0] * 30 + [0.5] * 400, seed=1) == 2 / 2**30


def test_drawn_assignments_agree_with_all_of_them() -> None:
    # 60 of 100 the same way: the binomial tail, twice, is 0.0569 (scipy). 100,000 draws tell it to 0.0007 of it.
    exact = binomtest(60, 100).pvalue
    first, second = [1] * 60 + [0] * 40, [0] * 60 + [1] * 40
    assert paired_p_value(first, second, permutations=100_000) == pytest.approx(exact, abs=0.003)
    assert paired_p_value(first, second, permutations=999) == pytest.approx(exact, abs=0.03)
    assert paired_p_value([1] * 100, [0] * 100) == 1 / (1 + PERMUTATIONS)


def test_rounding_of_equal_sums_does_not_lower_the_p_value() -> None:
    # 0.1 + 0.2 + 0.3 in another order gives another last digit: a tie must still count as at least as large.
    assert paired_p_value([0.1, 0.2, 0.3], [0, 0, 0]) == paired_p_value([0.3, 0.2, 0.1], [0, 0, 0]) == 2 / 8
