"""These tests name the rerankers that they want; the shipped one would only take time."""

import pytest


@pytest.fixture(autouse=True)
def no_reranker(monkeypatch: pytest.MonkeyPatch) -> None:
    """None by default."""
    monkeypatch.setenv("POLICY_RAG_RERANKER", "none")
