"""Configurations of anything with a figure a question: compared on the questions that all of them have one for."""

from policy_rag_eval.sweep.several import compared


def test_the_best_comes_first_and_only_common_questions_count() -> None:
    found = compared({"a": {"1": 0.5, "2": 0.5, "3": 1.0}, "b": {"2": 1.0, "1": 1.0, "4": 0.0}}, "noise")
    assert found.means == {"b": 1.0, "a": 0.5}  # over 1 and 2; 3 and 4 are answered by one alone
    assert list(found.means) == ["b", "a"]
    assert (found.best, found.questions) == ("b", 2)
    (one,) = found.comparisons
    assert (one.first, one.second, one.wins, one.losses) == ("b", "a", 2, 0)
    assert one.p_value == 0.5  # two of the four assignments of signs are as far from 0
    assert found.headline == "b: 1.000 noise, ahead of none for certain; undecided against a"
    assert "2 questions" in found.verdicts[0]


def test_a_lead_that_is_decided_is_said() -> None:
    ids = [str(n) for n in range(20)]
    found = compared({"low": dict.fromkeys(ids, 0.0), "high": dict.fromkeys(ids, 1.0)}, "noise")
    assert found.headline == "Take high: 1.000 noise, 1.000 ahead of the next, low (p < 0.001); nothing is undecided"
    assert found.as_json()["comparisons"][0]["decided"] is True
