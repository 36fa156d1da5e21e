"""Stress tests of several configurations: a question's figure is the share of conditions that it is right under."""

import pytest

from policy_rag.errors import UsageError
from policy_rag_eval.stress.comparison import compare_stress, comparison_page, decides
from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun, StressTest
from policy_rag_eval.stress.tracking import means
from policy_rag_eval.stress.trials import StressOutcome

GOOD, BAD, FAILED = StressOutcome.GOLD, StressOutcome.OTHER, StressOutcome.FAILED


def condition(name: str, outcomes: dict[str, StressOutcome], *, control: bool = False) -> ConditionResult:
    counts = {outcome: list(outcomes.values()).count(outcome) for outcome in StressOutcome}
    return ConditionResult(name, {}, None, None, counts, None, None, 0, outcomes, control=control)


def run(name: str, *conditions: dict[str, StressOutcome]) -> StressRun:
    test = StressTest("noise", "Noise", "cite the gold", frozenset({GOOD}), lambda *_: ((), ()))
    made = tuple(condition(f"level {place}", of) for place, of in enumerate(conditions))
    return StressRun("small", "extractive", 0, {"search": name}, (StressResult(test, made),))


def test_the_share_of_a_questions_conditions_and_what_failed_counts_for_nothing() -> None:
    (result,) = run("or", {"a": GOOD, "b": GOOD, "c": FAILED}, {"a": BAD, "b": FAILED, "c": FAILED}).tests
    assert result.by_question == {"a": 0.5, "b": 1.0}


def test_controls_count_in_no_mean() -> None:
    test = StressTest("integration", "Two", "cite both", frozenset({GOOD}), lambda *_: ((), ()))
    alone = condition("the first alone", {"a": StressOutcome.PART, "b": BAD}, control=True)
    result = StressResult(test, (condition("both sections", {"a": GOOD, "b": GOOD}), alone))
    assert result.by_question == {"a": 1.0, "b": 1.0}
    assert means(StressRun("small", "extractive", 0, {}, (result,))) == {"share.integration": 1.0}
    assert [one["control"] for one in result.as_json()["conditions"]] == [False, True]


def test_runs_are_compared_by_the_test_that_decides() -> None:
    runs = {
        "or": run("or", {"a": GOOD, "b": BAD}, {"a": BAD, "b": BAD}),
        "vector": run("vector", {"a": GOOD, "b": GOOD}, {"a": GOOD, "b": BAD}),
    }
    found = compare_stress(runs)
    assert found.several.means == {"vector": 0.75, "or": 0.25}
    assert [one["name"] for one in found.as_json()["configurations"]] == ["or", "vector"]
    page = comparison_page(found).html()
    assert "vector: 0.750 noise" in page
    assert "or against vector" not in page  # the better one is named first
    assert "vector against or is undecided with 2 questions" in page


def test_a_test_that_is_not_run_cannot_decide() -> None:
    assert decides(None, ["noise", "position"]) == "noise"
    with pytest.raises(UsageError, match="--measure rejection: no such test is run: there are noise, position"):
        decides("rejection", ["noise", "position"])
