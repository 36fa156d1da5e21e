"""Into which store and experiment of MLflow a run is written, and what its tags and figures are called."""

import uuid
from collections.abc import Callable
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
