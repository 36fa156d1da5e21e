"""Where a list of hits ends."""

from hypothesis import given
from hypothesis import strategies as st

from policy_rag.retrieval.postprocessing.score_cutoff import above, before_gap

falling = st.lists(st.floats(-5, 5), max_size=20).map(lambda found: sorted(found, reverse=True))


def test_three_good_hits_are_not_padded_with_poor_ones():
    # Range 0.9 - 0.2 = 0.7; the largest gap is 0.85 - 0.4 = 0.45, 64 % of it.
    scores = [0.9, 0.88, 0.85, 0.4, 0.35, 0.3, 0.2]
    assert before_gap(scores, 0.6) == 3
    assert before_gap(scores, 0.7) == len(scores)


def test_of_equal_gaps_the_first_counts():
    assert before_gap([4.0, 2.0, 0.0], 0.5) == 1


def test_too_few_or_level_scores_have_no_gap():
    assert before_gap([], 0.1) == 0
    assert before_gap([9.0, 1.0], 0.1) == 2
    assert before_gap([3.0, 3.0, 3.0], 0.1) == 3


@given(falling, st.floats(0.01, 1))
def test_what_is_left_is_a_beginning_that_ends_at_a_large_gap(scores, share):
    n = before_gap(scores, share)
    assert min(1, len(scores)) <= n <= len(scores)
    if n < len(scores):
        assert scores[n - 1] - scores[n] >= share * (scores[0] - scores[-1])


@given(falling, st.floats(-6, 6))
def test_above_counts_what_reaches_the_score(scores, least):
    assert above(scores, least) == sum(score >= least for score in scores)
