"""PDF: a box beside a paragraph is read after it."""

import pytest
from drawn_pdf import BOLD, PAGE, column, put, read
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas
from shown_source import headings

WORDS = (
    "An application is made within six weeks after the end of the journey on the form RK 7, with all of the receipts in "
    "the original; those who come late are refused, unless the employee has not been at fault, and says so in the "
    "letter that comes with it, or later, but before three months are over."
)


def beside(count: int) -> list[str]:
    """The lines of a text of which so many are narrow."""
    narrow = simpleSplit(WORDS, "Helvetica", 10, 215)[:count]
    return [*narrow, *simpleSplit(WORDS.removeprefix(" ".join(narrow)), "Helvetica", 10, 320)]


TEXT = beside(4)
NEXT = ["The travel office decides within fourteen days and tells the employee."]
FULL_BESIDE = "A line that is as long as the others here"
BOX = ["Remember: who comes late", "gets nothing. Questions are", "for the travel office."]


def framed(canvas: Canvas, x0: float, top: float, x1: float, bottom: float) -> None:
    canvas.rect(x0, PAGE[1] - bottom, x1 - x0, bottom - top)


def shaded(canvas: Canvas, x0: float, top: float, x1: float, bottom: float) -> None:
    canvas.setFillGray(0.9)
    canvas.rect(x0, PAGE[1] - bottom, x1 - x0, bottom - top, stroke=0, fill=1)
    canvas.setFillGray(0)


ROWS = [("Records of accidents", "ten years"), ("Contracts of suppliers", "seven"), ("Keys and badges", "a month")]


@pytest.mark.parametrize("frame", [True, False])
@pytest.mark.parametrize("shift", [0, 2, 5.5, 8])
def test_a_box_is_read_after_the_paragraph_beside_it(frame: bool, shift: float) -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, TEXT)
        column(canvas, 270, 100 + shift, BOX)
        if frame:
            framed(canvas, 266, 88 + shift, 396, 130 + shift)
        column(canvas, 40, 182, NEXT)

    assert read(page).text == f"{' '.join(TEXT)}\n\n{' '.join(BOX)}\n\n{NEXT[0]}\n"


def test_a_box_to_the_left_is_read_after_the_text_beside_it() -> None:
    def page(canvas: Canvas) -> None:
        framed(canvas, 40, 88, 180, 132)
        column(canvas, 44, 100, BOX)
        column(canvas, 190, 100, [FULL_BESIDE, FULL_BESIDE, FULL_BESIDE])
        column(canvas, 40, 136, ["and goes on under the box to its end."])
        column(canvas, 40, 160, NEXT)

    text = f"{FULL_BESIDE} {FULL_BESIDE} {FULL_BESIDE} and goes on under the box to its end."
    assert read(page).text == f"{text}\n\n{' '.join(BOX)}\n\n{NEXT[0]}\n"


def test_of_two_boxes_beside_each_other_the_left_one_is_read_first() -> None:
    def page(canvas: Canvas) -> None:
        for x, word in ((40, "left"), (210, "right")):
            framed(canvas, x, 88, x + 150, 120)
            column(canvas, x + 4, 100, [f"The {word} box begins.", f"The {word} box ends."])

    assert read(page).text.split() == [
        "The",
        "left",
        "box",
        "begins.",
        "The",
        "left",
        "box",
        "ends.",
        "The",
        "right",
        "box",
        "begins.",
        "The",
        "right",
        "box",
        "ends.",
    ]


def test_a_field_of_a_form_stays_behind_its_name() -> None:
    def page(canvas: Canvas) -> None:
        for at, (name, value) in enumerate([("Name of the employee:", "Anna Smith"), ("Day:", "1 May 2026")]):
            put(canvas, 40, 100 + at * 24, name)
            put(canvas, 184, 100 + at * 24, value)
            framed(canvas, 180, 88 + at * 24, 340, 105 + at * 24)
        column(canvas, 40, 190, TEXT)

    assert read(page).text.startswith("Name of the employee: Anna Smith\n\nDay: 1 May 2026\n\nAn application")


@pytest.mark.parametrize(
    ("size", "font", "box"),
    [(8, "Helvetica", " ".join(BOX)), (10, BOLD, f"Remember\n\n{' '.join(BOX[1:])}")],
    ids=["wide lines", "a title"],
)
def test_lines_of_a_box_may_be_wider_apart_and_its_title_is_no_heading(size: float, font: str, box: str) -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, TEXT)
        framed(canvas, 266, 88, 396, 134)
        put(canvas, 270, 100, BOX[0] if font != BOLD else "Remember", size, font)
        for at, line in enumerate(BOX[1:], 1):
            put(canvas, 270, 100 + 14 * at, line, size)
        column(canvas, 40, 182, NEXT)

    source = read(page)
    assert source.text == f"{' '.join(TEXT)}\n\n{box}\n\n{NEXT[0]}\n"
    assert source.headings == ()


def test_a_frame_under_or_around_text_changes_nothing() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, TEXT[-2:])
        framed(canvas, 36, 138, 200, 180)
        column(canvas, 40, 150, [" ".join(BOX)])
        column(canvas, 40, 230, NEXT)

    assert read(page).text == f"{' '.join(TEXT[-2:])}\n\n{' '.join(BOX)}\n\n{NEXT[0]}\n"


def test_cells_without_rules_are_read_across() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, [left for left, _ in ROWS])
        column(canvas, 270, 100, [right for _, right in ROWS])
        column(canvas, 40, 136, NEXT)

    text = " ".join(read(page).text.split())
    assert " ".join(f"{left} {right}" for left, right in ROWS) in text


def test_wide_blanks_in_justified_text_are_no_box() -> None:
    """Justified lines with wide blanks, three of which happen to begin a word at one place."""

    def page(canvas: Canvas) -> None:
        for at in range(5):
            for place, word in enumerate(["whoever", "travels", "shall", "have", "an", "office"]):
                put(canvas, 40 + place * 60, 100 + at * 12, word)

    assert read(page).text == " ".join(["whoever travels shall have an office"] * 5) + "\n"


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("shift", [0, 4])
def test_a_box_on_a_ground_of_its_own_is_read_after_the_paragraph_beside_it(count: int, shift: float) -> None:
    def page(canvas: Canvas) -> None:
        shaded(canvas, 266, 86 + shift, 396, 94 + shift + 12 * count)
        column(canvas, 40, 100, beside(count + 1))
        column(canvas, 270, 100 + shift, BOX[:count])
        column(canvas, 40, 182, NEXT)

    assert read(page).text == f"{WORDS}\n\n{' '.join(BOX[:count])}\n\n{NEXT[0]}\n"


def test_words_marked_in_running_text_stay_in_it() -> None:
    """The ends of two lines on one ground, as by a text marker, and the beginning of one on another."""

    def page(canvas: Canvas) -> None:
        shaded(canvas, 200, 91, 362, 115)
        shaded(canvas, 38, 116, 150, 128)
        column(canvas, 40, 100, beside(0))

    assert read(page).text == f"{WORDS}\n"


def test_cells_and_titles_on_grounds_are_no_boxes() -> None:
    def page(canvas: Canvas) -> None:
        shaded(canvas, 36, 60, 200, 78)
        put(canvas, 40, 73, "Retention", 14, "Helvetica-Bold")
        for at, (left, right) in enumerate(ROWS):
            shaded(canvas, 266, 91 + 12 * at, 396, 103 + 12 * at)
            put(canvas, 40, 100 + 12 * at, left)
            put(canvas, 270, 100 + 12 * at, right)
        column(canvas, 40, 148, TEXT)

    source = read(page)
    assert headings(source) == ["1 Retention"]
    assert " ".join(f"{left} {right}" for left, right in ROWS) in " ".join(source.text.split())
