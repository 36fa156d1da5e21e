"""Figures of the asker's own case, put as the span of the source in which they lie."""

import pytest
from made_hits import made_hit

from policy_rag.answering.verification.case_values import as_general
from policy_rag.answering.verification.checker import check
from policy_rag.answering.verification.halves import halves
from policy_rag.answering.verification.sentence import read

RULES = [
    "A tour has one guard where 20 to 99 guests come",
    "three guards of a tour where 100 or more guests come.",
    "Meals between £25 and £75 are declared.",
    "Gifts worth up to 40 euros may be kept.",
    "above 5,500 to 45,000; Approver: head of sales",
]


@pytest.mark.parametrize(
    ("statement", "asked", "general"),
    [
        ("If 50 guests come, one guard is due.", "We are 50.", "If 20 to 99 guests come, one guard is due."),
        ("If 120 guests come, three are due.", "120 guests?", "If 100 or more guests come, three are due."),
        ("A meal of £30 is declared.", "My meal cost £30", "A meal of between £25 and £75 is declared."),
        ("A gift of 30 euros may be kept.", "May I keep 30 euros?", "A gift of up to 40 euros may be kept."),
        ("Of EUR 30,000 the head is told.", "It is EUR 30,000", "Of 5,500 to 45,000 the head is told."),
        # left as they are
        ("If 50 guests come, one guard is due.", "How many guards?", "If 50 guests come, one guard is due."),
        ("Up to 50 guests may come.", "We are 50.", "Up to 50 guests may come."),  # a bound claims more
        ("A meal of £90 is declared.", "My meal cost £90", "A meal of £90 is declared."),  # in no span
        ("It takes 50 days.", "50 days?", "It takes 50 days."),  # of guests and money only
        ("If 20 guests come, one is due.", "We are 20.", "If 20 guests come, one is due."),  # stands there
    ],
)
def test_a_case_becomes_its_span(statement: str, asked: str, general: str) -> None:
    said, *sources = (read(text, "english") for text in (statement, *RULES))
    assert as_general(said, asked, sources).text == general


@pytest.mark.parametrize(
    ("statement", "asked", "holds"),
    [
        ("If 50 guests come, one guard is due for the tour.", "We are 50 guests.", True),
        ("If 50 guests come, three guards are due for the tour.", "We are 50 guests.", False),
        ("If 50 guests come, one guard is due for the tour.", "How many guards?", False),
        ("A meal of £30 is declared.", "My meal cost £30", True),
        ("A gift of 30 euros may be kept.", "May I keep a gift of 30 euros?", True),
        ("A gift of 60 euros may be kept.", "May I keep a gift of 60 euros?", False),
    ],
)
def test_a_case_is_held_against_the_span_it_lies_in(statement: str, asked: str, holds: bool) -> None:
    hit = made_hit(f"{RULES[0]}, and {' '.join(RULES[1:4])}", title="", path=())
    assert check(statement, [hit], asked=asked).holds is holds


def test_a_case_is_held_against_its_row() -> None:
    table = "| Value (EUR) | Approver |\n| --- | --- |\n| up to 5,000 | clerk |\n| above 5,000 to 50,000 | board |\n"
    hit = [made_hit(table, title="", path=())]
    asked = "Who approves an order of EUR 30,000?"
    assert check("An order of EUR 30,000 has the board as approver.", hit, asked=asked).holds
    assert not check("An order of EUR 30,000 has the clerk as approver.", hit, asked=asked).holds


@pytest.mark.parametrize(
    ("statement", "general"),
    [
        ("A visit of 70 euros needs a note.", "A visit of more than 50 and up to 90 euros needs a note."),
        ("A visit of 95 euros needs a note.", "A visit of 95 euros needs a note."),
        ("A visit of 50 euros needs a note.", "A visit of 50 euros needs a note."),
    ],
)
def test_two_bounds_that_are_joined_are_one_span(statement: str, general: str) -> None:
    sources = [
        half.whole for half in halves(read("A visit of more than 50 and up to 90 euros needs a note.", "english"))
    ]
    assert as_general(read(statement, "english"), statement, sources).text == general
