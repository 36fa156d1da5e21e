"""Keeps stress tests in MLflow: a parent, a child a test with its table, plot and the outcome of every question."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.stress.comparison import StressComparison
from policy_rag_eval.stress.results import StressResult, StressRun
from policy_rag_eval.stress.trials import StressOutcome
from policy_rag_eval.tracking.dataset_input import dataset_input
from policy_rag_eval.tracking.run_record import RunPlace, RunRecord, dataset_tags, differing, keep_run, sweep_name
from policy_rag_eval.tracking.run_tables import STRESS_FILE
from policy_rag_eval.tracking.writer import Kept, metric_key

STRESS = "policy_rag.stress"
"""The tag that marks these runs. It is not that of evaluations of retrieval, which are read back by theirs."""


def keep_stress(index: Path, run: StressRun, dataset: Dataset, *, texts: bool) -> Kept:
    """Writes a run: see `keep_run`. Words of answers stand on its page alone, where they may.

    `texts` is whether words of questions and answers may be kept.
    """
    name, used = f"stress {run.dataset}", dataset_input(dataset, "eval stress", texts=texts)
    return keep_run(index, name, _record(run, name, dataset, used, texts=texts))


def keep_comparison(index: Path, found: StressComparison, dataset: Dataset, *, texts: bool) -> Kept:
    """The same of several configurations: a parent with the verdicts, a child a configuration with a child a test."""
    several, used = found.several, dataset_input(dataset, "eval stress", texts=texts)
    varied = differing([{"llm": run.llm, **run.settings} for run in found.runs.values()])
    parent = RunRecord(
        sweep_name(dataset.label, varied, len(found.runs)),
        {**dataset_tags(dataset.label, dataset.digest, texts=texts), STRESS: "comparison"},
        metrics={**means(found.runs[several.best]), _share(several.measure): several.means[several.best]},
        params={"configurations": str(len(found.runs)), "measure": several.measure, "best": several.best},
        files={
            STRESS_FILE: json.dumps(found.as_json(), indent=2) + "\n",
            "verdicts.txt": "".join(f"{line}\n" for line in several.verdicts),
        },
        children=[_record(run, each, dataset, used, texts=False) for each, run in found.runs.items()],
        best=list(found.runs).index(several.best),
        attach=used,
    )
    return keep_run(index, f"stress {found.dataset}", parent)


def _record(run: StressRun, name: str, dataset: Dataset, used: Callable[[RunPlace], None], *, texts: bool) -> RunRecord:
    tags = dataset_tags(dataset.label, dataset.digest, texts=False)
    params = {**run.settings, "llm": run.llm, "seed": str(run.seed)}
    children = [
        RunRecord(
            one.test.name,
            {**tags, STRESS: one.test.name},
            figures(one),
            params={**params, "test": one.test.name},
            tables={"conditions.json": conditions_table(one), "outcomes.json": outcomes_table(one)},
            attach=used,
        )
        for one in run.tests
    ]
    return RunRecord(
        name,
        {**tags, **dataset_tags(dataset.label, dataset.digest, texts=texts), STRESS: "run"},
        metrics=means(run),
        params={**params, "tests": ", ".join(one.test.name for one in run.tests)},
        files={STRESS_FILE: json.dumps(run.as_json(), indent=2) + "\n"},
        children=children,
        attach=used,
    )


def means(run: StressRun) -> dict[str, float]:
    """Of each test by `share.TEST` the mean over its questions, of each the share of conditions with a good outcome."""
    found = {one.test.name: list(one.by_question.values()) for one in run.tests}
    return {_share(name): sum(shares) / len(shares) for name, shares in found.items() if shares}


def _share(name: str) -> str:
    return f"share.{metric_key(name)}"


def figures(result: StressResult) -> dict[str, float]:
    """Shares by key, `share.CONDITION`, and how many failed where any did: a chart each; the table has the rest."""
    found: dict[str, float] = {}
    for one in result.conditions:
        key = metric_key(one.name)
        if one.share is not None:
            found[_share(one.name)] = one.share.mean
        if one.counts[StressOutcome.FAILED]:
            found[f"failed.{key}"] = float(one.counts[StressOutcome.FAILED])
    return found


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
