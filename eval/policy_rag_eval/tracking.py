"""Keeps evaluations in MLflow: beside the index unless a server is named."""

import json
import logging
import os
import platform
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.runs import Evaluation

if TYPE_CHECKING:
    from mlflow import MlflowClient

URI_VARIABLE = "MLFLOW_TRACKING_URI"
STORE = "mlflow.db"
ARTIFACTS = "mlflow-artifacts"
QUESTIONS_TABLE = "questions.json"
VERSIONS = ("policy-rag", "mlflow", "llama-index-core", "faiss-cpu", "bm25s", "torch", "ir-measures", "numpy")

_PATIENCE = 5.0  # seconds that a server may take to say that it is there
_LABELS_KEPT = 10


@dataclass(frozen=True, slots=True)
class Store:
    """Where runs are kept. `artifacts` is where a local store keeps files; a server knows by itself."""

    uri: str
    artifacts: Path | None = None


def local_store(index: Path) -> Store:
    """The store beside an index."""
    folder = index.resolve()
    return Store(f"sqlite:///{folder / STORE}", folder / ARTIFACTS)


def chosen_store(index: Path) -> tuple[Store, str | None]:
    """The store that `MLFLOW_TRACKING_URI` names, else the one beside the index.

    Args:
        index: the index's folder.

    Returns:
        The store, and a notice where a server is named and cannot be used, so that the local store takes its place.
    """
    uri = os.environ.get(URI_VARIABLE, "").strip()
    if not uri:
        return local_store(index), None
    parts = urllib.parse.urlsplit(uri)
    if parts.scheme not in {"http", "https"}:
        return Store(uri), None
    away = _silence(uri)
    if away is None:
        return Store(uri), None
    local = local_store(index)
    return local, f"the MLflow server at {_shown(parts)} does not answer ({away}): the run is kept in {local.uri}"


def _shown(parts: urllib.parse.SplitResult) -> str:
    """An address without a password that may stand in it."""
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _silence(uri: str) -> str | None:
    """Why a server cannot be used, or None where one answers, be it with a refusal."""
    try:
        with urllib.request.urlopen(uri.rstrip("/") + "/health", timeout=_PATIENCE):  # noqa: S310 - http(s) only
            return None
    except urllib.error.HTTPError:
        return None
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", None) or error)


class Tracker:
    """Writes evaluations into one MLflow store.

    Args:
        store: where to.

    Raises:
        TrackingError: the store cannot be opened.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        if store.artifacts is not None:
            try:
                store.artifacts.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise TrackingError(f"{store.artifacts} cannot be made ({error}): give another --index") from error
        with _wrapped(store):
            self._client = _client(store.uri)

    def log(
        self, dataset: Dataset, corpus: Corpus, evaluations: Sequence[Evaluation], verdicts: Sequence[str] = ()
    ) -> str:
        """Writes a run: of the one configuration, or of a sweep with a child for each.

        A run holds the settings as parameters, each measure's mean under its MLflow key and its interval under the
        key with `_low` and `_high`, milliseconds a question under `ms_`, the data set with its digest, a table of the
        questions with their figures, and the versions of the libraries.

        Returns:
            The run's id, the parent's for a sweep.

        Raises:
            TrackingError: the store cannot be written.
        """
        if not evaluations:
            raise ValueError("there is nothing to log")
        with _wrapped(self._store):
            experiment = self._experiment(f"retrieval {dataset.name}")
            if len(evaluations) == 1:
                return self._log_one(experiment, dataset, corpus, evaluations[0], {})
            tags = {"corpus": str(corpus), **_versions()}
            run = self._client.create_run(experiment, run_name=f"sweep of {len(evaluations)}", tags=tags)
            parent = str(run.info.run_id)
            self._log_dataset(parent, dataset, corpus)
            for evaluation in evaluations:
                self._log_one(experiment, dataset, corpus, evaluation, {"mlflow.parentRunId": parent})
            self._client.log_text(parent, "\n".join(verdicts) + "\n", "verdicts.txt")
            self._client.set_terminated(parent)
            return parent

    def _experiment(self, name: str) -> str:
        found = self._client.get_experiment_by_name(name)
        if found is not None:
            return str(found.experiment_id)
        location = None if self._store.artifacts is None else self._store.artifacts.as_uri()
        return str(self._client.create_experiment(name, artifact_location=location))

    def _log_one(
        self, experiment: str, dataset: Dataset, corpus: Corpus, evaluation: Evaluation, tags: dict[str, str]
    ) -> str:
        from mlflow.entities import Metric, Param

        client = self._client
        run = client.create_run(
            experiment, run_name=evaluation.name, tags={"corpus": str(corpus), **_versions(), **tags}
        )
        run_id = str(run.info.run_id)
        params = [Param(name, str(value)) for name, value in {"corpus": corpus, **evaluation.settings}.items()]
        figures = {"questions": float(len(evaluation.scores.questions))}
        for measure, interval in evaluation.measures.items():
            key = measure.mlflow_key
            figures |= {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}
        figures |= {f"ms_{step}": milliseconds for step, milliseconds in evaluation.timings_ms.items()}
        stamp = int(run.info.start_time)
        client.log_batch(run_id, [Metric(key, value, stamp, 0) for key, value in figures.items()], params)
        self._log_dataset(run_id, dataset, corpus)
        client.log_table(run_id, _table(dataset, evaluation), QUESTIONS_TABLE)
        client.set_terminated(run_id)
        return run_id

    def _log_dataset(self, run_id: str, dataset: Dataset, corpus: Corpus) -> None:
        from mlflow.entities import Dataset as LoggedDataset
        from mlflow.entities import DatasetInput, InputTag

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
        self._client.log_inputs(run_id, [DatasetInput(logged, [InputTag("mlflow.data.context", f"eval {corpus}")])])


def _table(dataset: Dataset, evaluation: Evaluation) -> dict[str, list[Any]]:
    """A row a question: what was asked, each figure, and the first labels found."""
    asked = {question.question_id: question for question in dataset.questions}
    rows = [asked[question_id] for question_id in evaluation.scores.questions]
    columns: dict[str, list[Any]] = {
        "question_id": [question.question_id for question in rows],
        "question": [question.text for question in rows],
        "type": [question.kind or "" for question in rows],
    }
    columns |= {measure.mlflow_key: list(values) for measure, values in evaluation.scores.values.items()}
    found = (evaluation.rankings.get(question.question_id, ()) for question in rows)
    columns["found"] = [" | ".join(labels[:_LABELS_KEPT]) for labels in found]
    columns["gold"] = [" | ".join(dataset.qrels[question.question_id]) for question in rows]
    return columns


def _versions() -> dict[str, str]:
    """The versions that make a run repeatable, as tags."""
    found = {f"version.{name}": _version(name) for name in VERSIONS}
    return {"version.python": platform.python_version(), **found}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _client(uri: str) -> "MlflowClient":
    """A client that neither reports home nor chats."""
    from policy_rag.models.offline import silence_telemetry

    silence_telemetry()
    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri)


@contextmanager
def _wrapped(store: Store) -> Iterator[None]:
    """Turns what MLflow and what is under it raise into one error."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, OSError) as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        shown = _shown(urllib.parse.urlsplit(store.uri))
        raise TrackingError(
            f"MLflow's store {shown} cannot be used ({said}): mend it, or unset {URI_VARIABLE}"
        ) from error
