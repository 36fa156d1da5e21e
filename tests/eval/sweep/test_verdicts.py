"""Verdicts: who beats whom, corrected for all pairs, and what is said when it is undecided."""

import math

import numpy as np
import pytest

from policy_rag.errors import UsageError
from policy_rag_eval.measures.measures import Measure, Scores
from policy_rag_eval.statistics.intervals import bootstrap_intervals
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.sweep.verdicts import DECIDED_BY, Comparison, compare, compare_figures, verdict


def evaluation(name: str, values: list[float]) -> Evaluation:
    scores = Scores(tuple(f"q{i}" for i in range(len(values))), {DECIDED_BY: tuple(values)})
    return Evaluation(name, {}, bootstrap_intervals(scores.values, resamples=50), {}, scores, {})


def test_the_best_is_compared_with_each_other_in_order() -> None:
    low, middle, high = evaluation("low", [0.0] * 20), evaluation("mid", [0.5] * 20), evaluation("high", [1.0] * 20)
    made = compare([low, high, middle])
    assert [(c.first, c.second) for c in made] == [("high", "mid"), ("high", "low")]
    assert made[0].difference.mean == pytest.approx(0.5)
    assert (made[0].wins, made[0].losses) == (20, 0)
    assert all(c.decided for c in made)


def test_p_values_are_corrected_by_what_pairs_have_in_common() -> None:
    # Six questions, always better: 2 of 64 assignments of signs, p = 1/32. Two that lie between in the same way have
    # the same sign everywhere: every pair's statistic is the same, and nothing is lost by looking at three.
    alone = compare([evaluation("a", [1.0] * 6), evaluation("b", [0.0] * 6)])
    assert alone[0].p_value == pytest.approx(1 / 32)
    assert alone[0].decided
    three = compare([evaluation("a", [1.0] * 6), evaluation("b", [0.0] * 6), evaluation("c", [0.5] * 6)])
    assert [c.p_value for c in three] == pytest.approx([1 / 32, 1 / 32])


def test_equal_figures_are_one_hypothesis_however_often_they_come() -> None:
    # Six questions, always better: p = 1/32 for the one pair there is. Twins that change nothing add no pair to it.
    best, other = [1.0] * 6, [0.0] * 6
    made = compare(
        [evaluation(name, values) for name, values in (("a", best), ("b", other), ("c", best), ("d", other))]
    )
    assert [(one.first, one.second, one.p_value) for one in made] == [
        ("a", "c", 1.0),
        ("a", "b", pytest.approx(1 / 32)),
        ("a", "d", pytest.approx(1 / 32)),
    ]
    assert [(one.same, one.decided) for one in made] == [(True, False), (False, True), (False, True)]
    assert made[1].detectable == compare([evaluation("a", best), evaluation("b", other)])[0].detectable
    twins = compare([evaluation("a", best), evaluation("b", best)])
    assert verdict(twins[0], 6) == "a and b are the same on all 6 questions by ndcg@10"
    assert twins[0].as_good()


def test_against_a_baseline_only_its_pairs_count_and_the_better_one_comes_first() -> None:
    rng = np.random.default_rng(3)
    base = rng.random(60)
    better, worse = base + 0.3, base - 0.3 + rng.normal(0, 0.01, 60)
    made = compare(
        [evaluation("new", list(better)), evaluation("base", list(base)), evaluation("old", list(worse))],
        against="base",
    )
    assert [(one.first, one.second) for one in made] == [("new", "base"), ("base", "old")]
    assert [one.difference.mean > 0 for one in made] == [True, True]
    assert (made[0].wins, made[1].wins) == (60, 60)
    with pytest.raises(UsageError, match="no configuration basis to compare against: there are new, base"):
        compare([evaluation("new", list(better)), evaluation("base", list(base))], against="basis")


def test_no_worse_than_a_margin_is_said_of_what_the_interval_for_all_pairs_allows() -> None:
    # 400 questions, differences of 0.05 to both sides: the standard error is 0.0025, and 1.96 of them 0.0049.
    rng = np.random.default_rng(5)
    base = rng.random(400)
    first, second = evaluation("a", list(base)), evaluation("b", list(base + np.tile([0.05, -0.05], 200)))
    (made,) = compare([first, second])
    assert made.worse_by == pytest.approx(0.0049, abs=0.0002)
    assert made.detectable == pytest.approx((1.96 + 0.8416) * 0.0025, abs=0.0002)
    assert made.as_good(0.0055)
    assert not made.as_good(0.004)
    assert verdict(made, 400).endswith("is no worse than 0.02")
    assert verdict(made, 400, margin=0.004).endswith("they could show 0.007")


def test_where_differences_are_skewed_the_bootstrap_stands_beside() -> None:
    # One question in ten far better, all others a little worse.
    gaps = [0.9 if i % 10 == 0 else -0.02 for i in range(60)]
    (made,) = compare([evaluation("a", gaps), evaluation("b", [0.0] * 60)])
    assert made.bootstrap_p is not None
    assert "by bootstrap p = " in verdict(made, 60)
    (level,) = compare([evaluation("a", [0.5, 0.0] * 30), evaluation("b", [0.0, 0.4] * 30)])
    assert level.bootstrap_p is None


def won(questions: int, wins: int, losses: int = 0) -> Comparison:
    """One configuration better by 1 on some questions and worse by 1 on others, or as it comes the other way round."""
    gaps = [1.0] * wins + [-1.0] * losses + [0.0] * (questions - wins - losses)
    (made,) = compare([evaluation("a", gaps), evaluation("b", [0.0] * questions)])
    return made


def test_where_differences_are_skewed_both_tests_must_agree() -> None:
    # Of 167 questions 6 won and none lost: p = 2 / 64 by signs. By bootstrap 0.061: see the tests of `step_down`.
    six = won(167, 6)
    assert six.p_value == pytest.approx(2 / 64)
    assert six.bootstrap_p == six.deciding_p == pytest.approx(0.061, abs=0.005)
    assert not six.decided
    assert verdict(six, 167).startswith("a against b is undecided with 167 questions (0.036 ± ")
    assert ", p = 0.031, but by bootstrap p = 0.06" in verdict(six, 167)
    assert ", which decides too since differences are skewed): too few differ (6) to tell" in verdict(six, 167)
    # 7 won: as far off as seen are draws with 2 of them or fewer, in 2.8 % of the cases.
    seven = won(167, 7)
    assert (seven.p_value, seven.bootstrap_p) == (pytest.approx(2 / 128), pytest.approx(0.028, abs=0.005))
    assert seven.decided
    assert verdict(seven, 167).endswith("since differences are skewed)")
    # Of fewer than 20 questions the signs alone decide.
    assert won(19, 6).decided
    assert won(19, 6).bootstrap_p is None


def test_where_too_few_questions_differ_nothing_could_be_shown() -> None:
    # 5 that differ have a p-value of 2 / 32 at the least, however they differ.
    for wins, losses in ((1, 0), (2, 1), (3, 2), (5, 0)):
        made = won(167, wins, losses)
        assert made.detectable is None
        assert verdict(made, 167).endswith(f": too few differ ({wins + losses}) to tell")
    # 6 that differ, 3 each way: (1.641 + 0.842) * 0.0147 is a little more than what all 6 one way are, and no more is shown.
    assert won(167, 3, 3).detectable == pytest.approx(6 / 167)
    assert verdict(won(167, 3, 3), 167).endswith(": they could show 0.036")
    # 7 each way: of the assignments 94.3 % have 4 to 10 on a side, 98.7 % 3 to 11, so that 8 / sqrt(14) = 2.138 must be
    # passed. Student's t of that is 2.160, the standard error sqrt(14 / 166) / sqrt(167) = 0.02247.
    assert won(167, 7, 7).detectable == pytest.approx((2.160 + 0.8416) * 0.02247, abs=1e-4)


def test_what_was_seen_and_did_not_suffice_is_not_what_could_be_shown() -> None:
    # Won by a: 6 questions from b, 6 others from c. Either has all its signs alike in 1 - (62 / 64)^2 of the cases, which
    # is the p-value of both. c alone, in its own step, would have 2 / 64.
    best = [1.0] * 12 + [0.0] * 7
    made = compare(
        [
            evaluation("a", best),
            evaluation("b", [0.0] * 6 + best[6:]),
            evaluation("c", best[:6] + [0.0] * 6 + best[12:]),
        ]
    )
    assert [one.p_value for one in made] == pytest.approx([1 - (62 / 64) ** 2] * 2)
    assert [verdict(one, 19).partition("): ")[2] for one in made] == ["too few differ (6) to tell"] * 2


def test_few_differing_questions_do_not_make_a_configuration_no_worse() -> None:
    # With 0 of 167 lost, 1 - 0.025 ** (1 / 167) = 2.2 % might be; of 400 no more than 0.9 %.
    gaps = [0.1, 0.1, -0.1]
    few, many = (
        compare([evaluation("a", gaps + [0.0] * (of - 3)), evaluation("b", [0.0] * of)])[0] for of in (167, 400)
    )
    assert not few.as_good(0.02)
    assert many.as_good(0.02)


def decided(first: list[float], second: list[float], seed: int) -> bool:
    made = [evaluation("a", first), evaluation("b", second)]
    return compare(made, draws=500, resamples=50, seed=seed)[0].decided


def test_of_many_sweeps_where_nothing_differs_few_say_beats() -> None:
    rng = np.random.default_rng(5)
    claims = sum(decided(list(rng.random(60)), list(rng.random(60)), sweep) for sweep in range(400))
    assert 10 <= claims <= 30


def test_a_true_difference_of_five_hundredths_is_seen_with_a_thousand_questions() -> None:
    # A hard case: a quarter of the questions turn from 0 to 1 or back, 15 % one way and 10 % the other.
    rng = np.random.default_rng(6)
    seen = 0
    for sweep in range(100):
        turned = rng.choice([1.0, 0.0, -1.0], size=1000, p=[0.15, 0.75, 0.10])
        base = np.where(turned == 0, rng.random(1000), turned < 0)
        seen += decided(list(base + turned), list(base), sweep)
    assert seen >= 80


def test_a_difference_of_the_size_that_can_be_detected_is_seen_in_most_sweeps() -> None:
    # Three configurations; what the questions could show is put between the first and the others.
    rng = np.random.default_rng(9)

    def drawn(gain: float) -> list[Evaluation]:
        base = rng.random(200)
        return [
            evaluation(name, list(base + rng.normal(ahead, 0.3, 200)))
            for name, ahead in (("a", gain), ("b", 0), ("c", 0))
        ]

    found = [compare(drawn(0.05), draws=400, resamples=20)[0].detectable or 0.0 for _ in range(10)]
    gain = float(np.median(found))
    seen = [compare(drawn(gain), draws=400, resamples=20, seed=sweep) for sweep in range(80)]
    shown = sum(one.decided for made in seen for one in made if one.first == "a")
    assert 0.7 * 160 <= shown <= 0.95 * 160


def test_the_questions_won_and_lost_are_named_the_clearest_first() -> None:
    (made,) = compare([evaluation("a", [1.0, 0.5, 0.0, 0.2, 0.4]), evaluation("b", [0.0, 0.25, 0.1, 0.2, 0.1])])
    assert made.won == ("q0", "q4", "q1")
    assert made.lost == ("q2",)
    assert (made.wins, made.losses) == (3, 1)


def test_one_configuration_has_no_verdict_and_other_questions_cannot_be_compared() -> None:
    one = evaluation("a", [1.0, 0.0])
    assert compare([one]) == ()
    with pytest.raises(ValueError, match="same questions"):
        compare([one, evaluation("b", [1.0])])
    assert Measure.parse("ndcg@10") == DECIDED_BY


def test_means_that_differ_in_their_last_digits_alone_are_level_in_the_order_given() -> None:
    high, low = (1 / 2, 1 / 4, 1 / 4, 1 / 6), (0.0, 1 / 2, 1 / 3, 1 / 3)
    assert math.fsum(high) > math.fsum(low)
    (one,) = compare_figures([("low", low), ("high", high)], ("a", "b", "c", "d"))
    assert (one.first, one.second) == ("low", "high")
