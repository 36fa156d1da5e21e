"""Writes evaluations into MLflow: a run a configuration, under a parent for a sweep."""

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DECIDED_BY
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking.stores import Store, open_client, wrapped
from policy_rag_eval.tracking.tables import (
    QUESTIONS_TABLE,
    SETTINGS_FILE,
    SLICES_TABLE,
    as_table,
    questions_table,
    repeatable,
    shown_settings,
    slices_table,
)
from policy_rag_eval.tracking.writer import (
    DATASET,
    DIGEST,
    KEY,
    PARENT,
    TEXTS,
    Kept,
    experiment_of,
    keep_somewhere,
    run_of,
    version_tags,
    with_ends,
)

VERDICTS_FILE = "verdicts.txt"
SKIPPED_FILE = "skipped.json"
PLOTS_FOLDER = "plots"

KIND = "policy_rag.kind"
"""Tag: `sweep` or `configuration`."""
CORPUS = "corpus"
BEST = "best"
BEST_RUN = "best_run_id"
"""Tag of a sweep: the id of its best configuration's run, in the same store."""


def keep(
    index: Path,
    dataset: Dataset,
    corpus: Corpus,
    evaluations: Sequence[Evaluation],
    verdicts: Sequence[str] = (),
    *,
    texts: bool,
    skipped: Mapping[str, str] | None = None,
    name: str | None = None,
    tags: Mapping[str, str] | None = None,
) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.

    Args:
        index: the index's folder.
        dataset: as it was scored.
        corpus: what was searched.
        evaluations: at least one; of several, or where others were skipped, each becomes a child.
        verdicts: what the comparison says.
        texts: whether the words of questions may be kept (the setting `log_texts`).
        skipped: configurations that could not be run, to the reason.
        name: of the run, by default `sweep of N` or the configuration's.
        tags: more tags for the run.
    """

    def write(store: Store, key: str) -> str:
        return Tracker(store).log(
            dataset, corpus, evaluations, verdicts, texts=texts, skipped=skipped, name=name, tags=tags, key=key
        )

    return keep_somewhere(index, write)


class Tracker:
    """Writes evaluations into one MLflow store.

    Args:
        store: where to.

    Raises:
        TrackingError: the store cannot be opened.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._client = open_client(store)

    def log(
        self,
        dataset: Dataset,
        corpus: Corpus,
        evaluations: Sequence[Evaluation],
        verdicts: Sequence[str] = (),
        *,
        texts: bool,
        skipped: Mapping[str, str] | None = None,
        name: str | None = None,
        tags: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> str:
        """Writes a run: of the one configuration, or of a sweep with a child for each of those that were run.

        A run holds the settings as parameters, each measure's mean under its MLflow key and its interval under the
        key with `_low` and `_high`, milliseconds a question under `ms_`, the data set with its digest, a table of the
        questions with their figures, and `settings.json` with the versions. A sweep holds the verdicts and the plots,
        and names its best configuration (by `DECIDED_BY`, the earlier of equals), which is tagged `best`.

        Args:
            dataset: as it was scored.
            corpus: what was searched.
            evaluations: at least one.
            verdicts: what the comparison says.
            texts: whether the words of questions are kept.
            skipped: configurations that could not be run, to the reason.
            name: of the run, by default `sweep of N` or the configuration's.
            tags: more tags for the run.
            key: what makes it the same run in every store; by default a new one.

        Returns:
            The run's id, the parent's for a sweep.

        Raises:
            TrackingError: the store cannot be written. What was begun there is marked as failed, where that works.
            ValueError: there are no evaluations.
        """
        if not evaluations:
            raise ValueError("there is nothing to log")
        writing = _Logging(self._client, dataset, corpus, texts=texts, key=key or uuid.uuid4().hex)
        with wrapped(self._store):
            experiment = experiment_of(self._client, self._store, f"retrieval {dataset.name}")
            if len(evaluations) == 1 and not skipped:
                return writing.configuration(experiment, evaluations[0], tags or {}, name=name, plots=True)
            files = {VERDICTS_FILE: "\n".join(verdicts) + "\n"} if verdicts else {}
            if skipped:
                files[SKIPPED_FILE] = json.dumps(dict(skipped), indent=2) + "\n"
            return writing.sweep(experiment, evaluations, files, name or f"sweep of {len(evaluations)}", tags)


class _Logging:
    """One call of `Tracker.log`."""

    def __init__(self, client: Any, dataset: Dataset, corpus: Corpus, *, texts: bool, key: str) -> None:
        self._client = client
        self._dataset = dataset
        self._corpus = corpus
        self._texts = texts
        self._key = key
        self._tags = {
            CORPUS: str(corpus),
            DATASET: dataset.name,
            DIGEST: dataset.digest,
            TEXTS: str(texts).lower(),
            **version_tags(),
        }

    def sweep(
        self,
        experiment: str,
        evaluations: Sequence[Evaluation],
        files: Mapping[str, str],
        name: str,
        tags: Mapping[str, str] | None,
    ) -> str:
        """The parent and its children; the parent's id."""
        best = _best(evaluations)
        marks = {**self._tags, KEY: self._key, KIND: "sweep", BEST: best.name, **(tags or {})}
        with run_of(self._client, experiment, name, marks) as parent:
            self._log_dataset(parent.run_id)
            run_ids = {}
            for number, evaluation in enumerate(evaluations):
                own = {PARENT: parent.run_id, **({BEST: "true"} if evaluation is best else {})}
                run_ids[evaluation.name] = self.configuration(experiment, evaluation, own, number=number)
            figures = {"configurations": float(len(evaluations)), **_figures(best)}
            parent.figures(figures, {CORPUS: str(self._corpus), **_grid(evaluations)})
            self._client.set_tag(parent.run_id, BEST_RUN, run_ids[best.name])
            parent.files(files, _plots(evaluations))
        return parent.run_id

    def configuration(
        self,
        experiment: str,
        evaluation: Evaluation,
        tags: Mapping[str, str],
        *,
        name: str | None = None,
        number: int | None = None,
        plots: bool = False,
    ) -> str:
        """One configuration's run; its id."""
        tables = {QUESTIONS_TABLE: questions_table(self._dataset, evaluation, texts=self._texts)}
        if evaluation.slices:
            tables[SLICES_TABLE] = slices_table(evaluation)
        key = self._key if number is None else f"{self._key}-{number}"
        marks = {**self._tags, KEY: key, KIND: "configuration", **tags}
        params = {CORPUS: str(self._corpus), **{key: str(value) for key, value in shown_settings(evaluation).items()}}
        files = {path: json.dumps(as_table(columns)) for path, columns in tables.items()}
        files[SETTINGS_FILE] = json.dumps(repeatable(self._dataset, self._corpus, evaluation), indent=2) + "\n"
        with run_of(self._client, experiment, name or evaluation.name, marks, tables=tables) as run:
            run.figures(_figures(evaluation), params)
            self._log_dataset(run.run_id)
            run.files(files, _plots([evaluation]) if plots else {})
        return run.run_id

    def _log_dataset(self, run_id: str) -> None:
        from mlflow.entities import Dataset as LoggedDataset
        from mlflow.entities import DatasetInput, InputTag

        dataset = self._dataset
        counts = {
            "documents": len(dataset.documents),
            "questions": len(dataset.scored),
            "gold_passages": len(dataset.passages),
        }
        logged = LoggedDataset(
            name=dataset.name,
            digest=dataset.digest[:32],
            source_type="local",
            source=json.dumps({"uri": str(dataset.folder)}),
            profile=json.dumps(counts),
        )
        context = InputTag("mlflow.data.context", f"eval {self._corpus}")
        self._client.log_inputs(run_id, [DatasetInput(logged, [context])])


def _best(evaluations: Sequence[Evaluation]) -> Evaluation:
    """The one with the highest mean by the measure that decides, the earlier of equals."""
    measure = DECIDED_BY if DECIDED_BY in evaluations[0].measures else next(iter(evaluations[0].measures))
    return max(evaluations, key=lambda evaluation: evaluation.measures[measure].mean)


def _figures(evaluation: Evaluation) -> dict[str, float]:
    """All figures by their MLflow key."""
    figures = {"questions": float(len(evaluation.scores.questions))}
    for measure, interval in evaluation.measures.items():
        figures |= with_ends(measure.mlflow_key, interval)
    figures |= {f"ms_{step}": milliseconds for step, milliseconds in evaluation.timings_ms.items()}
    for step, latency in evaluation.latencies_ms.items():
        figures |= {f"ms_{step}_median": latency.median, f"ms_{step}_p95": latency.p95}
    silent = evaluation.unanswerable
    if silent is not None:
        figures |= {"unanswerable_questions": float(silent.questions), "unanswerable_hits": silent.hits}
        figures |= with_ends("unanswerable_silent", silent.silent)
        figures |= with_ends("unanswerable_separation", silent.separation)
    return figures


def _grid(evaluations: Sequence[Evaluation]) -> dict[str, str]:
    """What was tried of each setting in which the configurations differ: a parent's parameters."""
    from policy_rag_eval.reports.plots import dimensions

    return {name: ", ".join(values) for name, values in dimensions(evaluations).items()}


def _plots(evaluations: Sequence[Evaluation]) -> dict[str, bytes]:
    """File to image."""
    from policy_rag_eval.reports.plots import plots

    return {f"{PLOTS_FOLDER}/{name}": image for name, image in plots(evaluations).items()}
