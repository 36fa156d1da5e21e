"""In which store and experiment of MLflow a run is, and what its tags and figures are called."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.tracking.stores import URI_VARIABLE, Store

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


def experiment_of(client: "MlflowClient", store: Store, name: str) -> str:
    """The id of the experiment of that name, made where there is none.

    Raises:
        TrackingError: it was deleted, which MLflow keeps apart from one that is not there.
    """
    found = client.get_experiment_by_name(name)
    if found is not None and found.lifecycle_stage == "deleted":
        raise TrackingError(
            f"the experiment {name} was deleted in MLflow: restore it by `{URI_VARIABLE}={store.shown} mlflow "
            f"experiments restore --experiment-id {found.experiment_id}`, then run this again"
        )
    if found is not None:
        return str(found.experiment_id)
    location = None if store.artifacts is None else store.artifacts.as_uri()
    return str(
        client.create_experiment(name, artifact_location=location, tags={KIND_OF_EXPERIMENT: "genai_development"})
    )


def metric_key(name: str) -> str:
    """A name with the characters that MLflow allows in keys.

    >>> metric_key("correctness:ollama/llama3.2, 50 %")
    'correctness_ollama/llama3.2_ 50 _'
    """
    return "".join(char if char.isalnum() or char in "_-./ " else "_" for char in name)
