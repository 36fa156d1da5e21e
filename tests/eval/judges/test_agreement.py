"""Agreement beyond chance: hand-worked, and alpha equal to what another library computes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.judges.agreement import cohen_kappa, fleiss_kappa, krippendorff_alpha

ratings = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=2, max_size=25)


def test_cohen_by_hand() -> None:
    # 50 items: both yes 20, both no 15, only the first yes 5, only the second 10; one that the second could not judge.
    first = [*"y" * 20, *"n" * 15, *"y" * 5, *"n" * 10, "y"]
    second = [*"y" * 20, *"n" * 15, *"n" * 5, *"y" * 10, None]
    # o = 35/50 = 0.7; e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / (1 - 0.5) = 0.4
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_by_hand() -> None:
    # Three raters: items aaa, aab, abb, bbb. Item agreements 1, 1/3, 1/3, 1: mean 2/3. Shares 1/2, 1/2: chance 1/2.
    rows = [*(tuple(row) for row in ("aaa", "aab", "abb", "bbb")), ("a", None, "a")]
    assert fleiss_kappa(rows) == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))


def test_alpha_by_hand_with_missing_ratings() -> None:
    # Pairs within items: (a, a), (a, b), (b, b); the single rating counts for nothing. Six values, three of each.
    # Observed: 2 * 1 / (2 - 1) / 6 = 1/3. Expected: 2 * 3 * 3 / (6 * 5) = 0.6. Alpha = 1 - (1/3) / 0.6 = 4/9.
    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("a", None)]
    assert krippendorff_alpha(rows) == pytest.approx(4 / 9)


@given(ratings)
def test_alpha_is_nltks(rows: list[tuple[str, ...]]) -> None:
    from nltk.metrics.agreement import AnnotationTask  # takes seconds

    triples = [(f"rater{r}", f"item{i}", label) for i, row in enumerate(rows) for r, label in enumerate(row)]
    if len({label for *_, label in triples}) == 1:
        assert krippendorff_alpha(rows) is None
        return
    assert krippendorff_alpha(rows) == pytest.approx(AnnotationTask(triples).alpha())


def test_where_nothing_is_rated_twice_nothing_is_said() -> None:
    for first, second in (([], []), (["a", None], [None, "b"])):
        assert cohen_kappa(first, second) is None
    for rows in ([], [("a", "a")] * 3, [("a", None)]):
        assert fleiss_kappa(rows) is None
    assert krippendorff_alpha([("a", None), (None, "b")]) is None
    with pytest.raises(ValueError, match="zip"):
        cohen_kappa(["a"], [])
    with pytest.raises(ValueError, match="two or more raters"):
        fleiss_kappa([("a",)])
