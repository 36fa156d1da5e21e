"""A stress test, and its figures condition by condition."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.stress.question_sections import QuestionSections
from policy_rag_eval.stress.trials import ConditionsAndNotes, StressAnswer, StressOutcome, Trial
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.usage import AnsweringCost, QuestionUsage


@dataclass(frozen=True, slots=True)
class StressTest:
    """A way of making it harder.

    Attributes:
        name: as it is asked for.
        title: of its table and plot.
        share: what the headline share is of, in words.
        good: the outcomes that the share counts.
        build: the conditions for these questions, under a seed.
    """

    name: str
    title: str
    share: str
    good: frozenset[StressOutcome]
    build: Callable[[Sequence[QuestionSections], int], ConditionsAndNotes]


@dataclass(frozen=True, slots=True)
class ConditionResult:
    """The figures of a condition.

    Attributes:
        name: the condition's.
        levels: the condition's.
        share: of the good outcomes among those that did not fail, with its interval; None where all failed.
        change: against the test's first condition with the same questions, question by question; None for that one.
        counts: every outcome to how many questions had it.
        reachable: share of the questions whose gold was among what was given, where that is not always so.
        noticed: answers that notice the planted contradiction, or None where none was planted.
        left_out: sections that had no room in the LLM's window, over all questions.
        outcomes: question id to outcome, in order.
        failures: reasons of the failures, each once.
        answered: question id to what was put and what was answered, in order.
        control: the condition's.
    """

    name: str
    levels: Mapping[str, int | str]
    share: Interval | None
    change: Interval | None
    counts: Mapping[StressOutcome, int]
    reachable: float | None
    noticed: int | None
    left_out: int
    outcomes: Mapping[str, StressOutcome]
    failures: tuple[str, ...] = ()
    answered: Mapping[str, tuple[Trial, StressAnswer]] = field(default_factory=dict)
    control: bool = False

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "name": self.name,
            "levels": dict(self.levels),
            "control": self.control,
            "questions": len(self.outcomes),
            "share": self.share.as_json() if self.share else None,
            "change": self.change.as_json() if self.change else None,
            "outcomes": {str(outcome): count for outcome, count in self.counts.items()},
            "gold_given": self.reachable,
            "noticed": self.noticed,
            "sections_left_out": self.left_out,
            "failures": list(self.failures),
        }


def first_alike(conditions: Sequence[ConditionResult], asked: Set[str]) -> ConditionResult | None:
    """The first condition, no control, that was put to any of these questions: what others are compared with."""
    return next((one for one in conditions if not one.control and asked & one.outcomes.keys()), None)


@dataclass(frozen=True, slots=True)
class StressResult:
    """The figures of a test: a row a condition, in order; `notes` say what was left out and why."""

    test: StressTest
    conditions: tuple[ConditionResult, ...]
    notes: tuple[str, ...] = ()

    @property
    def counted(self) -> tuple[ConditionResult, ...]:
        """The conditions that figures of the whole test are over: all but its controls."""
        return tuple(one for one in self.conditions if not one.control)

    @property
    def by_question(self) -> dict[str, float]:
        """Question id to the share of the conditions under which it had a good outcome.

        Controls and what failed do not count.
        """
        good: dict[str, list[bool]] = {}
        for condition in self.counted:
            for question, outcome in condition.outcomes.items():
                if outcome is not StressOutcome.FAILED:
                    good.setdefault(question, []).append(outcome in self.test.good)
        return {question: sum(of) / len(of) for question, of in good.items()}

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "test": self.test.name,
            "title": self.test.title,
            "share": self.test.share,
            "conditions": [one.as_json() for one in self.conditions],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class StressRun:
    """All tests on one data set by one answerer.

    Attributes:
        dataset: its name.
        llm: who answered.
        seed: of what was drawn, ordered and planted.
        settings: those that were chosen, as text.
        tests: in order.
        notes: what a reader of the figures should know.
        spent: on all answers; None where they are quotations.
        latency: of an answer that is asked for alone, without the search.
    """

    dataset: str
    llm: str
    seed: int
    settings: Mapping[str, str]
    tests: tuple[StressResult, ...]
    notes: tuple[str, ...] = ()
    spent: AnsweringCost | None = None
    latency: Latency | None = None

    def by_question(self, test: str) -> dict[str, float]:
        """The same of the test of this name; see `StressResult.by_question`."""
        return next(one for one in self.tests if one.test.name == test).by_question

    @property
    def usage(self) -> QuestionUsage:
        """What an answer takes."""
        answers = sum(len(one.outcomes) for test in self.tests for one in test.conditions)
        return QuestionUsage.of(self.spent, answers, self.latency)

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "llm": self.llm,
            "seed": self.seed,
            "settings": dict(self.settings),
            "usage": self.usage.as_json(),
            "tests": [one.as_json() for one in self.tests],
        }
