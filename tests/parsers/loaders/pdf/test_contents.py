"""PDF: tables of contents."""

import pytest
from drawn_pdf import column, pdf, put
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf

FULL = "This line is as long as all the full lines of this page are, it ends."
TITLES = ("1 Leave", "2 Travel", "3 Gifts", "4 Data")


def entries(texts: list[tuple[str, str]], *, dots: int) -> tuple[str, list[str], list[str]]:
    """The text of a file whose first page has entries with a number at the right edge, its contents and its headings."""

    def first(canvas: Canvas) -> None:
        put(canvas, 40, 60, "Contents", 12, "Helvetica-Bold")
        for at, (title, number) in enumerate(texts):
            put(canvas, 40, 90 + at * 14, title, 10, "Helvetica-Bold")
            put(canvas, 200, 90 + at * 14, " ." * dots)
            canvas.drawRightString(360, 500 - 90 - at * 14, number)

    def second(canvas: Canvas) -> None:
        for at, title in enumerate(TITLES):
            put(canvas, 40, 60 + at * 60, title, 12, "Helvetica-Bold")
            column(canvas, 40, 76 + at * 60, [FULL, FULL])

    source = load_pdf(pdf(first, second))
    found = [source.text[start:end] for start, end in source.contents]
    return source.text, found, [source.text[mark.start : mark.end] for mark in source.headings]


@pytest.mark.parametrize("dots", [0, 2, 20])
def test_entries_with_rising_page_numbers_are_contents_with_or_without_dots(dots: int) -> None:
    _, found, headings = entries(list(zip(TITLES, "2234", strict=True)), dots=dots)
    assert found == ["1 Leave\t2\n2 Travel\t2\n3 Gifts\t3\n4 Data\t4"]
    assert headings == list(TITLES)


def test_amounts_at_the_right_edge_are_no_contents() -> None:
    text, found, _ = entries([("Breakfast", "12"), ("Lunch", "40"), ("Dinner", "30"), ("Taxi", "90")], dots=0)
    assert found == []
    assert "Breakfast" in text


def test_a_title_over_two_lines_is_one_entry() -> None:
    texts = [("1 Leave", "2"), ("2 Travel of members of staff", ""), ("and of guests", "3"), ("3 Gifts", "4")]
    _, found, _ = entries([*texts, ("4 Data", "5")], dots=0)
    assert found == ["1 Leave\t2\n2 Travel of members of staff and of guests\t3\n3 Gifts\t4\n4 Data\t5"]
