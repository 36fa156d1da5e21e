"""The exact vector search, whichever way FAISS goes about it."""

import numpy as np
import pytest

from policy_rag.index.search.faiss_index import VectorIndex
from policy_rag.index.search.vector_search import AllowedRows


@pytest.mark.parametrize("count", [1, 2, 30])
def test_one_query_or_many_filtered_or_not_find_what_sorting_finds(count):
    chance = np.random.default_rng(count)
    rows = chance.normal(size=(500, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    queries = rows[:count] + np.float32(0.1)
    index = VectorIndex.build(rows)
    for allowed in (None, np.ones(500, dtype=np.bool_), np.arange(500) % 3 == 0):
        scores, found = index.search(queries, 10, None if allowed is None else AllowedRows(allowed))
        cosines = queries @ rows.T
        if allowed is not None:
            cosines[:, ~allowed] = -np.inf
        assert np.array_equal(found, np.argsort(-cosines, axis=1)[:, :10])
        assert np.allclose(scores, np.sort(-cosines, axis=1)[:, :10] * -1, atol=1e-6)
