"""Two groups: by hand, and where nothing can be said."""

from itertools import combinations
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t

from policy_rag_eval.statistics.two_groups import group_difference

VALUES = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=2, max_size=4)


def test_by_hand() -> None:
    # Of the 20 ways to choose three of six users only two put all ones on one side.
    found = group_difference([1, 1, 1], [0, 0, 0])
    assert found is not None
    assert found.p_value == pytest.approx(2 / 20)
    assert (found.difference.low, found.difference.high) == (-1.0, 1.0), "shares differ by no more"
    # Welch: means 0.5 apart, variances 0.125 and 0.5 of two users each, so the standard error is sqrt(0.3125).
    found = group_difference([0.75, 0.25], [0.5, -0.5])
    assert found is not None
    freedom = 0.3125**2 / (0.0625**2 + 0.25**2)
    half = t.ppf(0.975, freedom) * 0.3125**0.5
    assert (found.difference.mean, found.difference.low, found.difference.high) == pytest.approx(
        (0.5, 0.5 - half, 0.5 + half)
    )


@given(VALUES, VALUES)
def test_the_p_value_is_the_share_of_all_assignments(first: list[float], second: list[float]) -> None:
    pooled, seen = [*first, *second], abs(mean(first) - mean(second))
    sides = [set(chosen) for chosen in combinations(range(len(pooled)), len(first))]
    gaps = [
        abs(mean(pooled[i] for i in side) - mean(pooled[i] for i in range(len(pooled)) if i not in side))
        for side in sides
    ]
    found = group_difference(first, second)
    assert found is not None
    assert found.p_value == pytest.approx(sum(gap >= seen - 1e-12 for gap in gaps) / len(gaps))


def test_of_one_user_nothing_is_said() -> None:
    assert group_difference([1.0], [0.0, 0.0]) is None
