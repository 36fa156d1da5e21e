"""Questions embedded ahead of their search."""

import threading

import numpy as np
import pytest

from policy_rag.retrieval.candidates.prefetch import BATCH, EmbeddingPrefetch


class Lengths:
    """Stands for a model: a text's row is its number, twice."""

    def __init__(self):
        self.sizes, self.threads = [], set()

    def __call__(self, texts):
        self.sizes.append(len(texts))
        self.threads.add(threading.get_ident())
        return np.array([[float(text)] * 2 for text in texts], dtype=np.float32)


def test_rows_of_any_range_come_in_order_whatever_blocks_they_cross():
    questions = [str(i) for i in range(2 * BATCH + 7)]
    model = Lengths()
    with EmbeddingPrefetch(model, questions) as ahead:
        for begin, end in ((0, 3), (3, BATCH + 5), (BATCH - 1, BATCH), (BATCH + 5, len(questions))):
            assert ahead.rows(begin, end)[:, 0].tolist() == list(range(begin, end))
    assert model.sizes == [BATCH, BATCH, 7]
    assert model.threads.isdisjoint({threading.get_ident()})


def test_what_fits_one_block_takes_no_thread():
    model = Lengths()
    with EmbeddingPrefetch(model, ["4", "2"]) as ahead:
        assert ahead.rows(1, 2).tolist() == [[2.0, 2.0]]
    assert model.threads == {threading.get_ident()}
    with EmbeddingPrefetch(model, []):
        assert model.sizes == [2]


def test_a_failure_of_the_model_reaches_the_caller():
    with (
        pytest.raises(ValueError, match="could not convert"),
        EmbeddingPrefetch(Lengths(), ["x"] * (BATCH + 1)) as ahead,
    ):
        ahead.rows(0, 1)
