"""Runs every configuration of a sweep and says which is best."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import Progress
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DECIDED_BY, DEFAULT_MEASURES, Measure
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Configuration, Evaluation, evaluate_on, hits_needed, ranked
from policy_rag_eval.sweep.runner import SweepRunner
from policy_rag_eval.sweep.verdicts import Comparison, compare, verdict


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
        comparisons: what the verdicts say, in their order.
    """

    dataset: str
    corpus: Corpus
    questions: int
    evaluations: tuple[Evaluation, ...]
    verdicts: tuple[str, ...]
    skipped: Mapping[str, str]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def best(self) -> Evaluation:
        """The evaluation with the highest mean of the measure that decides; of equals the first."""
        return ranked(self.evaluations)[0]

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "corpus": str(self.corpus),
            "questions": self.questions,
            "configurations": [_evaluation_json(evaluation) for evaluation in self.evaluations],
            "verdicts": list(self.verdicts),
            "comparisons": [{**asdict(one), "decided": one.decided} for one in self.comparisons],
            "skipped": dict(self.skipped),
        }


def _evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    silent = evaluation.unanswerable
    return {
        "name": evaluation.name,
        "settings": dict(evaluation.settings),
        "measures": measures_json(evaluation.measures),
        "timings_ms": dict(evaluation.timings_ms),
        "latencies_ms": {step: latency._asdict() for step, latency in evaluation.latencies_ms.items()},
        "slices": [
            {"by": part.by, "value": part.value, "questions": part.questions, "measures": measures_json(part.measures)}
            for part in evaluation.slices
        ],
        "unanswerable": None if silent is None else asdict(silent),
    }


def measures_json(measures: Mapping[Measure, Interval]) -> dict[str, Any]:
    """Measures by name, each with its mean and the ends of its interval."""
    return {str(measure): asdict(interval) for measure, interval in measures.items()}


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
    """Evaluates every configuration, those of one index after each other. One whose model is not there is skipped.

    What configurations share is computed once, and kept: a sweep that broke off goes on where it stopped.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configurations: at least one, their names unique.
        index: the folder under which evaluations keep their indexes.
        measures: what is computed, beside the measure that decides.
        progress: called with the step of indexing, how much of it is done, and of how much.
        began: called with the name of each configuration when its turn comes.

    Raises:
        ModelError: no configuration could be run.
        UsageError: one cannot cut documents as it asks to; nothing was measured then.
        PolicyRagError: what `evaluate` raises for other reasons.
    """
    scored = tuple(dict.fromkeys((*measures, DECIDED_BY))) if len(configurations) > 1 else tuple(measures)
    fitted = dataset.for_corpus(corpus)
    depth = max(hits_needed(fitted, corpus, scored, one.settings.search.top_k) for one in configurations)
    made: dict[str, Evaluation] = {}
    skipped: dict[str, str] = {}
    with SweepRunner(fitted, corpus, index, depth, progress=progress) as runner:
        for configuration in by_index(configurations, runner):
            if began:
                began(configuration.name)
            try:
                made[configuration.name] = evaluate_on(runner, configuration, scored)
            except ModelError as error:
                if len(skipped) == len(configurations) - 1:
                    raise
                skipped[configuration.name] = str(error)
    evaluations = [made[configuration.name] for configuration in configurations if configuration.name in made]
    questions = len(evaluations[0].scores.questions)
    comparisons = compare(evaluations) if len(evaluations) > 1 else ()
    return Sweep(
        dataset=dataset.name,
        corpus=corpus,
        questions=questions,
        evaluations=tuple(evaluations),
        verdicts=tuple(verdict(comparison, questions) for comparison in comparisons),
        skipped=skipped,
        comparisons=comparisons,
    )


def by_index(configurations: Sequence[Configuration], runner: SweepRunner) -> list[Configuration]:
    """The configurations so that those of one index follow each other, in order of first use.

    One whose embedding model is not there comes where it stands.
    """
    groups: dict[object, list[Configuration]] = {}
    for configuration in configurations:
        key: object = configuration.name
        with suppress(ModelError):
            key = runner.corpus_key(configuration.settings)
        groups.setdefault(key, []).append(configuration)
    return [configuration for members in groups.values() for configuration in members]
