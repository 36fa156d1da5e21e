"""Answers, judges and scores every configuration of a data set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.llm.protocol import LanguageModel
from policy_rag_eval.answers.answer_set import Answered, Condition, answer_all
from policy_rag_eval.answers.plans import AnswerConfiguration
from policy_rag_eval.answers.scoring import AnswerEvaluation, deciding_judge, evaluation
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.judges.protocol import Judge, able_judges, judge_all
from policy_rag_eval.judges.records import Case, Verdict
from policy_rag_eval.parallel import Counting

if TYPE_CHECKING:
    from policy_rag_eval.data.corpora import Progress


@dataclass(frozen=True, slots=True)
class AnswerRun:
    """What became of a data set's answers.

    Attributes:
        dataset: its name.
        questions: how many were asked.
        judges: who judged, in order.
        decides: the judge by whose score losses are measured, or None.
        evaluations: one a configuration, in order.
        skipped: judge that could judge none of the answers, to the reason.
        notes: what a reader of the figures should know.
    """

    dataset: str
    questions: int
    judges: tuple[str, ...]
    decides: str | None
    evaluations: tuple[AnswerEvaluation, ...]
    skipped: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def scored(self) -> str:
        """How many questions the losses are of, of how many.

        >>> AnswerRun("own", 28, (), None, (), {}, ()).scored
        '28'
        """
        counts = sorted({one.loss.questions for one in self.evaluations if one.loss is not None})
        if counts in ([], [self.questions]):
            return str(self.questions)
        return f"{counts[0]}{f' to {counts[-1]}' if len(counts) > 1 else ''} of {self.questions}"

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "questions": self.questions,
            "judges": list(self.judges),
            "decides": self.decides,
            "configurations": [one.as_json() for one in self.evaluations],
            "skipped": dict(self.skipped),
        }


def run_answers(
    dataset: Dataset,
    configurations: Sequence[AnswerConfiguration],
    judges: Sequence[Judge],
    index: Path,
    *,
    models: Callable[[AnswerConfiguration], LanguageModel | None],
    counting: Counting,
    workers: int = 1,
    progress: "Progress | None" = None,
) -> AnswerRun:
    """Answers and judges under each condition, a configuration after the other.

    What an LLM replies is kept by `models` and by the judges' own models where these remember, so that a run that died
    goes on where it stopped.

    Args:
        dataset: with documents.
        configurations: at least one.
        judges: at least one; one that lacks what it needs on every question is left out, and named.
        index: the folder under which evaluations keep their indexes.
        models: the LLM of a configuration, None for quotations.
        counting: makes progress bars.
        workers: how many questions are answered or judged at a time.
        progress: called with the steps of indexing.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        ModelError: an LLM fails.
    """
    answered: list[Answered] = []
    for configuration in configurations:
        with counting(f"answering {configuration.name}") as done:
            model = models(configuration)
            one = answer_all(dataset, configuration, index, model=model, workers=workers, progress=progress, done=done)
            answered.append(one)
    able, lacking = able_judges(judges, answered[0].cases[Condition.FOUND])
    verdicts = [
        {condition: _judged(able, cases, f"{one.configuration.name}, {condition}", counting, workers)
         for condition, cases in one.cases.items()}
        for one in answered
    ]  # fmt: skip
    names = tuple(judge.name for judge in able)
    decides = deciding_judge(names, verdicts[0][Condition.CEILING])
    return AnswerRun(
        dataset=dataset.name,
        questions=len(answered[0].cases[Condition.FOUND]),
        judges=names,
        decides=decides,
        evaluations=tuple(evaluation(one, of, decides) for one, of in zip(answered, verdicts, strict=True)),
        skipped={
            name: f"it needs {' and '.join(needs)}, which no question of the data set has"
            for name, needs in lacking.items()
        },
        notes=tuple(dict.fromkeys(note for one in answered for note in one.notes)),
    )


def _judged(
    judges: Sequence[Judge], cases: Sequence[Case], text: str, counting: Counting, workers: int
) -> dict[str, tuple[Verdict, ...]]:
    verdicts = {}
    for judge in judges:
        with counting(f"{judge.name}: {text}") as done:
            verdicts[judge.name] = judge_all(judge, cases, workers=workers, done=done)
    return verdicts
