"""Keeps stress tests in MLflow: a parent, a child a test with its table, picture and the outcome of every question."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.stress.records import StressResult, StressRun
from policy_rag_eval.tracking.stores import Store, open_client, wrapped
from policy_rag_eval.tracking.tables import as_table
from policy_rag_eval.tracking.writer import (
    DATASET,
    DIGEST,
    KEY,
    PARENT,
    TEXTS,
    Kept,
    experiment_of,
    keep_somewhere,
    metric_key,
    run_of,
    version_tags,
    with_ends,
)

OUTCOMES_TABLE, CONDITIONS_TABLE = "outcomes.json", "conditions.json"
SUMMARY = "stress.json"
STRESS = "policy_rag.stress"
"""The tag that marks these runs. It is not that of evaluations of retrieval, which are read back by theirs."""


def keep_stress(index: Path, run: StressRun, digest: str, pictures: Mapping[str, bytes]) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none. No words of
    questions or answers are kept.

    Args:
        index: the index's folder.
        run: what is kept.
        digest: the data set's.
        pictures: name of a test to its picture as PNG.
    """
    return keep_somewhere(index, lambda store, key: _log(store, key, run, digest, pictures))


def _log(store: Store, key: str, run: StressRun, digest: str, pictures: Mapping[str, bytes]) -> str:
    client = open_client(store)
    tags = {DATASET: run.dataset, DIGEST: digest, TEXTS: "false", **version_tags()}
    params = {**run.settings, "llm": run.llm, "seed": str(run.seed)}
    with wrapped(store):
        name = f"stress {run.dataset}"
        experiment = experiment_of(client, store, name)
        with run_of(client, experiment, name, {**tags, KEY: key, STRESS: "run"}) as parent:
            parent.figures({}, {**params, "tests": ", ".join(one.test.name for one in run.tests)})
            for number, one in enumerate(run.tests):
                tables = {CONDITIONS_TABLE: conditions_table(one), OUTCOMES_TABLE: outcomes_table(one)}
                marks = {**tags, KEY: f"{key}-{number}", STRESS: one.test.name, PARENT: parent.run_id}
                with run_of(client, experiment, one.test.name, marks, tables=tables) as child:
                    child.figures(figures(one), {**params, "test": one.test.name})
                    own = {f"{one.test.name}.png": pictures[one.test.name]} if one.test.name in pictures else {}
                    child.files({path: json.dumps(as_table(table)) for path, table in tables.items()}, own)
            summary = {SUMMARY: json.dumps(run.as_json(), indent=2) + "\n"}
            parent.files(summary, {f"{test}.png": image for test, image in pictures.items()})
    return parent.run_id


def figures(result: StressResult) -> dict[str, float]:
    """Shares and intervals by key, `share.CONDITION`, and how many failed; the means alone where all failed."""
    found: dict[str, float] = {}
    for one in result.conditions:
        key = metric_key(one.name)
        found |= {**with_ends(f"share.{key}", one.share), f"failed.{key}": float(_failed(one.counts))}
    return found


def _failed(counts: Mapping[Any, int]) -> int:
    return counts["failed"]


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
