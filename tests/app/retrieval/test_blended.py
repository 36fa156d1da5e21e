"""A reranker's scores together with those of the search."""

from policy_rag.retrieval.fusion.blended import blended


def test_scores_that_do_not_differ_count_in_full() -> None:
    """The only hit is the best one, not the worst; equal scores leave the order to the other ones."""
    assert blended([3.0], [0.5], 0.4).tolist() == [1.0]
    assert blended([2.0, 2.0], [0.5, 1.0], 0.5).tolist() == [0.5, 1.0]
