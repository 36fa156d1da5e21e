"""Agreement beyond chance: hand-worked, and equal to what libraries compute."""

import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from nltk.metrics.distance import interval_distance
from sklearn.metrics import cohen_kappa_score

from policy_rag_eval.judges.agreement import cohen_kappa, fleiss_kappa, interval, krippendorff_alpha

ratings = st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=2, max_size=25)


def task(rows: list[tuple[object, ...]], **options: object) -> AnnotationTask:
    triples = [(f"rater{r}", f"item{i}", label) for i, row in enumerate(rows) for r, label in enumerate(row)]
    return AnnotationTask([one for one in triples if one[2] is not None], **options)


def test_cohen_by_hand() -> None:
    # 50 items: both yes 20, both no 15, only the first yes 5, only the second 10.
    first = "y" * 20 + "n" * 15 + "y" * 5 + "n" * 10
    second = "y" * 20 + "n" * 15 + "n" * 5 + "y" * 10
    # o = 35/50 = 0.7; e = 0.5 * 0.6 + 0.5 * 0.4 = 0.5; (0.7 - 0.5) / (1 - 0.5) = 0.4
    assert cohen_kappa(first, second) == pytest.approx(0.4)


def test_fleiss_by_hand() -> None:
    # Three raters: items aaa, aab, abb, bbb. Item agreements 1, 1/3, 1/3, 1: mean 2/3. Shares 1/2, 1/2: chance 1/2.
    rows = [tuple(row) for row in ("aaa", "aab", "abb", "bbb")]
    assert fleiss_kappa(rows) == pytest.approx((2 / 3 - 1 / 2) / (1 / 2))


def test_alpha_by_hand_with_missing_ratings() -> None:
    # Pairs within items: (a, a), (a, b), (b, b); the single rating counts for nothing. Six values, three of each.
    # Observed: 2 * 1 / (2 - 1) / 6 = 1/3. Expected: 2 * 3 * 3 / (6 * 5) = 0.6. Alpha = 1 - (1/3) / 0.6 = 4/9.
    rows = [("a", "a"), ("a", "b"), ("b", "b"), ("a", None)]
    assert krippendorff_alpha(rows) == pytest.approx(4 / 9)


@given(ratings)
def test_cohen_is_scikit_learns(rows: list[tuple[str, ...]]) -> None:
    first, second = [row[0] for row in rows], [row[1] for row in rows]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it divides by zero where kappa is not defined
        theirs = cohen_kappa_score(first, second)
    ours = cohen_kappa(first, second)
    assert math.isnan(theirs) if ours is None else ours == pytest.approx(theirs)


@given(ratings)
def test_fleiss_and_alpha_are_nltks(rows: list[tuple[str, ...]]) -> None:
    ours, alpha = fleiss_kappa(rows), krippendorff_alpha(rows)
    if len({label for row in rows for label in row}) == 1:
        assert (ours, alpha) == (None, None)
        return
    assert ours == pytest.approx(task(rows).pi())  # Scott's pi over several raters is Fleiss' kappa
    assert alpha == pytest.approx(task(rows).alpha())


def test_alpha_of_grades_is_nltks() -> None:
    rows = [(1, 1, 3), (5, 7, 7), (10, 10, 10), (3, 1, 5), (7, 10, None)]
    theirs = task([row for row in rows if None not in row], distance=interval_distance).alpha()
    assert krippendorff_alpha([row for row in rows if None not in row], interval) == pytest.approx(theirs)


def test_where_nothing_is_rated_twice_nothing_is_said() -> None:
    assert cohen_kappa([], []) is None
    assert cohen_kappa(["a", None], [None, "b"]) is None
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([("a", None)]) is None
    assert krippendorff_alpha([("a", None), (None, "b")]) is None
    with pytest.raises(ValueError, match="same items"):
        cohen_kappa(["a"], [])
    with pytest.raises(ValueError, match="two or more raters"):
        fleiss_kappa([("a",)])


@given(ratings, st.permutations([0, 1, 2]))
def test_the_order_of_raters_does_not_matter(rows: list[tuple[str, ...]], order: list[int]) -> None:
    turned = [tuple(row[place] for place in order) for row in rows]
    assert fleiss_kappa(rows) == pytest.approx(fleiss_kappa(turned))
    assert krippendorff_alpha(rows) == pytest.approx(krippendorff_alpha(turned))
