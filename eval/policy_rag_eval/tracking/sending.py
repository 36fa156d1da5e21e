"""Sends what was kept locally on to an MLflow server: each run once, however often it is called or broken off."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.tracking.evaluation_datasets import SOURCE, send_questions
from policy_rag_eval.tracking.export_traces import send_traces
from policy_rag_eval.tracking.prompt_registry import LINKED, SHA256, show_in, version_of
from policy_rag_eval.tracking.run_record import BEST_RUN
from policy_rag_eval.tracking.run_tables import COLUMNS_OF_WORDS, WITHOUT_WORDS
from policy_rag_eval.tracking.stores import Store, all_runs, open_client, wrapped
from policy_rag_eval.tracking.tracker import SKIPPED_FILE, VERDICTS_FILE
from policy_rag_eval.tracking.writer import KEY, PARENT, TEXTS

_SENT = "policy_rag.sent."
_LOCK = "mlflow-send.lock"
_WITHOUT_TEXTS = frozenset({*WITHOUT_WORDS, SKIPPED_FILE, VERDICTS_FILE, *COLUMNS_OF_WORDS})


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of the runs that are kept locally.

    Attributes:
        sent: name and id on the server of each run that was sent, without the children.
        runs: how many runs were copied, children counted.
        before: how many had been sent before, without the children.
        left_out: artifacts and traces that were not sent because texts are not to be kept.
        traces: how many traces were copied, or had got new verdicts or feedback since.
    """

    sent: tuple[tuple[str, str], ...]
    runs: int
    before: int
    left_out: tuple[str, ...]
    traces: int = 0


def send(local: Store, server: Store, *, texts: bool, on_run: Callable[[str], None] | None = None) -> Sent:
    """Copies finished runs of a local store to a server: names, times, tags, parameters, metrics, inputs, artifacts.

    Runs of every experiment go: of retrieval, answers, stress tests, calibrations, each with its children; the wordings
    of prompts that a run is linked to; the evaluation datasets that they used; and the traces of answers and of
    questions, with verdicts and feedback. A run is marked in the local store when all of it has arrived, so that
    another call goes on with the rest; a copy that was broken off is taken up where it lies on the server, not begun a
    second time; one that went without its words gets them once they may be sent. Several servers are marked apart.

    Args:
        local: the store beside an index.
        server: where to.
        texts: whether words of questions and answers may be sent; without them tables lose their columns of words, and
            files and traces that may hold texts stay here.
        on_run: called with the name of each run before it is sent.

    Raises:
        TrackingError: a store cannot be used, or another process is sending from the same one.
    """
    sent = []
    before = 0
    with _alone(local):
        copying = _Copying(local, server, texts=texts)
        for run in copying.kept():
            if copying.arrived(run):
                before += 1
                continue
            if on_run:
                on_run(run.info.run_name)
            sent.append((str(run.info.run_name), copying.copy(run)))
        traces = copying.traces()
    return Sent(tuple(sent), copying.copied, before, tuple(copying.left_out), traces)


@contextmanager
def _alone(local: Store) -> Iterator[None]:
    """One process at a time sends from a store."""
    from filelock import FileLock, Timeout

    if local.artifacts is None:
        yield
        return
    try:
        with FileLock(local.artifacts.parent / _LOCK, timeout=0):
            yield
    except Timeout as error:
        raise TrackingError("another process is sending these runs: wait until it is done") from error


class _Copying:
    """One call of `send`."""

    def __init__(self, local: Store, server: Store, *, texts: bool) -> None:
        self._local, self._server = local, server
        self._from, self._to = open_client(local), open_client(server)
        self._texts = texts
        self._experiments: dict[str, str] = {}
        self._ids: dict[str, str] = {}  # of runs here, to theirs on the server
        self._mark = _SENT + hashlib.sha256(server.shown.rstrip("/").encode()).hexdigest()[:12]
        self._datasets: dict[str, str | None] = {}  # of questions here, to theirs on the server
        self.copied = 0
        self.left_out: list[str] = []

    def kept(self) -> list[Any]:
        """Finished runs without a parent, the oldest first."""
        with wrapped(self._local):
            found = [
                run
                for experiment in self._from.search_experiments()
                for run in all_runs(self._from, experiment.experiment_id, "attributes.status = 'FINISHED'")
            ]
        return sorted((run for run in found if PARENT not in run.data.tags), key=lambda run: int(run.info.start_time))

    def arrived(self, run: Any) -> bool:
        """Whether all of it that may be sent was, and the server still knows it."""
        from mlflow.exceptions import MlflowException

        run_id = run.data.tags.get(self._mark)
        if run_id is None:
            return False
        with wrapped(self._server):
            try:
                there = self._to.get_run(run_id)
            except MlflowException as error:
                if error.error_code != "RESOURCE_DOES_NOT_EXIST":
                    raise
                return False
        self._ids[run.info.run_id] = run_id
        return not self._lacks_words(run, there)

    def _lacks_words(self, run: Any, there: Any) -> bool:
        """Whether a run went without words that may be sent now."""
        return self._texts and there.data.tags.get(TEXTS) == "false" != run.data.tags.get(TEXTS)

    def traces(self) -> int:
        """Traces of all experiments, the runs that they belong to gone before; how many were sent."""
        sent = 0
        with wrapped(self._local):
            experiments = list(self._from.search_experiments())
        for one in experiments:
            with wrapped(self._local):
                if not self._from.search_traces(locations=[one.experiment_id], max_results=1, include_spans=False):
                    continue
            with wrapped(self._server):
                there = self._experiment(str(one.experiment_id))
            done = send_traces(
                (self._local, self._server), str(one.experiment_id), there,
                mark=self._mark, texts=self._texts, run_there=self._run_there,
            )  # fmt: skip
            sent += done.sent
            if done.left_out:
                self.left_out.append(f"{one.name}: {done.left_out} traces")
        return sent

    def _run_there(self, run_id: str) -> str | None:
        """A run's id on the server; None where it has not arrived there."""
        if run_id not in self._ids:
            with wrapped(self._local):
                arrived = self._from.get_run(run_id).data.tags.get(self._mark)
            if arrived is None:
                return None
            self._ids[run_id] = arrived
        return self._ids[run_id]

    def copy(self, run: Any, parent: str | None = None, *, fresh: bool = False) -> str:
        """One run with its children; its id on the server.

        `fresh` says that the server cannot have it yet: its parent was just made there.
        """
        with wrapped(self._server):
            experiment = self._experiment(str(run.info.experiment_id))
            key = run.data.tags.get(KEY, run.info.run_id)
            there = None if fresh else self._there(experiment, key)
        if there is not None and there.info.status == "FINISHED":
            run_id = str(there.info.run_id)
            if self._lacks_words(run, there):
                self._add_words(run, run_id)
        else:
            run_id = self._write(run, experiment, {**self._tags(run, parent), KEY: key}, there)
        with wrapped(self._local):
            self._from.set_tag(run.info.run_id, self._mark, run_id)
        self._ids[run.info.run_id] = run_id
        return run_id

    def _write(self, run: Any, experiment: str, tags: dict[str, str], there: Any) -> str:
        from mlflow.entities import RunTag

        with wrapped(self._server):
            if there is None:
                made = self._to.create_run(experiment, run.info.start_time, tags, run.info.run_name)
            else:
                made = there
                self._to.log_batch(there.info.run_id, tags=[RunTag(name, value) for name, value in tags.items()])
        run_id = str(made.info.run_id)
        self._copy_figures(run, run_id)
        self._copy_files(run, run_id)
        children = self._children(run)
        sent = {child.info.run_id: self.copy(child, run_id, fresh=there is None) for child in children}
        best = sent.get(run.data.tags.get(BEST_RUN, ""))
        with wrapped(self._server):
            if best is not None:
                self._to.set_tag(run_id, BEST_RUN, best)
            self._to.set_terminated(run_id, run.info.status, run.info.end_time)
        self.copied += 1
        return run_id

    def _children(self, run: Any) -> list[Any]:
        with wrapped(self._local):
            condition = f"attributes.status = 'FINISHED' and tags.`{PARENT}` = '{run.info.run_id}'"
            return all_runs(self._from, run.info.experiment_id, condition)

    def _add_words(self, run: Any, run_id: str) -> None:
        """Sends after a run what stayed here when it went: files with words, those of its children, its questions."""
        self._copy_files(run, run_id)
        for one in run.inputs.dataset_inputs:
            self._dataset(one, run)
        for child in self._children(run):
            self.copy(child, run_id)
        with wrapped(self._server):  # last: what is broken off before is taken up by the next call
            self._to.set_tag(run_id, TEXTS, run.data.tags.get(TEXTS, "true"))
        self.copied += 1

    def _tags(self, run: Any, parent: str | None) -> dict[str, str]:
        """Its tags; those that name a run name it as the server knows it."""
        own = {BEST_RUN, PARENT}  # told when the other run is there
        tags: dict[str, str] = {
            name: str(self._ids.get(value, value))
            for name, value in run.data.tags.items()
            if name not in own and not name.startswith(_SENT)
        }
        if not self._texts:
            tags[TEXTS] = "false"
        if LINKED in tags:
            tags[LINKED] = self._prompts(tags[LINKED], str(run.info.experiment_id))
        return tags if parent is None else {**tags, PARENT: parent}

    def _experiment(self, own: str) -> str:
        """The server's experiment of the same name as one here, made where there is none."""
        if own not in self._experiments:
            name = self._from.get_experiment(own).name
            found = self._to.get_experiment_by_name(name)
            self._experiments[own] = str(self._to.create_experiment(name) if found is None else found.experiment_id)
        return self._experiments[own]

    def _prompts(self, linked: str, experiment: str) -> str:
        """The versions of prompts that a run is linked to, as the server knows them, registered there if need be.

        A version without the hash by which wordings are known was made by somebody else: its link stays here.
        """
        found = []
        for one in json.loads(linked):
            with wrapped(self._local):
                own = self._from.get_prompt_version(one["name"], one["version"])
            if own is None or SHA256 not in own.tags or isinstance(own.template, str):
                continue
            with wrapped(self._server):
                version = version_of(self._to, own.name, own.template, description=own.description, tags=own.tags)
                show_in(self._to, version.name, self._experiment(experiment))
            found.append({"name": version.name, "version": str(version.version)})
        return json.dumps(found)

    def _there(self, experiment: str, key: str) -> Any:
        """The same run on the server, a finished one before one that was broken off; None where there is none."""
        found = self._to.search_runs([experiment], f"tags.`{KEY}` = '{key}'")
        return min(found, key=lambda run: run.info.status != "FINISHED", default=None)

    def _copy_figures(self, run: Any, run_id: str) -> None:
        from mlflow.entities import Param

        with wrapped(self._local):
            history = [
                metric for name in run.data.metrics for metric in self._from.get_metric_history(run.info.run_id, name)
            ]
        params = [Param(name, value) for name, value in run.data.params.items()]
        with wrapped(self._server):
            self._to.log_batch(run_id, history, params)
            if run.inputs.dataset_inputs:
                self._to.log_inputs(run_id, [self._dataset(one, run) for one in run.inputs.dataset_inputs])

    def _dataset(self, used: Any, run: Any) -> Any:
        """A data set that a run used, as the server knows it, its questions sent there if they may be."""
        from mlflow.entities import Dataset, DatasetInput

        one = used.dataset
        if one.source_type != SOURCE:
            return used
        own = json.loads(one.source)["dataset_id"]
        if self._texts and own not in self._datasets:
            experiment = self._experiment(str(run.info.experiment_id))
            self._datasets[own] = send_questions(self._from, self._to, own, experiment)
        there = self._datasets.get(own)
        source = (SOURCE, json.dumps({"dataset_id": there})) if there else ("local", "{}")
        return DatasetInput(Dataset(one.name, one.digest, *source, profile=one.profile), used.tags)

    def _copy_files(self, run: Any, run_id: str) -> None:
        with wrapped(self._local):
            kept = [artifact.path for artifact in self._from.list_artifacts(run.info.run_id)]
        if not self._texts and run.data.tags.get(TEXTS) != "false":
            self.left_out += [f"{run.info.run_name}: {path}" for path in kept if path not in _WITHOUT_TEXTS]
            kept = [path for path in kept if path in _WITHOUT_TEXTS]
        if not kept:
            return
        with tempfile.TemporaryDirectory() as made:
            with wrapped(self._local):
                for path in kept:
                    self._from.download_artifacts(run.info.run_id, path, made)
            if not self._texts:
                for table in COLUMNS_OF_WORDS.keys() & set(kept):
                    _drop_words(Path(made) / table, COLUMNS_OF_WORDS[table])
            with wrapped(self._server):
                self._to.log_artifacts(run_id, made)


def _drop_words(path: Path, words: frozenset[str]) -> None:
    """Takes the columns of words out of a table."""
    table = json.loads(path.read_text(encoding="utf-8"))
    kept = [place for place, name in enumerate(table["columns"]) if name not in words]
    columns = [table["columns"][place] for place in kept]
    rows = [[row[place] for place in kept] for row in table["data"]]
    path.write_text(json.dumps({"columns": columns, "data": rows}), encoding="utf-8")
