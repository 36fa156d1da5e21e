"""What makes an answer: near the best, of its language, belonging to the question; nothing counted twice."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag.answering.extraction.selection import Candidate, belonging, choose
from policy_rag.answering.extraction.units import Unit
from policy_rag.records.search import Hit, SearchRank

_HIT = Hit(
    rank=1, score=1.0, doc_id="d", version=None, file="d.md", section_id="s", number=None, title="", path=("T",),
    start=0, end=1, chunk_start=0, chunk_end=1, page=None, text="x", found_by={"vector": SearchRank(1, 0.5)},
)  # fmt: skip
_BEST = "The limit is 120 euros for each night."


def a_candidate(text: str, *, document: int = 0, spans: Sequence[tuple[int, int]] = ((0, 40),)) -> Candidate:
    return Candidate(Unit(text, spans[-1][0], spans[-1][1], tuple(spans)), _HIT, document)


def row(*values: float) -> NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def stands(other: Candidate, *, score: float, cosine: float = 0.3, coverage: float = 0.0, asked: str = "?") -> bool:
    found = belonging(asked, [a_candidate(_BEST), other], row(1, score), row(0.5, cosine), row(0.5, coverage))
    assert found[0]
    return bool(found[1])


def test_what_is_far_below_the_best_only_fills_space() -> None:
    near = a_candidate("The meals are extra.")
    assert stands(near, score=0.56)
    assert not stands(near, score=0.54)  # more than 0.45 below
    low = belonging("?", [a_candidate(_BEST), near], row(0.4, 0.19), row(0.3, 0.3), row(0, 0))
    assert low.tolist() == [True, False]  # less than half


def in_section(text: str, section: str) -> Candidate:
    one = a_candidate(text)
    return Candidate(one.unit, replace(_HIT, section_id=section), one.document)


def test_another_section_must_be_nearer_than_another_sentence_of_the_same() -> None:
    other = in_section("The meals are extra.", "t")
    assert stands(other, score=0.66, coverage=0.1)
    assert not stands(other, score=0.64, coverage=0.1)  # the best has a coverage of 0.5
    assert stands(other, score=0.56, coverage=0.5)
    assert not stands(other, score=0.54, coverage=0.5)


def test_another_section_without_a_word_of_the_question_must_be_about_as_near() -> None:
    other = in_section("The meals are extra.", "t")
    assert stands(other, score=0.91)
    assert not stands(other, score=0.89)


def test_another_document_must_share_words_or_be_near_by_itself() -> None:
    other = a_candidate("The visitors are two.", document=1)
    assert not stands(other, score=0.9)
    assert stands(other, score=0.9, coverage=0.23)  # 0.45 of the 0.5 that the best has
    assert not stands(other, score=0.9, coverage=0.22)
    assert stands(other, score=0.9, cosine=0.6)
    assert not stands(other, score=0.84, coverage=0.4)
    assert stands(other, score=0.76, coverage=0.5)
    assert not stands(other, score=0.74, coverage=0.5)


def test_who_compares_wants_other_documents() -> None:
    other = a_candidate("The visitors are two.", document=1)
    assert stands(other, score=0.66, coverage=0.1, asked="What is the difference between night and day rates?")
    assert not stands(other, score=0.64, coverage=0.4, asked="Compare the rates.")


def test_something_worded_is_the_best_before_what_is_a_little_nearer() -> None:
    far, worded = a_candidate("The visitors are two.", document=1), a_candidate(_BEST)
    assert belonging("?", [far, worded], row(1, 0.71), row(0.5, 0.3), row(0, 0.3)).tolist() == [False, True]
    assert belonging("?", [far, worded], row(1, 0.69), row(0.5, 0.3), row(0, 0.3)).tolist() == [True, False]


def test_another_language_stays_away() -> None:
    assert not stands(a_candidate("Le vin de la maison est dans les frais."), score=0.9, coverage=0.5)
    assert stands(a_candidate("Le vin"), score=0.9)


@pytest.mark.parametrize(
    "line",
    [
        "Version 5.2, in force from 1 April 2025.",
        "Acme SE | Version 2 | May 2025",
        "Westmere Hospitals. Version 5.2, in force from 1 April 2025.",
    ],
)
def test_a_version_comes_only_where_it_is_asked_for(line: str) -> None:
    assert not stands(a_candidate(line), score=0.9, asked="When must it be started?")
    assert stands(a_candidate(line), score=0.9, asked="Since when is it in force?")
    assert belonging("When?", [a_candidate(line)], row(1), row(0.5), row(0)).all()


def test_rows_of_one_table_cost_and_count_once() -> None:
    table = [a_candidate("row " * 30, spans=((0, 300),)) for _ in range(3)]
    rule = a_candidate("rule " * 29, spans=((400, 545),))
    chosen = choose([*table, rule], row(0.88, 0.88, 0.88, 0.87), np.ones(4, bool), np.eye(4, dtype=np.float32), 5, 450)
    assert chosen == [0, 3]


def test_a_header_that_is_quoted_costs_nothing_again() -> None:
    rows = [a_candidate("h" * 200 + "r" * 50, spans=((0, 200), (200 + 50 * n, 250 + 50 * n))) for n in range(3)]
    chosen = choose(rows, row(0.9, 0.88, 0.86), np.ones(3, bool), np.eye(3, dtype=np.float32), 5, 310)
    assert chosen == [0, 1]  # 250, then 50; another 50 would be 350


@pytest.mark.parametrize(("second", "expected"), [(0.86, [0, 1]), (0.85, [0])])
def test_a_second_row_must_be_about_as_near_as_the_first(second: float, expected: list[int]) -> None:
    rows = [Candidate(Unit("row", n, n + 1, ((n, n + 1),), table=7), _HIT, 0) for n in range(2)]
    assert choose(rows, row(0.9, second), np.ones(2, bool), np.eye(2, dtype=np.float32), 5, 450) == expected
    apart = [Candidate(one.unit, _HIT, place) for place, one in enumerate(rows)]
    assert choose(apart, row(0.9, second), np.ones(2, bool), np.eye(2, dtype=np.float32), 5, 450) == [0, 1]


def test_a_whole_list_counts_as_a_third_of_all_at_most() -> None:
    items = Candidate(Unit("item " * 60, 0, 300, ((0, 300),), is_list=True), _HIT, 0)
    rest = [a_candidate("rule " * 20, spans=((400 + 100 * n, 500 + 100 * n),)) for n in range(3)]
    vectors = np.eye(4, dtype=np.float32)
    assert choose([items, *rest], row(0.9, 0.8, 0.7, 0.6), np.ones(4, bool), vectors, 5, 360) == [0, 1, 2]  # 120 + 200
