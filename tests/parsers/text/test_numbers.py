"""Numbers in words: how far one reaches, and what it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.text.lexicon import LEXICONS
from policy_rag_parsers.text.numbers import number_in_words, ordinal


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("english", "five", ("5", 1)),
        ("english", "twenty five years", ("25", 2)),
        ("english", "one hundred and twenty", ("120", 4)),
        ("english", "two hundred fifty thousand", ("250000", 4)),
        ("english", "five cents", ("5", 1)),
        ("english", "two twenty", ("2", 1)),
        ("english", "six and seven", ("6", 1)),
        ("english", "thirty five six", ("35", 2)),
        ("german", "fünfundzwanzig", ("25", 1)),
        ("german", "zweihundertfünfzig", ("250", 1)),
        ("german", "zweitausendfünfhundert", ("2500", 1)),
        ("german", "dreißig tage", ("30", 1)),
        ("french", "vingt et un", ("21", 3)),
        ("french", "soixante quinze", ("75", 2)),
        ("french", "quatre vingts", ("80", 2)),
        ("french", "quatre vingt dix sept", ("97", 4)),
        ("french", "deux mille cinq cents", ("2500", 4)),
        ("spanish", "treinta y un días", ("31", 3)),
        ("portuguese", "vinte e cinco dias", ("25", 3)),
        *(("english", text, None) for text in ("the", "and five", "unknown", "", "per cent", "first")),
    ],
)
def test_a_number_takes_the_words_that_make_it(language: str, text: str, found: tuple[str, int] | None) -> None:
    assert number_in_words(text.split(), language) == found


@pytest.mark.parametrize(
    ("language", "word", "number"),
    [
        ("english", "fourth", "4"),
        ("german", "dritter", "3"),
        ("german", "zweiten", "2"),
        ("french", "deuxième", "2"),
        ("french", "première", "1"),
        ("spanish", "tercero", "3"),
        ("portuguese", "segundo", "2"),
        ("german", "acht", None),
        ("english", "forty", None),
        ("german", "letzte", None),
    ],
)
def test_ordinals_are_known(language: str, word: str, number: str | None) -> None:
    assert ordinal(word, language) == number


@given(
    st.lists(
        st.sampled_from(
            ["one", "two", "hundred", "thousand", "and", "forty", "vingt", "et", "cent", "mille", "zehn", "y"]
        ),
        max_size=9,
    ),
    st.sampled_from(sorted(LEXICONS)),
)
def test_any_words_are_read_and_no_more_are_taken_than_there_are(row: list[str], language: str) -> None:
    found = number_in_words(row, language)
    assert found is None or (float(found[0]) >= 0 and 1 <= found[1] <= len(row))
