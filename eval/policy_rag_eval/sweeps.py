"""Runs every configuration of a sweep and says which is best."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag_eval.corpora import Progress
from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.runs import Configuration, Evaluation, evaluate
from policy_rag_eval.verdicts import DECIDED_BY, compare, verdict


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a data set's questions say of some configurations.

    Attributes:
        dataset: the data set's name.
        corpus: what was searched.
        questions: how many were scored.
        evaluations: in the order of the configurations, those that could be run.
        verdicts: the best against each other one, in words; empty for a single configuration.
        skipped: name of a configuration that could not be run, to the reason.
    """

    dataset: str
    corpus: Corpus
    questions: int
    evaluations: tuple[Evaluation, ...]
    verdicts: tuple[str, ...]
    skipped: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "corpus": str(self.corpus),
            "questions": self.questions,
            "configurations": [
                {
                    "name": evaluation.name,
                    "settings": dict(evaluation.settings),
                    "measures": {
                        str(measure): {"mean": interval.mean, "low": interval.low, "high": interval.high}
                        for measure, interval in evaluation.measures.items()
                    },
                    "timings_ms": dict(evaluation.timings_ms),
                }
                for evaluation in self.evaluations
            ],
            "verdicts": list(self.verdicts),
        }


def sweep(
    dataset: Dataset,
    corpus: Corpus,
    configurations: Sequence[Configuration],
    index: Path,
    *,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    progress: Progress | None = None,
    began: Callable[[str], None] | None = None,
) -> Sweep:
    """Evaluates each configuration in turn. One whose model is not there is skipped, and named.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configurations: at least one, their names unique.
        index: the folder under which evaluations keep their indexes.
        measures: what is computed, beside the measure that decides.
        progress: told the step of indexing, how much of it is done, and of how much.
        began: told the name of each configuration when its turn comes.

    Raises:
        ModelError: no configuration could be run.
        PolicyRagError: what `evaluate` raises for other reasons.
    """
    wanted = tuple(dict.fromkeys((*measures, DECIDED_BY))) if len(configurations) > 1 else tuple(measures)
    evaluations: list[Evaluation] = []
    skipped: dict[str, str] = {}
    for configuration in configurations:
        if began:
            began(configuration.name)
        try:
            evaluations.append(evaluate(dataset, corpus, configuration, index, measures=wanted, progress=progress))
        except ModelError as error:
            if len(skipped) == len(configurations) - 1:
                raise
            skipped[configuration.name] = str(error)
    questions = len(evaluations[0].scores.questions)
    return Sweep(
        dataset=dataset.name,
        corpus=corpus,
        questions=questions,
        evaluations=tuple(evaluations),
        verdicts=tuple(verdict(comparison, questions) for comparison in compare(evaluations))
        if len(evaluations) > 1
        else (),
        skipped=skipped,
    )
