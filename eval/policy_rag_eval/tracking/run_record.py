"""A run as it is to be kept in MLflow, with its children, and the one way in which it is written."""

import json
import tempfile
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.tracking.run_tables import FIGURES_TABLE, VERSIONS_FILE, as_table, figures_table, versions
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped
from policy_rag_eval.tracking.writer import (
    DATASET,
    DIGEST,
    KEY,
    PARENT,
    TEXTS,
    Kept,
    experiment_of,
)

if TYPE_CHECKING:
    from mlflow import MlflowClient

_SHOWN_TABLES = "mlflow.loggedArtifacts"

BEST_RUN = "best_run_id"
"""Tag of a run: the id of the best of its children, in the same store."""

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where a run is being written."""

    client: "MlflowClient"
    store: Store
    experiment_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run as it is to be kept.

    Attributes:
        name: of the run.
        tags: by key.
        metrics: by key; MLflow draws a chart for each, so they are the few that runs are compared by.
        figures: all of them by key, with their intervals, as a table.
        params: by key.
        tables: columns of tables that MLflow's UI shows, by file name.
        files: texts by file name.
        children: runs under this one, in order.
        best: which of the children is the best, from 0; the run is then tagged with its id.
        attach: writes what is no metric, parameter or file (traces, prompts) while the run is open.
    """

    name: str
    tags: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, float] = field(default_factory=dict)
    figures: Mapping[str, float | Interval] = field(default_factory=dict)
    params: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Columns] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    children: Sequence["RunRecord"] = ()
    best: int | None = None
    attach: Callable[[RunPlace], None] | None = None


def keep_run(index: Path, experiment: str, run: RunRecord) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.
    """
    key = uuid.uuid4().hex
    chosen, away = chosen_store(index)
    beside = local_store(index)
    notices = [away] if away else []
    for store in dict.fromkeys((chosen, beside)):
        try:
            place = write_run(store, key, experiment, run)
        except TrackingError as error:
            notices.append(str(error))
            continue
        if store == beside and (away or store != chosen):
            notices.append("`policy-rag eval send` sends it on when the server is there again")
        return Kept(place.run_id, store, tuple(notices), place.experiment_id)
    return Kept(None, None, tuple(notices))


def dataset_tags(name: str, digest: str, *, texts: bool) -> dict[str, str]:
    """The tags of a run on a data set; `texts` is whether words of questions or answers are kept."""
    return {DATASET: name, DIGEST: digest, TEXTS: str(texts).lower()}


_SHOWN = 4


def sweep_name(dataset: str, varied: Sequence[str], count: int) -> str:
    """What a run of several configurations is called: its data set, the settings in which they differ, how many.

    >>> sweep_name("brannholt", ["chunker", "search"], 15)
    'brannholt: chunker × search, 15 configurations'
    >>> sweep_name("brannholt", [], 1)
    'brannholt: 1 configuration'
    """
    more = [f"{len(varied) - _SHOWN} more"] if len(varied) > _SHOWN else []
    shown = " × ".join([*varied[:_SHOWN], *more])
    return f"{dataset}: {shown}{', ' if shown else ''}{count} configuration{'s' * (count != 1)}"


def differing(chosen: Sequence[Mapping[str, str]]) -> list[str]:
    """The settings in which choices differ, in order of appearance.

    >>> differing([{"llm": "extractive", "top_k": "3"}, {"llm": "extractive", "top_k": "5"}])
    ['top_k']
    """
    names = dict.fromkeys(name for one in chosen for name in one)
    return [name for name in names if len({one.get(name) for one in chosen}) > 1]


def write_run(store: Store, key: str, experiment: str, run: RunRecord) -> RunPlace:
    """Writes a run with its children into one store.

    `key` makes it the same run in every store.

    Raises:
        TrackingError: the store cannot be written. What was begun there is marked as failed, where that works.
    """
    client = open_client(store)
    with wrapped(store):
        experiment_id = experiment_of(client, store, experiment)
        return RunPlace(client, store, experiment_id, _log(client, store, experiment_id, run, {KEY: key}))


def _log(client: "MlflowClient", store: Store, experiment_id: str, run: RunRecord, tags: Mapping[str, str]) -> str:
    """Writes a run: a handful of calls whatever the number of figures. One that breaks off is marked as such."""
    from mlflow.exceptions import MlflowException

    shown = [{"path": path, "type": "table"} for path in _tables(run)]
    listed = {_SHOWN_TABLES: json.dumps(shown)} if shown else {}
    made = client.create_run(experiment_id, run_name=run.name, tags={**listed, **run.tags, **tags})
    place = RunPlace(client, store, experiment_id, str(made.info.run_id))
    try:
        _fill(place, run, tags[KEY], int(made.info.start_time))
    except BaseException as error:
        status = "KILLED" if isinstance(error, KeyboardInterrupt) else "FAILED"
        with suppress(MlflowException, OSError):  # the store that fails may refuse this too
            client.set_terminated(place.run_id, status)
        raise
    client.set_terminated(place.run_id)
    return place.run_id


def _tables(run: RunRecord) -> dict[str, Columns]:
    return {**({FIGURES_TABLE: figures_table(run.figures)} if run.figures else {}), **run.tables}


def _fill(place: RunPlace, run: RunRecord, key: str, started: int) -> None:
    """Figures (stamped with the run's begin, in milliseconds since 1970), children, files, and what is attached."""
    from mlflow.entities import Metric, Param

    metrics = [Metric(name, value, started, 0) for name, value in run.metrics.items()]
    place.client.log_batch(place.run_id, metrics, [Param(name, value) for name, value in run.params.items()])
    for number, child in enumerate(run.children):
        marks = {KEY: f"{key}-{number}", PARENT: place.run_id}
        child_id = _log(place.client, place.store, place.experiment_id, child, marks)
        if number == run.best:
            place.client.set_tag(place.run_id, BEST_RUN, child_id)
    texts = {path: json.dumps(as_table(columns)) for path, columns in _tables(run).items()}
    texts |= {VERSIONS_FILE: json.dumps(versions(), indent=2) + "\n", **run.files}
    with tempfile.TemporaryDirectory() as folder:
        for path, text in texts.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        place.client.log_artifacts(place.run_id, folder)
    if run.attach is not None:
        run.attach(place)
