"""What is said of the best configuration, and of how each other one stands."""

from dataclasses import replace

from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.choice import choice, compared_with, standing
from policy_rag_eval.sweep.verdicts import Comparison


def pair(first: str, second: str, difference: float, p_value: float, *, same: bool = False) -> Comparison:
    interval = Interval(difference, difference - 0.1, difference + 0.1)
    return Comparison(first, second, interval, p_value, wins=0 if same else 3, losses=0 if same else 1, worse_by=0.3)


def test_what_leads_a_baseline_for_certain_is_not_said_to_lead_the_others() -> None:
    """c is best, b near it; both were compared with the baseline a alone."""
    with_a = [pair("c", "a", 0.3, 0.001), pair("b", "a", 0.29, 0.002)]
    assert compared_with("c", with_a) == "a"
    assert choice("c", 0.8, "x", with_a) == "Take c: 0.800 x, 0.300 ahead of the baseline a (p = 0.001)"
    near = [pair("c", "a", 0.1, 0.4), pair("a", "b", 0.2, 0.01)]
    assert choice("c", 0.8, "x", near) == "c: 0.800 x, 0.100 ahead of the baseline a (p = 0.400): undecided"
    assert [standing(name, "a", near) for name in "cab"] == [
        "undecided, p = 0.400", "", "behind by 0.200, p = 0.010",
    ]  # fmt: skip
    assert standing("b", "a", with_a) == "ahead by 0.290, p = 0.002"


def test_of_two_tests_that_must_agree_the_p_value_that_decides_is_told() -> None:
    skewed = [
        replace(pair("a", "b", 0.3, 0.01), bootstrap_p=0.04),
        replace(pair("a", "c", 0.4, 0.01), bootstrap_p=0.07),
    ]
    assert choice("a", 0.8, "x", skewed) == "Take a: 0.800 x, ahead of 1 of 2 others; undecided against c"
    assert [standing(name, "a", skewed) for name in "bc"] == ["behind by 0.300, p = 0.040", "undecided, p = 0.070"]


def test_what_was_compared_with_nothing_is_not_said_to_be_the_same() -> None:
    assert choice("a", 0.8, "x", ()) == "a: 0.800 x"


def test_a_baseline_that_is_the_best_is_compared_as_the_best() -> None:
    with_a = [pair("a", "b", 0.3, 0.001), pair("a", "c", 0.4, 0.001)]
    assert compared_with("a", with_a) == "a"
    assert choice("a", 0.8, "x", with_a) == (
        "Take a: 0.800 x, 0.300 ahead of the next, b (p = 0.001); nothing is undecided"
    )


def test_what_is_level_by_the_measure_is_no_rival() -> None:
    with_twin = [pair("a", "twin", 0.0, 1.0, same=True), pair("a", "b", 0.3, 0.001), pair("a", "c", 0.1, 0.2)]
    assert choice("a", 0.8, "x", with_twin) == (
        "Take a: 0.800 x, ahead of 1 of 3 others; undecided against c; 1 the same by x"
    )
    assert choice("a", 0.8, "x", with_twin[:2]) == (
        "Take a: 0.800 x, 0.300 ahead of the next, b (p = 0.001); nothing is undecided; 1 the same by x"
    )
    assert choice("a", 0.8, "x", with_twin[:1]) == "a: 0.800 x, and the same under every configuration"
    assert standing("twin", "a", with_twin) == "the same"
