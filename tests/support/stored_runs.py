"""Runs as a store would give them back."""

import dataclasses
import datetime as dt
import uuid
from typing import Any

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.measures.measures import Measure, Scores
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking import Store, StoredRun, evaluation_record, experiment_name, write_run

NDCG, RECALL = Measure.parse("ndcg@10"), Measure.parse("recall@5")


def stored_run(name: str, ndcg: dict[str, float], **more: Any) -> StoredRun:
    ids = tuple(ndcg)
    values = tuple(ndcg.values())
    mean = sum(values) / len(values) if values else 0.0
    evaluation = Evaluation(
        name=name,
        settings={"search": name, "top_k": "5"},
        measures={NDCG: Interval(mean, mean, mean)},
        timings_ms={},
        scores=Scores(ids, {NDCG: values}),
    )
    made = StoredRun(
        run_id=f"{name:0<32}",
        evaluation=evaluation,
        parent=None,
        started=dt.datetime(2026, 9, 1, 8, 30, tzinfo=dt.UTC),
        dataset="small",
        digest="d" * 64,
        corpus="files",
        texts={},
        versions={"numpy": "2.0"},
    )
    return changed(made, **more)


def changed(run: StoredRun, **more: Any) -> StoredRun:
    """A run with some of its own or of its evaluation's fields changed."""
    own = {field.name for field in dataclasses.fields(StoredRun)}
    evaluation = dataclasses.replace(run.evaluation, **{key: value for key, value in more.items() if key not in own})
    return dataclasses.replace(run, evaluation=evaluation, **{key: more[key] for key in own & more.keys()})


FIRST = stored_run("one", {"a": 1.0, "b": 0.5, "c": 0.0, "only": 1.0})
SECOND = stored_run("two", {"c": 0.5, "b": 0.0, "a": 0.25})


def log_evaluations(store: Store, dataset: Dataset, *given: Any, **options: Any) -> str:
    """Writes a run into one store; its id."""
    record = evaluation_record(dataset, *given, **options)
    return write_run(store, uuid.uuid4().hex, experiment_name(dataset), record).run_id
