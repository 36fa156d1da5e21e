"""Models that keep what they computed: what is computed when, and with which."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag_eval.sweep.cache import ModelOutputs
from policy_rag_eval.sweep.cached_models import CachedEmbedder, CachedReranker, in_blocks


def test_the_sample_comes_alone_and_first() -> None:
    blocks = in_blocks([str(i) for i in range(600)], {"3", "599"}, 256)
    assert blocks[:2] == [["3"], ["599"]]
    assert [len(block) for block in blocks[2:]] == [256, 256, 86]
    assert sorted(int(one) for block in blocks for one in block) == list(range(600))


class Rows:
    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def test_questions_are_embedded_once_and_found_again(tmp_path: Path) -> None:
    rows = Rows()
    first = CachedEmbedder(rows, ModelOutputs(tmp_path / "model"), {"bb"})
    assert first.missing(["a", "bb", "a"]) == ["a", "bb"]
    assert first.embed_queries(["a", "bb", "a", "ccc"]).tolist() == [[1, 1], [2, 1], [1, 1], [3, 1]]
    assert rows.calls == [["?"], ["bb"], ["a", "ccc"]]
    assert first.ms("a") == first.ms("ccc") > 0  # a share of the time of both
    again = CachedEmbedder(rows, ModelOutputs(tmp_path / "model"))
    assert again.embed_queries(["ccc", "dddd"]).tolist() == [[3, 1], [4, 1]]
    assert rows.calls[3:] == [["?"], ["dddd"]]
    assert (again.ms("a"), again.ms("unseen")) == (first.ms("a"), 0)
    CachedEmbedder(rows, ModelOutputs(tmp_path / "other")).embed_queries(["a"])
    assert rows.calls[5:] == [["?"], ["a"]]


class Passages(Rows):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.full((len(texts), 2), 7, dtype=np.float32)


def test_queries_that_are_worded_like_passages_go_to_the_model_as_in_the_product(tmp_path: Path) -> None:
    assert CachedEmbedder(Passages(), ModelOutputs(tmp_path)).embed(["a"]).tolist() == [[7, 7]]


class Scores:
    blend = 1.0
    depth = None

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, list[str]]]] = []

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.calls.append([(question, list(texts)) for question, texts in questions])
        return [[len(question) + len(text) / 10 for text in texts] for question, texts in questions]


def test_pairs_are_scored_once_those_of_the_sample_by_themselves(tmp_path: Path) -> None:
    scores = Scores()
    asked = [("a", ["x", "yy", "x"]), ("bb", ["x"]), ("ccc", []), ("dddd", ["x", "zzz"])]
    reranker = CachedReranker(scores, ModelOutputs(tmp_path), {"bb"})
    assert reranker.score_many(asked) == [[1.1, 1.2, 1.1], [2.1], [], [4.1, 4.3]]
    assert scores.calls == [[("?", ["?"])], [("bb", ["x"])], [("a", ["x", "yy"]), ("dddd", ["x", "zzz"])]]
    assert reranker.ms["a"] == pytest.approx(reranker.ms["dddd"])  # two pairs each of one pass
    assert reranker.ms["ccc"] == 0
    again = CachedReranker(scores, ModelOutputs(tmp_path))
    assert again.score_many([("a", ["yy", "new"]), ("a", ["x"])]) == [[1.2, 1.3], [1.1]]
    assert scores.calls[3:] == [[("?", ["?"])], [("a", ["new"])]]
