"""OR: the passages that either search listed, ordered by reciprocal rank fusion.

The same list as `rrf`, under the name by which people ask for it beside AND.
"""

from policy_rag.retrieval.fusion.candidates import Candidates, Ranking
from policy_rag.retrieval.fusion.reciprocal_rank import reciprocal_rank


def union(candidates: Candidates) -> Ranking:
    """What either list holds."""
    return reciprocal_rank(candidates)
