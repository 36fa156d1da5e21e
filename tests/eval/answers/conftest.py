"""What the tests of answers share."""

import json
from pathlib import Path

import pytest
from small_dataset import jsonl


@pytest.fixture
def answered(folder: Path, no_reranker: None) -> Path:
    """The small data set, with accepted answers to two of its questions and none to the others; q6 has no answer."""
    rows = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    rows[0]["answers"], rows[2]["answers"] = ["thirty days"], ["second class"]
    jsonl(folder / "queries.jsonl", rows)
    return folder
