"""What the tests of question sets share."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from command import Cli, Printed
from question_policies import write_policies
from small_dataset import WordHashes

from policy_rag import PolicyAssistant


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small policies with their index, which tests copy."""
    home = tmp_path_factory.mktemp("ingested")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("policy_rag.models.factory.load_embedder", lambda *_, **__: WordHashes())
        with PolicyAssistant.open(home / ".policy_rag", create=True, llm="extractive") as assistant:
            assistant.ingest([write_policies(home / "policies")])
    return home


@pytest.fixture
def policies(ingested: Path, tmp_path: Path, model: WordHashes, no_reranker: None) -> Path:
    """The folder of the small policies, which are in the default index; it is not to be written to."""
    shutil.copytree(ingested / ".policy_rag", tmp_path / ".policy_rag", dirs_exist_ok=True)
    return ingested / "policies"


@pytest.fixture
def made(cli: Cli) -> Cli:
    """Makes a question set, `set` unless `out` says another, as of one day."""

    def call(*words: object, out: str = "set", status: int = 0) -> Printed:
        return cli("eval", "questions", out, "--as-of", "2026-09-01", *words, status=status)

    return call


@pytest.fixture
def ingest(tmp_path: Path, model: WordHashes, no_reranker: None, cli: Cli) -> Callable[[str], None]:
    """Puts one policy of this text into the default index."""

    def put(text: str) -> None:
        (tmp_path / "policies").mkdir()
        (tmp_path / "policies" / "a.md").write_text(text, encoding="utf-8")
        cli("ingest", "policies")

    return put
