"""Scans: words from boxes, pages read by OCR among others, and what is said of them."""

from collections.abc import Sequence

import drawn_pdf
import pypdfium2
import pytest
from drawn_pdf import Drawn
from policy_forms import Node, Policy, pdf
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import ocr
from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.structure.sections import parse_sections

POLICY = Policy(
    "Travel Policy",
    ("This policy binds all employees of the company and its guests, wherever they work for us.",),
    (
        Node("1", "Scope", 1, ("It holds for travel of more than one day. Shorter trips are left to the manager.",)),
        Node("2", "Hotels", 1, ("A hotel may cost 120 euros a night at the most, breakfast included.",)),
        Node("2.1", "Exceptions", 2, ("Above that the line manager has to agree in writing before the trip begins.",)),
    ),
)


@pytest.fixture(scope="module")
def pictures() -> list[ImageReader]:
    """The pages of the policy as a scanner sees them."""
    document = pypdfium2.PdfDocument(pdf(POLICY))
    found = [ImageReader(page.render(scale=2.5).to_pil()) for page in document]
    document.close()
    return found


def scanned(pictures: Sequence[ImageReader], *, typed: str = "") -> bytes:
    """A PDF of pictures, and behind them a page with a line of text where one is given."""

    def page(picture: ImageReader) -> Drawn:
        return lambda canvas: canvas.drawImage(picture, 0, 0, *A4)

    behind: list[Drawn] = [lambda canvas: canvas.drawString(72, 700, typed)] if typed else []
    return drawn_pdf.pdf(*map(page, pictures), *behind, pagesize=A4)


def found(monkeypatch: pytest.MonkeyPatch, lines: Sequence[ocr.Found]) -> None:
    """Put these lines, in pixels of 200 to the inch, in the place of what the engine finds on each picture."""
    monkeypatch.setattr(ocr, "can_read_pictures", lambda: True)
    monkeypatch.setattr(ocr, "_recognised", lambda _: list(lines))


def test_words_share_their_line_by_the_number_of_characters() -> None:
    words = ocr.words_of([("ab cd", 10, 100, 60, 110)])
    assert [(word.text, word.x0, word.x1) for word in words] == [("ab", 10, 30), ("cd", 40, 60)]
    assert {(word.size, word.top, word.bottom, word.bold) for word in words} == {(8.0, 100.2, 109.8, False)}


def test_lines_of_about_the_usual_height_have_one_size() -> None:
    heights = {"body": 10, "descenders": 12, "small caps": 9, "Title": 20}
    words = ocr.words_of([(text.split()[0], 0, 0, 50, height) for text, height in heights.items()])
    assert [word.size for word in words] == [9.0, 9.0, 9.0, 16.0]
    assert ocr.words_of([]) == ()


def test_a_page_that_was_read_by_ocr_is_told(pictures: list[ImageReader], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [("1. Scope", 200, 200, 340, 240), ("All of us.", 200, 300, 400, 328), ("More.", 200, 460, 280, 488)]
    found(monkeypatch, lines)
    source = load_pdf(scanned(pictures, typed="A page with text."))
    assert source.text == "1. Scope\n\nAll of us.\n\nMore.\n\nA page with text.\n"
    assert source.notes == ("scanned pages read by OCR: 1; check what is quoted from them",)


def test_pictures_without_text_are_told_from_a_lack_of_ocr(
    pictures: list[ImageReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    found(monkeypatch, [])
    scan = scanned(pictures)
    with pytest.raises(LoadError, match="OCR found no text"):
        load_pdf(scan)
    assert load_pdf(scanned(pictures, typed="Text.")).notes == ("pages 1 hold pictures and no text; OCR found none",)
    monkeypatch.setattr(ocr, "can_read_pictures", lambda: False)
    with pytest.raises(LoadError, match=r"ocrmypdf in\.pdf out\.pdf\), or pip install 'policy-rag\[ocr\]'"):
        load_pdf(scan)


@pytest.mark.slow
def test_a_scanned_policy_has_the_sections_of_the_printed_one(
    pictures: list[ImageReader], capfd: pytest.CaptureFixture[str]
) -> None:
    if not ocr.can_read_pictures():
        pytest.skip(f"needs the optional extra: {ocr.INSTALL}")
    source = load_pdf(scanned(pictures))
    sections = parse_sections(source, title="Travel Policy")
    found = [(section.number, section.title, section.level) for section in sections if section.level]
    assert found == [("1", "Scope", 1), ("2", "Hotels", 1), ("2.1", "Exceptions", 2)]
    assert "A hotel may cost 120 euros a night at the most" in " ".join(source.text.split())
    assert source.notes == ("scanned pages read by OCR: 1; check what is quoted from them",)
    assert capfd.readouterr() == ("", "")
