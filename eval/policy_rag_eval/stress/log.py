"""Keeps stress tests in MLflow: a parent, a child a test with its table, picture and the outcome of every question."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from policy_rag_eval.errors import TrackingError
from policy_rag_eval.statistics import Interval
from policy_rag_eval.stress.records import StressResult, StressRun
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped
from policy_rag_eval.tracking.tables import as_table, versions

OUTCOMES_TABLE, CONDITIONS_TABLE = "outcomes.json", "conditions.json"
SUMMARY = "stress.json"
STRESS = "policy_rag.stress"
"""The tag that marks these runs. It is not that of evaluations of retrieval, which are read back by theirs."""


def keep_stress(
    index: Path, run: StressRun, digest: str, pictures: Mapping[str, bytes]
) -> tuple[str | None, list[str]]:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none. No words of
    questions or answers are kept.

    Args:
        index: the index's folder.
        run: what is kept.
        digest: the data set's.
        pictures: name of a test to its picture as PNG.

    Returns:
        The parent's id, None where no store could be written; and what a user should be told, one line each.
    """
    store, away = chosen_store(index)
    notices = [away] if away else []
    for place in dict.fromkeys((store, local_store(index))):
        try:
            return _log(place, run, digest, pictures), notices
        except TrackingError as error:
            notices.append(str(error))
    return None, notices


def _log(store: Store, run: StressRun, digest: str, pictures: Mapping[str, bytes]) -> str:
    client = open_client(store)
    tags = {
        "dataset.name": run.dataset,
        "dataset.digest": digest,
        **{f"version.{name}": version for name, version in versions().items()},
    }
    params = {**run.settings, "llm": run.llm, "seed": str(run.seed)}
    with wrapped(store):
        name = f"stress {run.dataset}"
        found = client.get_experiment_by_name(name)
        location = None if store.artifacts is None else store.artifacts.as_uri()
        experiment = found.experiment_id if found else client.create_experiment(name, artifact_location=location)
        with _run(client, experiment, name, {**tags, STRESS: "run"}) as parent:
            _write(client, parent, {}, {**params, "tests": ", ".join(one.test.name for one in run.tests)})
            for one in run.tests:
                marks = {**tags, STRESS: one.test.name, "mlflow.parentRunId": parent}
                with _run(client, experiment, one.test.name, marks) as child:
                    _log_test(client, child, one, params, pictures)
            summary = {SUMMARY: json.dumps(run.as_json(), indent=2) + "\n"}
            _files(client, parent, summary, {f"{test}.png": image for test, image in pictures.items()})
    return parent


def _log_test(
    client: Any, child: str, one: StressResult, params: Mapping[str, str], pictures: Mapping[str, bytes]
) -> None:
    _write(client, child, figures(one), {**params, "test": one.test.name})
    tables = {CONDITIONS_TABLE: conditions_table(one), OUTCOMES_TABLE: outcomes_table(one)}
    client.set_tag(child, "mlflow.loggedArtifacts", json.dumps([{"path": path, "type": "table"} for path in tables]))
    texts = {path: json.dumps(as_table(table)) for path, table in tables.items()}
    images = {f"{one.test.name}.png": pictures[one.test.name]} if one.test.name in pictures else {}
    _files(client, child, texts, images)


@contextmanager
def _run(client: Any, experiment: str, name: str, tags: Mapping[str, str]) -> Iterator[str]:
    """A run that is marked as failed where writing it fails."""
    run_id = str(client.create_run(experiment, run_name=name, tags=dict(tags)).info.run_id)
    try:
        yield run_id
    except BaseException:
        client.set_terminated(run_id, "FAILED")
        raise
    client.set_terminated(run_id)


def _write(client: Any, run_id: str, measures: Mapping[str, float], params: Mapping[str, str]) -> None:
    from mlflow.entities import Metric, Param

    client.log_batch(
        run_id,
        [Metric(key, value, 0, 0) for key, value in measures.items()],
        [Param(key, value) for key, value in params.items()],
    )


def _files(client: Any, run_id: str, texts: Mapping[str, str], images: Mapping[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as made:
        for name, text in texts.items():
            (Path(made) / name).write_text(text, encoding="utf-8")
        for name, image in images.items():
            (Path(made) / name).write_bytes(image)
        client.log_artifacts(run_id, made)


def figures(result: StressResult) -> dict[str, float]:
    """Shares and intervals by key, `share.CONDITION`, and how many failed; the means alone where all failed."""
    found: dict[str, float] = {}
    for one in result.conditions:
        key = "".join(char if char.isalnum() or char in "_- " else "_" for char in one.name)
        found |= {**_ends(f"share.{key}", one.share), f"failed.{key}": float(_failed(one.counts))}
    return found


def _failed(counts: Mapping[Any, int]) -> int:
    return counts["failed"]


def _ends(key: str, interval: Interval | None) -> dict[str, float]:
    if interval is None:
        return {}
    return {key: interval.mean, f"{key}.low": interval.low, f"{key}.high": interval.high}


def conditions_table(result: StressResult) -> dict[str, list[Any]]:
    """A row a condition: the share with its interval, and how many questions had each outcome."""
    rows = [
        {
            "condition": one.name,
            "share": one.share.mean if one.share else None,
            "low": one.share.low if one.share else None,
            "high": one.share.high if one.share else None,
            "change": one.change.mean if one.change else None,
            **{str(outcome): count for outcome, count in one.counts.items()},
        }
        for one in result.conditions
    ]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}


def outcomes_table(result: StressResult) -> dict[str, list[Any]]:
    """A row a question and condition, with its outcome."""
    rows = [(name, one.name, str(outcome)) for one in result.conditions for name, outcome in one.outcomes.items()]
    return {name: [row[place] for row in rows] for place, name in enumerate(("question_id", "condition", "outcome"))}
