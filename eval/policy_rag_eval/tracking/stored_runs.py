"""Reads runs back from a store: a configuration's figures, question by question, and a sweep with its children."""

import datetime as dt
import json
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import UsageError
from policy_rag_eval.errors import MeasureError, TrackingError
from policy_rag_eval.measures.measures import Measure, MeasureName, Scores
from policy_rag_eval.measures.slices import Slice
from policy_rag_eval.measures.unanswerable import Unanswerable
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, Latency
from policy_rag_eval.tracking.run_tables import (
    FIGURES_TABLE,
    QUESTIONS_TABLE,
    SETTINGS_FILE,
    SLICES_TABLE,
    VERSIONS_FILE,
    WORDS,
    figures_of,
)
from policy_rag_eval.tracking.stores import Store, all_runs, open_client, wrapped
from policy_rag_eval.tracking.tracker import (
    BEST,
    CORPUS,
    KIND,
    SKIPPED_FILE,
    VERDICTS_FILE,
)
from policy_rag_eval.tracking.writer import DATASET, DIGEST, KEY, PARENT

Figures = Mapping[str, float | Interval]
"""Figures by key."""

_OURS = f"tags.`{KIND}` LIKE '%'"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One configuration as a store holds it.

    Attributes:
        run_id: MLflow's.
        evaluation: what was scored, without rankings.
        parent: the id of the sweep's run, or None.
        best: whether the sweep names it as its best.
        started: when it was written, UTC.
        dataset: the data set's name.
        digest: sha256 of the data set's files.
        corpus: what was searched.
        texts: question id to its words; empty where texts are not kept.
        versions: of Python and the libraries, by name.
    """

    run_id: str
    evaluation: Evaluation
    parent: str | None
    best: bool
    started: dt.datetime
    dataset: str
    digest: str
    corpus: str
    texts: Mapping[str, str]
    versions: Mapping[str, str]

    @property
    def name(self) -> str:
        """The configuration's."""
        return self.evaluation.name


@dataclass(frozen=True, slots=True)
class StoredSweep:
    """A sweep as a store holds it.

    Attributes:
        run_id: the parent's.
        name: the parent's.
        started: when it was written, UTC.
        runs: the children, in the order in which they were written; at least one.
        verdicts: what the comparison said, a line each.
        skipped: configurations that could not be run, to the reason.
    """

    run_id: str
    name: str
    started: dt.datetime
    runs: tuple[StoredRun, ...]
    verdicts: tuple[str, ...]
    skipped: Mapping[str, str]


class Runs:
    """The runs of one store, to be read.

    Args:
        store: which one.

    Raises:
        TrackingError: it cannot be opened.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._client = open_client(store)

    def configuration(self, name: str) -> StoredRun:
        """A configuration's run by its id or name, the newest of that name.

        Raises:
            UsageError: there is none, or it is a sweep, or was not written by `policy-rag eval retrieval`.
            TrackingError: the store cannot be read, or the run did not finish.
        """
        with wrapped(self._store):
            run = self._find(name)
            if run.data.tags[KIND] == "sweep":
                children = "; ".join(f"{child.info.run_name} ({child.info.run_id})" for child in self._children(run))
                raise UsageError(f"{name} is a sweep: name one of its configurations, {children or 'it has none'}")
            return self._read(run)

    def find(self, name: str | None = None) -> StoredRun | StoredSweep:
        """A configuration or a sweep by its id or name, the newest of that name; without a name the newest of all.

        A child is the sweep's, so that the newest of all is a sweep or a configuration that was run alone.

        Raises:
            UsageError: there is none, or it was not written by `policy-rag eval retrieval`.
            TrackingError: the store cannot be read, or the run did not finish.
        """
        with wrapped(self._store):
            run = self._newest() if name is None else self._find(name)
            return self._sweep(run) if run.data.tags[KIND] == "sweep" else self._read(run)

    def _find(self, name: str) -> Any:
        from mlflow.exceptions import MlflowException

        run = None
        if len(name) == 32 and name.isalnum():
            try:
                run = self._client.get_run(name)
            except MlflowException as error:
                if error.error_code != "RESOURCE_DOES_NOT_EXIST":
                    raise
        if run is None and not {"'", '"'} <= set(name):
            quote = '"' if "'" in name else "'"
            named = f"attributes.run_name = {quote}{name}{quote}"
            found = self._search(f"{named} and {_OURS}", 1) or self._search(named, 1)
            run = found[0] if found else None
        if run is None or run.info.lifecycle_stage != "active":
            raise UsageError(f"there is no run {name} in {self._store.shown}: `policy-rag ui` shows those there are")
        if KIND not in run.data.tags:
            raise UsageError(f"the run {name} was not written by `policy-rag eval retrieval`: name one that was")
        return run

    def _newest(self) -> Any:
        for run in self._search(_OURS, 1000):
            if PARENT not in run.data.tags and run.info.status == "FINISHED":
                return run
        raise UsageError(f"{self._store.shown} holds no evaluation yet: run `policy-rag eval retrieval DATASET` first")

    def _search(self, condition: str, most: int) -> Sequence[Any]:
        experiments = [experiment.experiment_id for experiment in self._client.search_experiments()]
        order = ["attributes.start_time DESC"]
        found: Sequence[Any] = self._client.search_runs(experiments, condition, max_results=most, order_by=order)
        return found

    def _children(self, run: Any) -> list[Any]:
        condition = f"tags.`{PARENT}` = '{run.info.run_id}'"
        return sorted(all_runs(self._client, run.info.experiment_id, condition), key=_number)

    def _sweep(self, run: Any) -> StoredSweep:
        runs = tuple(self._read(child) for child in self._children(run) if child.info.status == "FINISHED")
        if not runs:
            raise TrackingError(f"the sweep {run.info.run_id} holds no finished configuration: run it again")
        kept = {artifact.path for artifact in self._client.list_artifacts(run.info.run_id)}
        verdicts = self._text(run, VERDICTS_FILE) if VERDICTS_FILE in kept else ""
        skipped = json.loads(self._text(run, SKIPPED_FILE)) if SKIPPED_FILE in kept else {}
        return StoredSweep(
            run_id=run.info.run_id,
            name=run.info.run_name,
            started=_moment(run),
            runs=runs,
            verdicts=tuple(line for line in verdicts.splitlines() if line),
            skipped=skipped,
        )

    def _read(self, run: Any) -> StoredRun:
        if run.info.status != "FINISHED":
            raise TrackingError(f"the run {run.info.run_id} did not finish ({run.info.status}): run it again")
        tags = run.data.tags
        listed = {one["path"] for one in json.loads(tags.get("mlflow.loggedArtifacts", "[]"))}
        if FIGURES_TABLE not in listed:
            raise TrackingError(f"the run {run.info.run_id} was kept by another version of policy_rag: run it again")
        figures = figures_of(self._table(run, FIGURES_TABLE))
        table = self._table(run, QUESTIONS_TABLE)
        ids = tuple(str(question) for question in table["question_id"])
        measures = _measures(figures)
        timings, latencies = _timings(figures)
        evaluation = Evaluation(
            name=run.info.run_name,
            settings={name: value for name, value in run.data.params.items() if name != CORPUS},
            measures=measures,
            timings_ms=timings,
            scores=Scores(ids, {m: tuple(map(float, table[m.mlflow_key])) for m in measures if m.mlflow_key in table}),
            notes=tuple(json.loads(self._text(run, SETTINGS_FILE))["notes"]),
            latencies_ms=latencies,
            slices=_slices(self._table(run, SLICES_TABLE)) if SLICES_TABLE in listed else (),
            unanswerable=_unanswerable(figures),
        )
        return StoredRun(
            run_id=run.info.run_id,
            evaluation=evaluation,
            parent=tags.get(PARENT),
            best=tags.get(BEST) == "true",
            started=_moment(run),
            dataset=tags.get(DATASET, ""),
            digest=tags.get(DIGEST, ""),
            corpus=tags.get(CORPUS, ""),
            texts=dict(zip(ids, table[WORDS], strict=True)) if WORDS in table else {},
            versions=dict(sorted(json.loads(self._text(run, VERSIONS_FILE)).items())),
        )

    def _table(self, run: Any, path: str) -> dict[str, list[Any]]:
        loaded = json.loads(self._text(run, path))
        return {name: [row[place] for row in loaded["data"]] for place, name in enumerate(loaded["columns"])}

    def _text(self, run: Any, path: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return Path(self._client.download_artifacts(run.info.run_id, path, folder)).read_text(encoding="utf-8")


def _number(run: Any) -> int:
    """A child's place in its sweep."""
    _, _, number = run.data.tags.get(KEY, "").rpartition("-")
    return int(number) if number.isdigit() else 0


def _moment(run: Any) -> dt.datetime:
    return dt.datetime.fromtimestamp(run.info.start_time / 1000, dt.UTC)


def _measures(figures: Figures) -> dict[Measure, Interval]:
    """The measures among a run's figures; those with a cut-off first, in the order in which they are defined."""
    found = {}
    for key, one in figures.items():
        if isinstance(one, Interval):
            with suppress(MeasureError):
                found[Measure.from_mlflow_key(key)] = one
    known = list(MeasureName)
    return dict(sorted(found.items(), key=lambda item: (item[0].cutoff == 0, known.index(item[0].name), item[0])))


def _timings(figures: Figures) -> tuple[dict[str, float], dict[str, Latency]]:
    """The milliseconds among a run's figures: means, and medians with 95th percentiles."""
    found = {key.removeprefix("ms_"): one for key, one in figures.items() if key.startswith("ms_")}
    times = {key: one for key, one in found.items() if not isinstance(one, Interval)}
    steps = [key.removesuffix("_median") for key in times if key.endswith("_median")]
    latencies = {step: Latency(times[f"{step}_median"], times[f"{step}_p95"]) for step in steps}
    return {key: one for key, one in times.items() if not key.endswith(("_median", "_p95"))}, latencies


def _unanswerable(figures: Figures) -> Unanswerable | None:
    silent, separation = figures.get("unanswerable_silent"), figures.get("unanswerable_separation")
    questions, hits = figures.get("unanswerable_questions"), figures.get("unanswerable_hits")
    if not (isinstance(silent, Interval) and isinstance(separation, Interval)):
        return None
    if not (isinstance(questions, float) and isinstance(hits, float)):
        return None
    return Unanswerable(questions=int(questions), silent=silent, hits=hits, separation=separation)


def _slices(table: Mapping[str, Sequence[Any]]) -> tuple[Slice, ...]:
    """Rows of a measure each as slices, in the order of the table."""
    columns = (table[name] for name in ("by", "value", "questions", "measure", "mean", "low", "high"))
    found: dict[tuple[str, str, int], dict[Measure, Interval]] = {}
    for by, value, questions, measure, mean, low, high in zip(*columns, strict=True):
        part = found.setdefault((by, value, questions), {})
        part[Measure.from_mlflow_key(measure)] = Interval(mean, low, high)
    return tuple(Slice(by, value, questions, measures) for (by, value, questions), measures in found.items())
