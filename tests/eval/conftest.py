"""What the tests of measuring share."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import Cli, Printed
from mlflow_server import MlflowServer
from one_evaluation import evaluated
from small_dataset import WordHashes, small_dataset

from policy_rag.cli import run
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking import STORE, local_store
from policy_rag_eval.tracking.stores import open_client


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> WordHashes:
    """The embedding model that everything under test then gets."""
    made = WordHashes()
    monkeypatch.setattr("policy_rag.models.factory.load_embedder", lambda *_, **__: made)
    return made


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No server and no settings file of whoever runs the tests."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Cli:
    """Calls `policy-rag` as people do."""

    def call(*words: object, status: int = 0) -> Printed:
        capfd.readouterr()  # what was printed before is nobody's
        assert run([str(word) for word in words]) == status
        return Printed(*capfd.readouterr())

    return call


@pytest.fixture
def no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that name the rerankers that they want: the shipped one would only take time."""
    monkeypatch.setenv("POLICY_RAG_RERANKER", "none")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_dataset(tmp_path / "small")


@pytest.fixture
def dataset(folder: Path) -> Dataset:
    return read_dataset(folder)


@pytest.fixture(scope="session")
def evaluations(tmp_path_factory: pytest.TempPathFactory) -> list[Evaluation]:
    """A sweep of three over the small data set's documents."""
    folder = tmp_path_factory.mktemp("evaluated")
    dataset = read_dataset(small_dataset(folder / "small"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("policy_rag.models.factory.load_embedder", lambda *_, **__: WordHashes())
        return [
            evaluated(dataset, Corpus.FILES, folder, name=name, search=name, reranker="none")
            for name in ("vector", "keyword", "or")
        ]


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MLflow's database with its tables, which take MLflow seconds to make."""
    index = tmp_path_factory.mktemp("store")
    open_client(local_store(index)).search_experiments()
    return index / STORE


@pytest.fixture(scope="session")
def server(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of MLflow's for all tests: each has experiments of its own name there."""
    folder = tmp_path_factory.mktemp("server")
    shutil.copy(empty_store, folder / "server.db")
    with MlflowServer(folder / "server.db") as running:
        yield running.address


@pytest.fixture
def stored(empty_store: Path, tmp_path: Path) -> Path:
    """An index's folder in which MLflow's database is ready: the default one of the command line."""
    index = tmp_path / ".policy_rag"
    index.mkdir()
    shutil.copy(empty_store, index / STORE)
    return index
