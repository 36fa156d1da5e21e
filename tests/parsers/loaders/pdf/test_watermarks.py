"""PDF: a watermark or stamp over the text is left out, and large words that lie on nothing are kept."""

from drawn_pdf import PAGE, column, pdf, put
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf

LINES = [
    "Hotel costs up to 150 euros a night are paid for all employees. Costs",
    "above that are paid only with the written approval of the director,",
    "and nobody pays for meals that were taken at the hotel in question.",
]


def test_a_large_word_over_the_lines_is_left_out() -> None:
    def stamped(canvas: Canvas) -> None:
        put(canvas, 60, 125, "NOT BINDING", 48)
        column(canvas, 40, 100, LINES)

    assert load_pdf(pdf(stamped)).text == " ".join(LINES) + "\n"


def test_the_same_word_is_left_out_where_it_lies_on_nothing() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 100, 250, "DRAFT", 40)
        column(canvas, 40, 226, LINES)

    def last(canvas: Canvas) -> None:
        put(canvas, 100, 250, "DRAFT", 40)
        column(canvas, 40, 100, ["The end."])

    assert load_pdf(pdf(page, last)).text == " ".join(LINES) + "\n\nThe end.\n"


def test_large_words_that_lie_on_nothing_are_kept() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 60, "Travel", 40)
        put(canvas, 40, 85, "2026", 24)
        column(canvas, 40, 104, LINES)
        canvas.rect(30, PAGE[1] - 150, 340, 60)

    assert load_pdf(pdf(page)).text == "Travel\n\n2026\n\n" + " ".join(LINES) + "\n"


def test_small_lines_beside_a_large_word_are_lines_of_their_own() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 100, "ACME", 36)
        column(canvas, 200, 82, ["Head office, 12 Mill Lane", "Leeds, open from 8 to 17"])
        column(canvas, 40, 140, LINES)

    text = load_pdf(pdf(page)).text
    assert "Head office, 12 Mill Lane" in text
    assert "Leeds, open from 8 to 17" in text
