"""A small data set and an embedding model without weights for the tests of measuring."""

import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAVE = """# Leave

## 1. Annual leave

Employees have thirty days of paid holiday a year.

## 2. Sick leave

A doctor's note is needed from the third day of sickness.
"""
TRAVEL = """# Travel

## 1. Trains

Employees travel by train in second class.

## 2. Hotels

A hotel room costs 120 euros at most.
"""


@functools.cache
def _direction(word: str, dimension: int) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).normal(size=dimension)


class WordHashes:
    """Each word is a random direction that its hash fixes. Counts what it embeds."""

    name = "word-hashes"
    fingerprint = "word-hashes-1"
    dimension = 64
    max_tokens = 200

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded += len(texts)
        return self.embed_queries(texts)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimension))
        for i, text in enumerate(texts):
            for word in text.lower().split() or [""]:
                rows[i] += _direction(word, self.dimension)
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


class ByLength:
    """A reranker without weights that prefers long texts. Counts the pairs that it scores."""

    blend = 1.0
    depth: int | None = None
    fingerprint = "by-length"

    def __init__(self) -> None:
        self.pairs = 0

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.pairs += sum(len(texts) for question, texts in questions if question != "?")
        return [[float(len(text)) for text in texts] for _, texts in questions]


def jsonl(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def place(file: str, text: str, quote: str) -> dict[str, Any]:
    start = text.index(quote)
    return {"text": quote, "file": file, "start": start, "end": start + len(quote)}


def small_dataset(folder: Path) -> Path:
    """Two documents, four gold passages with a place and one without, six questions of which one has no answer."""
    (folder / "documents").mkdir(parents=True)
    (folder / "documents" / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "documents" / "travel.md").write_text(TRAVEL, encoding="utf-8")
    documents = [
        {"doc_id": "leave", "file": "leave.md", "title": "Leave"},
        {"doc_id": "travel", "file": "travel.md", "title": "Travel"},
    ]
    (folder / "documents.json").write_text(json.dumps(documents), encoding="utf-8")
    jsonl(
        folder / "corpus.jsonl",
        [
            {"_id": "holiday", **place("leave.md", LEAVE, "Employees have thirty days of paid holiday a year.")},
            {"_id": "sick", **place("leave.md", LEAVE, "A doctor's note is needed from the third day of sickness.")},
            {"_id": "train", **place("travel.md", TRAVEL, "Employees travel by train in second class.")},
            {"_id": "hotel", **place("travel.md", TRAVEL, "A hotel room costs 120 euros at most.")},
            {"_id": "nowhere", "text": "Pets may come to the office on Fridays.", "doc_id": "travel"},
        ],
    )
    jsonl(
        folder / "queries.jsonl",
        [
            {"_id": "q1", "text": "How many days of paid holiday?", "type": "factual"},
            {"_id": "q2", "text": "When is a doctor's note needed?", "doc_id": "leave"},
            {"_id": "q3", "text": "Which class by train?", "where": ["doc_id=travel"]},
            {"_id": "q4", "text": "What may a hotel room cost, and how do I travel?", "as_of": "2026-09-01"},
            {"_id": "q5", "text": "May pets come on Fridays?"},
            {"_id": "q6", "text": "Is there a canteen?", "answerable": False},
        ],
    )
    rows = ["q1\tholiday\t1", "q2\tsick\t1", "q3\ttrain\t1", "q4\thotel\t1", "q4\ttrain\t1", "q5\tnowhere\t1"]
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return folder
