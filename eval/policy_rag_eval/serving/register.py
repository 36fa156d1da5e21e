"""Logs the assistant over an index as a model of MLflow, and registers it."""

import contextlib
import importlib
import os
import re
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError
from policy_rag.llm.addresses import without_password
from policy_rag_eval.tracking.run_tables import versions
from policy_rag_eval.tracking.stores import Store, open_client, wrapped
from policy_rag_eval.tracking.writer import experiment_of

if TYPE_CHECKING:
    from policy_rag.settings import Settings

EXPERIMENT = "models"
_DATABASE = "index.sqlite3"
_PACKAGES = ("policy_rag", "policy_rag_parsers", "policy_rag_prompts", "policy_rag_eval")
_OWN_STORE = frozenset({"offline", "trace_to_mlflow"})
"""Settings of the machine that exports, not of the model."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A model that was registered.

    So many `documents` it answers from, of which `restricted` are not open to all.
    """

    name: str
    version: str
    model_id: str
    run_id: str
    experiment_id: str
    documents: int
    restricted: int

    @property
    def uri(self) -> str:
        """What `mlflow models serve -m` takes."""
        return f"models:/{self.name}/{self.version}"


def export(index: Path, store: Store, name: str, settings: "Settings", groups: tuple[str, ...] = ()) -> Exported:
    """Logs and registers a model that answers from a copy of the index, with the settings, the code and what it needs.

    Args:
        index: the index's folder.
        store: where to.
        name: in the registry; another call makes the next version of it.
        settings: those in force; passwords in addresses are left out.
        groups: as whom the model asks; with none, it answers from documents that are open to all.

    Raises:
        UsageError: there is no index.
        IndexingError: the index cannot be used.
        TrackingError: the store cannot be written.
    """
    from policy_rag.assistant import PolicyAssistant
    from policy_rag_eval.serving.agent import INDEX, SETTINGS, as_settings

    if not (index / _DATABASE).is_file():
        raise UsageError(f"there is no index in {index}: make one with `policy-rag ingest PATH --index {index}`")
    client = open_client(store)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / INDEX
        _copy(index, folder)
        with PolicyAssistant.open(folder, settings=settings) as assistant:
            assistant.require_ready()  # makes the files that are derived, so that the first question need not
            held = assistant.index.documents()
        chosen = settings.as_json(settings.given - _OWN_STORE)
        if chosen.get("llm_url"):
            chosen["llm_url"] = without_password(chosen["llm_url"])
        file = Path(made) / "settings.json"
        file.write_text(as_settings(chosen, groups), encoding="utf-8")
        with wrapped(store):
            experiment = experiment_of(client, store, EXPERIMENT)
            with default_store(store):
                model_id, run_id, version = _log(name, experiment, {INDEX: str(folder), SETTINGS: str(file)})
    restricted = sum(bool(one.access) for one in held)
    return Exported(name, version, model_id, run_id, experiment, len(held), restricted)


def _copy(index: Path, folder: Path) -> None:
    """The index's truth as of one transaction; what is derived of it is made anew, and evaluations stay behind."""
    folder.mkdir()
    with (
        contextlib.closing(sqlite3.connect(f"file:{(index / _DATABASE).resolve()}?mode=ro", uri=True)) as own,
        contextlib.closing(sqlite3.connect(folder / _DATABASE)) as copy,
    ):
        own.backup(copy)


def _log(name: str, experiment: str, artifacts: dict[str, str]) -> tuple[str, str, str]:
    """The ids of the logged model and of its run, and the version in the registry."""
    import mlflow

    with mlflow.start_run(experiment_id=experiment, run_name=f"export {name}") as run:
        logged = mlflow.pyfunc.log_model(
            name=name,
            python_model=str(Path(__file__).with_name("served_model.py")),
            artifacts=artifacts,
            code_paths=[str(Path(str(importlib.import_module(package).__file__)).parent) for package in _PACKAGES],
            pip_requirements=requirements(),
            registered_model_name=name,
            metadata={f"version.{library}": version for library, version in versions().items()},
        )
    return str(logged.model_id), str(run.info.run_id), str(logged.registered_model_version)


def requirements() -> list[str]:
    """What the model needs besides its own code, with the versions that are installed.

    >>> any(one.startswith("mlflow==") for one in requirements())
    True
    """
    listed = [one for one in metadata.requires("policy-rag") or () if "extra ==" not in one]
    wanted = (re.match(r"[A-Za-z0-9._-]+", one) for one in listed)
    names = sorted({found[0] for found in wanted if found})
    return [f"{name}=={metadata.version(name).partition('+')[0]}" for name in names]


@contextlib.contextmanager
def default_store(store: Store) -> Iterator[None]:
    """A store as MLflow's default one for a while; its calls that log models know no other."""
    import mlflow

    before = os.environ.get("MLFLOW_TRACKING_URI")
    mlflow.set_tracking_uri(store.uri)
    try:
        yield
    finally:  # it is set in the environment too; None: as if none had ever been named
        mlflow.set_tracking_uri(None)  # type: ignore[arg-type]
        if before is not None:
            os.environ["MLFLOW_TRACKING_URI"] = before
