"""PDF: raised figures are no figures of the number before them."""

import pytest
from drawn_pdf import FULL, column, put, read
from reportlab.pdfgen.canvas import Canvas

Piece = tuple[str, float, float]


def in_a_row(canvas: Canvas, pieces: list[Piece], x: float = 40, y: float = 100) -> None:
    """Write pieces directly behind each other, each with its size and its rise over the baseline."""
    for text, size, rise in pieces:
        put(canvas, x, y - rise, text, size)
        x += canvas.stringWidth(text, "Helvetica", size)


# Word sets 65 % and a third of the size higher, LibreOffice 58 %, Chromium 83 %.
@pytest.mark.parametrize(("size", "rise"), [(6.5, 3.5), (5.8, 3.3), (8.3, 4), (7, 5)])
@pytest.mark.parametrize(
    ("before", "mark", "behind", "expected"),
    [
        ("absent for more than 11", "8", " days tell it.", "absent for more than 11[8] days tell it."),
        ("absent for more than 10", "3", " days tell it.", "absent for more than 10[3] days tell it."),
        ("up to 150 euros", "12", ", not more.", "up to 150 euros[12], not more."),
        ("It has 20 m", "2", ".", "It has 20 m²."),
        ("some 3×10", "6", " km of roads", "some 3×10^6 km of roads"),
        ("The rule. ", "2", "Another one.", "The rule. 2 Another one."),
        ("on the 1", "st", " of May", "on the 1st of May"),
    ],
)
def test_raised_figures(before: str, mark: str, behind: str, expected: str, size: float, rise: float) -> None:
    source = read(lambda canvas: in_a_row(canvas, [(before, 10, 0), (mark, size, rise), (behind, 10, 0)]))
    assert source.text == f"{expected}\n"


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        (
            [("CO", 10, 0), ("2", 6.5, -2), (" is counted, B", 10, 0), ("RANNHOLT 9", 8, 0), (".", 10, 0)],
            "CO2 is counted, BRANNHOLT 9.",
        ),
        ([("50 euros", 10, 0), ("1", 6, 4), (",", 6, 4), ("2", 6, 4)], "50 euros[1,2]"),
    ],
    ids=["lowered and small", "a mark in pieces"],
)
def test_other_small_figures(pieces: list[Piece], text: str) -> None:
    assert read(lambda canvas: in_a_row(canvas, pieces)).text == f"{text}\n"


def test_a_sentence_may_have_its_number_at_the_head_of_a_line() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, [f"{FULL}."])
        in_a_row(canvas, [("2", 6, 4), ("Then the next sentence follows it.", 10, 0)], y=112)

    assert read(page).text == f"{FULL}. 2 Then the next sentence follows it.\n"
