"""Numbers in words: how far one reaches, and what it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.verification.number_words import number_in_words, ordinal


@pytest.mark.parametrize(
    ("text", "number", "taken"),
    [
        ("five", 5, 1),
        ("twenty five years", 25, 2),
        ("one hundred and twenty", 120, 4),
        ("two hundred fifty thousand", 250_000, 4),
        ("fifteen hundred", 1500, 2),
        ("five cents", 5, 1),
        ("two twenty", 2, 1),
        ("six and seven", 6, 1),
        ("thirty five six", 35, 2),
        ("fünfundzwanzig", 25, 1),
        ("einundzwanzig", 21, 1),
        ("zweihundertfünfzig", 250, 1),
        ("zweitausendfünfhundert", 2500, 1),
        ("hundertundzehn", 110, 1),
        ("dreißig tage", 30, 1),
        ("vingt et un", 21, 3),
        ("soixante quinze", 75, 2),
        ("soixante et onze", 71, 3),
        ("quatre vingts", 80, 2),
        ("quatre vingt dix sept", 97, 4),
        ("deux mille cinq cents", 2500, 4),
    ],
)
def test_a_number_takes_the_words_that_make_it(text: str, number: int, taken: int) -> None:
    assert number_in_words(text.split()) == (number, taken)


@pytest.mark.parametrize("text", ["the", "hunderte", "and five", "unbekannt", "", "per cent"])
def test_other_words_are_none(text: str) -> None:
    assert number_in_words(text.split()) is None


@pytest.mark.parametrize(
    ("word", "number"),
    [("first", 1), ("fourth", 4), ("dritter", 3), ("zweiten", 2), ("achte", 8), ("deuxième", 2), ("première", 1)],
)
def test_ordinals_are_known(word: str, number: int) -> None:
    assert ordinal(word) == number


@pytest.mark.parametrize("word", ["acht", "three", "erst", "forty", "letzte"])
def test_what_is_no_ordinal_is_not(word: str) -> None:
    assert ordinal(word) is None


@given(
    st.lists(
        st.sampled_from(
            ["one", "two", "hundred", "thousand", "and", "forty", "vingt", "et", "cent", "mille", "zehn", "staff"]
        ),
        max_size=9,
    )
)
def test_any_words_are_read_and_no_more_are_taken_than_there_are(row: list[str]) -> None:
    found = number_in_words(row)
    assert found is None or (found[0] >= 0 and 1 <= found[1] <= len(row))
