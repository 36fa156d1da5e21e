"""What judges say of a configuration's answers, and what it loses against perfect retrieval."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from policy_rag_eval.answers.answer_set import Answered, AnswerTrace, Condition
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict
from policy_rag_eval.statistics.intervals import Interval, bootstrap_interval, difference_interval
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.usage import AnsweringCost, QuestionUsage
from policy_rag_prompts.loader import Template

NOT_FOR_LOSS = frozenset({"refusal_status", "citation_exact", "support_overlap", "reader_support"})
"""Judges that need no right answer: a refusal or a quotation of the wrong section may please them."""


@dataclass(frozen=True, slots=True)
class Score:
    """A judge's scores of one condition.

    Attributes:
        score: mean over what could be judged, with its interval; None where nothing could.
        judged: how many answers that is.
        unjudged: how many it could not judge, for a reason of its own or because they lack what it needs.
    """

    score: Interval | None
    judged: int
    unjudged: int


@dataclass(frozen=True, slots=True)
class Loss:
    """What a configuration loses against its ceiling, over the questions judged under all three conditions.

    Attributes:
        judge: by whose score.
        questions: how many.
        found: the configuration's mean.
        ceiling: the same answerer's, given the gold sections.
        floor: the same answerer's, given nothing.
        by_retrieval: ceiling less found, question by question, with its interval: what better retrieval could add.
        by_generation: 1 less the ceiling: what only a better answerer could.
        lost_percent: `by_retrieval` as a share of the ceiling, in percent; None where the ceiling is 0.
    """

    judge: str
    questions: int
    found: Interval
    ceiling: Interval
    floor: Interval
    by_retrieval: Interval
    by_generation: float
    lost_percent: float | None


@dataclass(frozen=True, slots=True)
class AnswerEvaluation:
    """The figures of one configuration.

    Attributes:
        name: the configuration's.
        llm: who answered.
        prompts: the words that it was asked with; none without an LLM.
        chosen: what was chosen for it.
        recall: share of the gold labels among the sections given.
        scores: condition, then judge, to its score.
        found: mean of the judge that decides over what was found: over the questions of the loss where there is one;
            None where it judged nothing.
        loss: by the judge that decides; None where it judged nothing, and of answers of others, who have no ceiling.
        cases: condition to its cases.
        verdicts: condition, then judge, to its verdicts.
        traces: how the answers from what was found came about, in the order of their cases.
        spent: on the answers from what was found; None where they are quotations.
        latency: of a question that is asked alone.
    """

    name: str
    llm: str
    prompts: tuple[Template, ...]
    chosen: tuple[tuple[str, str], ...]
    recall: Interval | None
    scores: Mapping[Condition, Mapping[str, Score]]
    found: Interval | None
    loss: Loss | None
    cases: Mapping[Condition, tuple[Case, ...]]
    verdicts: Mapping[Condition, Mapping[str, tuple[JudgeVerdict, ...]]]
    traces: tuple[AnswerTrace, ...]
    spent: AnsweringCost | None = None
    latency: Latency | None = None

    @property
    def usage(self) -> QuestionUsage:
        """What a question takes."""
        return QuestionUsage.of(self.spent, len(self.cases[Condition.FOUND]), self.latency)

    @property
    def levels(self) -> tuple[float | None, float | None, float | None, float | None]:
        """Floor, ceiling, and what is lost by retrieval and by the answerer; None where there is no loss."""
        if self.loss is None:
            return None, None, None, None
        return self.loss.floor.mean, self.loss.ceiling.mean, self.loss.by_retrieval.mean, self.loss.by_generation

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "name": self.name,
            "llm": self.llm,
            "settings": dict(self.chosen),
            "recall_given": self.recall.as_json() if self.recall else None,
            "scores": {
                condition: {judge: asdict(one) for judge, one in of.items()} for condition, of in self.scores.items()
            },
            "loss": asdict(self.loss) if self.loss else None,
            "spent": asdict(self.spent) if self.spent else None,
            "usage": self.usage.as_json(),
        }


def evaluation(
    answered: Answered, verdicts: Mapping[Condition, Mapping[str, tuple[JudgeVerdict, ...]]], decides: str | None
) -> AnswerEvaluation:
    """Puts a configuration's figures together; `decides` is the judge by whose score losses are measured, or None.

    Verdicts are by condition, then judge, in the order of the cases.
    """
    scores = {condition: {judge: score(own) for judge, own in of.items()} for condition, of in verdicts.items()}
    lost = loss(decides, {condition: of[decides] for condition, of in verdicts.items()}) if decides else None
    alone = scores[Condition.FOUND][decides].score if decides else None
    return AnswerEvaluation(
        name=answered.configuration.name,
        llm=answered.llm,
        prompts=answered.prompts,
        chosen=answered.configuration.chosen,
        recall=bootstrap_interval(answered.recall) if answered.recall else None,
        scores=scores,
        found=lost.found if lost else alone,
        loss=lost,
        cases=answered.cases,
        verdicts=verdicts,
        spent=answered.spent,
        latency=answered.latency,
        traces=answered.traces,
    )


def score(verdicts: Sequence[JudgeVerdict]) -> Score:
    """Mean and counts of verdicts; one without a score is in the counts only."""
    values = [verdict.score for verdict in verdicts if verdict.score is not None]
    interval = bootstrap_interval(values) if values else None
    return Score(interval, len(values), len(verdicts) - len(values))


def loss(judge: str, verdicts: Mapping[Condition, Sequence[JudgeVerdict]]) -> Loss | None:
    """The loss by one judge's verdicts under the three conditions, in the same order; None without a common one."""
    if len(verdicts) < len(Condition):
        return None
    rows = [
        [verdict.score for verdict in row if verdict.score is not None]
        for row in zip(*(verdicts[condition] for condition in Condition), strict=True)
    ]
    complete = [row for row in rows if len(row) == len(Condition)]
    if not complete:
        return None
    found, ceiling, floor = (bootstrap_interval([row[place] for row in complete]) for place in range(3))
    by_retrieval = difference_interval([row[1] - row[0] for row in complete])
    percent = 100 * by_retrieval.mean / ceiling.mean if ceiling.mean > 0 else None
    return Loss(judge, len(complete), found, ceiling, floor, by_retrieval, 1 - ceiling.mean, percent)


def deciding_judge(names: Sequence[str], verdicts: Mapping[str, Sequence[JudgeVerdict]]) -> str | None:
    """The judge by whose score losses are measured: correctness by an LLM, else accepted spans, words, or any other.

    Names are in order, verdicts of the ceiling; a judge that could judge none of them does not decide.
    """
    able = [name for name in names if any(verdict.judged for verdict in verdicts.get(name, ()))]
    for kind in ("correctness", "accepted_span", "token_f1", "rouge_l", "answer_similarity"):
        found = next((name for name in able if name.partition(":")[0] == kind), None)
        if found:
            return found
    return next((name for name in able if name.partition(":")[0] not in NOT_FOR_LOSS), None)
