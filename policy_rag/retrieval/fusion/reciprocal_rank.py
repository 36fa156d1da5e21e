"""Reciprocal rank fusion.

`score(d) = sum over the lists that hold d of 1 / (k + rank(d))` with `k = 60` and ranks from 1 (Cormack, Clarke and
Büttcher, SIGIR 2009).
"""

import numpy as np
from numpy.typing import NDArray

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking

K = 60


def reciprocal_rank_scores(candidates: Candidates) -> NDArray[np.float64]:
    """The score of each candidate, `(n,)`, above 0."""
    scores = np.zeros(len(candidates), dtype=np.float64)
    for ranks in (candidates.vector_rank, candidates.keyword_rank):
        scores += np.where(ranks > 0, 1.0 / (K + ranks), 0.0)
    return scores


def reciprocal_rank(candidates: Candidates) -> Ranking:
    """All candidates by reciprocal rank fusion."""
    listed = (candidates.vector_rank > 0) | (candidates.keyword_rank > 0)
    return Ranking.of(reciprocal_rank_scores(candidates), listed)
