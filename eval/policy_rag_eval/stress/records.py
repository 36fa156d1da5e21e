"""What a stress test is made of: outcomes, trials under a condition, and the figures of a condition and of a test."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Question
from policy_rag_eval.statistics.intervals import Interval

if TYPE_CHECKING:
    from policy_rag_eval.stress.question_sections import QuestionSections


class Outcome(StrEnum):
    """What became of a question. Each has exactly one; a failure is never counted as a wrong answer.

    `GOLD`: the citations hold at least half the characters of what the condition asks for. `PART`: of some of it, where
    several places are asked for. `PLANTED`: the false clause is cited, and not the true one. `BOTH`: the two together.
    `OTHER`: answered, and none of these cited. `REFUSED`: no answer. `FAILED`: the LLM failed, which says nothing.
    """

    GOLD = "gold cited"
    PART = "part of the gold cited"
    BOTH = "true and planted cited"
    PLANTED = "planted cited"
    OTHER = "other cited"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StressAnswer:
    """What came of giving sections to an answerer.

    Attributes:
        text: the answer; empty for a refusal.
        citations: of it; none is a refusal.
        left_out: sections from the end that had no room in the LLM's window.
        failure: why there is no outcome, or empty.
    """

    text: str
    citations: tuple[Citation, ...]
    left_out: int = 0
    failure: str = ""


Judge = Callable[[StressAnswer], tuple[Outcome, bool | None]]
"""The outcome of an answer, and whether it notices a contradiction (None where none was planted)."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question with the sections that it is given.

    Attributes:
        question: as the data set has it.
        sections: what the answerer is given, in this order; ranks are from 1.
        evidence: what decides whether there is an answer, as `ask` has it from its search; ranks are from 1.
        judge: tells the outcome.
        matter: what is asked, without the words that the search read as filters; blank stands for the question.
    """

    question: Question
    sections: tuple[Hit, ...]
    evidence: tuple[Hit, ...]
    judge: Judge
    matter: str = ""


@dataclass(frozen=True, slots=True)
class StressCondition:
    """Trials that belong to one row of a test's table.

    Attributes:
        name: unique in the test.
        levels: what was varied, to its value here.
        trials: one a question.
        reachable: question id to whether the sections given hold its gold, where that is not always so.
    """

    name: str
    levels: Mapping[str, int | str]
    trials: tuple[Trial, ...]
    reachable: Mapping[str, bool] | None = None


ConditionsAndNotes = tuple[tuple[StressCondition, ...], tuple[str, ...]]
"""The conditions of a test, and what a reader should know of the questions that were left out."""


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
    good: frozenset[Outcome]
    build: Callable[[Sequence["QuestionSections"], int], ConditionsAndNotes]


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
    """

    name: str
    levels: Mapping[str, int | str]
    share: Interval | None
    change: Interval | None
    counts: Mapping[Outcome, int]
    reachable: float | None
    noticed: int | None
    left_out: int
    outcomes: Mapping[str, Outcome]
    failures: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "name": self.name,
            "levels": dict(self.levels),
            "questions": len(self.outcomes),
            "share": self.share.as_json() if self.share else None,
            "change": self.change.as_json() if self.change else None,
            "outcomes": {str(outcome): count for outcome, count in self.counts.items()},
            "gold_given": self.reachable,
            "noticed": self.noticed,
            "sections_left_out": self.left_out,
            "failures": list(self.failures),
        }


@dataclass(frozen=True, slots=True)
class StressResult:
    """The figures of a test: a row a condition, in order; `notes` say what was left out and why."""

    test: StressTest
    conditions: tuple[ConditionResult, ...]
    notes: tuple[str, ...] = ()

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
    """All tests on one data set by one answerer."""

    dataset: str
    llm: str
    seed: int
    settings: Mapping[str, str]
    tests: tuple[StressResult, ...]
    notes: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "llm": self.llm,
            "seed": self.seed,
            "settings": dict(self.settings),
            "tests": [one.as_json() for one in self.tests],
        }


def renumbered(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits in this order, their ranks from 1."""
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))
