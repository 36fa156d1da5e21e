"""Maximal marginal relevance, worked by hand and against its definition."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.retrieval.postprocessing.mmr import marginal_relevance


def unit(*degrees):
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32)


def test_by_hand():
    # Relevance (9-1)/8 = 1, (8-1)/8 = 0.875, 0. Directions 0, 0 and 90 degrees.
    chosen = marginal_relevance([9, 8, 1], unit(0, 0, 90), trade=0.5, n=3)
    # First 0.5 * 1. Then 0.5 * 0.875 - 0.5 * 1 = -0.0625 against 0.5 * 0 - 0.5 * 0 = 0. Last the one left.
    assert [position for position, _ in chosen] == [0, 2, 1]
    assert [value for _, value in chosen] == pytest.approx([0.5, 0.0, -0.0625], abs=1e-6)
    assert marginal_relevance([], np.zeros((0, 2), dtype=np.float32), trade=0.5, n=3) == []


@given(st.lists(st.tuples(st.floats(0, 9), st.integers(0, 359)), min_size=1, max_size=8), st.floats(0, 1), st.data())
def test_each_choice_is_the_best_of_what_is_left(found, trade, data):
    found.sort(key=lambda pair: -pair[0])
    scores, vectors = [score for score, _ in found], unit(*(angle for _, angle in found))
    n = data.draw(st.integers(1, 9))
    chosen = marginal_relevance(scores, vectors, trade=trade, n=n)
    assert len(chosen) == min(n, len(found))
    spread = scores[0] - scores[-1]
    relevance = [(score - scores[-1]) / spread if spread > 0 else 1.0 for score in scores]
    taken = []
    for position, value in chosen:
        worth = {
            i: trade * relevance[i] - (1 - trade) * max([0.0, *(float(vectors[i] @ vectors[j]) for j in taken)])
            for i in range(len(scores))
            if i not in taken
        }
        assert value == pytest.approx(worth[position], abs=1e-5)
        assert value == pytest.approx(max(worth.values()), abs=1e-5)
        taken.append(position)
    values = [value for _, value in chosen]
    assert all(a >= b - 1e-5 for a, b in pairwise(values))
