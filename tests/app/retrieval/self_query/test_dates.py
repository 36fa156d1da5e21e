"""Days whose rules a question asks for."""

import datetime as dt

import pytest

from policy_rag.retrieval.self_query.dates import day_in_force

TODAY = dt.date(2026, 9, 1)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What was the rate in force on 1 May 2025?", "2025-05-01"),
        ("Which limit is valid on the 3rd of March, 2024?", "2024-03-03"),
        ("As of May 1, 2025, who approves flights?", "2025-05-01"),
        ("Who approves flights as at 2025-05-01?", "2025-05-01"),
        ("Welche Sätze waren am Stichtag gültig am 1. Mai 2025?", "2025-05-01"),
        ("Was galt am 01.05.2025?", "2025-05-01"),
        ("What applied in March 2024?", "2024-03-31"),  # the day of that month nearest to today
        ("Which rules apply in 2026?", "2026-09-01"),  # today is one of them
        ("Which rules apply in January 2027?", "2027-01-01"),
        ("What was in force in 2019?", "2019-12-31"),
    ],
)
def test_a_day_that_is_asked_for_in_so_many_words(question, day):
    assert day_in_force(question, TODAY)[0] == dt.date.fromisoformat(day)


@pytest.mark.parametrize(
    "question",
    [
        "I flew on 1 May 2025. What do I get?",
        "Is rule 2025-05-01 known?",
        "What is effective from 1 May 2025?",
        "What was in force on 31 February 2025?",
        "What was in force on 1 May 2025, and what was in force on 1 May 2024?",
        "Does it apply in 2025.3?",
        "Is a hotel of 2025 euros fine?",
    ],
)
def test_a_date_that_is_only_mentioned_is_none(question):
    assert day_in_force(question, TODAY) is None
