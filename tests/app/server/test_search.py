"""Search over HTTP: the command line's JSON, problem documents, and nobody let in who is not known."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import UsageError
from policy_rag.records.serialization import to_json
from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions

POLICY = "# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n"


@pytest.fixture
def client(assistant: PolicyAssistant, tmp_path: Path) -> TestClient:
    (tmp_path / "leave.md").write_text(POLICY)
    assistant.ingest([tmp_path / "leave.md"])
    return TestClient(
        create_app(assistant, ServerOptions(state=tmp_path / "state", no_auth=True)), base_url="http://127.0.0.1:8765"
    )


def test_search_gives_the_json_of_the_command_line(client, assistant):
    got = client.post("/api/v1/search", json={"question": "annual leave", "top_k": 1})
    assert got.status_code == 200
    wanted = to_json(assistant.search("annual leave", top_k=1))
    assert got.json()["hits"] == wanted["hits"]
    assert got.json()["hits"][0]["file"] == "leave.md"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ({"question": "  "}, 400, "question"),
        ({}, 422, "question"),
        ({"question": "leave", "groups": ["hr"]}, 422, "groups"),
        ({"question": "leave", "where": ["nonsense"]}, 400, "nonsense"),
    ],
)
def test_bad_input_is_one_problem_document(client, body, status, said):
    got = client.post("/api/v1/search", json=body)
    assert got.status_code == status
    assert got.headers["content-type"] == "application/problem+json"
    assert got.json()["status"] == status
    assert said in got.json()["detail"]
    assert "\n" not in got.json()["detail"]


def test_nobody_is_let_in_who_is_not_known(assistant, tmp_path):
    client = TestClient(create_app(assistant, ServerOptions(state=tmp_path / "state")))
    got = client.post("/api/v1/search", json={"question": "leave"})
    assert got.status_code == 401
    assert got.headers["www-authenticate"] == "Bearer"


def test_everybody_is_let_in_on_this_machine_alone(tmp_path):
    with pytest.raises(UsageError, match="--no-auth"):
        ServerOptions(state=tmp_path, host="192.0.2.1", no_auth=True)
