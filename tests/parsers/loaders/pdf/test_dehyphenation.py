"""PDF: words that are divided at the end of a line, and those that are written with a hyphen."""

import pytest
from drawn_pdf import column, grid, pdf, put
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.dehyphenation import Vocabulary, join_lines
from policy_rag_parsers.loaders.pdf.document import load_pdf

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


def test_a_word_that_the_document_does_not_have() -> None:
    assert join_lines(["unheard-", "of"], KNOWN) == "unheard-of"
    assert join_lines(["unheard\u2010", "of"], KNOWN) == "unheardof"  # as browsers divide words
    hyphens_elsewhere = Vocabulary(KNOWN.words, divides=False)
    assert join_lines(["unheard\u2010", "of"], hyphens_elsewhere) == "unheard\u2010of"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("el reglamen", "to interno", "el reglamento interno"),
        ("pre", "y posventa", "pre- y posventa"),
        ("siehe https://example.org/arbeits", "zeit", "siehe https://example.org/arbeits-zeit"),
    ],
)
def test_where_a_hyphen_only_divides(before: str, after: str, expected: str) -> None:
    assert join_lines([f"{before}-", after], GERMAN) == expected


def test_german_words_have_a_hyphen_before_a_capital_only() -> None:
    assert join_lines(["die Geschäfts-", "führung"], GERMAN) == "die Geschäftsführung"
    assert join_lines(["die IT-", "Abteilung"], GERMAN) == "die IT-Abteilung"
    assert join_lines(["IT-", "gestützt"], GERMAN) == "IT-gestützt"
    assert join_lines(["Vor-", "und Nachname"], GERMAN) == "Vor- und Nachname"
    assert join_lines(["Berlin-", "mitte"], GERMAN) == "Berlin-mitte"  # as elsewhere in the document


def test_clause_numbers_are_closed_up() -> None:
    assert join_lines(["see Rule 4.2.1.", "(3)(a) and"], KNOWN) == "see Rule 4.2.1.(3)(a) and"


def test_a_line_that_ends_in_a_word_goes_on_whatever_room_it_left() -> None:
    lines = [
        "Die Kosten der Unterkunft und der Verpflegung werden nur bezahlt, wenn die",
        "Geschäfts-",
        "führung zustimmt.",
    ]
    assert load_pdf(pdf(lambda canvas: column(canvas, 40, 100, lines))).text == (
        f"{lines[0]} Geschäftsführung zustimmt.\n"
    )


def test_a_soft_hyphen_that_is_drawn_is_a_hyphen() -> None:
    lines = ["For the years from 2020 to 2024 and for all of those that come, the 2024\xad", "25 plan holds."]
    assert "the 2024-25 plan" in load_pdf(pdf(lambda canvas: column(canvas, 40, 100, lines))).text


def test_words_divided_in_a_cell_have_no_blank() -> None:
    def page(canvas: Canvas) -> None:
        grid(canvas, 100, [("Matter", "Rate"), ("", "200")])
        put(canvas, 44, 123, "Long-", 7)
        put(canvas, 44, 130, "term", 7)

    assert load_pdf(pdf(page)).text == "Matter | Rate\nLong-term | 200\n"
