"""How the lists of two searches become one; `fuse` chooses by name."""

from policy_rag.records.choices import Search
from policy_rag.retrieval.fusion.candidates import Candidates, Ranking
from policy_rag.retrieval.fusion.reciprocal_rank import reciprocal_rank
from policy_rag.retrieval.fusion.weighted import weighted


def fuse(candidates: Candidates, search: Search, *, vector_weight: float) -> Ranking:
    """The candidates in the order of `search`, best first; equal scores in order of the row.

    One search alone keeps its own list, order and scores. AND is what both lists hold, OR (the same as RRF) what either
    holds; both are ordered by reciprocal rank.
    """
    match search:
        case Search.VECTOR:
            return Ranking.of(candidates.vector, candidates.vector_rank > 0)
        case Search.KEYWORD:
            return Ranking.of(candidates.keyword, candidates.keyword_rank > 0)
        case Search.AND:
            return reciprocal_rank(candidates, in_both=True)
        case Search.OR | Search.RRF:
            return reciprocal_rank(candidates)
        case Search.WEIGHTED:
            return weighted(candidates, vector_weight=vector_weight)


__all__ = ["Candidates", "Ranking", "fuse"]
