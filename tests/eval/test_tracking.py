"""Runs in MLflow: what is kept, where, and what happens when a store is away or broken."""

import contextlib
import dataclasses
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mlflow_server import free_port
from small_dataset import LEAVE, TRAVEL, WordHashes
from stored_runs import log_evaluations

from policy_rag.cli import run as cli
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.measures.measures import DECIDED_BY
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking import (
    QUESTIONS_TABLE,
    Store,
    chosen_store,
    evaluation_record,
    keep,
    local_store,
)
from policy_rag_eval.tracking.evaluation_datasets import keep_questions
from policy_rag_eval.tracking.run_tables import FIGURES_TABLE, VERSIONS_FILE
from policy_rag_eval.tracking.stores import open_client

TRAIN = TRAVEL.index("Employees travel")
TOLD = Question("q6", "Is there a bar?", answerable=False)

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("no_reranker"),
]


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return read_dataset(folder).for_corpus(Corpus.FILES)


def reader(store: Store) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=store.uri)


def test_one_run_holds_settings_measures_data_set_questions_and_versions(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = local_store(stored)
    run_id = log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=True)
    assert capfd.readouterr().out == ""
    client = reader(store)
    run = client.get_run(run_id)
    assert (run.info.status, run.info.run_name) == ("FINISHED", "vector")
    assert run.data.params["search"] == "vector"
    assert run.data.params["corpus"] == "files"
    for measure, interval in evaluations[0].measures.items():
        assert run.data.metrics[measure.mlflow_key] == pytest.approx(interval.mean)
    assert not any(key.endswith(("_low", "_high")) for key in run.data.metrics), "each would be a chart"
    assert run.data.metrics["ms_total_median"] > 0
    figures = table_of(client, run_id, FIGURES_TABLE, tmp_path)
    assert ["questions", 4.0, None, None] in figures
    for measure, interval in evaluations[0].measures.items():
        assert [measure.mlflow_key, interval.mean, interval.low, interval.high] in figures
    (logged,) = run.inputs.dataset_inputs
    assert logged.dataset.name == "small, 5 of 6 questions"  # the gold of one stands in no file
    assert dataset.digest.startswith(logged.dataset.digest)
    assert len(logged.dataset.digest) == 32
    versions = json.loads(Path(client.download_artifacts(run_id, VERSIONS_FILE, str(tmp_path))).read_text())
    assert versions["mlflow"]
    assert versions["python"].startswith("3.")
    table = json.loads(Path(client.download_artifacts(run_id, QUESTIONS_TABLE, str(tmp_path))).read_text())
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    assert [row["question_id"] for row in rows] == ["q1", "q2", "q3", "q4"]
    assert [row["recall_at_10"] for row in rows] == [1.0, 1.0, 1.0, 1.0]
    assert rows[3]["gold"] == "hotel | train"
    assert QUESTIONS_TABLE in run.data.tags["mlflow.loggedArtifacts"]  # which makes the UI show it as a table


def table_of(client: Any, run_id: str, path: str, folder: Path) -> list[list[Any]]:
    rows: list[list[Any]] = json.loads(Path(client.download_artifacts(run_id, path, str(folder))).read_text())["data"]
    return rows


def test_questions_are_an_evaluation_dataset_that_follows_the_data_set(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path
) -> None:
    store = local_store(stored)
    log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=False)
    assert not reader(store).search_datasets(), "no words, no questions"
    log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=True)
    log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=True)
    (kept,) = reader(store).search_datasets()
    assert kept.name == "small, 5 of 6 questions"
    rows = rows_of(store, kept.dataset_id)
    assert rows["q3"].inputs == {"question": "Which class by train?", "where": ["doc_id=travel"]}
    assert rows["q3"].expectations == {
        "expected_response": "Employees travel by train in second class.", "answerable": True,
        "expected_retrieved_context": [{
            "content": "Employees travel by train in second class.", "doc_uri": "travel.md", "doc_id": "travel",
            "gold_id": "train", "grade": 1, "start": TRAIN, "end": TRAIN + 42,
        }],
    }  # fmt: skip
    assert rows["q6"].expectations == {"answerable": False}
    fewer = dataclasses.replace(dataset, questions=dataset.questions[:2], of=0)
    corrected = dataclasses.replace(dataset, questions=(*dataset.questions[:4], TOLD))
    other = keep_questions(reader(store), "0", corrected)
    assert other != kept.dataset_id, "older runs keep what they used"
    (name,) = (one.name for one in reader(store).search_datasets(experiment_ids=["0"]))
    assert re.fullmatch("small, 5 of 6 questions [0-9a-f]{8}", name)
    again = [keep_questions(reader(store), "1", fewer) for _ in range(2)]
    assert again[0] == again[1] != kept.dataset_id
    assert [one.name for one in reader(store).search_datasets(experiment_ids=["1"]) if one.name != kept.name] == [
        "small"
    ]
    assert set(rows_of(store, again[0])) == {"q1", "q2"}
    assert rows_of(store, kept.dataset_id) == rows, "and is the same as before"


def rows_of(store: Store, dataset_id: str | None) -> dict[str, Any]:
    """Question id to its record."""
    from mlflow.tracking._tracking_service.utils import _get_store

    records, _ = _get_store(store.uri)._load_dataset_records(dataset_id, max_results=None)
    return {record.tags["question_id"]: record for record in records}


def children_of(client: Any, parent: str) -> list[Any]:
    experiment = client.get_run(parent).info.experiment_id
    return client.search_runs([experiment], f"tags.`mlflow.parentRunId` = '{parent}'")


def test_a_sweep_is_a_parent_with_a_child_a_configuration_and_names_the_best(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, tmp_path: Path
) -> None:
    store = local_store(stored)
    worse, better = scored(evaluations[0], 0.4), scored(evaluations[1], 0.6)
    skipped = {"reranker=big": "the model is not there"}
    said = ["keyword beats vector"]
    parent = log_evaluations(store, dataset, Corpus.FILES, [worse, better], said, texts=True, skipped=skipped)
    client = reader(store)
    children = {child.info.run_name: child for child in children_of(client, parent)}
    assert set(children) == {"vector", "keyword"}
    assert children["keyword"].data.tags["best"] == "true"
    assert "best" not in children["vector"].data.tags
    run = client.get_run(parent)
    assert run.info.run_name == "small, 5 of 6 questions: search, 2 configurations"
    assert run.info.status == "FINISHED"
    assert run.data.tags["best"] == "keyword"
    assert run.data.tags["best_run_id"] == children["keyword"].info.run_id
    assert run.data.params["search"] == "vector, keyword"
    assert run.data.metrics["ndcg_at_10"] == pytest.approx(0.6)
    assert ["configurations", 2.0, None, None] in table_of(client, parent, FIGURES_TABLE, tmp_path)
    assert [artifact.path for artifact in client.list_artifacts(parent)] == [
        "figures.json", "skipped.json", "verdicts.txt", "versions.json",
    ]  # fmt: skip
    verdicts = Path(client.download_artifacts(parent, "verdicts.txt", str(tmp_path)))
    assert verdicts.read_text() == "keyword beats vector\n"
    assert json.loads(Path(client.download_artifacts(parent, "skipped.json", str(tmp_path))).read_text()) == skipped
    alone = log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=True, skipped=skipped)
    assert [run.info.run_name for run in children_of(client, alone)] == ["vector"], "one was left of more"
    assert len(client.search_experiments(filter_string="name = 'retrieval small'")) == 1


def scored(evaluation: Evaluation, mean: float) -> Evaluation:
    return dataclasses.replace(
        evaluation, measures={**evaluation.measures, DECIDED_BY: Interval(mean, mean - 0.1, mean + 0.1)}
    )


def test_of_equals_the_earlier_is_the_best(dataset: Dataset, evaluations: list[Evaluation], stored: Path) -> None:
    equal = [dataclasses.replace(one, measures=evaluations[0].measures) for one in evaluations]
    parent = log_evaluations(local_store(stored), dataset, Corpus.FILES, equal, texts=True)
    assert reader(local_store(stored)).get_run(parent).data.tags["best"] == "vector"


def test_what_repeats_a_run_is_kept_with_it(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, tmp_path: Path
) -> None:
    run_id = log_evaluations(local_store(stored), dataset, Corpus.FILES, evaluations[:1], texts=True)
    kept = json.loads(
        Path(reader(local_store(stored)).download_artifacts(run_id, "settings.json", str(tmp_path))).read_text()
    )
    assert kept["settings"] == evaluations[0].settings
    assert kept["dataset"] == {"name": "small", "folder": str(dataset.folder), "digest": dataset.digest}
    assert kept["corpus"] == "files"
    assert kept["statistics"]["seed"] > 0
    (logged,) = reader(local_store(stored)).get_run(run_id).inputs.dataset_inputs
    assert logged.dataset.source_type == "mlflow_evaluation_dataset"
    client = reader(local_store(stored))
    (kept_questions,) = client.search_datasets()
    assert json.loads(logged.dataset.source) == {"dataset_id": kept_questions.dataset_id}
    assert len(client.search_datasets(experiment_ids=[client.get_run(run_id).info.experiment_id])) == 1


def test_no_password_of_an_address_is_kept(dataset: Dataset, evaluations: list[Evaluation], stored: Path) -> None:
    settings = {**evaluations[0].settings, "llm_url": "http://me:hunter-9231@llm.example/v1"}
    run_id = log_evaluations(
        local_store(stored), dataset, Corpus.FILES, [dataclasses.replace(evaluations[0], settings=settings)], texts=True
    )
    assert reader(local_store(stored)).get_run(run_id).data.params["llm_url"] == "http://llm.example/v1"
    assert b"hunter-9231" not in bytes_of(stored)


class Counting:
    """A client that counts its calls."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        self.calls += 1
        return getattr(self._client, name)


def test_a_run_takes_a_handful_of_calls(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Counting(open_client(local_store(stored)))
    monkeypatch.setattr("policy_rag_eval.tracking.run_record.open_client", lambda _: client)
    many = [dataclasses.replace(evaluations[0], name=f"run {number}") for number in range(8)]
    log_evaluations(local_store(stored), dataset, Corpus.FILES, many, texts=True)
    assert client.calls <= 5 * 8 + 15


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("texts", [True, False])
def test_without_texts_no_word_of_a_question_or_a_document_is_in_the_store_or_said(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str], *, texts: bool
) -> None:
    call = ["eval", "retrieval", str(folder), "--set", f"log_texts={str(texts).lower()}", "--json"]
    assert cli(call) == 0
    err = capfd.readouterr().err
    held = bytes_of(stored / "mlflow-artifacts") + (stored / "mlflow.db").read_bytes()
    assert (b"How many days of paid holiday" in held) is texts
    questions = [json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text().splitlines()]
    sentences = [line for line in LEAVE.splitlines() if line.endswith(".")]
    assert len(sentences) == 2
    assert all((text.encode() in held) is texts for text in sentences), "gold is what an evaluation dataset expects"
    for text in [] if texts else questions:
        assert text.encode() not in held
        assert text not in err
    assert b'"q1"' in held


def test_a_run_that_is_broken_off_is_marked(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = local_store(stored)
    for error, status in ((KeyboardInterrupt(), "KILLED"), (OSError("no space left"), "FAILED")):
        monkeypatch.setattr("mlflow.MlflowClient.log_artifacts", raising(error))
        with pytest.raises((KeyboardInterrupt, TrackingError)):
            log_evaluations(store, dataset, Corpus.FILES, evaluations, texts=True, name=status)
        (parent,) = reader(store).search_runs(["1"], f"attributes.run_name = '{status}'")
        assert parent.info.status == status
        assert {child.info.status for child in children_of(reader(store), parent.info.run_id)} == {status}


def raising(error: BaseException) -> Any:
    def call(*_: object, **__: object) -> None:
        raise error

    return call


def test_the_store_is_beside_the_index_unless_another_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_store(tmp_path) == (local_store(tmp_path), None)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", other)
    assert chosen_store(tmp_path) == (Store(other), None)


def test_a_server_that_is_away_is_told_and_the_local_store_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://me:secret@127.0.0.1:{port}")
    store, notice = chosen_store(tmp_path)
    assert store == local_store(tmp_path)
    assert notice is not None
    assert f"http://127.0.0.1:{port} does not answer" in notice
    assert "secret" not in notice


def test_a_server_that_goes_away_costs_nothing_and_the_run_is_kept_here(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers when it is asked whether it is there, and then no more."""
    port = free_port()
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    monkeypatch.setattr("policy_rag_eval.tracking.stores._silence", lambda _: None)
    kept = keep(stored, dataset, evaluation_record(dataset, Corpus.FILES, evaluations, texts=True))
    assert kept.store == local_store(stored)
    assert kept.run_id is not None
    assert reader(local_store(stored)).get_run(kept.run_id).info.status == "FINISHED"
    told, way = kept.notices
    assert f"127.0.0.1:{port} cannot be used" in told
    assert "\n" not in told
    assert "policy-rag eval send" in way


def test_a_deleted_experiment_is_told_with_what_restores_it(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path
) -> None:
    store = local_store(stored)
    first = log_evaluations(store, dataset, Corpus.FILES, evaluations[:1], texts=True)
    client = reader(store)
    experiment = client.get_run(first).info.experiment_id
    client.delete_experiment(experiment)

    kept = keep(stored, dataset, evaluation_record(dataset, Corpus.FILES, evaluations[:1], texts=True))
    assert kept.run_id is None
    (told,) = kept.notices
    assert f"`MLFLOW_TRACKING_URI={store.uri} mlflow experiments restore --experiment-id {experiment}`" in told
    assert "move" not in told

    client.restore_experiment(experiment)
    again = keep(stored, dataset, evaluation_record(dataset, Corpus.FILES, evaluations[:1], texts=True))
    assert again.experiment_id == experiment


def test_a_store_that_cannot_be_used_is_one_clear_error(
    dataset: Dataset, evaluations: list[Evaluation], tmp_path: Path
) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no database, " * 100)
    with pytest.raises(TrackingError, match=r"broken.db cannot be used .*move .* away") as caught:
        log_evaluations(Store(f"sqlite:///{tmp_path / 'broken.db'}"), dataset, Corpus.FILES, evaluations, texts=True)
    assert "\n" not in str(caught.value)
    (tmp_path / "file").write_text("")
    with pytest.raises(TrackingError, match="--index"):
        open_client(local_store(tmp_path / "file"))


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("postgresql+nodriver://u:hunter-9231@127.0.0.1:1/db", "nodriver"),
        ("foo://bar", "unsupported URI"),
        ("./mlruns", "filesystem tracking backend"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_line_and_the_run_is_kept_here(
    dataset: Dataset,
    evaluations: list[Evaluation],
    stored: Path,
    monkeypatch: pytest.MonkeyPatch,
    uri: str,
    message: str,
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", uri)
    kept = keep(stored, dataset, evaluation_record(dataset, Corpus.FILES, evaluations[:1], texts=True))
    assert kept.store == local_store(stored)
    told, _ = kept.notices
    assert message in told
    assert len(told) < 450
    assert "hunter" not in told
    assert "unset MLFLOW_TRACKING_URI" in told


def test_a_driver_that_is_missing_is_named(dataset: Dataset, evaluations: list[Evaluation]) -> None:
    with pytest.raises(TrackingError, match=r"install MySQLdb, or unset"):
        log_evaluations(Store("mysql://u@127.0.0.1:1/db"), dataset, Corpus.FILES, evaluations, texts=True)


@pytest.fixture
def impatient() -> Iterator[None]:
    """MLflow waits twenty seconds for a locked database, and Python five until it is told so; here a moment."""
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def shorter(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> tuple[str, Any]:
        return statement.replace("busy_timeout = 20000", "busy_timeout = 20"), parameters

    def shorter_yet(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA busy_timeout = 20")

    event.listen(Engine, "before_cursor_execute", shorter, retval=True)
    event.listen(Engine, "connect", shorter_yet, insert=True)
    yield
    event.remove(Engine, "before_cursor_execute", shorter)
    event.remove(Engine, "connect", shorter_yet)


def evaluated(folder: Path, capfd: pytest.CaptureFixture[str]) -> str:
    """Runs an evaluation whose store fails; what was said about it."""
    assert cli(["eval", "retrieval", str(folder), "--json"]) == 0
    out, err = capfd.readouterr()
    assert json.loads(out)["questions"] == 4, "the figures are lost"
    unplaced, line = err.splitlines()
    assert unplaced.endswith("no place in a document: q5")
    assert "cannot be used" in line
    return line


def test_a_locked_store_is_one_line_and_costs_no_figures(
    folder: Path, stored: Path, model: WordHashes, impatient: None, capfd: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(stored / "mlflow.db") as other:
        other.execute("BEGIN EXCLUSIVE")
        assert "end what else writes to it" in evaluated(folder, capfd)
    other.close()
    assert cli(["eval", "retrieval", str(folder), "--json"]) == 0
    assert "kept in MLflow as run" in capfd.readouterr().err


def test_a_full_disk_is_one_line_and_costs_no_figures(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def full(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # no page more than there are

    with contextlib.closing(sqlite3.connect(stored / "mlflow.db")) as db:
        db.execute("PRAGMA page_size = 512")  # else all of a run fits into what is free in the pages there are
        db.execute("VACUUM")
    event.listen(Engine, "connect", full)
    try:
        assert "make room on the disk" in evaluated(folder, capfd)
    finally:
        event.remove(Engine, "connect", full)


def test_a_store_that_may_not_be_written_is_not_told_to_be_moved_away(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    def reading_only(connection: Any, _: Any) -> None:
        connection.execute("PRAGMA query_only = 1")

    event.listen(Engine, "connect", reading_only)
    try:
        line = evaluated(folder, capfd)
    finally:
        event.remove(Engine, "connect", reading_only)
    assert f"make {stored.resolve() / 'mlflow.db'} and its folder writable" in line
    assert "away" not in line


def test_a_corrupt_store_is_one_line_and_costs_no_figures(
    folder: Path, stored: Path, model: WordHashes, capfd: pytest.CaptureFixture[str]
) -> None:
    held = bytearray((stored / "mlflow.db").read_bytes())
    held[4096:] = b"\xa5" * len(held[4096:])
    (stored / "mlflow.db").write_bytes(held)
    assert "mlflow.db away" in evaluated(folder, capfd)


def test_artifacts_that_cannot_be_written_are_one_line(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path
) -> None:
    open_client(local_store(stored))
    (stored / "mlflow-artifacts").rmdir()
    (stored / "mlflow-artifacts").write_text("in the way")
    with pytest.raises(TrackingError, match="mlflow-artifacts cannot be made"):
        log_evaluations(local_store(stored), dataset, Corpus.FILES, evaluations, texts=True)
