"""Runs every configuration of a sweep and says which is best."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import Progress
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.statistics.verdicts import DECIDED_BY, Comparison, compare, verdict
from policy_rag_eval.sweep.retrieval import Finder
from policy_rag_eval.sweep.run import Configuration, Evaluation, Unanswerable, evaluated, hits_needed


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

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "corpus": str(self.corpus),
            "questions": self.questions,
            "configurations": [_evaluation_json(evaluation) for evaluation in self.evaluations],
            "verdicts": list(self.verdicts),
            "comparisons": [_comparison_json(comparison) for comparison in self.comparisons],
            "skipped": dict(self.skipped),
        }


def _evaluation_json(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "name": evaluation.name,
        "settings": dict(evaluation.settings),
        "measures": _measures_json(evaluation.measures),
        "timings_ms": dict(evaluation.timings_ms),
        "latencies_ms": {step: latency._asdict() for step, latency in evaluation.latencies_ms.items()},
        "slices": [
            {
                "by": part.by,
                "value": part.value,
                "questions": part.questions,
                "measures": _measures_json(part.measures),
            }
            for part in evaluation.slices
        ],
        "unanswerable": _unanswerable_json(evaluation.unanswerable),
    }


def _measures_json(measures: Mapping[Measure, Interval]) -> dict[str, Any]:
    return {str(measure): asdict(interval) for measure, interval in measures.items()}


def _unanswerable_json(found: Unanswerable | None) -> dict[str, Any] | None:
    return None if found is None else asdict(found)


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {**asdict(comparison), "decided": comparison.decided}


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
        progress: told the step of indexing, how much of it is done, and of how much.
        began: told the name of each configuration when its turn comes.

    Raises:
        ModelError: no configuration could be run.
        UsageError: one cannot cut documents as it asks to; nothing was measured then.
        PolicyRagError: what `evaluate` raises for other reasons.
    """
    wanted = tuple(dict.fromkeys((*measures, DECIDED_BY))) if len(configurations) > 1 else tuple(measures)
    fitted = dataset.for_corpus(corpus)
    depth = max(hits_needed(fitted, corpus, wanted, one.settings.search.top_k) for one in configurations)
    made: dict[str, Evaluation] = {}
    skipped: dict[str, str] = {}
    settings = [configuration.settings for configuration in configurations]
    with Finder(fitted, corpus, index, depth, settings, progress=progress) as finder:
        for configuration in together(configurations, finder):
            if began:
                began(configuration.name)
            try:
                made[configuration.name] = evaluated(finder, configuration, wanted)
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


def together(configurations: Sequence[Configuration], finder: Finder) -> list[Configuration]:
    """The configurations so that those of one index follow each other, in order of first use.

    One whose embedding model is not there comes where it stands.
    """
    groups: dict[object, list[Configuration]] = {}
    for configuration in configurations:
        key: object = configuration.name
        with suppress(ModelError):
            key = finder.key(configuration.settings)
        groups.setdefault(key, []).append(configuration)
    return [configuration for members in groups.values() for configuration in members]
