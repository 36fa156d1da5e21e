"""Keeps answers and what judges say of them in MLflow: a parent, a child a configuration, tables and the picture."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.answers.answering import Condition
from policy_rag_eval.answers.prompts import register, templates_of
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.answers.scatter import SCATTER_PLOT
from policy_rag_eval.answers.scoring import AnswerEvaluation
from policy_rag_eval.answers.traces import keep_traces
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.statistics import Interval
from policy_rag_eval.tracking.stores import Store, chosen_store, local_store, open_client, wrapped
from policy_rag_eval.tracking.tables import as_table, versions

VERDICTS_TABLE = "verdicts.json"
SUMMARY = "answers.json"


def keep_answers(index: Path, run: AnswerRun, digest: str, plot: bytes, *, texts: bool) -> tuple[str | None, list[str]]:
    """Writes a run into the store that is chosen, else into the one beside the index.

    Nothing is raised for a store that fails: the figures are the work, and keeping them must cost none.

    Args:
        index: the index's folder.
        run: what is kept.
        digest: the data set's.
        plot: the scatter as PNG.
        texts: whether the words of questions and answers may be kept.

    Returns:
        The parent's id, None where no store could be written; and what a user should be told, one line each.
    """
    store, away = chosen_store(index)
    notices = [away] if away else []
    for place in dict.fromkeys((store, local_store(index))):
        try:
            return _log(place, run, digest, plot, texts=texts), notices
        except TrackingError as error:
            notices.append(str(error))
    return None, notices


def _log(store: Store, run: AnswerRun, digest: str, plot: bytes, *, texts: bool) -> str:
    client = open_client(store)
    tags = {
        "dataset.name": run.dataset,
        "dataset.digest": digest,
        "policy_rag.texts": str(texts).lower(),
        **{f"version.{name}": version for name, version in versions().items()},
    }
    with wrapped(store):
        name = f"answers {run.dataset}"
        found = client.get_experiment_by_name(name)
        location = None if store.artifacts is None else store.artifacts.as_uri()
        made = found.experiment_id if found else client.create_experiment(name, artifact_location=location)
        parent = _begin(client, made, name, {**tags, "policy_rag.answers": "sweep"})
        for one in run.evaluations:
            marks = {"mlflow.parentRunId": parent, "policy_rag.answers": "configuration"}
            child = _begin(client, made, one.name, {**tags, **marks})
            _write(client, child, _figures(one), {"llm": one.llm, **dict(one.chosen)})
            tables = {VERDICTS_TABLE: json.dumps(as_table(verdicts_table(one, texts=texts)))}
            client.set_tag(child, "mlflow.loggedArtifacts", json.dumps([{"path": VERDICTS_TABLE, "type": "table"}]))
            _files(client, child, tables, {})
            keep_traces(store.uri, str(made), child, one, texts=texts)
            client.set_terminated(child)
        best = max(run.evaluations, key=lambda one: one.loss.found.mean if one.loss else -1.0)
        _write(client, parent, _figures(best), {"judges": ", ".join(run.judges), "decides": run.decides or "none"})
        register(client, parent, templates_of(run))
        _files(client, parent, {SUMMARY: json.dumps(run.as_json(), indent=2) + "\n"}, {SCATTER_PLOT: plot})
        client.set_terminated(parent)
    return parent


def _begin(client: Any, experiment: str, name: str, tags: Mapping[str, str]) -> str:
    return str(client.create_run(experiment, run_name=name, tags=dict(tags)).info.run_id)


def _write(client: Any, run_id: str, figures: Mapping[str, float], params: Mapping[str, str]) -> None:
    from mlflow.entities import Metric, Param

    stamp = int(client.get_run(run_id).info.start_time)
    client.log_batch(
        run_id,
        [Metric(key, value, stamp, 0) for key, value in figures.items()],
        [Param(key, value) for key, value in params.items()],
    )


def _files(client: Any, run_id: str, texts: Mapping[str, str], images: Mapping[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as made:
        for name, text in texts.items():
            (Path(made) / name).write_text(text, encoding="utf-8")
        for name, image in images.items():
            (Path(made) / name).write_bytes(image)
        client.log_artifacts(run_id, made)


def _figures(one: AnswerEvaluation) -> dict[str, float]:
    """Means and intervals by key: `CONDITION.JUDGE`, what is lost, and what could not be judged."""
    figures = _ends("recall_given", one.recall)
    for condition, scores in one.scores.items():
        for judge, score in scores.items():
            key = f"{condition}.{_key(judge)}"
            figures |= _ends(key, score.score)
            figures[f"{key}_unjudged"] = float(score.unjudged)
    if one.loss is not None:
        figures |= {**_ends("lost_by_retrieval", one.loss.by_retrieval), "lost_by_generation": one.loss.by_generation}
        if one.loss.lost_percent is not None:
            figures["lost_percent"] = one.loss.lost_percent
    return figures


def _ends(key: str, interval: Interval | None) -> dict[str, float]:
    if interval is None:
        return {}
    return {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}


def _key(judge: str) -> str:
    """A judge's name with the characters that MLflow's keys allow."""
    return "".join(char if char.isalnum() or char in "_-./ " else "_" for char in judge)


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
