"""Keeps evaluations of retrieval in MLflow: a run a configuration, under a parent for a sweep."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, ranked, varied_settings
from policy_rag_eval.tracking.dataset_input import dataset_input
from policy_rag_eval.tracking.run_record import RunRecord, dataset_tags, keep_run, sweep_name
from policy_rag_eval.tracking.run_tables import (
    QUESTIONS_TABLE,
    SETTINGS_FILE,
    SLICES_TABLE,
    questions_table,
    repeatable,
    shown_settings,
    slices_table,
)
from policy_rag_eval.tracking.writer import Kept

VERDICTS_FILE = "verdicts.txt"
SKIPPED_FILE = "skipped.json"

KIND = "policy_rag.kind"
"""Tag: `sweep` or `configuration`."""
CORPUS = "corpus"
TOTAL = "total"
MEDIAN_MS = "ms_total_median"
TOKENS = "tokens"
COST = "cost_of_1000"
BEST = "best"


def keep(index: Path, dataset: Dataset, run: RunRecord) -> Kept:
    """Writes a run of retrieval: see `keep_run`.

    The data set is as it was scored, the run from `evaluation_record`.
    """
    return keep_run(index, experiment_name(dataset), run)


def experiment_name(dataset: Dataset) -> str:
    """The experiment of evaluations of retrieval on a data set."""
    return f"retrieval {dataset.name}"


def evaluation_record(
    dataset: Dataset,
    corpus: Corpus,
    evaluations: Sequence[Evaluation],
    verdicts: Sequence[str] = (),
    *,
    texts: bool,
    skipped: Mapping[str, str] | None = None,
    name: str | None = None,
    tags: Mapping[str, str] | None = None,
) -> RunRecord:
    """The run of the one configuration, or of a sweep with a child for each of those that were run.

    A run holds the settings as parameters, each measure's mean under its MLflow key, the median time of a question in
    milliseconds, the data set with its digest, a table of all figures with their intervals, another of the questions
    with theirs, and `settings.json`. A sweep holds the verdicts, and names its best configuration (by `DECIDED_BY`, see
    `ranked`), which is tagged `best`.

    Args:
        dataset: as it was scored.
        corpus: what was searched.
        evaluations: at least one; of several, or where others were skipped, each becomes a child.
        verdicts: what the comparison says.
        texts: whether the words of questions are kept (the setting `log_texts`).
        skipped: configurations that could not be run, to the reason.
        name: of the run, by default the configuration's, or of several `sweep_name`.
        tags: more tags for the run.

    Raises:
        ValueError: there are no evaluations.
    """
    if not evaluations:
        raise ValueError("there is nothing to log")
    shared = {CORPUS: str(corpus), **dataset_tags(dataset.label, dataset.digest, texts=texts)}

    log_dataset = dataset_input(dataset, f"eval {corpus}", texts=texts)

    def configuration(evaluation: Evaluation, own: Mapping[str, str]) -> RunRecord:
        slices = {SLICES_TABLE: slices_table(evaluation)} if evaluation.slices else {}
        settings = {key: str(value) for key, value in shown_settings(evaluation).items()}
        return RunRecord(
            evaluation.name,
            {**shared, KIND: "configuration", **own},
            _metrics(evaluation),
            _figures(evaluation),
            {CORPUS: str(corpus), **settings},
            tables={QUESTIONS_TABLE: questions_table(dataset, evaluation, texts=texts), **slices},
            files={SETTINGS_FILE: json.dumps(repeatable(dataset, corpus, evaluation), indent=2) + "\n"},
            attach=log_dataset,
        )

    if len(evaluations) == 1 and not skipped:
        alone = configuration(evaluations[0], tags or {})
        return replace(alone, name=name or alone.name)
    best = ranked(evaluations)[0]
    files = {VERDICTS_FILE: "\n".join(verdicts) + "\n"} if verdicts else {}
    if skipped:
        files[SKIPPED_FILE] = json.dumps(dict(skipped), indent=2) + "\n"
    varied = {setting: ", ".join(values) for setting, values in varied_settings(evaluations).items()}
    return RunRecord(
        name or sweep_name(dataset.label, _varied(evaluations), len(evaluations)),
        {**shared, KIND: "sweep", BEST: best.name, **(tags or {})},
        _metrics(best),
        {"configurations": float(len(evaluations)), **_figures(best)},
        {CORPUS: str(corpus), **varied},
        files=files,
        children=[configuration(one, {BEST: "true"} if one is best else {}) for one in evaluations],
        best=next(number for number, one in enumerate(evaluations) if one is best),
        attach=log_dataset,
    )


def _varied(evaluations: Sequence[Evaluation]) -> list[str]:
    """The settings in which configurations of ours differ; others' have none that we know."""
    ours = [evaluation for evaluation in evaluations if "retriever" not in evaluation.settings]
    return list(varied_settings(ours)) if ours else []


def _metrics(evaluation: Evaluation) -> dict[str, float]:
    """What configurations are compared by: a chart each."""
    metrics = {measure.mlflow_key: interval.mean for measure, interval in evaluation.measures.items()}
    if TOTAL in evaluation.latencies_ms:
        metrics[MEDIAN_MS] = evaluation.latencies_ms[TOTAL].median
    metrics |= _usage(evaluation)
    if evaluation.unanswerable is not None:
        metrics["unanswerable_separation"] = evaluation.unanswerable.separation.mean
    return metrics


def _usage(evaluation: Evaluation) -> dict[str, float]:
    """What an LLM is given of a question's hits, and what that costs, as far as it is known."""
    known = {TOKENS: evaluation.tokens, COST: evaluation.cost}
    return {key: figure for key, figure in known.items() if figure is not None}


def _figures(evaluation: Evaluation) -> dict[str, float | Interval]:
    """All figures by their MLflow key."""
    figures: dict[str, float | Interval] = {"questions": float(len(evaluation.scores.questions))}
    figures |= {measure.mlflow_key: interval for measure, interval in evaluation.measures.items()}
    figures |= {f"ms_{step}": milliseconds for step, milliseconds in evaluation.timings_ms.items()}
    for step, latency in evaluation.latencies_ms.items():
        figures |= {f"ms_{step}_median": latency.median, f"ms_{step}_p95": latency.p95}
    figures |= _usage(evaluation)
    silent = evaluation.unanswerable
    if silent is not None:
        figures |= {
            "unanswerable_questions": float(silent.questions),
            "unanswerable_hits": silent.hits,
            "unanswerable_silent": silent.silent,
            "unanswerable_separation": silent.separation,
        }
    return figures
