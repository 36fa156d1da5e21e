"""Dates and months as texts write them, in every language that has a lexicon."""

import datetime as dt
import re

import pytest

from policy_rag_parsers.text.dates import all_month_names, date_of, date_pattern, month_names, period_of, period_pattern
from policy_rag_parsers.text.lexicon import LEXICONS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 May 2025", "2025-05-01"),
        ("1st of May, 2025", "2025-05-01"),
        ("May 1, 2025", "2025-05-01"),
        ("1. Jänner 2025", "2025-01-01"),
        ("01.05.2025", "2025-05-01"),
        ("2025-05-01", "2025-05-01"),
        ("31/05/2025", "2025-05-31"),
        ("05/31/2025", "2025-05-31"),
        ("4/5/2025", None),
        ("31 February 2025", None),
        ("1er mars 2025", "2025-03-01"),
        ("1 de mayo de 2025", "2025-05-01"),
        ("2 de março de 2025", "2025-03-02"),
        ("3 Okt. 2025", "2025-10-03"),
        ("1° gennaio 2025", "2025-01-01"),
        ("2 maart 2025", "2025-03-02"),
    ],
)
def test_a_day_is_read(text: str, expected: str | None) -> None:
    found = re.fullmatch(date_pattern(), text, re.IGNORECASE)
    assert found is not None
    assert date_of(found) == (dt.date.fromisoformat(expected) if expected else None)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("March 2024", "2024-03-01", "2024-03-31"),
        ("2024", "2024-01-01", "2024-12-31"),
        ("2023/24", "2023-12-31", "2023-12-31"),
        ("fevereiro de 2024", "2024-02-01", "2024-02-29"),
        ("3 May 2024", "2024-05-03", "2024-05-03"),
        ("2023/25", None, None),  # years that do not follow each other
    ],
)
def test_a_period_is_read(text: str, first: str | None, last: str | None) -> None:
    found = re.fullmatch(period_pattern(), text, re.IGNORECASE)
    assert found is not None
    assert period_of(found) == (first and last and (dt.date.fromisoformat(first), dt.date.fromisoformat(last)))


@pytest.mark.parametrize("language", LEXICONS)
def test_every_language_names_twelve_months(language: str) -> None:
    assert set(month_names(language).values()) == set(range(1, 13))


def test_abbreviations_that_are_other_words_name_no_month_where_the_language_is_unknown() -> None:
    names = all_month_names()
    assert {"out", "ago", "set"}.isdisjoint(names)
    assert (names["may"], names["dezember"], names["mar"], names["août"]) == (5, 12, 3, 8)
