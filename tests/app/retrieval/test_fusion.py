"""Each way to use two searches together, worked by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.records.choices import Search
from policy_rag.retrieval.fusion import Candidates, fuse
from policy_rag.retrieval.fusion.blended import blended


def candidates(vector_rank, keyword_rank, vector=None, keyword=None, centred=None, asked=4.0):
    n = len(vector_rank)
    vector = np.zeros(n) if vector is None else np.array(vector)
    return Candidates(
        rows=np.arange(10, 10 + n),
        vector=vector.astype(np.float32),
        keyword=np.array(keyword if keyword is not None else np.zeros(n), dtype=np.float32),
        centred=np.array(centred if centred is not None else vector, dtype=np.float32),
        asked=asked,
        vector_rank=np.array(vector_rank),
        keyword_rank=np.array(keyword_rank),
        chunks=np.arange(n),
    )


# Passage 0 is first by vector only, 1 second by vector and first by keyword, 2 second by keyword only.
THREE = candidates([1, 2, 0], [0, 1, 2], vector=[0.9, 0.8, 0.1], keyword=[0.0, 6.0, 5.0])


def order(search, found=THREE, weight=0.5):
    return fuse(found, search, vector_weight=weight).order.tolist()


def test_a_single_search_keeps_its_own_list():
    assert order(Search.VECTOR) == [0, 1]
    assert order(Search.KEYWORD) == [1, 2]


def test_and_is_what_both_found_and_or_what_either_did():
    assert order(Search.AND) == [1]
    assert sorted(order(Search.OR)) == [0, 1, 2]
    assert order(Search.AND, candidates([1, 0], [0, 1])) == []


def test_reciprocal_rank_fusion_by_hand():
    found = fuse(THREE, Search.RRF, vector_weight=0.5)
    # 1: 1/62 + 1/61; 0: 1/61; 2: 1/62
    assert found.order.tolist() == [1, 0, 2]
    assert found.scores.tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 61, 1 / 62])


def test_the_weighted_sum_by_hand():
    # keyword / sqrt(4) = [0, 3, 2.5]; half of each: [0.45, 1.9, 1.3]
    found = fuse(THREE, Search.WEIGHTED, vector_weight=0.5)
    assert found.order.tolist() == [1, 2, 0]
    assert found.scores.tolist() == pytest.approx([1.9, 1.3, 0.45], abs=1e-6)
    assert order(Search.WEIGHTED, weight=1.0) == [0, 1, 2]


def test_a_question_without_known_words_is_ranked_by_vector_alone():
    none = candidates([1, 2], [0, 0], vector=[0.5, 0.4], asked=0.0)
    assert order(Search.WEIGHTED, none) == [0, 1]


def test_equal_scores_stay_in_document_order():
    assert order(Search.RRF, candidates([1, 0], [0, 1])) == [0, 1]


def test_scores_that_do_not_differ_count_in_full():
    """The only hit is the best one, not the worst; equal scores leave the order to the other ones."""
    assert blended([3.0], [0.5], 0.4).tolist() == [1.0]
    assert blended([2.0, 2.0], [0.5, 1.0], 0.5).tolist() == [0.5, 1.0]


@given(st.data(), st.sampled_from(Search))
def test_every_fusion_lists_what_it_may_once_with_falling_scores(data, search):
    n = data.draw(st.integers(0, 12))
    ranks = st.permutations(range(1, n + 1))
    listed = [data.draw(st.lists(st.booleans(), min_size=n, max_size=n)) for _ in range(2)]
    vector, keyword = ([r if keep else 0 for r, keep in zip(data.draw(ranks), keeps, strict=True)] for keeps in listed)
    scores = [data.draw(st.lists(st.floats(0, 9, width=32), min_size=n, max_size=n)) for _ in range(2)]
    found = fuse(candidates(vector, keyword, *scores), search, vector_weight=data.draw(st.floats(0, 1)))
    assert len(set(found.order.tolist())) == len(found.order)
    assert all(a >= b for a, b in zip(found.scores, found.scores[1:], strict=False))
    may = {
        Search.VECTOR: [bool(v) for v in vector],
        Search.KEYWORD: [bool(k) for k in keyword],
        Search.AND: [bool(v and k) for v, k in zip(vector, keyword, strict=True)],
    }.get(search, [bool(v or k) for v, k in zip(vector, keyword, strict=True)])
    assert sorted(found.order.tolist()) == [i for i, allowed in enumerate(may) if allowed]
