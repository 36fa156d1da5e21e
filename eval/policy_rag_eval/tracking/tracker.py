"""Writes evaluations into MLflow: a run a configuration, under a parent for a sweep."""

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.sweep.evaluation import Evaluation, ranked, varied_settings
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

if TYPE_CHECKING:
    from mlflow import MlflowClient

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
    plots: Mapping[str, bytes] | None = None,
) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index; see `log_evaluations`.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.
    """

    def write(store: Store, key: str) -> str:
        return log_evaluations(
            store,
            dataset,
            corpus,
            evaluations,
            verdicts,
            texts=texts,
            skipped=skipped,
            name=name,
            tags=tags,
            plots=plots,
            key=key,
        )

    return keep_somewhere(index, write)


def log_evaluations(
    store: Store,
    dataset: Dataset,
    corpus: Corpus,
    evaluations: Sequence[Evaluation],
    verdicts: Sequence[str] = (),
    *,
    texts: bool,
    skipped: Mapping[str, str] | None = None,
    name: str | None = None,
    tags: Mapping[str, str] | None = None,
    plots: Mapping[str, bytes] | None = None,
    key: str | None = None,
) -> str:
    """Writes a run: of the one configuration, or of a sweep with a child for each of those that were run.

    A run holds the settings as parameters, each measure's mean under its MLflow key and its interval under the
    key with `_low` and `_high`, milliseconds a question under `ms_`, the data set with its digest, a table of the
    questions with their figures, and `settings.json` with the versions. A sweep holds the verdicts and the plots,
    and names its best configuration (by `DECIDED_BY`, the earlier of equals), which is tagged `best`.

    Args:
        store: where to.
        dataset: as it was scored.
        corpus: what was searched.
        evaluations: at least one; of several, or where others were skipped, each becomes a child.
        verdicts: what the comparison says.
        texts: whether the words of questions are kept (the setting `log_texts`).
        skipped: configurations that could not be run, to the reason.
        name: of the run, by default `sweep of N` or the configuration's.
        tags: more tags for the run.
        plots: file name to PNG.
        key: what makes it the same run in every store; by default a new one.

    Returns:
        The run's id, the parent's for a sweep.

    Raises:
        TrackingError: the store cannot be written. What was begun there is marked as failed, where that works.
        ValueError: there are no evaluations.
    """
    if not evaluations:
        raise ValueError("there is nothing to log")
    writing = _Logging(open_client(store), dataset, corpus, texts=texts, key=key or uuid.uuid4().hex)
    images = {f"{PLOTS_FOLDER}/{file}": image for file, image in (plots or {}).items()}
    with wrapped(store):
        experiment = experiment_of(writing.client, store, f"retrieval {dataset.name}")
        if len(evaluations) == 1 and not skipped:
            return writing.configuration(experiment, evaluations[0], tags or {}, name=name, images=images)
        files = {VERDICTS_FILE: "\n".join(verdicts) + "\n"} if verdicts else {}
        if skipped:
            files[SKIPPED_FILE] = json.dumps(dict(skipped), indent=2) + "\n"
        best = ranked(evaluations)[0]
        marks = {**writing.tags, KEY: writing.key, KIND: "sweep", BEST: best.name, **(tags or {})}
        with run_of(writing.client, experiment, name or f"sweep of {len(evaluations)}", marks) as parent:
            writing.log_dataset(parent.run_id)
            for number, one in enumerate(evaluations):
                own = {PARENT: parent.run_id, **({BEST: "true"} if one is best else {})}
                child = writing.configuration(experiment, one, own, number=number)
                if one is best:
                    writing.client.set_tag(parent.run_id, BEST_RUN, child)
            varied = {setting: ", ".join(values) for setting, values in varied_settings(evaluations).items()}
            figures = {"configurations": float(len(evaluations)), **_figures(best)}
            parent.figures(figures, {CORPUS: str(corpus), **varied})
            parent.files(files, images)
        return parent.run_id


class _Logging:
    """One call of `log_evaluations`."""

    def __init__(self, client: "MlflowClient", dataset: Dataset, corpus: Corpus, *, texts: bool, key: str) -> None:
        self.client = client
        self.key = key
        self._dataset = dataset
        self._corpus = corpus
        self._texts = texts
        self.tags = {
            CORPUS: str(corpus),
            DATASET: dataset.name,
            DIGEST: dataset.digest,
            TEXTS: str(texts).lower(),
            **version_tags(),
        }

    def configuration(
        self,
        experiment: str,
        evaluation: Evaluation,
        tags: Mapping[str, str],
        *,
        name: str | None = None,
        number: int | None = None,
        images: Mapping[str, bytes] | None = None,
    ) -> str:
        """One configuration's run; its id."""
        tables = {QUESTIONS_TABLE: questions_table(self._dataset, evaluation, texts=self._texts)}
        if evaluation.slices:
            tables[SLICES_TABLE] = slices_table(evaluation)
        key = self.key if number is None else f"{self.key}-{number}"
        marks = {**self.tags, KEY: key, KIND: "configuration", **tags}
        params = {CORPUS: str(self._corpus), **{key: str(value) for key, value in shown_settings(evaluation).items()}}
        files = {path: json.dumps(as_table(columns)) for path, columns in tables.items()}
        files[SETTINGS_FILE] = json.dumps(repeatable(self._dataset, self._corpus, evaluation), indent=2) + "\n"
        with run_of(self.client, experiment, name or evaluation.name, marks, tables=tables) as run:
            run.figures(_figures(evaluation), params)
            self.log_dataset(run.run_id)
            run.files(files, images)
        return run.run_id

    def log_dataset(self, run_id: str) -> None:
        """The data set as an input of a run."""
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
        self.client.log_inputs(run_id, [DatasetInput(logged, [context])])


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
