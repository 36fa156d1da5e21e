"""One search alone: its own list, order and scores."""

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking


def vector_only(candidates: Candidates) -> Ranking:
    """The vector search's list by cosine."""
    return Ranking.of(candidates.vector, candidates.vector_rank > 0)


def keyword_only(candidates: Candidates) -> Ranking:
    """The keyword search's list by BM25."""
    return Ranking.of(candidates.keyword, candidates.keyword_rank > 0)
