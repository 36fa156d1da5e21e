"""How likely an answer is right: what raises it, what lowers it, and where nothing is known."""

import math
from dataclasses import replace

import pytest

from policy_rag.answering.confidence.model import Features
from policy_rag.answering.confidence.probability import (
    LEAST_RIGHT,
    UNWEIGHED,
    FirstQuotation,
    is_near_miss,
    probability_right,
)

FOUND = Features()
FIRST = FirstQuotation(chosen=0.0, near=0.1, read=-1.0, around=0.4, borne=0.0, length=90)


def test_how_likely_an_answer_is_right_by_hand() -> None:
    score = 2.45 + 3.9 * 0.1 + 0.15 * (-1.0 + 0.4) / 2 + 0.3 * -0.5 - 0.55 * math.log(90)
    first = replace(FIRST, borne=-0.5)
    assert probability_right(FOUND, first) == pytest.approx(1 / (1 + math.exp(-score)))


@pytest.mark.parametrize("less", [{"near": 0.0}, {"read": -2.0}, {"around": -2.0}, {"borne": -1.0}, {"length": 200}])
def test_each_thing_that_is_less_makes_it_less_likely(less: dict[str, float]) -> None:
    assert probability_right(FOUND, replace(FIRST, **less)) < probability_right(FOUND, FIRST)


def test_what_is_no_answer_to_the_reader_is_never_claimed() -> None:
    near = FirstQuotation(chosen=0.0, near=0.5, read=-4.1, around=-2.0, borne=3.0, length=25)
    assert probability_right(FOUND, near) == 0.4
    assert probability_right(FOUND, replace(near, read=-3.9)) > 0.9


def test_a_length_of_time_for_an_amount_is_never_held_for_likely() -> None:
    sure = FirstQuotation(chosen=3.0, near=0.5, read=3.0, around=3.0, borne=3.0, length=25)
    assert probability_right(FOUND, sure) > 0.9
    assert probability_right(FOUND, replace(sure, amiss=True)) == 0.4


def test_what_is_about_the_question_and_hardly_answers_it_is_refused() -> None:
    first = FirstQuotation(chosen=-2.0, near=0.0, read=-4.0, around=-4.0, borne=-3.0, length=90)
    assert is_near_miss(FOUND, first)
    assert probability_right(FOUND, first) < LEAST_RIGHT < probability_right(FOUND, FIRST)


def test_without_a_reader_the_choice_and_the_length_tell_and_of_nothing_nothing_is_known() -> None:
    unread = FirstQuotation(chosen=-0.5, near=0.3, length=100)
    assert probability_right(FOUND, unread) == pytest.approx(1 / (1 + math.exp(-(2.9 - 0.2 - 0.6 * math.log(100)))))
    assert probability_right(FOUND, replace(unread, length=200)) < probability_right(FOUND, unread)
    assert probability_right(FOUND, UNWEIGHED) == 0.5


def test_nothing_is_refused_that_nobody_read_or_that_was_asked_for_by_its_number() -> None:
    assert not is_near_miss(FOUND, FirstQuotation(chosen=-9.0, near=-0.5))
    clause = Features(clause=1.0)
    assert probability_right(clause, UNWEIGHED) == 0.99
    assert not is_near_miss(clause, replace(FIRST, read=-9.0, borne=-4.0, near=-1.0))


def test_the_logit_of_the_choice_counts_up_to_4() -> None:
    sure, surer, less = (FirstQuotation(chosen=logit, length=90) for logit in (4.0, 9.0, 3.0))
    assert probability_right(FOUND, surer) == probability_right(FOUND, sure) > probability_right(FOUND, less)
