"""Weighted sum of normalised scores.

`score(d) = w * minmax(cosine(d)) + (1 - w) * minmax(bm25(d))`, the minimum and maximum taken over all candidates of the
question, and both scores taken for every candidate, whichever search listed it (convex combination: Bruch, Gai and
Ingber, ACM TOIS 2023).
"""

import numpy as np
from numpy.typing import NDArray

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking


def minmax(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Scores from 0 to 1; all 0 where they are equal.

    >>> minmax(np.array([1.0, 3.0, 2.0], dtype=np.float32)).tolist()
    [0.0, 1.0, 0.5]
    """
    values = scores.astype(np.float64)
    if not len(values):
        return values
    span = values.max() - values.min()
    return (values - values.min()) / span if span > 0 else np.zeros_like(values)


def weighted(candidates: Candidates, *, vector_weight: float) -> Ranking:
    """All candidates by the weighted sum; `vector_weight` is `w`, 0 to 1."""
    scores = vector_weight * minmax(candidates.vector) + (1 - vector_weight) * minmax(candidates.keyword)
    return Ranking.of(scores, (candidates.vector_rank > 0) | (candidates.keyword_rank > 0))
