"""Weighted sum of scores that are made comparable.

`score(d) = w * (q - 0.3 m) . d + (1 - w) * bm25(d) / sqrt(U)`, both terms taken for every candidate, whichever search
listed it. `m` is the mean vector of the index, `U` the sum of the idf of the question's words: BM25 grows with the
number of words that a question has, the cosine does not. A convex combination needs no ranks and loses no distances
(Bruch, Gai and Ingber, ACM TOIS 2023); a fixed scale, other than min-max, does not turn on the worst candidate.
"""

import math

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking

MEAN_SHARE = 0.3


def weighted(candidates: Candidates, *, vector_weight: float) -> Ranking:
    """All candidates by the weighted sum; `vector_weight` is `w`, 0 to 1."""
    keyword = candidates.keyword / math.sqrt(candidates.asked) if candidates.asked > 0 else candidates.keyword
    scores = vector_weight * candidates.centred + (1 - vector_weight) * keyword
    return Ranking.of(scores, (candidates.vector_rank > 0) | (candidates.keyword_rank > 0))
