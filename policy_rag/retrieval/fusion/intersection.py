"""AND: the passages that both searches listed, ordered by reciprocal rank fusion."""

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking
from policy_rag.retrieval.fusion.reciprocal_rank import reciprocal_rank_scores


def intersection(candidates: Candidates) -> Ranking:
    """What both lists hold; empty where they share nothing."""
    both = (candidates.vector_rank > 0) & (candidates.keyword_rank > 0)
    return Ranking.of(reciprocal_rank_scores(candidates), both)
