"""Runs every configuration of a sweep and says which is best."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag_eval.data.corpora import Progress
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DECIDED_BY, DEFAULT_MEASURES, MARGIN, Measure
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import (
    Configuration,
    Evaluation,
    deciding_measure,
    evaluate_on,
    evaluate_peer,
    hits_needed,
    ranked,
)
from policy_rag_eval.sweep.peers import Retriever, check_names, check_peers
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
        measure: the one that decides.
        verdicts: the best, or the baseline, against each other one, in words; empty for a single configuration.
        skipped: name of a configuration that could not be run, to the reason.
        comparisons: what the verdicts say, in their order.
    """

    dataset: str
    corpus: Corpus
    questions: int
    evaluations: tuple[Evaluation, ...]
    measure: Measure
    verdicts: tuple[str, ...]
    skipped: Mapping[str, str]
    comparisons: tuple[Comparison, ...] = ()

    @property
    def best(self) -> Evaluation:
        """The evaluation with the highest mean of the measure that decides; see `ranked`."""
        return ranked(self.evaluations, self.measure)[0]

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {
            "dataset": self.dataset,
            "corpus": str(self.corpus),
            "questions": self.questions,
            "configurations": [_evaluation_json(evaluation) for evaluation in self.evaluations],
            "verdicts": list(self.verdicts),
            "measure": str(self.measure),
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
        "tokens": evaluation.tokens,
        "cost_of_1000": evaluation.cost,
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
    measure: Measure | None = None,
    against: str | None = None,
    margin: float = MARGIN,
    peers: Mapping[str, Retriever] | None = None,
    progress: Progress | None = None,
    began: Callable[[str], None] | None = None,
) -> Sweep:
    """Evaluates every configuration, those of one index after each other. One whose model is not there is skipped.

    What configurations share is computed once, and kept: a sweep that broke off goes on where it stopped.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configurations: ours, their names unique; none where there are peers.
        index: the folder under which evaluations keep their indexes.
        measures: what is computed, beside the measure that decides.
        measure: what decides; by default `deciding_measure`.
        against: the name of a baseline that the others are compared with, instead of the best.
        margin: a configuration that is worse by no more is said to be no worse.
        peers: others' retrievers by name, asked after ours.
        progress: called with the step of indexing, how much of it is done, and of how much.
        began: called with the name of each configuration when its turn comes.

    Raises:
        ModelError: no configuration could be run.
        UsageError: one cannot cut documents as it asks to, or there is no such baseline; nothing was measured then.
        PolicyRagError: what indexing and searching raise.
    """
    beside = dict(peers or {})
    names = [*(configuration.name for configuration in configurations), *beside]
    check_names(names, against=against)
    scored = tuple(dict.fromkeys((*measures, *((measure,) if measure else ()), DECIDED_BY)))
    fitted = dataset.for_corpus(corpus)
    check_peers(beside, fitted)
    depths = [hits_needed(fitted, corpus, scored, one.settings.search.top_k) for one in configurations]
    depth = max(depths, default=0)
    made: dict[str, Evaluation] = {}
    skipped: dict[str, str] = {}
    with SweepRunner(fitted, corpus, index, depth, measures=scored, progress=progress) as runner:
        for configuration in by_index(configurations, runner):
            if began:
                began(configuration.name)
            try:
                made[configuration.name] = evaluate_on(runner, configuration, scored)
            except ModelError as error:
                if len(skipped) == len(names) - 1:
                    raise
                skipped[configuration.name] = str(error)
        for name, peer in beside.items():
            if began:
                began(name)
            made[name] = evaluate_peer(name, peer, fitted, corpus, scored, gold=runner.gold)
    evaluations = [made[name] for name in names if name in made]
    questions = len(evaluations[0].scores.questions)
    by = measure or deciding_measure(evaluations)
    comparisons = compare(evaluations, by, against=against)
    return Sweep(
        dataset=dataset.name,
        corpus=corpus,
        questions=questions,
        evaluations=tuple(evaluations),
        measure=by,
        verdicts=tuple(verdict(comparison, questions, by, margin=margin) for comparison in comparisons),
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
