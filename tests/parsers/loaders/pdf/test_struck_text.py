"""PDF: words that are struck out."""

from drawn_pdf import PAGE, read
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.struck_text import without_struck
from policy_rag_parsers.loaders.pdf.words import PdfWord

OLD, NEW = "Leave is granted by the manager.", "Leave is granted by the office."


def word(text: str, x0: float, x1: float) -> PdfWord:
    return PdfWord(text, x0, x1, 10.0, 20.0, 10.0, bold=False)


def test_struck_words_are_no_part_of_the_text() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for line, text in enumerate((OLD, NEW, OLD, OLD)):
            y = PAGE[1] - 100 - line * 12
            canvas.drawString(40, y, text)
            # The second is underlined, the fourth has a rule over its whole height and beyond.
            if line != 1:
                end = 40 + canvas.stringWidth(text, "Helvetica", 10) + (100 if line == 3 else 0)
                canvas.line(40, y + 3, end, y + 3)
            else:
                canvas.line(40, y - 1.5, 180, y - 1.5)

    assert read(page).text == f"{NEW} {OLD}\n"


def test_a_line_in_pieces_strikes_out_what_is_over_all_of_them() -> None:
    words = [word("two", 0, 20), word("years", 24, 50), word("three", 54, 80)]
    pieces = [Rule(15.0, 0.0, 30.0), Rule(15.0, 30.0, 53.0)]
    assert without_struck(words, pieces) == ((words[2],), ())


def test_a_rule_that_is_longer_or_not_in_the_middle_strikes_out_nothing() -> None:
    words = [word("Notes", 40, 80)]
    for rule in (Rule(15.0, 0.0, 120.0), Rule(19.0, 40.0, 80.0), Rule(11.0, 40.0, 80.0), Rule(15.0, 45.0, 80.0)):
        assert without_struck(words, [rule]) == (tuple(words), (rule,))
