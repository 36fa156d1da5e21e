"""Questions without an answer: silence, and whether scores tell them apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.measures.unanswerable import separation, unanswerable_figures

scores = st.lists(st.one_of(st.none(), st.sampled_from([0.1, 0.2, 0.5, 0.9])), min_size=1, max_size=8)


def test_silence_by_hand() -> None:
    found = unanswerable_figures([0, 3, 0, 5], [None, 0.4, None, 0.2], [0.9, 0.3])
    assert found is not None
    assert (found.questions, found.silent.mean, found.hits) == (4, 0.5, 2.0)
    # 0.9 is above all four; 0.3 above three of them: 7 of 8.
    assert found.separation.mean == 7 / 8
    assert unanswerable_figures([], [], [0.9]) is None


def test_ties_count_half_and_nothing_found_is_lowest() -> None:
    assert separation([0.5], [0.5]).mean == 0.5
    assert separation([None], [None]).mean == 0.5
    assert separation([None], [0.1]).mean == 0.0
    assert separation([0.0], [None]).mean == 1.0
    with pytest.raises(ValueError, match="at least one"):
        separation([], [0.1])


@given(scores, scores)
def test_it_is_the_share_of_pairs_and_turns_round(a: list[float | None], b: list[float | None]) -> None:
    lowest = float("-inf")
    pairs = [(lowest if x is None else x, lowest if y is None else y) for x in a for y in b]
    share = sum((x > y) + 0.5 * (x == y) for x, y in pairs) / len(pairs)
    found = separation(a, b)
    assert found.mean == pytest.approx(share)
    assert separation(b, a).mean == pytest.approx(1 - share)
    assert -1e-12 <= found.low <= found.high <= 1 + 1e-12


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(8)
    held = 0
    for sweep in range(100):
        # Of two normals a deviation apart: the chance is the normal's value at 1 / sqrt(2), 0.760.
        found = separation(list(rng.normal(1, 1, 60)), list(rng.normal(0, 1, 40)), seed=sweep)
        held += found.low <= 0.760 <= found.high
    assert 88 <= held <= 99


def test_pairs_that_are_all_in_order_leave_room() -> None:
    one = separation([0.9, 0.8], [0.1])
    # The imaginary unanswerable score alone has a weight above 0.975 in 2.5 of 100 cases; the other group adds to it.
    assert one.mean == one.high == 1.0
    assert one.low < 0.025
    many = separation([0.9] * 200, [0.1] * 200)
    # Both imaginary weights together exceed about 5.6 / 201 (a sum of two exponentials) in 2.5 of 100 cases.
    assert many.low == pytest.approx(1 - 5.57 / 201, abs=0.005)
    assert separation([0.1], [0.9, 0.8]).low == 0.0


def test_one_question_that_got_nothing_does_not_show_that_all_do() -> None:
    found = unanswerable_figures([0], [None], [0.9])
    assert found is not None
    assert (found.silent.mean, found.silent.high) == (1.0, 1.0)
    assert found.silent.low == pytest.approx(0.025, abs=0.001)
