"""How likely an answer is right: what raises it, what lowers it, and where nothing is known."""

import math
from dataclasses import replace

import pytest

from policy_rag.answering.confidence.model import Features
from policy_rag.answering.confidence.probability import (
    LEAST_THERE,
    FirstQuotation,
    probability_right,
    probability_there,
)

FOUND = Features(beyond=-1.0)
FIRST = FirstQuotation(chosen=0.0, near=0.1, read=-1.0, borne=0.0)


def test_how_likely_the_answer_is_there_by_hand() -> None:
    score = 3.2 + 4.4 * 0.1 + 0.35 * -1.0 + 1.8 * -1.0 + 0.6 * -0.5
    assert probability_there(FOUND, replace(FIRST, borne=-0.5)) == pytest.approx(1 / (1 + math.exp(-score)))


@pytest.mark.parametrize("less", [{"chosen": -1.0}, {"near": 0.0}, {"read": -2.0}, {"borne": -1.0}])
def test_each_thing_that_is_less_makes_it_less_likely(less: dict[str, float]) -> None:
    worse = replace(FIRST, **less)
    assert (probability_there(FOUND, worse) < probability_there(FOUND, FIRST)) is ("chosen" not in less)
    assert probability_right(FOUND, worse) < probability_right(FOUND, FIRST)


def test_what_is_about_the_question_and_hardly_answers_it_is_refused() -> None:
    first = FirstQuotation(chosen=-2.0, near=0.1, read=-3.0, borne=-1.0)
    assert probability_there(Features(beyond=-2.0), first) < LEAST_THERE < probability_there(FOUND, FIRST)


def test_where_nobody_read_or_a_clause_was_asked_for_the_answer_is_there() -> None:
    assert probability_there(Features(beyond=-9.0), FirstQuotation(chosen=-9.0, near=-0.5)) == 1
    assert probability_there(Features(beyond=-9.0, clause=1.0), replace(FIRST, read=-9.0, borne=-4.0)) == 1


def test_an_answer_is_right_no_oftener_than_it_is_there() -> None:
    assert probability_right(FOUND, FIRST) < probability_there(FOUND, FIRST)
    unread = FirstQuotation(chosen=-1.8)  # 1.2 - 0.9 - 0.3 for what nobody read
    assert probability_right(Features(), unread) == pytest.approx(0.5)
    assert probability_right(Features(clause=1.0), FirstQuotation()) > 0.98


def test_the_logit_of_the_choice_counts_up_to_4() -> None:
    sure, surer, less = (replace(FIRST, chosen=logit) for logit in (4.0, 9.0, 3.0))
    assert probability_right(FOUND, surer) == probability_right(FOUND, sure) > probability_right(FOUND, less)
