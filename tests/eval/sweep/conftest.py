"""These tests name the rerankers that they want."""

import pytest


@pytest.fixture(autouse=True)
def without_reranker(no_reranker: None) -> None:
    """None by default."""
