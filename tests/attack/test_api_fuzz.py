"""Whatever the OpenAPI document allows, and much that it does not, is answered: never by an error of the server's own."""

import json

import index_worker
import pytest
import schemathesis
from attack_scale import scaled
from fastapi.testclient import TestClient
from httpx2 import InvalidURL
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions

POLICY = "---\naccess: [hr]\nversion: 1\n---\n# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n"
PROBLEM = "application/problem+json"


@pytest.fixture
def client(tmp_path, monkeypatch):
    embedder = index_worker._conftest.BagOfWords()
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    monkeypatch.setattr(LoadedModels, "reader", lambda _: None)
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "leave.md").write_text(POLICY)
    (tmp_path / "policies" / "open.md").write_text("# Sick leave\n\nA note is needed after 3 days.\n")
    with PolicyAssistant.open(tmp_path / "index", create=True, llm="extractive", reranker="none") as assistant:
        assistant.ingest([tmp_path / "policies"])
        app = create_app(assistant, ServerOptions(state=tmp_path / "state", no_auth=True))
        with TestClient(app, base_url="http://127.0.0.1:8765", raise_server_exceptions=False) as client:
            yield client


def operations(described):
    return [found.ok() for found in schemathesis.openapi.from_dict(described).get_all_operations()]


def test_no_request_is_an_error_of_the_server(client):
    described = client.get("/openapi.json").json()
    seen = set()
    for operation in operations(described):
        answered(client, operation, seen)
    assert len({path for path, _ in seen}) == len(described["paths"])
    assert {200, 400, 422} <= {status for _, status in seen}


def answered(client, operation, seen):
    """Sends requests of one operation, right and wrong ones."""

    @settings(
        max_examples=scaled(100),
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    )
    def send(case):
        sent = case.as_transport_kwargs(base_url="http://127.0.0.1:8765")
        headers = {name: value for name, value in (sent.pop("headers", None) or {}).items() if name != "User-Agent"}
        sent.pop("cookies", None)
        if "data" in sent and not isinstance(sent["data"], dict):
            sent["content"] = sent.pop("data")
        try:
            request = client.build_request(**sent, headers=headers)
            request.read()
        except (InvalidURL, TypeError, ValueError, AttributeError):  # what no client of ours can write down
            return
        got = client.send(request)
        seen.add((operation.path, got.status_code))
        assert got.status_code < 500, (operation.label, sent, got.text)
        if got.status_code >= 400 and not operation.path.startswith("/v1/"):
            assert got.headers["content-type"] == PROBLEM, (operation.label, sent)
            assert json.loads(got.content)["status"] == got.status_code
            assert "\n" not in got.json()["detail"]

    send()
