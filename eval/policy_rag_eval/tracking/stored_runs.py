"""Reads runs back from a store: a configuration's figures, question by question."""

import datetime as dt
import json
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.errors import UsageError
from policy_rag_eval.errors import MeasureError, TrackingError
from policy_rag_eval.measures.measures import Measure, MeasureName, Scores
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, Latency
from policy_rag_eval.tracking.run_tables import (
    FIGURES_TABLE,
    QUESTIONS_TABLE,
    VERSIONS_FILE,
    WORDS,
    columns_of,
    figures_of,
)
from policy_rag_eval.tracking.stores import Store, all_runs, near_run, open_client, wrapped
from policy_rag_eval.tracking.tracker import CORPUS, COST, KIND, TOKENS
from policy_rag_eval.tracking.writer import DATASET, DIGEST, PARENT

Figures = Mapping[str, float | Interval]
"""Figures by key."""

_OURS = f"tags.`{KIND}` LIKE '%'"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """One configuration as a store holds it.

    The parent is the run of the sweep that it is of, `started` is in UTC; of the `evaluation` there are settings,
    measures, latencies and the figures of each question. `texts` has the words by question id, none where they are not
    kept, `versions` those of Python and the libraries.
    """

    run_id: str
    evaluation: Evaluation
    parent: str | None
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


class Runs:
    """The runs of one store, to be read.

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
                under = all_runs(self._client, run.info.experiment_id, f"tags.`{PARENT}` = '{run.info.run_id}'")
                children = "; ".join(f"{child.info.run_name} ({child.info.run_id})" for child in under)
                raise UsageError(f"{name} is a sweep: name one of its configurations, {children or 'it has none'}")
            return self._read(run)

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
            run = self._newest(f"{named} and {_OURS}") or self._newest(named)
        if run is None or run.info.lifecycle_stage != "active":
            raise UsageError(f"there is no run {name} in {self._store.shown}: {near_run(name, self._names())}")
        if KIND not in run.data.tags:
            raise UsageError(f"the run {name} was not written by `policy-rag eval retrieval`: name one that was")
        return run

    def _names(self) -> list[str]:
        """Of configurations, the newest first."""
        experiments = [experiment.experiment_id for experiment in self._client.search_experiments()]
        order = ["attributes.start_time DESC"]
        condition = f"tags.`{KIND}` = 'configuration'"
        found = self._client.search_runs(experiments, condition, order_by=order)
        return [one.info.run_name for one in found if one.info.run_name]

    def _newest(self, condition: str) -> Any:
        experiments = [experiment.experiment_id for experiment in self._client.search_experiments()]
        order = ["attributes.start_time DESC"]
        return next(iter(self._client.search_runs(experiments, condition, max_results=1, order_by=order)), None)

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
        evaluation = Evaluation(
            name=run.info.run_name,
            settings={name: value for name, value in run.data.params.items() if name != CORPUS},
            measures=measures,
            timings_ms={},
            scores=Scores(ids, {m: tuple(map(float, table[m.mlflow_key])) for m in measures if m.mlflow_key in table}),
            latencies_ms=_latencies(figures),
            tokens=_plain(figures, TOKENS),
            cost=_plain(figures, COST),
        )
        return StoredRun(
            run_id=run.info.run_id,
            evaluation=evaluation,
            parent=tags.get(PARENT),
            started=dt.datetime.fromtimestamp(run.info.start_time / 1000, dt.UTC),
            dataset=tags.get(DATASET, ""),
            digest=tags.get(DIGEST, ""),
            corpus=tags.get(CORPUS, ""),
            texts=dict(zip(ids, table[WORDS], strict=True)) if WORDS in table else {},
            versions=dict(sorted(json.loads(self._text(run, VERSIONS_FILE)).items())),
        )

    def _table(self, run: Any, path: str) -> dict[str, list[Any]]:
        loaded = json.loads(self._text(run, path))
        return columns_of(loaded["columns"], loaded["data"])

    def _text(self, run: Any, path: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            return Path(self._client.download_artifacts(run.info.run_id, path, folder)).read_text(encoding="utf-8")


def _measures(figures: Figures) -> dict[Measure, Interval]:
    """The measures among a run's figures; those with a cut-off first, in the order in which they are defined."""
    found = {}
    for key, one in figures.items():
        if isinstance(one, Interval):
            with suppress(MeasureError):
                found[Measure.from_mlflow_key(key)] = one
    known = list(MeasureName)
    return dict(sorted(found.items(), key=lambda item: (item[0].cutoff == 0, known.index(item[0].name), item[0])))


def _plain(figures: Figures, key: str) -> float | None:
    """A figure without an interval; None where it was not known."""
    found = figures.get(key)
    return None if isinstance(found, Interval) else found


def _latencies(figures: Figures) -> dict[str, Latency]:
    """The milliseconds of each step among a run's figures: medians with 95th percentiles."""
    times = {key: one for key, one in figures.items() if key.startswith("ms_") and not isinstance(one, Interval)}
    steps = [key[len("ms_") : -len("_median")] for key in times if key.endswith("_median")]
    return {step: Latency(times[f"ms_{step}_median"], times[f"ms_{step}_p95"]) for step in steps}
