"""What makes an answer: near the best, of its language, belonging to the question; nothing counted twice."""

from collections.abc import Sequence

import numpy as np
import pytest
from made_hits import made_hit
from numpy.typing import NDArray

from policy_rag.answering.extraction.quotable_units import Unit
from policy_rag.answering.extraction.selection import QuoteCandidate, choose

_HIT = made_hit("x")
_BEST = "The limit is 120 euros for each night."


def a_candidate(text: str, *, document: int = 0, spans: Sequence[tuple[int, int]] = ((0, 40),)) -> QuoteCandidate:
    return QuoteCandidate(Unit(text, spans[-1][0], spans[-1][1], tuple(spans)), _HIT, document)


def row(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def chosen_of(
    candidates: Sequence[QuoteCandidate],
    scores: NDArray[np.float32],
    *,
    asked: str = "?",
    vectors: NDArray[np.float32] | None = None,
    most: int = 3,
    max_chars: int = 900,
    read: bool = True,
) -> list[int]:
    if vectors is None:
        vectors = np.eye(len(candidates), dtype=np.float32)
    return choose(asked, candidates, scores, vectors.__getitem__, most, max_chars, read=read)


def stands(other: QuoteCandidate, *, below: float, asked: str = "?", read: bool = True) -> bool:
    found = chosen_of([a_candidate(_BEST), other], row(2, 2 - below), asked=asked, read=read)
    assert found[0] == 0
    return len(found) == 2


@pytest.mark.parametrize(
    ("text", "document", "asked", "read", "least", "most"),
    [
        ("The meals are extra.", 0, "?", True, 1.69, 1.71),
        ("The meals are extra.", 0, "?", False, 1.27, 1.28),  # what nobody read must come nearer
        ("The visitors are two.", 1, "?", True, 1.19, 1.21),  # and so must another document
        ("The visitors are two.", 1, "?", False, 0.89, 0.91),
        ("The visitors are two.", 1, "What is the difference between night and day rates?", True, 1.9, 2.1),
        ("The visitors are two.", 1, "Compare the rates.", True, 1.9, 2.1),
        ("Le vin", 0, "?", True, 0.1, 1.8),  # too short to be of another language
        ("Le vin de la maison est dans les frais.", 0, "?", True, None, 0.1),
    ],
)
def test_what_is_further_below_the_best_only_fills_space(
    text: str, document: int, asked: str, read: bool, least: float | None, most: float
) -> None:
    other = a_candidate(text, document=document, spans=((50, 90),))
    assert least is None or stands(other, below=least, asked=asked, read=read)
    assert not stands(other, below=most, asked=asked, read=read)


def test_what_says_the_same_is_not_chosen_again() -> None:
    both = [a_candidate(_BEST), a_candidate("Nights have a limit of 120 euros.", spans=((50, 90),))]
    near = np.array([[1, 0], [0.91, 0.41]], dtype=np.float32)
    apart = np.array([[1, 0], [0.89, 0.46]], dtype=np.float32)
    assert chosen_of(both, row(2, 1.9), vectors=near) == [0]
    assert chosen_of(both, row(2, 1.9), vectors=apart) == [0, 1]


def test_no_more_are_chosen_than_asked_for() -> None:
    many = [a_candidate(f"Rule {n} holds.", spans=((50 * n, 50 * n + 20),)) for n in range(5)]
    assert chosen_of(many, row(1, 1.1, 1.2, 1.1, 1)) == [2, 1, 3]
    assert chosen_of(many, row(1, 1.1, 1.2, 1.1, 1), most=1) == [2]


def test_rows_of_one_table_cost_and_count_once() -> None:
    table = [a_candidate("row " * 30, spans=((0, 300),)) for _ in range(3)]
    rule = a_candidate("rule " * 29, spans=((400, 545),))
    assert chosen_of([*table, rule], row(0.88, 0.88, 0.88, 0.87), max_chars=450) == [0, 3]


def test_a_header_that_is_quoted_costs_nothing_again() -> None:
    rows = [a_candidate("h" * 200 + "r" * 50, spans=((0, 200), (200 + 50 * n, 250 + 50 * n))) for n in range(3)]
    assert chosen_of(rows, row(0.9, 0.88, 0.86), max_chars=310) == [0, 1]  # 250, then 50; another 50 would be 350


@pytest.mark.parametrize(("second", "expected"), [(0.61, [0, 1]), (0.59, [0])])
def test_a_second_row_must_be_about_as_near_as_the_first(second: float, expected: list[int]) -> None:
    rows = [QuoteCandidate(Unit("row", n, n + 1, ((n, n + 1),), table=7), _HIT, 0) for n in range(2)]
    assert chosen_of(rows, row(0.9, second)) == expected
    apart = [QuoteCandidate(one.unit, _HIT, place) for place, one in enumerate(rows)]
    assert chosen_of(apart, row(0.9, 0.61)) == [0, 1]


def test_a_whole_list_counts_as_a_third_of_all_at_most() -> None:
    items = QuoteCandidate(Unit("item " * 60, 0, 300, ((0, 300),), is_list=True), _HIT, 0)
    rest = [a_candidate("rule " * 20, spans=((400 + 100 * n, 500 + 100 * n),)) for n in range(3)]
    assert chosen_of([items, *rest], row(0.9, 0.8, 0.7, 0.6), max_chars=360) == [0, 1, 2]  # 120 + 200
