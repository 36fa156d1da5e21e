"""The shared stages by themselves: packing, narrowing, and what is computed when."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from policy_rag.records.options import Search
from policy_rag.retrieval.candidates.collector import CandidateList
from policy_rag.retrieval.fusion import Candidates
from policy_rag.settings import SearchOptions
from policy_rag_eval.sweep.stage_cache import StageCache
from policy_rag_eval.sweep.stages import (
    EmbeddedQuestions,
    KeptReranker,
    in_blocks,
    packed,
    shared_kinds,
    unpacked,
)

floats = st.floats(-1, 1, width=32)


@st.composite
def taken(draw: st.DrawFn) -> CandidateList:
    n = draw(st.integers(0, 5))

    def whole(least: int = 0) -> NDArray[np.int64]:
        return np.array(draw(st.lists(st.integers(least, 2**31 - 1), min_size=n, max_size=n)), dtype=np.int64)

    def real() -> NDArray[np.float32]:
        return np.array(draw(st.lists(floats, min_size=n, max_size=n)), dtype=np.float32)

    candidates = Candidates(
        rows=whole(),
        vector=real(),
        keyword=real(),
        centred=real(),
        asked=draw(st.floats(0, 1e3)),
        vector_rank=whole(),
        keyword_rank=whole(),
        chunks=whole(),
    )
    return CandidateList(candidates, *(draw(st.floats(0, 1e6)) for _ in range(3)))


@given(taken())
def test_candidates_are_read_as_they_were_written(one: CandidateList) -> None:
    read = unpacked(packed(one))
    assert (read.vector_ms, read.keyword_ms, read.together_ms) == (one.vector_ms, one.keyword_ms, one.together_ms)
    assert read.candidates.asked == one.candidates.asked
    for name in ("rows", "vector", "keyword", "centred", "vector_rank", "keyword_rank", "chunks"):
        ours, theirs = getattr(read.candidates, name), getattr(one.candidates, name)
        assert ours.dtype == theirs.dtype
        assert np.array_equal(ours, theirs), name


def test_one_search_serves_those_that_ask_for_the_same_candidates() -> None:
    options = [
        SearchOptions(search=Search.VECTOR),
        SearchOptions(search=Search.AND),
        SearchOptions(search=Search.VECTOR, candidates=20),
        SearchOptions(search=Search.KEYWORD, pair_weight=0.0),
    ]
    assert shared_kinds(options) == {(50, 0.25): Search.RRF, (20, 0.25): Search.VECTOR, (50, 0.0): Search.KEYWORD}


def test_the_sample_comes_alone_and_first() -> None:
    positions = {str(i): i for i in range(600)}
    blocks = in_blocks(positions, {"3", "599"})
    assert blocks[:2] == [[3], [599]]
    assert [len(block) for block in blocks[2:]] == [256, 256, 86]
    assert sorted(i for block in blocks for i in block) == list(range(600))


class Rows:
    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.calls.append(list(texts))
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def test_questions_are_embedded_once_and_found_again(tmp_path: Path) -> None:
    rows = Rows()
    with StageCache(tmp_path) as cache:
        first = EmbeddedQuestions(rows, cache, b"model", {"bb"})
        assert first.missing(["a", "bb", "a"]) == ["a", "bb"]
        assert first.embed_queries(["a", "bb", "a", "ccc"]).tolist() == [[1, 1], [2, 1], [1, 1], [3, 1]]
        assert rows.calls == [["?"], ["bb"], ["a", "ccc"]]
        assert first.ms["a"] == first.ms["ccc"] > 0  # a share of the time of both
        again = EmbeddedQuestions(rows, cache, b"model")
        told: list[tuple[int, int]] = []
        again.prepare(["a", "dddd", "ccc"], lambda done, total: told.append((done, total)))
        assert again.embed_queries(["ccc", "dddd"]).tolist() == [[3, 1], [4, 1]]
        assert rows.calls[3:] == [["?"], ["dddd"]]
        assert told == [(1, 1)]
        assert again.ms["a"] == first.ms["a"]
        EmbeddedQuestions(rows, cache, b"another model").embed_queries(["a"])
        assert rows.calls[5:] == [["?"], ["a"]]


class Scores:
    def __init__(self) -> None:
        self.calls: list[list[tuple[str, list[str]]]] = []

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        self.calls.append([(question, list(texts)) for question, texts in questions])
        return [[len(question) + len(text) / 10 for text in texts] for question, texts in questions]


def test_pairs_are_scored_once_those_of_the_sample_by_themselves(tmp_path: Path) -> None:
    scores = Scores()
    asked = [("a", ["x", "yy", "x"]), ("bb", ["x"]), ("ccc", []), ("dddd", ["x", "zzz"])]
    expected = [[1.1, 1.2, 1.1], [2.1], [], [4.1, 4.3]]
    with StageCache(tmp_path) as cache:
        reranker = KeptReranker(scores, cache, b"model", {"bb"})
        assert reranker.missing("a", ["x", "x"]) == ["x"]
        assert reranker.score_many(asked) == [pytest.approx(values) for values in expected]
        assert scores.calls == [
            [("?", ["?"])],
            [("bb", ["x"])],
            [("a", ["x", "yy"]), ("dddd", ["x", "zzz"])],
        ]
        assert reranker.ms["a"] == pytest.approx(reranker.ms["dddd"])  # two pairs each of one pass
        assert reranker.ms["ccc"] == 0
        again = KeptReranker(scores, cache, b"model")
        assert again.score_many([("a", ["yy", "new"])]) == [pytest.approx([1.2, 1.3])]
        assert scores.calls[3:] == [[("?", ["?"])], [("a", ["new"])]]
        assert again.missing("a", ["x", "new", "unseen"]) == ["unseen"]
