"""The correction for many configurations: by hand, against all assignments, in simulation, with junk beside."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from policy_rag_eval.statistics.intervals import students
from policy_rag_eval.statistics.multiple import skewed, step_down


def by_hand(table: np.ndarray) -> list[float]:
    """The same definition over all assignments of signs, pair by pair and step by step."""
    rows, questions = table.shape
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=questions)))

    def statistics(i: int, j: int) -> tuple[float, np.ndarray]:
        gap = table[i] - table[j]
        size = np.sqrt((gap**2).sum())
        return abs(gap.sum()) / size, np.abs(signs @ gap) / size

    family = set(range(rows))
    p_values, before = {}, 0.0
    for row in sorted(range(1, rows), key=lambda j: -statistics(0, j)[0]):
        largest = np.max([statistics(i, j)[1] for i, j in itertools.combinations(sorted(family), 2)], axis=0)
        before = p_values[row] = max(before, float((largest >= statistics(0, row)[0] - 1e-9).mean()))
        family.discard(row)
    return [p_values[row] for row in range(1, rows)]


def test_all_assignments_of_few_questions_are_counted() -> None:
    table = np.random.default_rng(1).random((4, 9)) + np.array([[0.4], [0.2], [0.1], [0.0]])
    assert [one.p_value for one in step_down(table.tolist())] == pytest.approx(by_hand(table))


def test_a_baseline_counts_only_the_pairs_with_it() -> None:
    # Differences of 1 everywhere and of 0.5 everywhere: 2 of the 2^6 assignments reach either.
    made = step_down([[1.0] * 6, [0.0] * 6, [0.5, 0.5, 0.5, 0.5, 0.5, 0.6]], baseline=True)
    assert made[0].p_value == pytest.approx(2 / 64)
    assert made[1].p_value == pytest.approx(2 / 64)
    rng = np.random.default_rng(4)
    rows = rng.random((10, 80))
    rows[0] += 0.08
    ours = [one.p_value for one in step_down(rows.tolist(), baseline=True)]
    assert all(p <= q for p, q in zip(ours, (one.p_value for one in step_down(rows.tolist())), strict=True))


def test_the_critical_value_of_one_pair_is_student_s() -> None:
    rng = np.random.default_rng(2)
    (made,) = step_down([rng.random(400).tolist(), rng.random(400).tolist()])
    assert made.critical == pytest.approx(1.966, abs=0.04)  # t(0.975) with 399 degrees of freedom
    assert made.critical == made.critical_of_all


def test_many_are_harder_than_few_and_copies_are_not() -> None:
    rng = np.random.default_rng(3)
    rows = rng.random((20, 200))
    few, many = (step_down(rows[:count].tolist())[0].critical_of_all for count in (3, 20))
    assert many > few + 0.5
    nearly = [row + rng.normal(0, 1e-6, 200) for row in (rows[0], rows[1]) for _ in range(1)]
    assert step_down([*rows[:2].tolist(), *(one.tolist() for one in nearly)])[0].critical < many


def test_junk_beside_them_hardly_changes_what_is_said_of_good_ones() -> None:
    rng = np.random.default_rng(6)
    base = rng.random(200)
    good = [base + 0.06 + rng.normal(0, 0.2, 200), base + rng.normal(0, 0.2, 200)]
    junk = [rng.random(200) * 0.3 for _ in range(37)]
    if good[0].mean() < good[1].mean():
        good.reverse()
    alone = step_down([row.tolist() for row in good])[0].p_value
    beside = step_down([row.tolist() for row in (*good, *junk)])[0].p_value
    assert alone < 0.01
    assert beside < 0.01


@pytest.mark.parametrize("bootstrap", [False, True])
def test_where_nothing_differs_few_sweeps_claim_anything(bootstrap: bool) -> None:
    rng = np.random.default_rng(7)
    claims = 0
    for sweep in range(200):
        rows = sorted(rng.random((6, 60)).tolist(), key=lambda row: -sum(row))
        claims += min(one.p_value for one in step_down(rows, draws=300, bootstrap=bootstrap, seed=sweep)) < 0.05
    assert 2 <= claims <= 20  # 10 are expected; 20 come up once in 600 times


def test_the_bootstrap_of_one_pair_is_the_binomial_s() -> None:
    # 6 of 167 are won by 1. A draw that has k of them has a t of (k - 6) / sqrt(k * (1 - k / 167)), seen is 2.49: as far
    # off are k = 2 (-2.85) and k = 16 (2.63), not 3 (-1.75) and not 15 (2.44).
    (made,) = step_down([[1.0] * 6 + [0.0] * 161, [0.0] * 167], bootstrap=True)
    expected = binom.cdf(2, 167, 6 / 167) + binom.sf(15, 167, 6 / 167)
    assert made.p_value == pytest.approx(expected, abs=0.005)  # 0.061
    assert made.critical == pytest.approx(4 / np.sqrt(2 * (1 - 2 / 167)))  # which k = 1 and 2 reach, 6.0 % of all draws


def test_a_pair_that_signs_could_not_decide_corrects_nothing_by_bootstrap() -> None:
    # The first and its twin differ on 2 of 167 questions: a draw has neither in exp(-2) = 14 % of the cases.
    rng = np.random.default_rng(10)
    first = np.where(np.arange(167) < 40, 1.0, rng.random(167) * 0.01)
    other, twin = np.where(np.arange(167) < 40, 0.0, rng.random(167) * 0.01), first.copy()
    twin[:2] = 0.0
    beside = step_down([first.tolist(), twin.tolist(), other.tolist()], bootstrap=True)
    assert beside[1].p_value < 0.001


def test_what_a_sweep_of_few_differing_questions_can_reach_is_what_is_counted() -> None:
    # 5 that differ reach 2 / 32 and never 5 %: all to one side have the critical share, and no more. 6 reach 2 / 64; next
    # come 5 to 1, with 4 / sqrt(6) in 14 of 64.
    def critical(differing: int) -> float:
        return step_down([[1.0] * differing + [0.0] * (167 - differing), [0.0] * 167])[0].critical

    assert critical(5) == pytest.approx(students(np.sqrt(5), 167))
    assert critical(6) == pytest.approx(students(4 / np.sqrt(6), 167))


def test_skewness_is_weighed_by_the_number_of_questions() -> None:
    # One of n differs: the skewness is about the root of n, so that it never becomes harmless.
    assert skewed([1.0] + [0.0] * 99)
    assert not skewed([0.0] * 10)
    exponential = np.random.default_rng(8).exponential(size=2000)  # skewness 2: 0.2 at 100 questions, 0.045 at 2,000
    assert skewed(exponential[:100].tolist())
    assert not skewed(exponential.tolist())


def test_rows_must_differ_and_be_of_one_length() -> None:
    with pytest.raises(ValueError, match="same questions"):
        step_down([[1.0], [1.0, 0.0]])
    with pytest.raises(ValueError, match="same figures"):
        step_down([[1.0, 0.0], [1.0, 0.0]])
    assert step_down([[1.0, 0.0]]) == ()
