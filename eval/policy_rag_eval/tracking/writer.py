"""Into which store and experiment of MLflow a run is written, and what its tags and figures are called."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped

if TYPE_CHECKING:
    from mlflow import MlflowClient

KEY = "policy_rag.key"
"""Tag: what makes a run the same one in every store that it is written to."""
PARENT = "mlflow.parentRunId"
KIND_OF_EXPERIMENT = "mlflow.experimentKind"
"""Tag of an experiment: which pages MLflow shows of it."""
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
        experiment_id: of the experiment that it is in, or None.
        notices: what a user should be told, one line each.
    """

    run_id: str | None
    store: Store | None
    notices: tuple[str, ...]
    experiment_id: str | None = None


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
            experiment = experiment_id_of(store, run_id)
        except TrackingError as error:
            notices.append(str(error))
            continue
        if store == beside and (away or store != chosen):
            notices.append("`policy-rag eval send` sends it on when the server is there again")
        return Kept(run_id, store, tuple(notices), experiment)
    return Kept(None, None, tuple(notices))


def experiment_of(client: "MlflowClient", store: Store, name: str) -> str:
    """The id of the experiment of that name, made where there is none."""
    found = client.get_experiment_by_name(name)
    if found is not None:
        return str(found.experiment_id)
    location = None if store.artifacts is None else store.artifacts.as_uri()
    return str(
        client.create_experiment(name, artifact_location=location, tags={KIND_OF_EXPERIMENT: "genai_development"})
    )


def experiment_id_of(store: Store, run_id: str) -> str:
    """The id of the experiment that a run is in.

    Raises:
        TrackingError: the store cannot be read.
    """
    client = open_client(store)
    with wrapped(store):
        return str(client.get_run(run_id).info.experiment_id)


def metric_key(name: str) -> str:
    """A name with the characters that MLflow allows in keys.

    >>> metric_key("correctness:ollama/llama3.2, 50 %")
    'correctness_ollama/llama3.2_ 50 _'
    """
    return "".join(char if char.isalnum() or char in "_-./ " else "_" for char in name)
