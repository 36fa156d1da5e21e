"""Writes evaluations into MLflow: a run a configuration, under a parent for a sweep."""

import contextlib
import json
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.runs import Evaluation
from policy_rag_eval.statistics import Interval
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped
from policy_rag_eval.tracking.tables import (
    QUESTIONS_TABLE,
    SETTINGS_FILE,
    SLICES_TABLE,
    as_table,
    questions_table,
    repeatable,
    shown_settings,
    slices_table,
    versions,
)
from policy_rag_eval.verdicts import DECIDED_BY

VERDICTS_FILE = "verdicts.txt"
SKIPPED_FILE = "skipped.json"
PLOTS_FOLDER = "plots"

KEY = "policy_rag.key"
"""Tag: what makes a run the same one in every store that it is written to."""
KIND = "policy_rag.kind"
"""Tag: `sweep` or `configuration`."""
TEXTS = "policy_rag.texts"
"""Tag: whether the words of questions are in the run's files."""
CORPUS = "corpus"
DIGEST = "dataset.digest"
DATASET = "dataset.name"
PARENT = "mlflow.parentRunId"
BEST = "best"
BEST_RUN = "best_run_id"
"""Tag of a sweep: the id of its best configuration's run, in the same store."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of figures that were to be kept.

    Attributes:
        run_id: the run's id, the parent's for a sweep; None where no store could be written.
        store: where it is, or None.
        notices: what a user should be told, one line each.
    """

    run_id: str | None
    store: Store | None
    notices: tuple[str, ...]


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
        evaluations: at least one; of several, each becomes a child.
        verdicts: what the comparison says.
        texts: whether the words of questions may be kept (the setting `log_texts`).
        skipped: configurations that could not be run, to the reason.
        name: of the run, by default `sweep of N` or the configuration's.
        tags: more tags for the run.
    """
    key = uuid.uuid4().hex
    chosen, away = chosen_store(index)
    notices = [away] if away else []
    for store in dict.fromkeys((chosen, local_store(index))):
        try:
            run_id = Tracker(store).log(
                dataset, corpus, evaluations, verdicts, texts=texts, skipped=skipped, name=name, tags=tags, key=key
            )
        except TrackingError as error:
            notices.append(str(error))
            continue
        if store == local_store(index) and (away or store != chosen):
            notices.append("`policy-rag eval send` sends it on when the server is there again")
        return Kept(run_id, store, tuple(notices))
    return Kept(None, None, tuple(notices))


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
        """Writes a run: of the one configuration, or of a sweep with a child for each.

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
        writing = _Writing(self._client, dataset, corpus, texts=texts, key=key or uuid.uuid4().hex)
        with wrapped(self._store):
            experiment = self._experiment(f"retrieval {dataset.name}")
            with writing.marked_where_it_fails():
                if len(evaluations) == 1:
                    return writing.configuration(experiment, evaluations[0], tags or {}, name=name, plots=True)
                files = {VERDICTS_FILE: "\n".join(verdicts) + "\n"}
                if skipped:
                    files[SKIPPED_FILE] = json.dumps(dict(skipped), indent=2) + "\n"
                return writing.sweep(experiment, evaluations, files, name or f"sweep of {len(evaluations)}", tags)

    def _experiment(self, name: str) -> str:
        found = self._client.get_experiment_by_name(name)
        if found is not None:
            return str(found.experiment_id)
        location = None if self._store.artifacts is None else self._store.artifacts.as_uri()
        return str(self._client.create_experiment(name, artifact_location=location))


class _Writing:
    """One call of `Tracker.log`: a handful of calls to the client a run, whatever the number of figures."""

    def __init__(self, client: Any, dataset: Dataset, corpus: Corpus, *, texts: bool, key: str) -> None:
        self._client = client
        self._dataset = dataset
        self._corpus = corpus
        self._texts = texts
        self._key = key
        self._open: list[str] = []
        self._stamp = 0  # of the run that was begun last, milliseconds
        self._tags = {
            CORPUS: str(corpus),
            DATASET: dataset.name,
            DIGEST: dataset.digest,
            TEXTS: str(texts).lower(),
            **{f"version.{name}": version for name, version in versions().items()},
        }

    @contextlib.contextmanager
    def marked_where_it_fails(self) -> Iterator[None]:
        """Runs that are begun and not finished end as failed; the failure itself goes on."""
        from mlflow.exceptions import MlflowException

        try:
            yield
        except BaseException as error:
            status = "KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED"
            with contextlib.suppress(MlflowException, OSError):  # the store that fails may refuse this too
                for run_id in self._open:
                    self._client.set_terminated(run_id, status)
            raise

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
        parent = self._begin(experiment, name, {KIND: "sweep", BEST: best.name, **(tags or {})}, self._key)
        self._log_dataset(parent)
        run_ids = {}
        for number, evaluation in enumerate(evaluations):
            marks = {PARENT: parent, **({BEST: "true"} if evaluation is best else {})}
            run_ids[evaluation.name] = self.configuration(experiment, evaluation, marks, number=number)
        figures = {"configurations": float(len(evaluations)), **_figures(best)}
        self._log_figures(parent, figures, {CORPUS: str(self._corpus), **_grid(evaluations)})
        self._client.set_tag(parent, BEST_RUN, run_ids[best.name])
        self._log_files(parent, files, _plots(evaluations))
        self._end(parent)
        return parent

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
        # What makes the UI show them as tables.
        listed = json.dumps([{"path": path, "type": "table"} for path in tables])
        marks = {KIND: "configuration", "mlflow.loggedArtifacts": listed, **tags}
        key = self._key if number is None else f"{self._key}-{number}"
        run_id = self._begin(experiment, name or evaluation.name, marks, key)
        params = {CORPUS: str(self._corpus), **{key: str(value) for key, value in shown_settings(evaluation).items()}}
        self._log_figures(run_id, _figures(evaluation), params)
        self._log_dataset(run_id)
        files = {path: json.dumps(as_table(columns)) for path, columns in tables.items()}
        files[SETTINGS_FILE] = json.dumps(repeatable(self._dataset, self._corpus, evaluation), indent=2) + "\n"
        self._log_files(run_id, files, _plots([evaluation]) if plots else {})
        self._end(run_id)
        return run_id

    def _begin(self, experiment: str, name: str, tags: Mapping[str, str], key: str) -> str:
        run = self._client.create_run(experiment, run_name=name, tags={**self._tags, KEY: key, **tags})
        run_id = str(run.info.run_id)
        self._open.append(run_id)
        self._stamp = int(run.info.start_time)
        return run_id

    def _end(self, run_id: str) -> None:
        self._client.set_terminated(run_id)
        self._open.remove(run_id)

    def _log_figures(self, run_id: str, figures: Mapping[str, float], params: Mapping[str, str]) -> None:
        from mlflow.entities import Metric, Param

        self._client.log_batch(
            run_id,
            [Metric(key, value, self._stamp, 0) for key, value in figures.items()],
            [Param(key, value) for key, value in params.items()],
        )

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

    def _log_files(self, run_id: str, texts: Mapping[str, str], plots: Mapping[str, bytes]) -> None:
        """All files of a run in one call."""
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            for name, text in texts.items():
                (folder / name).write_text(text, encoding="utf-8")
            for name, image in plots.items():
                (folder / PLOTS_FOLDER).mkdir(exist_ok=True)
                (folder / PLOTS_FOLDER / name).write_bytes(image)
            self._client.log_artifacts(run_id, str(folder))


def _best(evaluations: Sequence[Evaluation]) -> Evaluation:
    """The one with the highest mean by the measure that decides, the earlier of equals."""
    measure = DECIDED_BY if DECIDED_BY in evaluations[0].measures else next(iter(evaluations[0].measures))
    return max(evaluations, key=lambda evaluation: evaluation.measures[measure].mean)


def _figures(evaluation: Evaluation) -> dict[str, float]:
    """All figures by their MLflow key."""
    figures = {"questions": float(len(evaluation.scores.questions))}
    for measure, interval in evaluation.measures.items():
        figures |= _with_ends(measure.mlflow_key, interval)
    figures |= {f"ms_{step}": milliseconds for step, milliseconds in evaluation.timings_ms.items()}
    for step, latency in evaluation.latencies_ms.items():
        figures |= {f"ms_{step}_median": latency.median, f"ms_{step}_p95": latency.p95}
    silent = evaluation.unanswerable
    if silent is not None:
        figures |= {"unanswerable_questions": float(silent.questions), "unanswerable_hits": silent.hits}
        figures |= _with_ends("unanswerable_silent", silent.silent)
        figures |= _with_ends("unanswerable_separation", silent.separation)
    return figures


def _with_ends(key: str, interval: Interval) -> dict[str, float]:
    return {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}


def _grid(evaluations: Sequence[Evaluation]) -> dict[str, str]:
    """What was tried of each setting in which the configurations differ: a parent's parameters."""
    from policy_rag_eval.plots import dimensions

    return {name: ", ".join(values) for name, values in dimensions(evaluations).items()}


def _plots(evaluations: Sequence[Evaluation]) -> dict[str, bytes]:
    """File name to image."""
    from policy_rag_eval.plots import plots

    return plots(evaluations)
