"""PDF: blanks between words that are told by the gaps of the page."""

from drawn_pdf import PAGE, read
from reportlab.pdfgen.canvas import Canvas

WORDS = [
    "Leave", "is", "granted", "by", "the", "manager", "who", "answers", "within", "one", "week", "of", "the", "day",
    "on", "which", "the", "form", "came", "in",
]  # fmt: skip


def drawn(gap: float) -> str:
    """The text of a page whose words are placed one by one, without blanks, `gap` font sizes apart."""

    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for line in range(4):
            x = 40.0
            for word in WORDS[line * 5 : line * 5 + 5]:
                canvas.drawString(x, PAGE[1] - 100 - line * 12, word)
                x += canvas.stringWidth(word, "Helvetica", 10) + gap * 10

    return read(page).text


def test_narrow_gaps_part_words_where_there_are_no_others() -> None:
    assert drawn(0.28).split() == WORDS
    assert drawn(0.12).split() == WORDS


def test_gaps_as_between_letters_part_nothing() -> None:
    assert drawn(0.01).split()[0].startswith("Leaveisgranted")


def test_a_blank_that_is_written_parts_words_however_narrow_it_is_drawn() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for line in range(4):
            canvas.drawString(40, PAGE[1] - 100 - line * 12, " ".join(WORDS))
        canvas.drawString(40, PAGE[1] - 148, "Rules of ")
        canvas.drawString(40.3 + canvas.stringWidth("Rules of", "Helvetica", 10), PAGE[1] - 148, "conduct")

    assert read(page).text.endswith("Rules of conduct\n")
