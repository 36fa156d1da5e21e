"""Runs in MLflow: what is kept, where, and what happens when a store is away or broken."""

import json
import socket
from pathlib import Path
from typing import Any

import pytest
from small_dataset import WordHashes

from policy_rag.settings import load_settings
from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.errors import TrackingError
from policy_rag_eval.reading import read_dataset
from policy_rag_eval.runs import Configuration, Evaluation, evaluate
from policy_rag_eval.tracking import QUESTIONS_TABLE, Store, Tracker, chosen_store, local_store

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return read_dataset(folder).for_corpus(Corpus.FILES)


@pytest.fixture
def evaluations(dataset: Dataset, tmp_path: Path, model: WordHashes) -> list[Evaluation]:
    return [
        evaluate(dataset, Corpus.FILES, Configuration(name, load_settings({"search": name})), tmp_path / "index")
        for name in ("vector", "keyword")
    ]


def reader(store: Store) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=store.uri)


def test_one_run_holds_settings_measures_data_set_questions_and_versions(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = local_store(stored)
    run_id = Tracker(store).log(dataset, Corpus.FILES, evaluations[:1], texts=True)
    assert capfd.readouterr().out == ""
    client = reader(store)
    run = client.get_run(run_id)
    assert (run.info.status, run.info.run_name) == ("FINISHED", "vector")
    assert run.data.params["search"] == "vector"
    assert run.data.params["corpus"] == "files"
    for measure, interval in evaluations[0].measures.items():
        assert run.data.metrics[measure.mlflow_key] == pytest.approx(interval.mean)
        assert run.data.metrics[f"{measure.mlflow_key}_low"] == pytest.approx(interval.low)
        assert run.data.metrics[f"{measure.mlflow_key}_high"] == pytest.approx(interval.high)
    assert run.data.metrics["questions"] == 4
    assert any(key.startswith("ms_") for key in run.data.metrics)
    (logged,) = run.inputs.dataset_inputs
    assert logged.dataset.name == "small"
    assert dataset.digest.startswith(logged.dataset.digest)
    assert len(logged.dataset.digest) == 32
    assert run.data.tags["version.mlflow"]
    assert run.data.tags["version.python"].startswith("3.")
    table = json.loads(Path(client.download_artifacts(run_id, QUESTIONS_TABLE, str(tmp_path))).read_text())
    rows = [dict(zip(table["columns"], row, strict=True)) for row in table["data"]]
    assert [row["question_id"] for row in rows] == ["q1", "q2", "q3", "q4"]
    assert [row["recall_at_10"] for row in rows] == [1.0, 1.0, 1.0, 1.0]
    assert rows[3]["gold"] == "hotel | train"
    assert QUESTIONS_TABLE in run.data.tags["mlflow.loggedArtifacts"]  # which makes the UI show it as a table


def test_a_sweep_is_a_parent_with_a_child_a_configuration(
    dataset: Dataset, evaluations: list[Evaluation], stored: Path
) -> None:
    store = local_store(stored)
    parent = Tracker(store).log(dataset, Corpus.FILES, evaluations, ["vector beats keyword"], texts=True)
    client = reader(store)
    experiment = client.get_run(parent).info.experiment_id
    children = client.search_runs([experiment], f"tags.`mlflow.parentRunId` = '{parent}'")
    assert {child.info.run_name for child in children} == {"vector", "keyword"}
    assert [artifact.path for artifact in client.list_artifacts(parent)] == ["plots", "verdicts.txt"]
    Tracker(store).log(dataset, Corpus.FILES, evaluations[:1], texts=True)
    assert len(client.search_experiments(filter_string="name = 'retrieval small'")) == 1


def test_the_store_is_beside_the_index_unless_another_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert chosen_store(tmp_path) == (local_store(tmp_path), None)
    other = f"sqlite:///{tmp_path / 'other.db'}"
    monkeypatch.setenv("MLFLOW_TRACKING_URI", other)
    assert chosen_store(tmp_path) == (Store(other), None)


def test_a_server_that_is_away_is_told_and_the_local_store_takes_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://me:secret@127.0.0.1:{port}")
    store, notice = chosen_store(tmp_path)
    assert store == local_store(tmp_path)
    assert notice is not None
    assert f"http://127.0.0.1:{port} does not answer" in notice
    assert "secret" not in notice


def test_a_store_that_cannot_be_used_is_one_clear_error(
    dataset: Dataset, evaluations: list[Evaluation], tmp_path: Path
) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no database, " * 100)
    with pytest.raises(TrackingError, match="broken.db cannot be used") as caught:
        Tracker(Store(f"sqlite:///{tmp_path / 'broken.db'}")).log(dataset, Corpus.FILES, evaluations, texts=True)
    assert "\n" not in str(caught.value)
    (tmp_path / "file").write_text("")
    with pytest.raises(TrackingError, match="--index"):
        Tracker(local_store(tmp_path / "file"))
