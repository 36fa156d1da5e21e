"""PDF: notes at the foot of a page stand behind the paragraph that has their mark."""

from collections.abc import Sequence

import pytest
from drawn_pdf import FULL, PAGE, column, grid, put, read
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.footnotes import has_mark


def marked(canvas: Canvas, y: float, before: str, mark: str, behind: str, size: float = 10) -> None:
    put(canvas, 40, y, before, size)
    x = 40 + canvas.stringWidth(before, "Helvetica", size)
    put(canvas, x, y - 0.35 * size, mark, 0.6 * size)
    put(canvas, x + canvas.stringWidth(mark, "Helvetica", 0.6 * size), y, behind, size)


def notes(canvas: Canvas, y: float, texts: Sequence[tuple[str, str]], size: float = 8) -> None:
    for at, (label, text) in enumerate(texts):
        marked(canvas, y + at * 10, "", label, f" {text}", size)


def rule(canvas: Canvas, y: float) -> None:
    canvas.line(40, PAGE[1] - y, 140, PAGE[1] - y)


@pytest.mark.parametrize("with_rule", [True, False])
def test_a_sentence_runs_over_the_page_past_the_notes(with_rule: bool) -> None:
    def first(canvas: Canvas) -> None:
        marked(canvas, 100, "Absent for more than 11", "1", " days.")
        marked(canvas, 130, "Those who are absent for more than 12", "2", " days and whose manager is")
        column(canvas, 40, 142, [FULL])
        if with_rule:
            rule(canvas, 420)
        notes(canvas, 432, [("1", "Working days."), ("2", "Of the calendar, as the council")])
        put(canvas, 40, 452, "has decided.", 8)

    def second(canvas: Canvas) -> None:
        column(canvas, 40, 100, ["as all others do."])

    source = read(first, second)
    assert source.text == (
        "Absent for more than 11[1] days.\n\n[1] Working days.\n\n"
        f"Those who are absent for more than 12[2] days and whose manager is {FULL} as all others do.\n\n"
        "[2] Of the calendar, as the council has decided.\n"
    )
    assert source.text[source.pages[1].start :].startswith("as all others")


def test_numbers_of_the_size_of_the_text_are_notes_under_a_rule_where_their_marks_are_above() -> None:
    def text_of(mark: str) -> str:
        def page(canvas: Canvas) -> None:
            marked(canvas, 100, "Gifts are shown to the board", mark, ".")
            put(canvas, 40, 112, "Then.")
            rule(canvas, 420)
            column(canvas, 40, 432, ["3 A register is kept.", "4 It is open to all."])

        return read(page).text

    assert text_of("3,4") == (
        "Gifts are shown to the board[3,4]. Then.\n\n[3] A register is kept.\n\n[4] It is open to all.\n"
    )
    assert "[3]" not in text_of("7")


def test_a_note_may_go_on_at_the_foot_of_the_next_page() -> None:
    def first(canvas: Canvas) -> None:
        marked(canvas, 100, "Gifts are shown", "1", " to the board.")
        rule(canvas, 460)
        notes(canvas, 472, [("1", "Not those that are")])

    def second(canvas: Canvas) -> None:
        marked(canvas, 100, "Loans are refused", "2", ".")
        rule(canvas, 460)
        put(canvas, 40, 472, "eaten on the spot.", 8)
        notes(canvas, 482, [("2", "All of them.")])

    assert read(first, second).text == (
        "Gifts are shown[1] to the board.\n\n[1] Not those that are eaten on the spot.\n\n"
        "Loans are refused[2].\n\n[2] All of them.\n"
    )


def test_the_mark_may_stand_in_a_table() -> None:
    def page(canvas: Canvas) -> None:
        grid(canvas, 100, [("City", "Rate"), ("Paris", "200")])
        put(canvas, 40 + 104 + 17, 100 + 24, "1", 6)
        put(canvas, 40, 160, FULL)
        notes(canvas, 470, [("1", "Without breakfast.")])

    assert read(page).text == "City | Rate\nParis | 200[1]\n\n[1] Without breakfast.\n\n" + FULL + "\n"


def test_small_text_and_lists_at_the_foot_stay_in_the_text() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, [FULL, FULL, "."])
        rule(canvas, 400)
        column(canvas, 40, 414, ["1. Ask first.", "2. Travel then."])
        column(canvas, 40, 440, ["Printed copies are not controlled."], 7)

    assert read(page).text.endswith("1. Ask first.\n\n2. Travel then.\n\nPrinted copies are not controlled.\n")


def test_lines_for_signatures_are_no_notes() -> None:
    def first(canvas: Canvas) -> None:
        marked(canvas, 100, "Gifts are shown", "1", " to the board.")
        notes(canvas, 472, [("1", "Not those of less than ten euros.")])

    def second(canvas: Canvas) -> None:
        column(canvas, 40, 100, [FULL, FULL, "."])
        for y in (400, 440):
            rule(canvas, y)
            put(canvas, 40, y + 10, "Place, day", 8)
            put(canvas, 220, y + 10, "Signature", 8)

    signed = "Place, day Signature\n"
    assert read(first, second).text.endswith(f"{FULL} .\n\n{signed}\n{signed}")


def test_marks() -> None:
    assert has_mark("50[1, 2] euros", "1")
    assert has_mark("50[1,2] euros", "2")
    assert has_mark("Free**", "**")
    assert not has_mark("Free**", "*")
    assert not has_mark("[12]", "2")
