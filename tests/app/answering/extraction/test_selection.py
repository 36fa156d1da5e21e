"""What makes an answer: near the best, of its language, belonging to the question; nothing counted twice."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag.answering.extraction.quotable_units import Unit
from policy_rag.answering.extraction.selection import QuoteCandidate, choose
from policy_rag.records.search import Hit, SearchRank

_HIT = Hit(
    rank=1, score=1.0, doc_id="d", version=None, file="d.md", section_id="s", number=None, title="", path=("T",),
    start=0, end=1, chunk_start=0, chunk_end=1, page=None, text="x", found_by={"vector": SearchRank(1, 0.5)},
)  # fmt: skip
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


def elsewhere(text: str, *, document: int = 0) -> QuoteCandidate:
    return a_candidate(text, document=document, spans=((50, 90),))


def test_what_is_far_below_the_best_only_fills_space() -> None:
    near = elsewhere("The meals are extra.")
    assert stands(near, below=1.69)
    assert not stands(near, below=1.71)


def test_what_nobody_read_must_come_nearer() -> None:
    near, other = elsewhere("The meals are extra."), elsewhere("The visitors are two.", document=1)
    assert stands(near, below=1.27, read=False)
    assert not stands(near, below=1.28, read=False)
    assert stands(other, below=0.89, read=False)
    assert not stands(other, below=0.91, read=False)


def test_another_document_must_come_nearer() -> None:
    other = elsewhere("The visitors are two.", document=1)
    assert stands(other, below=1.19)
    assert not stands(other, below=1.21)


def test_who_compares_wants_other_documents() -> None:
    other = elsewhere("The visitors are two.", document=1)
    assert stands(other, below=1.9, asked="What is the difference between night and day rates?")
    assert not stands(other, below=2.1, asked="Compare the rates.")


def test_another_language_stays_away() -> None:
    assert not stands(elsewhere("Le vin de la maison est dans les frais."), below=0.1)
    assert stands(elsewhere("Le vin"), below=0.1)


def test_what_says_the_same_is_not_chosen_again() -> None:
    both = [a_candidate(_BEST), elsewhere("Nights have a limit of 120 euros.")]
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
