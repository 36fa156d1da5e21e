"""How anything is written into MLflow: into which store, into which experiment, and a run with figures and files."""

import contextlib
import json
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store
from policy_rag_eval.tracking.tables import versions

if TYPE_CHECKING:
    from mlflow import MlflowClient

KEY = "policy_rag.key"
"""Tag: what makes a run the same one in every store that it is written to."""
PARENT = "mlflow.parentRunId"
TEXTS = "policy_rag.texts"
"""Tag: whether words of questions, answers or documents are in the run's files."""
DATASET = "dataset.name"
DIGEST = "dataset.digest"
_LISTED = "mlflow.loggedArtifacts"


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of figures that were to be kept.

    Attributes:
        run_id: the run's id, the parent's where it has children; None where no store could be written.
        store: where it is, or None.
        notices: what a user should be told, one line each.
    """

    run_id: str | None
    store: Store | None
    notices: tuple[str, ...]


def keep_somewhere(index: Path, write: Callable[[Store, str], str]) -> Kept:
    """Writes into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.

    Args:
        index: the index's folder.
        write: writes into a store under a key, the same one for both stores, and gives the run's id; it raises a
            `TrackingError` where the store cannot be written.
    """
    key = uuid.uuid4().hex
    chosen, away = chosen_store(index)
    beside = local_store(index)
    notices = [away] if away else []
    for store in dict.fromkeys((chosen, beside)):
        try:
            run_id = write(store, key)
        except TrackingError as error:
            notices.append(str(error))
            continue
        if store == beside and (away or store != chosen):
            notices.append("`policy-rag eval send` sends it on when the server is there again")
        return Kept(run_id, store, tuple(notices))
    return Kept(None, None, tuple(notices))


def experiment_of(client: "MlflowClient", store: Store, name: str) -> str:
    """The id of the experiment of that name, made where there is none."""
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    location = None if store.artifacts is None else store.artifacts.as_uri()
    return str(client.create_experiment(name, artifact_location=location))


@dataclass(frozen=True, slots=True)
class Writing:
    """A run that is being written: a handful of calls to the client, whatever the number of figures.

    Attributes:
        client: of the store.
        run_id: the run's.
        started: when it began, in milliseconds since 1970; its figures are stamped with that.
    """

    client: "MlflowClient"
    run_id: str
    started: int

    def figures(self, figures: Mapping[str, float], params: Mapping[str, str]) -> None:
        """Metrics and parameters, in one call."""
        from mlflow.entities import Metric, Param

        self.client.log_batch(
            self.run_id,
            [Metric(key, value, self.started, 0) for key, value in figures.items()],
            [Param(key, value) for key, value in params.items()],
        )

    def files(self, texts: Mapping[str, str], images: Mapping[str, bytes] | None = None) -> None:
        """All files of a run in one call; a name may have folders in it."""
        held = {name: text.encode() for name, text in texts.items()} | dict(images or {})
        with tempfile.TemporaryDirectory() as made:
            for name, content in held.items():
                file = Path(made) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            self.client.log_artifacts(self.run_id, made)


@contextlib.contextmanager
def run_of(
    client: "MlflowClient", experiment: str, name: str, tags: Mapping[str, str], *, tables: Iterable[str] = ()
) -> Iterator[Writing]:
    """A run while it is written; it ends as finished, or as failed or killed where writing it fails.

    Args:
        client: of the store.
        experiment: the experiment's id.
        name: of the run.
        tags: its tags.
        tables: those of its files that MLflow's UI is to show as tables.
    """
    from mlflow.exceptions import MlflowException

    paths = [{"path": path, "type": "table"} for path in tables]
    listed = {_LISTED: json.dumps(paths)} if paths else {}
    run = client.create_run(experiment, run_name=name, tags={**listed, **tags})
    writing = Writing(client, str(run.info.run_id), int(run.info.start_time))
    try:
        yield writing
    except BaseException as error:
        status = "KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED"
        with contextlib.suppress(MlflowException, OSError):  # the store that fails may refuse this too
            client.set_terminated(writing.run_id, status)
        raise
    client.set_terminated(writing.run_id)


def version_tags() -> dict[str, str]:
    """The versions of what shapes figures, as tags."""
    return {f"version.{name}": version for name, version in versions().items()}


def with_ends(key: str, interval: Interval | None) -> dict[str, float]:
    """A mean under its key and its interval's ends under the key with `_low` and `_high`; nothing without one.

    >>> with_ends("recall_at_10", Interval(0.5, 0.25, 0.75))
    {'recall_at_10': 0.5, 'recall_at_10_low': 0.25, 'recall_at_10_high': 0.75}
    """
    if interval is None:
        return {}
    return {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}


def metric_key(name: str) -> str:
    """A name with the characters that MLflow allows in keys.

    >>> metric_key("correctness:ollama/llama3.2, 50 %")
    'correctness_ollama/llama3.2_ 50 _'
    """
    return "".join(char if char.isalnum() or char in "_-./ " else "_" for char in name)
