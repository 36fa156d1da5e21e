"""PDF: paragraphs, headings, tables, running lines, columns, and files that cannot be read."""

import datetime as dt

import pytest
from drawn_pdf import PAGE, Drawn, column, grid, pdf, put
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.document_metadata.title_block import TitleBlock, read_title_block
from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import ocr
from policy_rag_parsers.loaders.paragraph_continuation import carries_over
from policy_rag_parsers.loaders.pdf.blocks import PageLayout
from policy_rag_parsers.loaders.pdf.document import load_pdf, written_leftwards
from policy_rag_parsers.loaders.pdf.headings import levels_by_style
from policy_rag_parsers.loaders.pdf.lines import TextLine
from policy_rag_parsers.loaders.pdf.styles import LineStyle
from policy_rag_parsers.records import PageMark, SourceText


def marked(source: SourceText) -> list[tuple[int, str]]:
    return [(mark.level, source.text[mark.start : mark.end]) for mark in source.headings]


FULL = "This line is as long as all the full lines of this page are, it ends"


def test_lines_become_paragraphs() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, [FULL, FULL, "here."])
        column(canvas, 40, 146, [FULL, "there."])
        column(canvas, 40, 180, ["(a) " + FULL[:-5], "(b) short"])

    source = load_pdf(pdf(page))
    assert source.text == f"{FULL} {FULL} here.\n\n{FULL} there.\n\n(a) {FULL[:-5]}\n\n(b) short\n"
    assert source.headings == ()
    assert source.title is None


def test_headings_by_size_weight_and_number() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 100, "Leave Policy", 18, "Helvetica-Bold")
        put(canvas, 40, 130, "1. Scope", 13, "Helvetica-Bold")
        column(canvas, 40, 150, [FULL, FULL])
        put(canvas, 40, 190, "1.1 Staff", 10, "Helvetica-Bold")
        column(canvas, 40, 210, [FULL, FULL])
        put(canvas, 40, 250, "1.1.1 Guests", 10, "Helvetica-Bold")
        column(canvas, 40, 270, [FULL, FULL])

    source = load_pdf(pdf(page))
    assert marked(source) == [(1, "Leave Policy"), (2, "1. Scope"), (3, "1.1 Staff"), (4, "1.1.1 Guests")]


def test_heading_levels_of_one_style_come_from_numbers() -> None:
    big, small = LineStyle(14.0, bold=True), LineStyle(11.0, bold=True)
    headings = [
        ("Leave", big, False),
        ("1. Scope", big, False),
        ("1.1 Staff", big, False),
        ("Note", small, False),
        ("Annex A", big, False),
    ]
    assert levels_by_style(headings, {big: 0, small: 1}) == [1, 2, 3, 4, 2]
    assert levels_by_style([], {}) == []


def test_running_lines_and_page_numbers_are_left_out() -> None:
    def page(number: int) -> Drawn:
        def draw(canvas: Canvas) -> None:
            put(canvas, 40, 30, "Acme - Leave Policy", 8)
            column(canvas, 40, 100, [FULL, f"Text of page {number}."])
            put(canvas, 40, 480, f"Version 2, page {number} of 3", 8)
            put(canvas, 300, 480, f"{number + 6}", 8)

        return draw

    source = load_pdf(pdf(page(1), page(2), page(3)))
    assert source.text == "".join(f"{FULL} Text of page {number}.\n\n" for number in (1, 2, 3)).rstrip() + "\n"
    step = len(f"{FULL} Text of page 1.\n\n")
    assert source.pages == (PageMark(0, 1), PageMark(step, 2), PageMark(2 * step, 3))


def test_running_lines_are_told_apart_from_the_text() -> None:
    def page(number: int) -> Drawn:
        def draw(canvas: Canvas) -> None:
            put(canvas, 40, 30, "Acme", 8)
            put(canvas, 240, 30, "Version 2, in force from 1", 8)
            put(canvas, 40, 40, "July 2026", 8)
            column(canvas, 40, 100, [f"Text no wider than the header, {number}"])
            put(canvas, 40, 480, "Form HR-12", 8)
            put(canvas, 280, 480, f"Page {number} of 2", 8)

        return draw

    source = load_pdf(pdf(page(1), page(2)))
    assert source.margins == ("Acme", "Version 2, in force from 1 July 2026", "Form HR-12")
    assert "Acme" not in source.text
    assert read_title_block(source) == TitleBlock("2", dt.date(2026, 7, 1))


def test_text_near_the_edge_that_does_not_repeat_is_kept() -> None:
    def page(text: str) -> Drawn:
        return lambda canvas: [put(canvas, 40, 30, text), put(canvas, 40, 200, "Body.")]

    source = load_pdf(pdf(page("Alpha begins."), page("Beta begins."), page("Gamma begins.")))
    assert all(word in source.text for word in ("Alpha", "Beta", "Gamma"))


def test_lines_alike_but_for_numbers_that_do_not_count_the_pages_are_kept() -> None:
    def page(number: int, note: int) -> Drawn:
        def draw(canvas: Canvas) -> None:
            put(canvas, 40, 30, f"{number} Leave Policy", 8)
            put(canvas, 40, 40, "2026 Acme Ltd", 8)
            column(canvas, 40, 100, [f"Text of page {number}."])
            put(canvas, 40, 480, f"{note} See section {note}.", 8)

        return draw

    text = load_pdf(pdf(page(1, 1), page(2, 3), page(3, 7))).text
    assert [note for note in (1, 3, 7) if f"{note} See section {note}." in text] == [1, 3, 7]
    assert "Leave Policy" not in text
    assert "Acme" not in text


def test_a_unit_that_begins_each_page_is_no_running_line() -> None:
    def page(number: int) -> Drawn:
        def draw(canvas: Canvas) -> None:
            put(canvas, 40, 20, "Chapter 2", 8)
            put(canvas, 40, 40, f"Article {number}", 12, "Helvetica-Bold")
            column(canvas, 40, 100, [FULL])

        return draw

    source = load_pdf(pdf(page(4), page(5), page(6)))
    assert [text for _, text in marked(source)] == ["Article 4", "Article 5", "Article 6"]
    assert source.margins == ("Chapter 2",)


def test_a_paragraph_goes_on_over_a_page() -> None:
    first = lambda canvas: column(canvas, 40, 100, [FULL, FULL])  # noqa: E731
    second = lambda canvas: column(canvas, 40, 100, ["in lower case."])  # noqa: E731
    source = load_pdf(pdf(first, second))
    assert source.text == f"{FULL} {FULL} in lower case.\n"
    assert source.pages == (PageMark(0, 1), PageMark(2 * len(FULL) + 2, 2))


def test_tables_stand_in_their_place_with_header() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 100, "Before.")
        grid(canvas, 120, [("City", "Rate", "Note"), ("Paris", "200", ""), ("Rome", "150", "low")])
        put(canvas, 40, 200, "After.")

    source = load_pdf(pdf(page))
    assert source.text == "Before.\n\nCity | Rate | Note\nParis | 200 | \nRome | 150 | low\n\nAfter.\n"
    (table,) = source.tables
    assert source.text[table.start : table.header_end] == "City | Rate | Note"


def test_a_cell_over_several_rows_stands_in_each() -> None:
    def page(canvas: Canvas) -> None:
        rows = [("City", "Rate"), ("Paris", "200"), ("", "150"), ("Rome", "90")]
        for at, left in enumerate([40, 40, 140, 40, 40]):  # no line under "Paris"
            canvas.line(left, PAGE[1] - 120 - at * 16, 240, PAGE[1] - 120 - at * 16)
        for x in (40, 140, 240):
            canvas.line(x, PAGE[1] - 120, x, PAGE[1] - 120 - 64)
        for at, row in enumerate(rows):
            for place, text in enumerate(row):
                put(canvas, 44 + place * 100, 132 + at * 16, text)

    assert load_pdf(pdf(page)).text == "City | Rate\nParis | 200\nParis | 150\nRome | 90\n"


def test_a_table_over_two_pages_is_one() -> None:
    first = lambda canvas: grid(canvas, 300, [("City", "Rate"), ("Paris", "200")])  # noqa: E731
    second = lambda canvas: grid(canvas, 100, [("City", "Rate"), ("Rome", "150")])  # noqa: E731
    source = load_pdf(pdf(first, second))
    assert source.text == "City | Rate\nParis | 200\nRome | 150\n"
    assert len(source.tables) == 1
    other = lambda canvas: grid(canvas, 100, [("Name", "Size"), ("Bolt", "3")])  # noqa: E731
    assert len(load_pdf(pdf(first, other)).tables) == 2


def test_a_table_with_horizontal_rules_only() -> None:
    def page(canvas: Canvas) -> None:
        for y in (100, 118, 150):
            canvas.line(40, PAGE[1] - y, 300, PAGE[1] - y)
        for y, row in ((112, ("Grade", "Limit")), (130, ("Staff", "50")), (144, ("Chief", "900"))):
            put(canvas, 42, y, row[0])
            put(canvas, 160, y, row[1])

    source = load_pdf(pdf(page))
    assert source.text == "Grade | Limit\nStaff | 50\nChief | 900\n"
    assert source.tables[0].header_end == len("Grade | Limit")


def test_a_box_around_text_is_no_table() -> None:
    def page(canvas: Canvas) -> None:
        canvas.rect(30, 300, 340, 120)
        column(canvas, 40, 100, [FULL, "end."])

    source = load_pdf(pdf(page))
    assert source.tables == ()
    assert source.text == f"{FULL} end.\n"


def test_two_columns_are_read_one_after_the_other() -> None:
    left = ["Left column line number one", "left column line number two", "left column line number six"]
    right = ["right column line number one", "right column line number two", "right column line number six"]

    def page(canvas: Canvas) -> None:
        column(canvas, 40, 100, left * 3)
        column(canvas, 220, 100, right * 3)

    text = load_pdf(pdf(page)).text
    assert text.rindex("left column") < text.index("right column")


def test_turned_text_is_read_and_watermarks_are_not() -> None:
    def turned(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(50, -100, "Along the long side")
        canvas.drawString(50, -112, "of the page.")

    def stamped(canvas: Canvas) -> None:
        column(canvas, 40, 100, ["Upright text."])
        canvas.translate(100, 100)
        canvas.rotate(45)
        canvas.setFont("Helvetica", 60)
        canvas.drawString(0, 0, "DRAFT")

    assert load_pdf(pdf(turned)).text.split("\n\n")[0].startswith("Along the long side")
    assert load_pdf(pdf(stamped)).text == "Upright text.\n"


def test_what_carries_over_a_page() -> None:
    assert carries_over("and so", "it goes", full=False)
    assert carries_over("and the", "Issuer", full=True)
    assert not carries_over("and the", "Issuer", full=False)
    assert not carries_over("It ends.", "it goes", full=True)
    assert not carries_over("and so", "(b) next", full=True)


def image(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("RGB", (20, 20), "grey")), 0, 0, *PAGE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"just text", "is not a PDF file"),
        (b"%PDF-1.7\nbroken", "is a broken PDF"),
        (
            pdf(lambda canvas: put(canvas, 40, 100, "x"), encrypt=StandardEncryption("user", "owner")),
            "encrypted and needs a password",
        ),
        (pdf(image), "is a scan: its pages are pictures without text; run OCR"),
        (pdf(lambda canvas: canvas.line(0, 0, 9, 9)), "holds no text"),
    ],
    ids=["no pdf", "broken", "encrypted", "scanned", "drawing"],
)
def test_files_that_cannot_be_read(
    data: bytes, message: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "can_read_pictures", lambda: False)
    with pytest.raises(LoadError, match=message):
        load_pdf(data)
    assert capfd.readouterr() == ("", "")


def test_a_pdf_that_opens_without_a_password_is_read() -> None:
    data = pdf(lambda canvas: put(canvas, 40, 100, "Open."), encrypt=StandardEncryption("", "owner", canPrint=0))
    assert load_pdf(data).text == "Open.\n"


def test_pages_without_text_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "can_read_pictures", lambda: False)
    source = load_pdf(pdf(image, lambda canvas: put(canvas, 40, 200, "Text."), image))
    assert source.notes == (
        f"pages 1, 3 hold pictures and no text; run OCR on the file to read them, or {ocr.INSTALL}",
    )
    assert source.pages == (PageMark(0, 1), PageMark(0, 2), PageMark(6, 3))


def test_a_line_at_the_foot_that_ends_with_the_page_number_runs_though_its_words_change() -> None:
    names = ("Scope", "Scope", "Leave", "Travel", "Travel")

    def page(number: int) -> Drawn:
        def draw(canvas: Canvas) -> None:
            column(canvas, 40, 100, [FULL, f"Text of page {number}."])
            put(canvas, 40, 480, f"CHAPTER {names[number]} PAGE {number + 7}", 8)

        return draw

    source = load_pdf(pdf(*map(page, range(5))))
    assert "CHAPTER" not in source.text
    assert source.margins[0] == "CHAPTER Scope PAGE 7"


def test_letters_that_run_from_right_to_left_are_noted() -> None:
    line = TextLine((), "\u05e9\u05dc\u05d5\u05dd", 0.0, 1.0, 0.0, 1.0, 10.0, bold=False)
    pages = [
        PageLayout(number, 500.0, ((part,),), (), 0) for number, part in ((1, line._replace(text="Leave")), (2, line))
    ]
    assert written_leftwards(pages) == [2]
