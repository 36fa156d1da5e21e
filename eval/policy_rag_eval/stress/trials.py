"""What a stress test is made of: outcomes, trials under a condition, and the figures of a condition and of a test."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Question


class StressOutcome(StrEnum):
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


Judge = Callable[[StressAnswer], tuple[StressOutcome, bool | None]]
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
        control: whether no answer can be right under it: it is shown beside the others and counts in no mean.
    """

    name: str
    levels: Mapping[str, int | str]
    trials: tuple[Trial, ...]
    reachable: Mapping[str, bool] | None = None
    control: bool = False


ConditionsAndNotes = tuple[tuple[StressCondition, ...], tuple[str, ...]]
"""The conditions of a test, and what a reader should know of them and of the questions that were left out."""


def renumbered(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits in this order, their ranks from 1."""
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))
