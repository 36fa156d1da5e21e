"""Trials are counted once each; what failed is no wrong answer, and an LLM that only fails is asked no more."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest

from policy_rag.errors import ModelError, UsageError
from policy_rag.records.answer import Citation
from policy_rag_eval.data.dataset import Question
from policy_rag_eval.stress.question_sections import QuestionSections
from policy_rag_eval.stress.results import StressResult, StressTest
from policy_rag_eval.stress.run import PATIENCE, change, run_test
from policy_rag_eval.stress.stress_tests import TESTS, chosen_tests
from policy_rag_eval.stress.tracking import conditions_table, figures, outcomes_table
from policy_rag_eval.stress.trials import StressAnswer, StressCondition, StressOutcome, Trial

NOTHING: tuple[QuestionSections, ...] = ()
CITED = StressAnswer("Yes.", (Citation(1, "x", "d", None, "f", "s", (), 0, 1, None),))
BROKEN = StressAnswer("", (), failure="the server is gone")


def judge(given: StressAnswer) -> tuple[StressOutcome, bool | None]:
    if given.failure:
        return StressOutcome.FAILED, None
    return (StressOutcome.GOLD, None) if given.citations else (StressOutcome.REFUSED, None)


def made_test(*names: str, questions: int = 4) -> StressTest:
    def build(_: Sequence[QuestionSections], __: int) -> tuple[tuple[StressCondition, ...], tuple[str, ...]]:
        trials = tuple(Trial(Question(f"q{n}", "Why?"), (), (), judge) for n in range(questions))
        return tuple(
            StressCondition(name, {"level": place, "row": name}, trials) for place, name in enumerate(names)
        ), ()

    good = frozenset({StressOutcome.GOLD})
    return StressTest("made", "A test", "gold", good, build)


@contextmanager
def silent(_: str) -> Iterator[Callable[[int, int], None]]:
    yield lambda *_: None


def run(test: StressTest, said: list[StressAnswer]) -> StressResult:
    answers = iter(said)
    return run_test(test, NOTHING, lambda _: next(answers), seed=0, counting=silent)


def test_what_failed_counts_for_nothing() -> None:
    said = [CITED, CITED, CITED, StressAnswer("", ()), CITED, BROKEN, StressAnswer("", ()), BROKEN]
    easy, hard = run(made_test("easy", "hard"), said).conditions
    assert easy.share is not None
    assert hard.share is not None
    assert (easy.share.mean, hard.share.mean) == (0.75, 0.5)
    assert easy.change is None
    # Questions 0 and 2 are in both: gold and gold, gold and refused.
    assert hard.change is not None
    assert hard.change.mean == -0.5
    assert {str(one): count for one, count in hard.counts.items() if count} == {
        "gold cited": 1, "refused": 1, "failed": 2,
    }  # fmt: skip
    assert hard.failures == ("the server is gone",)
    assert sum(hard.counts.values()) == 4
    gone = run(made_test("easy", "hard"), [CITED] * 4 + [BROKEN] * 4).conditions[1]
    assert (gone.share, gone.change, gone.as_json()["share"]) == (None, None, None)
    assert change({"a": 1.0}, {"b": 0.0}) is None


def test_an_llm_that_only_fails_is_asked_no_more() -> None:
    asked = 0

    def fails(_: Trial) -> StressAnswer:
        nonlocal asked
        asked += 1
        return BROKEN

    with pytest.raises(ModelError, match=r"failed 20 times in a row \(the server is gone\)"):
        run_test(made_test("easy", questions=500), NOTHING, fails, seed=0, counting=silent)
    assert PATIENCE <= asked <= PATIENCE + 2
    said = ([BROKEN] * (PATIENCE - 1) + [CITED]) * 2  # one success in between, and it goes on
    assert run(made_test("easy", questions=2 * PATIENCE), said).conditions[0].counts[StressOutcome.FAILED] == 38


@pytest.mark.parametrize(("questions", "workers"), [(0, 1), (1, 1), (2, 4), (9, 1), (9, 4), (50, 3)])
def test_every_trial_is_answered_once_and_in_order(questions: int, workers: int) -> None:
    asked: list[str] = []

    def answer(trial: Trial) -> StressAnswer:
        asked.append(trial.question.question_id)
        return CITED if trial.question.question_id == "q0" else StressAnswer("", ())

    test = made_test("easy", questions=questions)
    (row,) = run_test(test, NOTHING, answer, seed=0, counting=silent, workers=workers).conditions
    assert sorted(asked) == sorted(f"q{n}" for n in range(questions))
    assert list(row.outcomes) == [f"q{n}" for n in range(questions)]
    assert [name for name, one in row.outcomes.items() if one is StressOutcome.GOLD] == ["q0"][:questions]


def test_progress_counts_every_trial() -> None:
    seen: list[tuple[int, int]] = []

    @contextmanager
    def counting(text: str) -> Iterator[Callable[[int, int], None]]:
        assert text == "made"
        yield lambda done, total: seen.append((done, total))

    run_test(made_test("a", "b", questions=3), NOTHING, lambda _: CITED, seed=0, counting=counting)
    assert seen == [(n, 6) for n in range(1, 7)]


def test_tables_and_figures_have_every_row() -> None:
    result = run(made_test("easy", "hard, 1"), [CITED] * 6 + [StressAnswer("", ())] * 2)
    assert figures(result)["share.hard_ 1"] == 0.5
    assert "failed.easy" not in figures(result), "a chart of nothing"
    table = conditions_table(result)
    assert table["condition"] == ["easy", "hard, 1"]
    assert (table["gold cited"], table["refused"]) == ([4, 2], [0, 2])
    outcomes = outcomes_table(result)
    assert len(outcomes["question_id"]) == 8
    assert outcomes["outcome"][-1] == "refused"


def test_names_are_known_or_refused() -> None:
    assert [one.name for one in chosen_tests(())] == list(TESTS)
    with pytest.raises(UsageError, match="there is no stress test 'nose': did you mean noise"):
        chosen_tests(["nose"])
    with pytest.raises(UsageError, match="there is no stress test 'speed': they are noise, rejection"):
        chosen_tests(["speed"])
