"""Answers, judges and scores every configuration of a data set."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.llm.language_model import LanguageModel
from policy_rag_eval.answers.answer_scores import AnswerEvaluation, deciding_judge, evaluation
from policy_rag_eval.answers.answer_set import Answered, Condition, Shared, answer_all
from policy_rag_eval.answers.peers import Answerer, answered_by
from policy_rag_eval.answers.plans import AnswerConfiguration
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.judges.catalogue import check_deciding
from policy_rag_eval.judges.judge import Judge, able_judges, judge_all, why_unjudged
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict
from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.parallel import Counting
from policy_rag_eval.sweep.peers import check_names
from policy_rag_eval.sweep.verdicts import Comparison, compare_figures, verdict

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
        means: name of a configuration to its mean by the judge that decides, over the questions that it could judge
            for all of several; without such questions, over its own; none of one of which it judged nothing.
        comparisons: the best, or the baseline, against each other one, over the same questions.
        verdicts: the same in words.
        margin: what counts as no worse.
    """

    dataset: str
    questions: int
    judges: tuple[str, ...]
    decides: str | None
    evaluations: tuple[AnswerEvaluation, ...]
    skipped: Mapping[str, str]
    notes: tuple[str, ...]
    means: Mapping[str, float] = field(default_factory=dict)
    comparisons: tuple[Comparison, ...] = ()
    verdicts: tuple[str, ...] = ()
    margin: float = MARGIN

    @property
    def ranked(self) -> list[AnswerEvaluation]:
        """Best first by `means`, equals in their order."""
        return sorted(self.evaluations, key=lambda one: -self.means.get(one.name, -1.0))

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
            "means": dict(self.means),
            "comparisons": [{**asdict(one), "decided": one.decided} for one in self.comparisons],
            "verdicts": list(self.verdicts),
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
    measure: str | None = None,
    against: str | None = None,
    margin: float = MARGIN,
    peers: Mapping[str, Answerer] | None = None,
) -> AnswerRun:
    """Answers and judges under each condition, a configuration after the other.

    What an LLM replies is kept by `models` and by the judges' own models where these remember, so that a run that died
    goes on where it stopped.

    Args:
        dataset: with documents.
        configurations: ours, at least one where there are no peers.
        judges: at least one; one that lacks what it needs on every question is left out, and named.
        index: the folder under which evaluations keep their indexes.
        models: the LLM of a configuration, None for quotations.
        counting: makes progress bars.
        workers: how many questions are answered or judged at a time.
        progress: called with the steps of indexing.
        measure: the judge that decides; by default `deciding_judge`.
        against: the name of a baseline; by default the best is compared with each other one.
        margin: a configuration that is worse by no more is said to be no worse.
        peers: others' ways of answering by name, asked after ours.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        ModelError: an LLM fails.
        UsageError: there is no such judge or baseline, or a peer fails.
    """
    beside = dict(peers or {})
    check_names([*(one.name for one in configurations), *beside], against=against)
    check_deciding(measure, [judge.name for judge in judges])
    answered: list[Answered] = []
    shared = Shared(index, progress)
    for configuration in configurations:
        with counting(f"answering {configuration.name}") as done:
            model = models(configuration)
            answered.append(
                answer_all(
                    dataset,
                    configuration,
                    index,
                    model=model,
                    workers=workers,
                    progress=progress,
                    done=done,
                    shared=shared,
                )
            )
    for name, peer in beside.items():
        with counting(f"answering {name}") as done:
            answered.append(answered_by(name, peer, dataset, done=done))
    able, lacking = able_judges(judges, answered[0].cases[Condition.FOUND])
    known: dict[tuple[str, Case], JudgeVerdict] = {}
    verdicts = [
        {condition: _judged(able, cases, known, f"{one.configuration.name}, {condition}", counting, workers)
         for condition, cases in one.cases.items()}
        for one in answered
    ]  # fmt: skip
    able_names = tuple(judge.name for judge in able)
    deciding = verdicts[0].get(Condition.CEILING, verdicts[0][Condition.FOUND])
    decides = measure or deciding_judge(able_names, deciding)
    evaluations = tuple(evaluation(one, of, decides) for one, of in zip(answered, verdicts, strict=True))
    ids, figures = _common(evaluations, decides)
    comparisons = compare_figures(figures, ids, against=against)
    own = {one.name: one.found.mean for one in evaluations if one.found is not None}
    notes = [note for one in answered for note in one.notes]
    notes += why_unjudged({name: [v for of in verdicts for v in of[Condition.FOUND][name]] for name in able_names})
    several = len(evaluations) > 1 and bool(ids)
    covered = {
        one.loss.questions if one.loss else one.scores[Condition.FOUND][decides].judged
        for one in evaluations
        if decides
    }
    if several and covered != {len(ids)}:
        notes.append(
            f"{decides} could judge {len(ids)} questions for every configuration, by which they are ranked and "
            "compared; each score is over all that it could judge of that one"
        )
    return AnswerRun(
        dataset=dataset.name,
        questions=len(answered[0].cases[Condition.FOUND]),
        judges=able_names,
        decides=decides,
        evaluations=evaluations,
        skipped={
            name: f"it needs {' and '.join(needs)}, which no question of the data set has"
            for name, needs in lacking.items()
        },
        notes=tuple(dict.fromkeys(notes)),
        means={name: math.fsum(of) / len(of) for name, of in figures} if several else own,
        comparisons=comparisons,
        verdicts=tuple(verdict(one, len(ids), decides or "", margin=margin) for one in comparisons),
        margin=margin,
    )


def compare_answers(
    evaluations: Sequence[AnswerEvaluation], decides: str | None, against: str | None
) -> tuple[tuple[Comparison, ...], int]:
    """Comparisons by the judge that decides, and over how many questions.

    Raises:
        UsageError: there is no such baseline.
    """
    ids, figures = _common(evaluations, decides)
    return compare_figures(figures, ids, against=against), len(ids)


def _common(
    evaluations: Sequence[AnswerEvaluation], decides: str | None
) -> tuple[list[str], list[tuple[str, list[float]]]]:
    """The questions that a judge could judge for all configurations, and by name its scores of them."""
    if decides is None:
        return [], [(one.name, []) for one in evaluations]
    scores = [[one.score for one in each.verdicts[Condition.FOUND][decides]] for each in evaluations]
    common = [i for i, row in enumerate(zip(*scores, strict=True)) if None not in row]
    ids = [evaluations[0].cases[Condition.FOUND][i].case_id for i in common]
    return ids, [(one.name, [of[i] or 0.0 for i in common]) for one, of in zip(evaluations, scores, strict=True)]


def _judged(
    judges: Sequence[Judge],
    cases: Sequence[Case],
    known: dict[tuple[str, Case], JudgeVerdict],
    text: str,
    counting: Counting,
    workers: int,
) -> dict[str, tuple[JudgeVerdict, ...]]:
    """Every judge's verdicts; a case that was judged for another configuration or condition is not judged again."""
    for judge in judges:
        new = [case for case in dict.fromkeys(cases) if (judge.name, case) not in known]
        with counting(f"{judge.name}: {text}") as done:
            verdicts = judge_all(judge, new, workers=workers, done=done) if new else ()
        known |= {(judge.name, case): one for case, one in zip(new, verdicts, strict=True)}
    return {judge.name: tuple(known[judge.name, case] for case in cases) for judge in judges}
