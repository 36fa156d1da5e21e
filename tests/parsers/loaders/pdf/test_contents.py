"""PDF: tables of contents."""

import pytest
from drawn_pdf import PAGE, drawn, put, read
from reportlab.pdfgen.canvas import Canvas
from shown_source import headings

TITLES = ("1 Leave", "2 Travel", "3 Gifts", "4 Data")


def entries(texts: list[tuple[str, str]], *, dots: int) -> tuple[str, list[str], list[str]]:
    """The text of a file whose first page has entries with a number at the right edge, its contents and its headings."""

    def first(canvas: Canvas) -> None:
        put(canvas, 40, 60, "Contents", 12, "Helvetica-Bold")
        for at, (title, number) in enumerate(texts):
            put(canvas, 40, 90 + at * 14, title, 10, "Helvetica-Bold")
            put(canvas, 200, 90 + at * 14, " ." * dots)
            canvas.drawRightString(360, PAGE[1] - 90 - at * 14, number)

    second = [f"*{60 + at * 60}@12 | 40 {title}\n{76 + at * 60} | 40 FULL. / FULL." for at, title in enumerate(TITLES)]
    source = read(first, drawn("\n".join(second)))
    return source.text, [source.text[start:end] for start, end in source.contents], headings(source)


@pytest.mark.parametrize("dots", [0, 2, 20])
def test_entries_with_rising_page_numbers_are_contents_with_or_without_dots(dots: int) -> None:
    _, found, marked = entries(list(zip(TITLES, "2234", strict=True)), dots=dots)
    assert found == ["1 Leave\t2\n2 Travel\t2\n3 Gifts\t3\n4 Data\t4"]
    assert marked == [f"1 {title}" for title in TITLES]


@pytest.mark.parametrize("amounts", [("12", "20", "15", "18"), ("12", "30", "40", "90")], ids=["falling", "large"])
def test_amounts_at_the_right_edge_are_no_contents(amounts: tuple[str, ...]) -> None:
    text, found, _ = entries(list(zip(("Breakfast", "Lunch", "Dinner", "Taxi"), amounts, strict=True)), dots=0)
    assert found == []
    assert "Breakfast" in text


def test_a_title_over_two_lines_is_one_entry() -> None:
    texts = [("1 Leave", "2"), ("2 Travel of members of staff", ""), ("and of guests", "3"), ("3 Gifts", "4")]
    _, found, _ = entries([*texts, ("4 Data", "5")], dots=0)
    assert found == ["1 Leave\t2\n2 Travel of members of staff and of guests\t3\n3 Gifts\t4\n4 Data\t5"]
