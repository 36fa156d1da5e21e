"""Intervals and tests: by hand, in simulation, and where there is nothing to tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.stats.multitest import multipletests

from policy_rag_eval.statistics.intervals import (
    Interval,
    bootstrap_interval,
    bootstrap_intervals,
    detectable,
    difference_interval,
    difference_intervals,
    holm,
    standard_error,
)

figures = st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=40)


@given(figures)
def test_an_interval_holds_its_mean_and_stays_among_the_figures(values: list[float]) -> None:
    interval = bootstrap_interval(values, resamples=200)
    assert interval.mean == pytest.approx(sum(values) / len(values))
    assert 0 <= interval.low <= interval.mean <= interval.high <= 1
    assert interval.low < interval.high


@given(figures, figures)
def test_the_interval_of_a_difference_holds_it_and_turns_round(ours: list[float], theirs: list[float]) -> None:
    gaps = [a - b for a, b in zip(ours, theirs, strict=False)]
    there = difference_interval(gaps, resamples=500)
    back = difference_interval([-gap for gap in gaps], resamples=500)
    assert -1 <= there.low <= there.mean <= there.high <= 1
    assert (there.low, there.high) == (pytest.approx(-back.high, abs=1e-9), pytest.approx(-back.low, abs=1e-9))


def test_two_questions_by_hand() -> None:
    # Counts: means of two draws from {0, 2} are 0, 1 and 2 with 1/4, 1/2, 1/4.
    assert bootstrap_interval([0.0, 2.0]) == Interval(1.0, 0.0, 2.0)


@pytest.mark.parametrize(("right", "asked"), [(0, 44), (44, 44), (41, 44), (1, 2), (10, 19), (2000, 2003)])
def test_few_shares_have_the_exact_interval(right: int, asked: int) -> None:
    found = bootstrap_interval([1.0] * right + [0.0] * (asked - right))
    # Clopper and Pearson's ends, by scipy: the least and the most that leave 2.5 % to as many, or as few, as were seen.
    exact = binomtest(right, asked).proportion_ci(0.95, method="exact")
    width = exact.high - exact.low
    assert found.low == pytest.approx(exact.low, abs=0.04 * width)
    assert found.high == pytest.approx(exact.high, abs=0.04 * width)


def test_equal_figures_between_the_ends_are_not_certain_either() -> None:
    # The imaginary question's weight is above 1 - 0.025^(1/44) = 0.0804 in 2.5 of 100 cases: 0.5 moves by half of it.
    found = bootstrap_interval([0.5] * 44)
    assert (found.low, found.high) == (pytest.approx(0.4598, abs=1e-3), pytest.approx(0.5402, abs=1e-3))
    one = bootstrap_interval([0.3])
    assert (one.mean, one.low, one.high) == (0.3, pytest.approx(0.0075, abs=1e-3), pytest.approx(0.9825, abs=1e-3))


def test_the_imaginary_question_has_no_more_than_there_can_be() -> None:
    # Shares of 0.2 are shares of 1 made smaller: 22 of 23, and Clopper and Pearson's ends, times 0.2.
    values = [0.2] * 22 + [0.0]
    exact = binomtest(22, 23).proportion_ci(0.95, method="exact")
    found = bootstrap_intervals({"p": values, "free": values}, most={"p": 0.2})
    assert (found["p"].low, found["p"].high) == (
        pytest.approx(0.2 * exact.low, abs=0.004),
        pytest.approx(0.2 * exact.high, abs=0.001),
    )
    assert found["free"].low == found["p"].low
    assert found["free"].high > 0.3
    # What was seen can be, whatever was said.
    assert bootstrap_intervals({"p": [0.5] * 3}, most={"p": 0.2})["p"].high == 0.5


def test_many_questions_that_differ_have_the_plain_bootstrap() -> None:
    values = [1.0] * 90 + [0.0] * 10
    rng = np.random.default_rng(2)
    means = rng.choice(values, size=(5000, 100)).mean(axis=1)
    found = bootstrap_interval(values)
    assert (found.low, found.high) == pytest.approx(np.quantile(means, [0.025, 0.975]).tolist(), abs=0.011)
    # One fewer that differs, and the imaginary question is counted in: one end moves by about a hundredth of the mean.
    fewer = bootstrap_interval([1.0] * 91 + [0.0] * 9)
    assert fewer.low < found.low + 0.01 - 0.008


@pytest.mark.parametrize("size", [5, 10, 19, 20, 44])
@pytest.mark.parametrize("share", [0.7, 0.95])
def test_shares_of_few_questions_are_covered_as_often_as_is_said(size: int, share: float) -> None:
    # The plain bootstrap covers 24 and 43 of 100 at 0.95 with 5 and 10 questions.
    rng = np.random.default_rng(size)
    samples = (rng.random((200, size)) < share) * 1.0
    found = [bootstrap_interval(sample.tolist(), resamples=500) for sample in samples]
    assert sum(one.low <= share <= one.high for one in found) >= 180


def test_differences_of_few_questions_by_hand() -> None:
    # Student's with 7 differences of 0.1 to 0.7: mean 0.4, deviation 0.2160, t(6) = 2.447: 2.447 * 0.2160 / sqrt(7).
    found = difference_interval([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    assert found.mean == pytest.approx(0.4)
    assert (found.low, found.high) == (pytest.approx(0.2002, abs=1e-3), pytest.approx(0.5998, abs=1e-3))


def test_differences_agree_with_what_the_test_can_decide() -> None:
    # 1 on five questions of five: p = 2/32, and the interval holds 0; on six: p = 2/64, and it does not.
    assert difference_interval([1.0] * 5).low < 0 < difference_interval([1.0] * 6).low
    # Five that differ among 44 decide nothing; six one way do.
    assert difference_interval([0.0] * 39 + [0.5] * 5).low < 0 < difference_interval([0.0] * 38 + [0.5] * 6).low
    # Runs that agree on 44 questions might not on the next: 1 - 0.025^(1/44) = 0.0804 on both sides.
    same = difference_interval([0.0] * 44)
    assert (same.mean, same.low, same.high) == (0, pytest.approx(-0.0804, abs=1e-3), pytest.approx(0.0804, abs=1e-3))


def test_the_same_seed_gives_the_same_interval_and_measures_share_the_draws() -> None:
    values = [3.0, 9.0, 4.0, 7.0, 2.0]
    alone = bootstrap_interval(values)
    both = bootstrap_intervals({"a": values, "twice": [2 * v for v in values]})
    assert both["a"].low == pytest.approx(alone.low)
    assert both["twice"].high == pytest.approx(2 * alone.high)
    shares = [0.1, 0.9, 0.4, 0.7, 0.2]
    both = bootstrap_intervals({"a": shares, "half": [v / 2 for v in shares]})
    assert both["half"].low == pytest.approx(both["a"].low / 2)
    assert bootstrap_interval(sorted(shares)).high == pytest.approx(both["a"].high)
    assert bootstrap_interval(shares).low == pytest.approx(both["a"].low)
    assert bootstrap_interval(shares, seed=1) != bootstrap_interval(shares, seed=2)


def test_equal_counts_have_no_width() -> None:
    assert bootstrap_interval([3.0]) == Interval(3.0, 3.0, 3.0)
    assert bootstrap_interval([5.0] * 7) == Interval(5.0, 5.0, 5.0)
    # One hit for each question is a count as well: nothing says that there is never a second one.
    assert bootstrap_intervals({"hits": [1.0] * 7}, counts={"hits"}) == {"hits": Interval(1.0, 1.0, 1.0)}
    assert difference_intervals({"hits": [0.0] * 7}, counts={"hits"}) == {"hits": Interval(0.0, 0.0, 0.0)}
    assert difference_interval([2.0] * 3) == Interval(2.0, 2.0, 2.0)


def test_no_questions_is_an_error_and_no_measures_is_nothing() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        bootstrap_interval([])
    with pytest.raises(ValueError, match="one figure for each"):
        bootstrap_intervals({"a": [1.0], "b": [1.0, 0.0]})
    assert bootstrap_intervals({}) == {}


def test_holm_by_hand() -> None:
    # Sorted 0.005, 0.01, 0.03, 0.04 times 4, 3, 2, 1: 0.02, 0.03, 0.06, 0.04, the last raised to the one before.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([0.02, 0.02]) == (0.04, 0.04)
    assert holm([]) == ()


def test_holm_is_that_of_statsmodels() -> None:
    p_values = np.random.default_rng(3).random(200) ** 3
    assert holm(p_values.tolist()) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_what_can_be_detected_by_hand() -> None:
    # Differences 0.1 and 0.3: deviation 0.1414, over the root of 2 it is 0.1; (1 + 0.8416) * 0.1 = 0.1842.
    assert standard_error([0.1, 0.3]) == pytest.approx(0.1)
    assert detectable([0.1, 0.3], critical=1.0) == pytest.approx(0.1842, abs=1e-4)
    # (1.9 + 0.8416) * 0.1 is more than 0.2, which is their mean with both to one side.
    assert detectable([-0.1, 0.3], critical=1.9) == pytest.approx(0.2)
    # Both to one side have a t of 0.2 / 0.1.
    assert detectable([-0.1, 0.3], critical=2.0) is None
    assert standard_error([1.0]) is None
    assert detectable([1.0], critical=1.0) is None
    assert standard_error([0.0, 0.0]) is None
    assert detectable([0.0, 0.0], critical=1.0) is None
