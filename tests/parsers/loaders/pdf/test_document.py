"""PDF: the pages of `pages.yaml`, running lines, pages, and files that cannot be read."""

from pathlib import Path

import pytest
import yaml
from drawn_pdf import FULL, PAGE, column, drawn, pdf, read
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from shown_source import headings, shown

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import ocr
from policy_rag_parsers.loaders.pdf.blocks import PageLayout
from policy_rag_parsers.loaders.pdf.document import load_pdf, written_leftwards
from policy_rag_parsers.loaders.pdf.headings import levels_by_style
from policy_rag_parsers.loaders.pdf.lines import TextLine
from policy_rag_parsers.loaders.pdf.styles import LineStyle
from policy_rag_parsers.records import PageMark

PAGES = yaml.safe_load(Path(__file__).with_name("pages.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in PAGES])
def test_golden_pages(case: dict[str, str]) -> None:
    source = read(*map(drawn, case["page"].split("====")))
    assert shown(source) == case["text"].replace("FULL", FULL).splitlines()


def test_heading_levels_of_one_style_come_from_numbers() -> None:
    big, small = LineStyle(14.0, bold=True), LineStyle(11.0, bold=True)
    styles = {"Leave": big, "1. Scope": big, "1.1 Staff": big, "Note": small, "Annex A": big}
    found = levels_by_style([(text, style, False) for text, style in styles.items()], {big: 0, small: 1})
    assert found == [1, 2, 3, 4, 2]
    assert levels_by_style([], {}) == []


def test_running_lines_and_page_numbers_are_left_out() -> None:
    pages = [
        drawn(f"""
            30@8 | 40 Acme - Leave Policy
            100 | 40 FULL / Text of page {number}.
            480@8 | 40 Version 2, page {number} of 3 | 300 {number + 6}
        """)
        for number in (1, 2, 3)
    ]
    source = read(*pages)
    assert source.text == "".join(f"{FULL} Text of page {number}.\n\n" for number in (1, 2, 3)).rstrip() + "\n"
    step = len(f"{FULL} Text of page 1.\n\n")
    assert source.pages == (PageMark(0, 1), PageMark(step, 2), PageMark(2 * step, 3))


def test_running_lines_are_told_apart_from_the_text() -> None:
    pages = [
        drawn(f"""
            30@8 | 40 Acme | 240 Version 2, in force from 1
            40@8 | 40 July 2026
            100 | 40 Text no wider than the header, {number}
            480@8 | 40 Form HR-12 | 280 Page {number} of 2
        """)
        for number in (1, 2)
    ]
    source = read(*pages)
    assert source.margins == ("Acme", "Version 2, in force from 1 July 2026", "Form HR-12")
    assert "Acme" not in source.text


def test_lines_alike_but_for_numbers_that_do_not_count_the_pages_are_kept() -> None:
    pages = [
        drawn(f"""
            30@8 | 40 {number} Leave Policy
            40@8 | 40 2026 Acme Ltd
            100 | 40 Text of page {number}.
            480@8 | 40 {note} See section {note}.
        """)
        for number, note in ((1, 1), (2, 3), (3, 7))
    ]
    text = read(*pages).text
    assert [note for note in (1, 3, 7) if f"{note} See section {note}." in text] == [1, 3, 7]
    assert "Leave Policy" not in text
    assert "Acme" not in text


def test_a_unit_that_begins_each_page_is_no_running_line() -> None:
    source = read(*(drawn(f"20@8 | 40 Chapter 2\n*40@12 | 40 Article {number}\n100 | 40 FULL") for number in (4, 5, 6)))
    assert headings(source) == ["1 Article 4", "1 Article 5", "1 Article 6"]
    assert source.margins == ("Chapter 2",)


def test_a_line_at_the_foot_that_ends_with_the_page_number_runs_though_its_words_change() -> None:
    names = ("Scope", "Scope", "Leave", "Travel", "Travel")
    page = "100 | 40 FULL / Text of page {0}.\n480@8 | 40 CHAPTER {1} PAGE {2}"
    source = read(*(drawn(page.format(at, name, at + 7)) for at, name in enumerate(names)))
    assert "CHAPTER" not in source.text
    assert source.margins[0] == "CHAPTER Scope PAGE 7"


def test_a_paragraph_goes_on_over_a_page() -> None:
    source = read(drawn("100 | 40 FULL / FULL"), drawn("100 | 40 in lower case."))
    assert source.text == f"{FULL} {FULL} in lower case.\n"
    assert source.pages == (PageMark(0, 1), PageMark(2 * len(FULL) + 2, 2))


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

    assert read(turned).text.startswith("Along the long side")
    assert read(stamped).text == "Upright text.\n"


def image(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("RGB", (20, 20), "grey")), 0, 0, *PAGE)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"just text", "is not a PDF file"),
        (b"%PDF-1.7\nbroken", "is a broken PDF"),
        (pdf(drawn("100 | 40 x"), encrypt=StandardEncryption("user", "owner")), "encrypted and needs a password"),
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
    data = pdf(drawn("100 | 40 Open."), encrypt=StandardEncryption("", "owner", canPrint=0))
    assert load_pdf(data).text == "Open.\n"


def test_pages_without_text_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "can_read_pictures", lambda: False)
    source = read(image, drawn("200 | 40 Text."), image)
    told = f"pages 1, 3 hold pictures and no text; run OCR on the file to read them, or {ocr.INSTALL}"
    assert source.notes == (told,)
    assert source.pages == (PageMark(0, 1), PageMark(0, 2), PageMark(6, 3))


def test_letters_that_run_from_right_to_left_are_noted() -> None:
    line = TextLine((), "\u05e9\u05dc\u05d5\u05dd", 0.0, 1.0, 0.0, 1.0, 10.0, bold=False)
    pages = [
        PageLayout(number, 500.0, ((part,),), (), 0) for number, part in ((1, line._replace(text="Leave")), (2, line))
    ]
    assert written_leftwards(pages) == [2]
