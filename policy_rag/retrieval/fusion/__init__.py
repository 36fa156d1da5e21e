"""How the lists of two searches become one. One definition a file; `fuse` chooses by name."""

from policy_rag.records.options import Search
from policy_rag.retrieval.fusion.candidates import Candidates, Ranking
from policy_rag.retrieval.fusion.intersection import intersection
from policy_rag.retrieval.fusion.reciprocal_rank import reciprocal_rank
from policy_rag.retrieval.fusion.single import keyword_only, vector_only
from policy_rag.retrieval.fusion.union import union
from policy_rag.retrieval.fusion.weighted import weighted


def fuse(candidates: Candidates, search: Search, *, vector_weight: float) -> Ranking:
    """The candidates in the order of `search`, best first; equal scores in order of the row.

    Args:
        candidates: what both searches found.
        search: how to use them together.
        vector_weight: 0 to 1, for `weighted`.
    """
    match search:
        case Search.VECTOR:
            return vector_only(candidates)
        case Search.KEYWORD:
            return keyword_only(candidates)
        case Search.AND:
            return intersection(candidates)
        case Search.OR:
            return union(candidates)
        case Search.RRF:
            return reciprocal_rank(candidates)
        case Search.WEIGHTED:
            return weighted(candidates, vector_weight=vector_weight)


__all__ = ["Candidates", "Ranking", "fuse"]
