"""Keeps answers and what judges say of them in MLflow: a parent, a child a configuration, tables and the picture."""

import json
from pathlib import Path
from typing import Any

from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.prompts import register, templates_of
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.answers.scoring import AnswerEvaluation
from policy_rag_eval.answers.traces import keep_traces
from policy_rag_eval.tracking.stores import Store, open_client, wrapped
from policy_rag_eval.tracking.tables import ANSWERS_FILE, ANSWERS_PLOT, VERDICTS_TABLE, as_table
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

ANSWERS = "policy_rag.answers"
"""The tag that marks these runs, `sweep` or `configuration`; evaluations of retrieval are read back by another."""


def keep_answers(index: Path, run: AnswerRun, digest: str, plot: bytes, *, texts: bool) -> Kept:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.

    Args:
        index: the index's folder.
        run: what is kept.
        digest: the data set's.
        plot: the scatter as PNG.
        texts: whether the words of questions and answers may be kept.
    """
    return keep_somewhere(index, lambda store, key: _log(store, key, run, digest, plot, texts=texts))


def _log(store: Store, key: str, run: AnswerRun, digest: str, plot: bytes, *, texts: bool) -> str:
    client = open_client(store)
    tags = {DATASET: run.dataset, DIGEST: digest, TEXTS: str(texts).lower(), **version_tags()}
    with wrapped(store):
        name = f"answers {run.dataset}"
        experiment = experiment_of(client, store, name)
        with run_of(client, experiment, name, {**tags, KEY: key, ANSWERS: "sweep"}) as parent:
            for number, one in enumerate(run.evaluations):
                marks = {**tags, KEY: f"{key}-{number}", ANSWERS: "configuration", PARENT: parent.run_id}
                with run_of(client, experiment, one.name, marks, tables=[VERDICTS_TABLE]) as child:
                    child.figures(_figures(one), {"llm": one.llm, **dict(one.chosen)})
                    child.files({VERDICTS_TABLE: json.dumps(as_table(verdicts_table(one, texts=texts)))})
                    keep_traces(store.uri, experiment, child.run_id, one, texts=texts)
            best = max(run.evaluations, key=lambda one: one.loss.found.mean if one.loss else -1.0)
            parent.figures(_figures(best), {"judges": ", ".join(run.judges), "decides": run.decides or "none"})
            register(client, parent.run_id, templates_of(run))
            parent.files({ANSWERS_FILE: json.dumps(run.as_json(), indent=2) + "\n"}, {ANSWERS_PLOT: plot})
    return parent.run_id


def _figures(one: AnswerEvaluation) -> dict[str, float]:
    """Means and intervals by key: `CONDITION.JUDGE`, what is lost, and what could not be judged."""
    figures = with_ends("recall_given", one.recall)
    for condition, scores in one.scores.items():
        for judge, score in scores.items():
            key = f"{condition}.{metric_key(judge)}"
            figures |= with_ends(key, score.score)
            figures[f"{key}_unjudged"] = float(score.unjudged)
    if one.loss is not None:
        figures |= {
            **with_ends("lost_by_retrieval", one.loss.by_retrieval),
            "lost_by_generation": one.loss.by_generation,
        }
        if one.loss.lost_percent is not None:
            figures["lost_percent"] = one.loss.lost_percent
    return figures


def verdicts_table(one: AnswerEvaluation, *, texts: bool) -> dict[str, list[Any]]:
    """A row an answer and judge: what was asked and answered under which condition, score, label and reason."""
    columns: dict[str, list[Any]] = {
        name: [] for name in ("question_id", "condition", "question", "answer", "judge", "score", "label", "reason")
    }
    for condition in Condition:
        for judge, verdicts in one.verdicts[condition].items():
            for case, verdict in zip(one.cases[condition], verdicts, strict=True):
                words = (case.question, case.answer) if texts else ("", "")
                reason = verdict.reason if texts else ""
                row = (case.case_id, str(condition), *words, judge, verdict.score, verdict.label, reason)
                for name, value in zip(columns, row, strict=True):
                    columns[name].append(value)
    return columns
