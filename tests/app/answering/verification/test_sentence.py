"""What is read of a sentence: stems with numbers in one notation, no names of units that a sign may stand for."""

import pytest

from policy_rag.answering.verification.sentence import read


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("ten years", "10 years", "english"),
        ("twenty-five years", "25 years", "english"),
        ("two hundred and fifty grams", "250 grams", "english"),
        ("50 percent", "50 %", "english"),
        ("within an hour", "within 1 hour", "english"),
        ("up to one month", "up to 1 month", "english"),
        ("innerhalb eines Monats", "innerhalb 1 Monats", "german"),
        ("EUR 30", "30 euros", "english"),
        ("drei Tage", "3 Tage", "german"),
        ("soixante-quinze jours", "75 jours", "french"),
    ],
)
def test_two_notations_have_the_same_stems(one: str, other: str, language: str) -> None:
    assert read(one, language).stems == read(other, language).stems


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("No one may park.", "english", ["one", "may", "park"]),
        ("A hundred cents", "english", ["100", "cent"]),
        ("Rule 4.2 and ten", "english", ["rule", "4.2", "10"]),
        ("EUR 5 a day", "english", ["5", "day"]),  # a rate, no one
        ("", "english", []),
    ],
)
def test_what_is_no_number_stays_a_word(text: str, language: str, expected: list[str]) -> None:
    assert list(read(text, language).stems) == expected
