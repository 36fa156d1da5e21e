"""Reciprocal rank fusion.

`score(d) = sum over the lists that hold d of 1 / (k + rank(d))` with `k = 60` and ranks from 1 (Cormack, Clarke and
Büttcher, SIGIR 2009).
"""

import numpy as np

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking

K = 60


def reciprocal_rank(candidates: Candidates, *, in_both: bool = False) -> Ranking:
    """The candidates by reciprocal rank fusion, each with a score above 0.

    With `in_both` only what both lists hold is ranked: nothing where they share nothing.
    """
    scores = np.zeros(len(candidates), dtype=np.float64)
    for ranks in (candidates.vector_rank, candidates.keyword_rank):
        scores += np.where(ranks > 0, 1.0 / (K + ranks), 0.0)
    by_vector, by_keyword = candidates.vector_rank > 0, candidates.keyword_rank > 0
    return Ranking.of(scores, by_vector & by_keyword if in_both else by_vector | by_keyword)
