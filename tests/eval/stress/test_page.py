"""The page of stress tests: questions that were right and broke, what was answered before beside what came after."""

from dataclasses import replace

from policy_rag.records.answer import Citation
from policy_rag_eval.data.dataset import Question
from policy_rag_eval.reports.decision import Failure
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.stress.page import broken, headline, stress_page
from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun, StressTest
from policy_rag_eval.stress.trials import StressAnswer, StressOutcome, Trial

GOLD, OTHER, REFUSED, FAILED = StressOutcome.GOLD, StressOutcome.OTHER, StressOutcome.REFUSED, StressOutcome.FAILED


def answer(text: str, file: str) -> StressAnswer:
    return StressAnswer(text, (Citation(1, text, "d", None, file, "s", (), 0, 1, None),) if text else ())


def condition(name: str, change: float | None, **of: tuple[StressOutcome, StressAnswer]) -> ConditionResult:
    outcomes = {question: outcome for question, (outcome, _) in of.items()}
    counts = {outcome: list(outcomes.values()).count(outcome) for outcome in StressOutcome}
    answered = {
        question: (Trial(Question(question, f"What of {question}?"), (), (), lambda _: (GOLD, None)), given)
        for question, (_, given) in of.items()
    }
    gap = None if change is None else Interval(change, change, change)
    return ConditionResult(name, {}, None, gap, counts, None, None, 0, outcomes, answered=answered)


def run(**tests: tuple[ConditionResult, ...]) -> StressRun:
    made = tuple(
        StressResult(StressTest(name, name.title(), "cite", frozenset({GOLD}), lambda *_: ((), ())), conditions)
        for name, conditions in tests.items()
    )
    return StressRun("small", "extractive", 7, {"search": "or"}, made)


RIGHT, WRONG, NONE = answer("Ten days.", "a.md"), answer("Nine days.", "b.md"), answer("", "")


def test_what_broke_stands_beside_what_was_right_each_test_once_before_any_twice() -> None:
    found = run(
        noise=(
            condition("0", None, a=(GOLD, RIGHT), b=(GOLD, RIGHT), c=(OTHER, WRONG), d=(GOLD, RIGHT)),
            condition("4", -0.5, a=(GOLD, RIGHT), b=(OTHER, WRONG), c=(OTHER, WRONG), d=(FAILED, NONE)),
            condition("8", -0.7, a=(REFUSED, NONE), b=(OTHER, WRONG), c=(OTHER, WRONG), d=(GOLD, RIGHT)),
        ),
        position=(
            condition("first", None, b=(GOLD, RIGHT)),
            condition("last", -0.1, b=(OTHER, WRONG)),
        ),
    )
    # What costs most is first: 8 of noise takes a, position is another test and takes b; of 4 b is shown already, c was
    # never right, and that the LLM failed on d says nothing.
    assert broken(found) == [
        Failure("a", "What of a?", "noise, 8: refused", ("0: gold cited, from a.md", "Ten days."), ("8: refused", "no answer")),
        Failure(
            "b", "What of b?", "position, last: other cited", ("first: gold cited, from a.md", "Ten days."),
            ("last: other cited, from b.md", "Nine days."),
        ),
    ]  # fmt: skip


def test_a_control_costs_nothing_and_breaks_nothing() -> None:
    both = condition("both", None, a=(GOLD, RIGHT))
    alone = replace(condition("the first alone", -1.0, a=(StressOutcome.PART, RIGHT)), control=True)
    found = run(integration=(replace(both, share=Interval(1.0, 0.5, 1.0)), alone))
    assert broken(found) == []
    assert headline(found) == "extractive on small: integration, both: share 1.000 (0.500 to 1.000)"
    page = stress_page(found).html()
    assert "What costs most" not in page
    assert "the first alone" in page
    few = run(integration=(both, alone), noise=(both, condition("8", -0.5, a=(OTHER, WRONG))))
    assert (
        headline(few)
        == "extractive on small: noise costs most, -0.500 under 8 (share –); no other costs something for certain"
    )


def test_the_page_tells_the_words_only_where_they_may_be_kept() -> None:
    found = run(noise=(condition("0", None, a=(GOLD, RIGHT)), condition("8", -1.0, a=(OTHER, WRONG))))
    told, silent = (
        stress_page(found, texts=texts, command="policy-rag eval stress x").html() for texts in (True, False)
    )
    for words in ("What of a?", "Ten days.", "Nine days."):
        assert (words in told, words in silent) == (True, False)
    assert "a: noise, 8: other cited" in silent
    assert told.count("policy-rag eval stress x") == silent.count("policy-rag eval stress x") == 1
