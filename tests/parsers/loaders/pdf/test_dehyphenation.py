"""PDF: words that are divided at the end of a line, and those that are written with a hyphen."""

import pytest
from drawn_pdf import drawn, read

from policy_rag_parsers.loaders.pdf.dehyphenation import Vocabulary, join_lines

KNOWN = Vocabulary(frozenset({"information", "long-term", "longterm"}))
GERMAN = Vocabulary(frozenset({"berlin-mitte", "der"}), dividing=True)


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011"])
@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("the infor", "mation", "the information"),
        ("long", "term", "long{}term"),
        ("see 2024", "25 and", "see 2024{}25 and"),
        ("a 20", "day average", "a 20{}day average"),
        ("Form A", "17", "Form A{}17"),
        ("the EU", "wide plan", "the EU{}wide plan"),
        ("Anglo", "American", "Anglo{}American"),
        ("short", "and long-term", "short{} and long-term"),
        ("pages 3 ", "4", "pages 3 {} 4"),
    ],
)
def test_words_divided_at_line_ends(before: str, after: str, expected: str, hyphen: str) -> None:
    assert join_lines([before + hyphen, after], KNOWN) == expected.format(hyphen)


@pytest.mark.parametrize(
    ("before", "after", "expected", "known"),
    [
        ("unheard-", "of", "unheard-of", KNOWN),
        ("unheard\u2010", "of", "unheardof", KNOWN),  # as browsers divide words
        ("unheard\u2010", "of", "unheard\u2010of", Vocabulary(KNOWN.words, divides=False)),
        ("see Rule 4.2.1.", "(3)(a) and", "see Rule 4.2.1.(3)(a) and", KNOWN),
        ("el reglamen-", "to interno", "el reglamento interno", GERMAN),
        ("pre-", "y posventa", "pre- y posventa", GERMAN),
        ("siehe https://example.org/arbeits-", "zeit", "siehe https://example.org/arbeits-zeit", GERMAN),
        ("die Geschäfts-", "führung", "die Geschäftsführung", GERMAN),
        ("die IT-", "Abteilung", "die IT-Abteilung", GERMAN),
        ("IT-", "gestützt", "IT-gestützt", GERMAN),
        ("Vor-", "und Nachname", "Vor- und Nachname", GERMAN),
        ("Berlin-", "mitte", "Berlin-mitte", GERMAN),  # as elsewhere in the document
    ],
)
def test_words_that_the_document_does_not_have(before: str, after: str, expected: str, known: Vocabulary) -> None:
    assert join_lines([before, after], known) == expected


def test_a_soft_hyphen_that_is_drawn_is_a_hyphen() -> None:
    lines = "For the years from 2020 to 2024 and for all of those that come, the 2024\xad / 25 plan holds."
    assert "the 2024-25 plan" in read(drawn(f"100 | 40 {lines}")).text
