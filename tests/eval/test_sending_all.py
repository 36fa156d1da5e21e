"""Runs and traces of every kind that were kept while the server was away arrive there: whole, linked, and once."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ollama_server import OllamaStandIn
from small_dataset import WordHashes, jsonl

from policy_rag.cli import run as cli
from policy_rag_eval.tracking import Store, local_store, send

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")]


@pytest.fixture
def named(folder: Path, request: pytest.FixtureRequest) -> Path:
    """The small data set under a name of the test's own, with accepted answers to two of its questions."""
    place = folder.rename(folder.parent / request.node.name)
    rows = [json.loads(line) for line in (place / "queries.jsonl").read_text().splitlines()]
    rows[0]["answers"], rows[2]["answers"] = ["thirty days"], ["second class"]
    jsonl(place / "queries.jsonl", rows)
    return place


def client(uri: str) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri)


def runs(uri: str, experiment: str) -> list[Any]:
    found = client(uri).get_experiment_by_name(experiment)
    return list(client(uri).search_runs([found.experiment_id], order_by=["attributes.run_name ASC"]))


def traces(uri: str, experiment: str) -> dict[str, Any]:
    found = client(uri).get_experiment_by_name(experiment)
    return {one.info.trace_id: one for one in client(uri).search_traces(locations=[found.experiment_id])}


def answer_or_grade(body: dict[str, Any]) -> str:
    if "format" in body:
        return '{"reason": "As the reference says.", "grade": 7}'
    return "Employees have thirty days of paid holiday a year [1]."


def said_of(trace: Any) -> list[tuple[Any, ...]]:
    return sorted(
        (
            one.name,
            one.source.source_type,
            one.source.source_id,
            one.rationale,
            str((one.feedback or one.expectation).value),
            bool(one.error),
        )
        for one in trace.info.assessments
    )


def files(uri: str, run_id: str) -> list[str]:
    return sorted(one.path for one in client(uri).list_artifacts(run_id))


def test_answers_arrive_with_their_children_verdicts_prompts_and_traces(
    server: str, named: Path, stored: Path, model: WordHashes, ollama: OllamaStandIn, tmp_path: Path
) -> None:
    ollama.replies = [answer_or_grade]
    Path("grid.yaml").write_text("sections: [1, 3]\nllm: [ollama/llama3.2]\n")
    call = ["eval", "answers", str(named), "--grid", "grid.yaml", "--judge", "correctness", "--judge", "accepted_span"]
    assert cli([*call, "--judge-llm", "ollama/llama3.2"]) == 0
    local, experiment = local_store(stored), f"answers {named.name}"
    done = send(local, Store(server), texts=True)
    assert (len(done.sent), done.runs, done.traces, done.left_out) == (1, 3, 10, ())

    here, there = runs(local.uri, experiment), runs(server, experiment)
    assert [one.info.run_name for one in there] == [one.info.run_name for one in here]
    ids = {mine.info.run_id: theirs.info.run_id for mine, theirs in zip(here, there, strict=True)}
    for mine, theirs in zip(here, there, strict=True):
        assert (theirs.data.params, theirs.data.metrics) == (mine.data.params, mine.data.metrics)
        assert files(server, theirs.info.run_id) == files(local.uri, mine.info.run_id) != []
        parent = mine.data.tags.get("mlflow.parentRunId")
        assert theirs.data.tags.get("mlflow.parentRunId") == (None if parent is None else ids[parent])
    (linked,) = [
        json.loads(one.data.tags["mlflow.linkedPrompts"]) for one in there if "mlflow.linkedPrompts" in one.data.tags
    ]
    assert len(linked) == 3
    for one in linked:
        version = client(server).get_prompt_version(one["name"], one["version"])
        assert version.tags["sha256"]
        assert [message["role"] for message in version.template] == ["system", "user"]

    ours, sent = traces(local.uri, experiment), traces(server, experiment)
    assert sent.keys() == ours.keys()
    for trace_id, trace in sent.items():
        own = ours[trace_id]
        assert trace.info.request_metadata["mlflow.sourceRun"] == ids[own.info.request_metadata["mlflow.sourceRun"]]
        assert [(s.name, s.inputs, s.outputs, s.parent_id) for s in trace.data.spans] == [
            (s.name, s.inputs, s.outputs, s.parent_id) for s in own.data.spans
        ]
        assert said_of(trace) == said_of(own) != []
        judged = [one for one in trace.info.assessments if one.feedback]
        assert {one.metadata["mlflow.assessment.sourceRunId"] for one in judged} <= set(ids.values())

    (asked,) = client(server).search_datasets(experiment_ids=[there[0].info.experiment_id])
    assert asked.name == named.name
    for one in there:
        (used,) = one.inputs.dataset_inputs
        assert json.loads(used.dataset.source) == {"dataset_id": asked.dataset_id}

    again = send(local, Store(server), texts=True)
    assert (again.sent, again.runs, again.before, again.traces) == ((), 0, 1, 0)
    assert (len(runs(server, experiment)), len(traces(server, experiment))) == (3, 10)


def test_stress_tests_and_calibrations_arrive(server: str, named: Path, stored: Path, model: WordHashes) -> None:
    assert cli(["eval", "stress", str(named), "--llm", "extractive", "--test", "noise", "--test", "rejection"]) == 0
    local, experiment = local_store(stored), f"stress {named.name}"
    done = send(local, Store(server), texts=False)
    assert (len(done.sent), done.runs) == (1, 3)
    assert done.left_out == (f"{experiment}: decision.html",), "the page shows questions, nothing else has words"
    here, there = runs(local.uri, experiment), runs(server, experiment)
    for mine, theirs in zip(here, there, strict=True):
        assert (theirs.info.run_name, theirs.data.metrics) == (mine.info.run_name, mine.data.metrics)
        assert theirs.data.params == mine.data.params
        sent = [one for one in files(local.uri, mine.info.run_id) if one != "decision.html"]
        assert files(server, theirs.info.run_id) == sent != []
    (parent,) = [one for one in there if "mlflow.parentRunId" not in one.data.tags]
    children = [one for one in there if one is not parent]
    assert {one.data.tags["mlflow.parentRunId"] for one in children} == {parent.info.run_id}


def test_without_texts_no_words_are_sent(server: str, named: Path, stored: Path, model: WordHashes) -> None:
    assert cli(["eval", "answers", str(named), "--set", "llm=extractive", "--judge", "accepted_span"]) == 0
    local, experiment = local_store(stored), f"answers {named.name}"
    done = send(local, Store(server), texts=False)
    assert (done.runs, done.traces) == (2, 0)
    # Of a run whose texts are kept, the decision page may quote some.
    assert done.left_out == (f"{experiment}: decision.html", f"{experiment}: 5 traces")
    assert traces(server, experiment) == {}
    for run in runs(server, experiment):
        folder = client(server).download_artifacts(run.info.run_id, "")
        sent = [path for path in Path(folder).rglob("*") if path.is_file()]
        assert {path.suffix for path in sent} == {".json"}
        for path in sent:
            text = path.read_text(encoding="utf-8")
            assert "thirty days" not in text
            assert "How many" not in text
    # They are not lost: a later call that may send words sends them.
    assert send(local, Store(server), texts=True).traces == 5


def test_questions_arrive_and_so_does_feedback_that_came_later(
    server: str, named: Path, tmp_path: Path, empty_store: Path, model: WordHashes
) -> None:
    from policy_rag import PolicyAssistant

    index = tmp_path / "asked"
    with PolicyAssistant.open(index, create=True, llm="extractive", trace_to_mlflow=True) as assistant:
        shutil.copy(empty_store, index / "mlflow.db")
        assistant.ingest([named / "documents"])
        answer = assistant.ask("How many days of paid holiday do employees have?")
        local = local_store(index)
        assert send(local, Store(server), texts=True).traces == 1
        answer.feedback(good=True, comment="It is so.", by="Ada")
    assert said_of(traces(server, "questions")[answer.trace_id or ""]) == []
    assert send(local, Store(server), texts=True).traces == 1
    (there,) = traces(server, "questions").values()
    assert there.info.trace_id == answer.trace_id
    assert said_of(there) == [("helpful", "HUMAN", "Ada", "It is so.", "True", False)]
    assert {span.name for span in there.data.spans} >= {"question", "search", "support"}
    assert send(local, Store(server), texts=True).traces == 0
