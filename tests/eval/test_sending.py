"""Runs and traces that were kept locally, sent on to a real MLflow server: all of them, whole, linked, and once."""

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ollama_server import OllamaStandIn
from small_dataset import WordHashes, jsonl
from stored_runs import log_evaluations

from policy_rag.cli import run as cli
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking import Runs, Store, local_store, send

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("no_reranker"),
]


@pytest.fixture
def dataset(folder: Path, request: pytest.FixtureRequest) -> Dataset:
    """Under a name of the test's own, and so in an experiment of its own on the server."""
    return dataclasses.replace(read_dataset(folder).for_corpus(Corpus.FILES), name=request.node.name)


@pytest.fixture
def kept(dataset: Dataset, stored: Path, evaluations: list[Evaluation]) -> str:
    """The sweep in the local store: its id."""
    return log_evaluations(local_store(stored), dataset, Corpus.FILES, evaluations, ["a verdict"], texts=True)


def client(uri: str) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=uri)


def there(server: str, dataset: Dataset) -> tuple[list[Any], list[Any]]:
    """Parents and children on the server."""
    experiment = client(server).get_experiment_by_name(f"retrieval {dataset.name}").experiment_id
    found = client(server).search_runs([experiment], order_by=["attributes.start_time ASC"])
    return (
        [run for run in found if "mlflow.parentRunId" not in run.data.tags],
        [run for run in found if "mlflow.parentRunId" in run.data.tags],
    )


def test_all_of_a_sweep_arrives_and_is_sent_once(server: str, dataset: Dataset, kept: str, stored: Path) -> None:
    local = local_store(stored)
    done = send(local, Store(server), texts=True)
    assert (done.runs, done.before, done.left_out) == (4, 0, ())
    (parent,), children = there(server, dataset)
    assert done.sent == ((parent.info.run_name, parent.info.run_id),)
    ours = client(local.uri).get_run(kept)
    assert (parent.info.start_time, parent.info.end_time) == (ours.info.start_time, ours.info.end_time)
    assert parent.info.status == "FINISHED"
    assert parent.data.params == ours.data.params
    assert parent.data.metrics == ours.data.metrics
    assert {child.data.tags["mlflow.parentRunId"] for child in children} == {parent.info.run_id}
    (best,) = [child for child in children if child.data.tags.get("best") == "true"]
    assert parent.data.tags["best_run_id"] == best.info.run_id, "the tag names the run on the server"
    assert best.info.run_id != ours.data.tags["best_run_id"]
    sent_set, our_set = parent.inputs.dataset_inputs[0].dataset, ours.inputs.dataset_inputs[0].dataset
    assert (sent_set.name, sent_set.digest, sent_set.profile) == (our_set.name, our_set.digest, our_set.profile)
    assert parent.inputs.dataset_inputs[0].tags[0].value == "eval files"

    assert len(children) == 3
    for child in children:
        mine, theirs = (
            Runs(local).configuration(child.info.run_name),
            Runs(Store(server)).configuration(child.info.run_id),
        )
        other = dataclasses.replace(theirs, run_id=mine.run_id, parent=mine.parent)
        assert other == mine, "settings, figures, questions and versions come back from the server as they are here"
    there_now = [artifact.path for artifact in client(server).list_artifacts(parent.info.run_id)]
    assert "verdicts.txt" in there_now
    verdicts = Path(client(server).download_artifacts(parent.info.run_id, "verdicts.txt"))
    assert verdicts.read_text() == "a verdict\n"

    again = send(local, Store(server), texts=True)
    assert (again.sent, again.runs, again.before) == ((), 0, 1)
    assert [len(found) for found in there(server, dataset)] == [1, 3]


@pytest.mark.parametrize("call", [1, 6, 11])
def test_what_is_broken_off_is_taken_up_where_it_lies(
    server: str, dataset: Dataset, kept: str, stored: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    from mlflow import MlflowClient

    calls = {"left": call}
    for name in ("log_batch", "log_artifacts", "set_terminated"):
        original = getattr(MlflowClient, name)

        def counted(self: Any, *args: Any, _original: Any = original, **options: Any) -> Any:
            calls["left"] -= 1
            if calls["left"] == 0:
                raise KeyboardInterrupt
            return _original(self, *args, **options)

        monkeypatch.setattr(MlflowClient, name, counted)
    with pytest.raises(KeyboardInterrupt):
        send(local_store(stored), Store(server), texts=True)
    assert send(local_store(stored), Store(server), texts=True).sent
    parents, children = there(server, dataset)
    assert [run.info.status for run in (*parents, *children)] == ["FINISHED"] * 4
    assert sorted(run.info.run_name for run in children) == ["keyword", "or", "vector"]
    for child in children:
        paths = {artifact.path for artifact in client(server).list_artifacts(child.info.run_id)}
        assert {"questions.json", "settings.json"} <= paths


def test_what_the_server_has_lost_is_sent_again_but_not_what_was_only_left_unmarked(
    server: str, dataset: Dataset, kept: str, stored: Path
) -> None:
    local = local_store(stored)
    send(local, Store(server), texts=True)
    ours = client(local.uri)
    tags = [name for name in ours.get_run(kept).data.tags if name.startswith("policy_rag.sent.")]
    assert len(tags) == 1
    ours.delete_tag(kept, tags[0])
    send(local, Store(server), texts=True)  # as if the process had died between the copy and the mark
    assert [len(found) for found in there(server, dataset)] == [1, 3]
    ours.set_tag(kept, tags[0], "0" * 32)
    assert send(local, Store(server), texts=True).before == 0
    assert [len(found) for found in there(server, dataset)] == [1, 3]


def test_without_texts_no_words_are_sent(
    server: str, dataset: Dataset, kept: str, stored: Path, tmp_path: Path
) -> None:
    local = local_store(stored)
    client(local.uri).log_text(kept, "How many days of paid holiday?", "notes.txt")
    done = send(local, Store(server), texts=False)
    assert done.left_out == (f"{dataset.label}: search, 3 configurations: notes.txt",)
    (parent,), children = there(server, dataset)
    assert parent.data.tags["policy_rag.texts"] == "false"
    for run in (parent, *children):
        folder = tmp_path / run.info.run_id
        folder.mkdir()
        client(server).download_artifacts(run.info.run_id, "", str(folder))
        for path in folder.rglob("*.*"):
            assert b"paid holiday" not in path.read_bytes()
    sent = Runs(Store(server)).configuration(children[0].info.run_id)
    assert sent.texts == {}
    assert len(sent.evaluation.scores.questions) == 4
    here = Runs(local).configuration("keyword")
    assert here.texts["q1"] == "How many days of paid holiday?", "what is kept here stays as it is"

    later = send(local, Store(server), texts=True)
    assert (later.runs, later.before, later.left_out) == (4, 0, ())
    (again,), children_again = there(server, dataset)
    assert (again.info.run_id, len(children_again)) == (parent.info.run_id, 3), "no run is sent a second time"
    assert {run.data.tags["policy_rag.texts"] for run in (again, *children_again)} == {"true"}
    assert "notes.txt" in {one.path for one in client(server).list_artifacts(again.info.run_id)}
    words = Runs(Store(server)).configuration(children[0].info.run_id).texts
    assert words["q1"] == "How many days of paid holiday?"
    assert send(local, Store(server), texts=True).before == 1


def test_a_tag_that_names_a_run_names_it_as_the_server_knows_it(
    server: str, dataset: Dataset, kept: str, stored: Path
) -> None:
    local = local_store(stored)
    send(local, Store(server), texts=True)
    later = client(local.uri).create_run("1", run_name="later", tags={"of": kept})
    client(local.uri).set_terminated(later.info.run_id)
    send(local, Store(server), texts=True)
    parents, _ = there(server, dataset)
    first, second = parents
    assert second.data.tags["of"] == first.info.run_id


def test_an_unfinished_run_stays_here(server: str, dataset: Dataset, kept: str, stored: Path) -> None:
    local = local_store(stored)
    client(local.uri).set_terminated(kept, "FAILED")
    assert send(local, Store(server), texts=True).sent == ()


def test_the_command_sends_what_was_kept_while_the_server_was_away(
    server: str,
    folder: Path,
    stored: Path,
    model: WordHashes,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")  # where nothing answers
    assert cli(["eval", "retrieval", str(folder), "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["questions"] == 4
    assert "does not answer" in err
    assert "`policy-rag eval send` sends it on" in err
    assert cli(["eval", "send"]) == 1
    assert "start it, then run it again" in capfd.readouterr().err

    monkeypatch.setenv("MLFLOW_TRACKING_URI", server)
    assert cli(["eval", "send", "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    (sent,) = said["sent"]
    assert (said["server"], said["copied"], said["before"], sent["name"]) == (server, 1, 0, "default")
    assert client(server).get_run(sent["run_id"]).info.status == "FINISHED"
    # What is run now goes to the server itself, and nothing of MLflow's is on standard output.
    assert cli(["eval", "retrieval", str(folder), "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["questions"] == 4
    assert "kept in MLflow as run" in err
    assert cli(["eval", "compare", sent["run_id"], "default"]) == 0
    out, err = capfd.readouterr()
    assert "are the same on all 4 questions" in out


@pytest.mark.parametrize("address", ["", "sqlite:///other.db"])
def test_sending_needs_a_server(
    address: str, stored: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", address)
    assert cli(["eval", "send"]) == 2
    assert "set MLFLOW_TRACKING_URI" in capfd.readouterr().err


def test_sending_needs_something_to_send(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("policy_rag_eval.tracking.stores._silence", lambda _: None)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    assert cli(["eval", "send"]) == 2
    assert "nothing is kept in .policy_rag" in capfd.readouterr().err


def test_two_at_once_do_not_send_the_same_runs(stored: Path) -> None:
    from filelock import FileLock

    local = local_store(stored)
    with FileLock(stored / "mlflow-send.lock"), pytest.raises(TrackingError, match="another process is sending"):
        send(local, Store(f"sqlite:///{stored / 'other.db'}"), texts=True)


@pytest.fixture
def named(folder: Path, request: pytest.FixtureRequest) -> Path:
    """The small data set under a name of the test's own, with accepted answers to two of its questions."""
    place = folder.rename(folder.parent / request.node.name)
    rows = [json.loads(line) for line in (place / "queries.jsonl").read_text().splitlines()]
    rows[0]["answers"], rows[2]["answers"] = ["thirty days"], ["second class"]
    jsonl(place / "queries.jsonl", rows)
    return place


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


def test_stress_tests_arrive(server: str, named: Path, stored: Path, model: WordHashes) -> None:
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


def test_without_texts_no_words_of_answers_are_sent(server: str, named: Path, stored: Path, model: WordHashes) -> None:
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
