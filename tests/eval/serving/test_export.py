"""A registered model, served by MLflow as a process of its own, answers over HTTP with citations."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import mlflow.tracing as mlflow_tracing
import pytest
from mlflow.types.responses import ResponsesAgentRequest
from mlflow_server import free_port, wait_until_up
from small_dataset import LEAVE, TRAVEL

from policy_rag import PolicyAssistant
from policy_rag.cli import run as cli
from policy_rag.errors import UsageError
from policy_rag.settings import Settings
from policy_rag_eval.serving.agent import INDEX, SETTINGS, PolicyAgent, as_settings
from policy_rag_eval.serving.register import export
from policy_rag_eval.tracking import STORE, local_store

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")

SECRET = (
    "---\naccess: [board]\n---\n# Pay of the board\n\n## 1. Bonus\n\nThe bonus of the board is 90 percent of pay.\n"
)


@pytest.fixture(scope="module")
def index(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index with two open documents and one for the board, and MLflow's database beside it."""
    home = tmp_path_factory.mktemp("exported")
    for name, text in (("leave.md", LEAVE), ("travel.md", TRAVEL), ("board.md", SECRET)):
        (home / name).write_text(text)
    with PolicyAssistant.open(home / "index", create=True, llm="extractive") as assistant:
        assistant.ingest([home / name for name in ("leave.md", "travel.md", "board.md")])
    shutil.copy(empty_store, home / "index" / STORE)
    return home / "index"


@pytest.fixture(scope="module")
def exported(index: Path) -> dict[str, Any]:
    """What the command says of the first model that it makes."""
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()) as out:
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setenv("POLICY_RAG_LLM", "extractive")
        patch.setenv("POLICY_RAG_THRESHOLD", "0.01")
        assert cli(["export", "--mlflow", "--name", "policies", "--index", str(index), "--json"]) == 0
    said: dict[str, Any] = json.loads(out.getvalue())
    return said


@pytest.fixture
def served(index: Path, exported: dict[str, Any], tmp_path: Path) -> Iterator[str]:
    """The address of MLflow's server over the model."""
    port, log = free_port(), tmp_path / "server.log"
    call = [sys.executable, "-m", "mlflow", "models", "serve", "-m", exported["uri"], "--env-manager", "local"]
    call += ["--host", "127.0.0.1", "--port", str(port)]
    # MLflow starts `uvicorn` by its name, as in an environment that is activated.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    store = local_store(index).uri
    environment = {**os.environ, "PATH": path, "MLFLOW_TRACKING_URI": store, "MLFLOW_DISABLE_TELEMETRY": "true"}
    with log.open("wb") as out:
        process = subprocess.Popen(call, stdout=out, stderr=out, env=environment, start_new_session=True)
    try:
        wait_until_up(f"http://127.0.0.1:{port}", process, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        with contextlib.suppress(ProcessLookupError):  # it may have ended already, and then says why in the log
            os.killpg(process.pid, 15)
        process.wait(30)


def asked(address: str, question: str, **custom: Any) -> dict[str, Any]:
    body = {"input": [{"role": "user", "content": question}], "custom_inputs": custom}
    reply = httpx.post(f"{address}/invocations", json=body, timeout=60).raise_for_status()
    document: dict[str, Any] = reply.json()
    return document


@pytest.mark.slow
def test_a_served_model_answers_with_citations_and_knows_nobodys_groups(served: str) -> None:
    reply = asked(served, "What may a hotel room cost?")
    (content,) = reply["output"][0]["content"]
    assert "A hotel room costs 120 euros at most." in content["text"]
    first = content["annotations"][0]
    assert (first["type"], first["file_id"]) == ("file_citation", "travel.md")
    assert TRAVEL[first["start"] : first["end"]] == first["quote"]
    assert content["text"][first["index"] :].startswith(f"[{first['n']}]")
    answer = reply["custom_outputs"]["answer"]
    assert (answer["status"], answer["citations"][0]["file"]) == ("answered", "travel.md")
    elsewhere = asked(served, "What may a hotel room cost?", where=["doc_id=leave.md"])
    assert "120" not in elsewhere["output"][0]["content"][0]["text"]
    board = json.dumps(asked(served, "What is the bonus of the board?", groups=["board"]))
    assert "90 percent" not in board


def test_a_model_keeps_what_it_needs_and_no_evaluation(index: Path, exported: dict[str, Any]) -> None:
    from mlflow import MlflowClient
    from mlflow.models import Model

    with pytest.raises(UsageError, match="there is no index in"):
        export(index.parent, local_store(index), "policies", _settings())
    before = os.environ.get("MLFLOW_TRACKING_URI")
    made = export(index, local_store(index), "policies", _settings(), ("board",))
    assert os.environ.get("MLFLOW_TRACKING_URI") == before
    assert (exported["uri"], exported["documents"], exported["restricted"]) == ("models:/policies/1", 3, 1)
    assert made.uri == "models:/policies/2"
    client = MlflowClient(tracking_uri=local_store(index).uri)
    folder = Path(urlsplit(client.get_logged_model(made.model_id).artifact_location).path)
    assert {one.name for one in (folder / "artifacts" / "index").iterdir()} >= {"index.sqlite3", "derived"}
    assert not list((folder / "artifacts").rglob("mlflow*"))
    settings = json.loads((folder / "artifacts" / "settings.json").read_text())
    assert settings == {"settings": {"llm": "extractive"}, "groups": ["board"]}
    assert not list(folder.rglob("*.pkl")), "nothing is pickled"
    wanted = (folder / "requirements.txt").read_text()
    assert "mlflow==" in wanted
    assert "faiss-cpu==" in wanted
    assert Model.load(str(folder)).flavors["python_function"]["code"] == "code"


def _settings() -> Settings:
    return Settings.of({"llm": "extractive", "trace_to_mlflow": True})


@pytest.fixture
def untraced() -> Iterator[None]:
    """MLflow keeps no trace of what is predicted in this process."""
    mlflow_tracing.disable()
    yield
    mlflow_tracing.enable()


@pytest.mark.usefixtures("untraced")
def test_a_day_that_is_none_is_answered_with_how_a_day_is_written(index: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(as_settings({"llm": "extractive"}, ()))
    agent = PolicyAgent()
    agent.load_context(SimpleNamespace(artifacts={INDEX: str(index), SETTINGS: str(settings)}))
    asked = {"input": [{"role": "user", "content": "How many days of leave are there?"}]}
    with pytest.raises(UsageError, match=r"yesterday.*write it as 2026-01-31"):
        agent.predict(ResponsesAgentRequest.model_validate({**asked, "custom_inputs": {"as_of": "yesterday"}}))
    told = agent.predict(ResponsesAgentRequest.model_validate({**asked, "custom_inputs": {"as_of": "2026-01-31"}}))
    assert told.custom_outputs is not None
    assert told.custom_outputs["answer"]["question"] == asked["input"][0]["content"]
