"""PDF: a box beside a paragraph is read after it."""

import pytest
from drawn_pdf import drawn, put, read
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas
from shown_source import shown

WORDS = (
    "An application is made within six weeks after the end of the journey on the form RK 7, with all of the receipts in "
    "the original; those who come late are refused, unless the employee has not been at fault, and says so in the "
    "letter that comes with it, or later, but before three months are over."
)


def beside(count: int) -> str:
    """The lines of the text of which so many are narrow."""
    narrow = simpleSplit(WORDS, "Helvetica", 10, 215)[:count]
    return " / ".join([*narrow, *simpleSplit(WORDS.removeprefix(" ".join(narrow)), "Helvetica", 10, 320)])


TEXT = beside(4)
NEXT = "The travel office decides within fourteen days and tells the employee."
BOX = ("Remember: who comes late", "gets nothing. Questions are", "for the travel office.")
LINES = " / ".join(BOX)
READ = [WORDS, " ".join(BOX), NEXT]
ROWS = [("Records of accidents", "ten years"), ("Contracts of suppliers", "seven"), ("Keys and badges", "a month")]
CELLS = " ".join(f"{left} {right}" for left, right in ROWS)


@pytest.mark.parametrize("frame", [True, False])
@pytest.mark.parametrize("shift", [0, 2, 5.5, 8])
def test_a_box_is_read_after_the_paragraph_beside_it(frame: bool, shift: float) -> None:
    box = f"frame 266 {88 + shift} 396 {130 + shift}" if frame else ""
    page = f"100 | 40 {TEXT}\n{100 + shift} | 270 {LINES}\n{box}\n182 | 40 {NEXT}"
    assert shown(read(drawn(page))) == READ


def test_a_box_to_the_left_is_read_after_the_text_beside_it() -> None:
    line = "A line that is as long as the others here"
    page = f"""
        frame 40 88 180 132
        100 | 44 {LINES} | 190 {line} / {line} / {line}
        136 | 40 and goes on under the box to its end.
        160 | 40 {NEXT}
    """
    assert shown(read(drawn(page))) == [f"{line} {line} {line} and goes on under the box to its end.", *READ[1:]]


def test_of_two_boxes_beside_each_other_the_left_one_is_read_first() -> None:
    boxes = [
        f"frame {x} 88 {x + 150} 120\n100 | {x + 4} The {word} box begins. / The {word} box ends."
        for x, word in ((40, "left"), (210, "right"))
    ]
    assert " ".join(shown(read(drawn("\n".join(boxes))))) == (
        "The left box begins. The left box ends. The right box begins. The right box ends."
    )


def test_a_field_of_a_form_stays_behind_its_name() -> None:
    page = f"""
        100 | 40 Name of the employee: | 184 Anna Smith
        frame 180 88 340 105
        124 | 40 Day: | 184 1 May 2026
        frame 180 112 340 129
        190 | 40 {TEXT}
    """
    found = shown(read(drawn(page)))
    assert found[:2] == ["Name of the employee: Anna Smith", "Day: 1 May 2026"]
    assert found[2].startswith("An application")


@pytest.mark.parametrize(
    ("box", "expected"),
    [
        (f"100@8 | 270 {BOX[0]}\n114@8 | 270 {BOX[1]}\n128@8 | 270 {BOX[2]}", [" ".join(BOX)]),
        (f"*100 | 270 Remember\n114 | 270 {BOX[1]} / {BOX[2]}", ["Remember", " ".join(BOX[1:])]),
    ],
    ids=["lines wider apart than those of the text", "a title, which is no heading"],
)
def test_what_may_stand_in_a_box(box: str, expected: list[str]) -> None:
    page = f"100 | 40 {TEXT}\nframe 266 88 396 134\n{box}\n182 | 40 {NEXT}"
    assert shown(read(drawn(page))) == [WORDS, *expected, NEXT]


def test_a_frame_under_or_around_text_changes_nothing() -> None:
    end = TEXT.split(" / ")[-2:]
    page = f"100 | 40 {' / '.join(end)}\nframe 36 138 200 180\n150 | 40 {' '.join(BOX)}\n230 | 40 {NEXT}"
    assert shown(read(drawn(page))) == [" ".join(end), *READ[1:]]


def test_cells_without_rules_are_read_across() -> None:
    lefts, rights = (" / ".join(cells) for cells in zip(*ROWS, strict=True))
    page = f"100 | 40 {lefts} | 270 {rights}\n136 | 40 {NEXT}"
    assert CELLS in " ".join(shown(read(drawn(page))))


def test_wide_blanks_in_justified_text_are_no_box() -> None:
    """Justified lines with wide blanks, three of which happen to begin a word at one place."""

    def page(canvas: Canvas) -> None:
        for at in range(5):
            for place, word in enumerate(["whoever", "travels", "shall", "have", "an", "office"]):
                put(canvas, 40 + place * 60, 100 + at * 12, word)

    assert shown(read(page)) == [" ".join(["whoever travels shall have an office"] * 5)]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("shift", [0, 4])
def test_a_box_on_a_ground_of_its_own_is_read_after_the_paragraph_beside_it(count: int, shift: float) -> None:
    page = f"""
        shade 266 {86 + shift} 396 {94 + shift + 12 * count}
        100 | 40 {beside(count + 1)}
        {100 + shift} | 270 {" / ".join(BOX[:count])}
        182 | 40 {NEXT}
    """
    assert shown(read(drawn(page))) == [WORDS, " ".join(BOX[:count]), NEXT]


def test_words_marked_in_running_text_stay_in_it() -> None:
    """The ends of two lines on one ground, as by a text marker, and the beginning of one on another."""
    page = f"shade 200 91 362 115\nshade 38 116 150 128\n100 | 40 {beside(0)}"
    assert shown(read(drawn(page))) == [WORDS]


def test_cells_and_titles_on_grounds_are_no_boxes() -> None:
    rows = "\n".join(
        f"shade 266 {91 + 12 * at} 396 {103 + 12 * at}\n{100 + 12 * at} | 40 {left} | 270 {right}"
        for at, (left, right) in enumerate(ROWS)
    )
    found = shown(read(drawn(f"shade 36 60 200 78\n*73@14 | 40 Retention\n{rows}\n148 | 40 {TEXT}")))
    assert found[0] == "# Retention"
    assert CELLS in " ".join(found)
