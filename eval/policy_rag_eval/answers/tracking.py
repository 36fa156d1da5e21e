"""Keeps answers and what judges say of them in MLflow: a parent, a child a configuration, tables and the picture."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.answers.answer_scores import AnswerEvaluation
from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.answer_traces import keep_traces
from policy_rag_eval.answers.prompts import register, templates_of
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.tracking.dataset_input import dataset_input
from policy_rag_eval.tracking.run_record import RunPlace, RunRecord, dataset_tags, differing, keep_run, sweep_name
from policy_rag_eval.tracking.run_tables import ANSWERS_FILE, VERDICTS_TABLE
from policy_rag_eval.tracking.writer import Kept, metric_key

ANSWERS = "policy_rag.answers"
"""The tag that marks these runs, `sweep` or `configuration`; evaluations of retrieval are read back by another."""


def keep_answers(index: Path, run: AnswerRun, dataset: Dataset, *, texts: bool) -> Kept:
    """Writes a run: see `keep_run`. `texts`: whether words of questions and answers may be kept."""
    name, tags = f"answers {run.dataset}", dataset_tags(dataset.label, dataset.digest, texts=texts)
    several, varied = len(run.evaluations), differing([dict(one.chosen) for one in run.evaluations])
    best = run.ranked[0]
    used = dataset_input(dataset, "eval answers", texts=texts)

    def attach(place: RunPlace) -> None:
        used(place)
        register(place.client, place.run_id, place.experiment_id, templates_of(run))

    parent = RunRecord(
        sweep_name(dataset.label, varied, several) if several > 1 else name,
        {**tags, ANSWERS: "sweep"},
        _metrics(best),
        _figures(best),
        {"judges": ", ".join(run.judges), "decides": run.decides or "none"},
        files={ANSWERS_FILE: json.dumps(run.as_json(), indent=2) + "\n"},
        children=[
            _configuration(one, used, {**tags, ANSWERS: "configuration"}, texts=texts) for one in run.evaluations
        ],
        attach=attach,
    )
    return keep_run(index, name, parent)


def _configuration(
    one: AnswerEvaluation, used: Callable[[RunPlace], None], tags: Mapping[str, str], *, texts: bool
) -> RunRecord:
    def attach(place: RunPlace) -> None:
        used(place)
        if one.traces:  # how others came to their answers is not known
            keep_traces(place.store.uri, place.experiment_id, place.run_id, one, texts=texts)

    return RunRecord(
        one.name,
        tags,
        _metrics(one),
        _figures(one),
        {"llm": one.llm, **dict(one.chosen)},
        tables={VERDICTS_TABLE: verdicts_table(one, texts=texts)},
        attach=attach,
    )


def _metrics(one: AnswerEvaluation) -> dict[str, float]:
    """What configurations are compared by: each judge's mean, and what is lost; a chart each."""
    metrics = {
        metric_key(judge): score.score.mean
        for judge, score in one.scores[Condition.FOUND].items()
        if score.score is not None
    }
    if one.recall is not None:
        metrics["recall_given"] = one.recall.mean
    if one.loss is not None:
        metrics |= {"ceiling": one.loss.ceiling.mean, "floor": one.loss.floor.mean}
        metrics |= {"lost_by_retrieval": one.loss.by_retrieval.mean, "lost_by_generation": one.loss.by_generation}
    return metrics


def _figures(one: AnswerEvaluation) -> dict[str, float | Interval]:
    """Means and intervals by key: `CONDITION.JUDGE`, what is lost, and what could not be judged."""
    figures: dict[str, float | Interval] = {}
    if one.recall is not None:
        figures["recall_given"] = one.recall
    for condition, scores in one.scores.items():
        for judge, score in scores.items():
            key = f"{condition}.{metric_key(judge)}"
            if score.score is not None:
                figures[key] = score.score
            figures[f"{key}_unjudged"] = float(score.unjudged)
    if one.loss is not None:
        figures |= {"lost_by_retrieval": one.loss.by_retrieval, "lost_by_generation": one.loss.by_generation}
        if one.loss.lost_percent is not None:
            figures["lost_percent"] = one.loss.lost_percent
    return figures


def verdicts_table(one: AnswerEvaluation, *, texts: bool) -> dict[str, list[Any]]:
    """A row an answer and judge: what was asked and answered under which condition, score, label and reason."""
    heads = ("question_id", "condition", "question", "answer", "judge", "score", "label", "reason")
    rows = []
    for condition, by_judge in one.verdicts.items():
        for judge, verdicts in by_judge.items():
            for case, verdict in zip(one.cases[condition], verdicts, strict=True):
                words = (case.question, case.answer) if texts else ("", "")
                reason = verdict.reason if texts else ""
                rows.append((case.case_id, str(condition), *words, judge, verdict.score, verdict.label, reason))
    return {head: [row[place] for row in rows] for place, head in enumerate(heads)}
