"""A small index, the service over it, and callers."""

import pytest

from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions

LEAVE = "# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n\n## 2 Sick leave\n\nA sick note is needed after 3 days.\n"
PAY = "---\naccess: [hr]\n---\n# Pay\n\n## 1 Bonus\n\nThe bonus is 5000 euros a year.\n"


@pytest.fixture
def filled(assistant, tmp_path, monkeypatch):
    """The assistant over two documents, one of them for a group alone; it answers by quotation."""
    monkeypatch.setenv("POLICY_RAG_LLM", "extractive")
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE)
    (folder / "pay.md").write_text(PAY)
    assistant.settings = assistant.settings.changed({"llm": "extractive", "threshold": 0.01})
    assistant.ingest([folder])
    return assistant


@pytest.fixture
def options(tmp_path):
    return ServerOptions(state=tmp_path / "state", no_auth=True)


@pytest.fixture
def service(filled, options):
    return create_app(filled, options).state.service
