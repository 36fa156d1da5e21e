"""PDF: headings by what the file marks, and by the groups of paragraphs that are set alike."""

from collections.abc import Sequence

import pytest
from drawn_pdf import FULL, PAGE, column, put, read
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from shown_source import headings

from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.loaders.pdf.headings import PdfParagraph, heading_levels
from policy_rag_parsers.loaders.pdf.lines import make_line
from policy_rag_parsers.loaders.pdf.styles import LineStyle
from policy_rag_parsers.loaders.pdf.words import PdfWord

BODY = LineStyle(10.0, bold=False)
BOLD = LineStyle(10.0, bold=True)
LARGE = LineStyle(14.0, bold=True)
TEXT = PdfParagraph(1, "Leave is granted by the manager, who answers within a week. " * 3, BODY, 4)


def title(text: str, style: LineStyle = BOLD, page: int = 1, mark: int = 0) -> PdfParagraph:
    return PdfParagraph(page, text, style, 1, mark)


def parts_and_rules(count: int) -> list[PdfParagraph]:
    """Headings of two levels that the file marks, each over text."""
    pairs = [(title(f"Part {at}", LARGE, mark=1), title(f"Rule {at}", mark=2)) for at in range(count)]
    return [one for part, rule in pairs for one in (part, TEXT, rule, TEXT)]


def chosen(paragraphs: Sequence[PdfParagraph]) -> list[str]:
    return [one.text for one, level in zip(paragraphs, heading_levels(paragraphs), strict=True) if level]


def test_titles_that_lead_to_text_are_headings() -> None:
    assert chosen([title("Leave"), TEXT, title("Travel"), TEXT]) == ["Leave", "Travel"]


def test_names_under_each_other_lead_to_nothing() -> None:
    names = [title(name) for name in ("Jane Miller", "John Smith", "Ann Brown", "Tom White")]
    assert chosen([TEXT, *names, TEXT]) == []


@pytest.mark.parametrize(
    "texts",
    [
        ("Keep calm and call the help desk, now or as soon as you can reach a phone.", "Leave", "Never open mail."),
        ("Eligible costs:", "Other costs:", "Leave"),
        ("Discussion", "Discussion", "Discussion", "Discussion", "Leave"),
    ],
)
def test_a_style_of_sentences_or_labels_is_none_of_headings(texts: Sequence[str]) -> None:
    sentences = [paragraph for text in (*texts, *texts) for paragraph in (title(text), TEXT)]
    assert chosen(sentences) == []


CAPITALS = LineStyle(10.0, bold=False, capitals=True)
BLUE, LARGE_BLUE = LineStyle(10.0, bold=False, colour=0x3366), LineStyle(13.0, bold=False, colour=0x3366)


@pytest.mark.parametrize(("outer", "inner"), [(CAPITALS, BOLD), (BOLD, CAPITALS)])
def test_of_two_styles_of_one_size_that_is_higher_which_stands_over_the_other(
    outer: LineStyle, inner: LineStyle
) -> None:
    texts = [title("LEAVE", outer), title("Parents", inner), TEXT, title("Others", inner), TEXT]
    texts += [title("TRAVEL", outer), title("Trains", inner), TEXT, title("GIFTS", outer), TEXT]
    assert [level for level in heading_levels(texts) if level] == [1, 2, 2, 1, 2, 1]


def test_few_titles_in_the_colour_of_greater_ones_are_headings() -> None:
    texts = [title("Leave", LARGE_BLUE), TEXT, title("Parents", BLUE), TEXT]
    assert heading_levels(texts) == [1, 0, 2, 0]
    assert chosen([title("Leave", LARGE), TEXT, title("Parents", BLUE), TEXT]) == ["Leave"]


@pytest.mark.parametrize(
    ("to", "colour", "expected"),
    [("its end", 0, ["1 Leave of absence", "1 Travel"]), ("the margin", 0, []), ("its end", 0xEE, [])],
)
def test_underlined_titles_are_headings_unless_a_rule_crosses_the_page_or_they_are_links(
    to: str, colour: int, expected: list[str]
) -> None:
    def page(canvas: Canvas) -> None:
        for top, text in ((60, "Leave of absence"), (160, "Travel")):
            canvas.setFillColor(HexColor(colour))
            put(canvas, 40, top, text)
            canvas.setFillColor(HexColor(0))
            end = 40 + canvas.stringWidth(text, "Helvetica", 10) if to == "its end" else 360
            canvas.line(40, PAGE[1] - top - 1.5, end, PAGE[1] - top - 1.5)
            column(canvas, 40, top + 20, [f"{FULL}."] * 2)

    assert headings(read(page)) == expected


@pytest.mark.parametrize(("rest", "gap", "size"), [("ow", 0.4, 13.0), ("ow", 4.0, 9.0), ("1", 0.4, 9.0)])
def test_what_is_set_in_small_capitals_is_as_large_as_its_capitals(rest: str, gap: float, size: float) -> None:
    """Letters that are set to a capital with no blank between; a mark is none of them."""
    words = [
        PdfWord("H", 63, 75, 377, 390, 13, bold=True),
        PdfWord(rest, 75 + gap, 93, 378, 387.2, 9, bold=True),
        PdfWord("works", 145, 184, 378, 387.2, 9, bold=True),
    ]
    assert make_line(words).size == size


def test_pages_before_the_text_have_no_headings() -> None:
    front = [title("Travel policy", LARGE), title("Version 2", LARGE)]
    text = PdfParagraph(2, TEXT.text, BODY, 4)
    assert chosen([*front, title("Scope", LARGE, 2), text]) == ["Scope"]


def test_what_the_text_of_a_page_is_set_in_is_no_heading_there() -> None:
    small = LineStyle(8.0, bold=False)
    notes = [PdfParagraph(2, TEXT.text, small, 4) for _ in range(3)]
    assert chosen([TEXT, TEXT, TEXT, *notes, title("Definitions", BODY, 2), notes[0]]) == ["Definitions"]


def test_marks_of_the_file_decide_where_it_marks_all_headings() -> None:
    marked = parts_and_rules(6)
    emphasis = [title("Never forget", LineStyle(12.0, bold=True)), TEXT]
    unmarked = [title("Part 7", LARGE), TEXT]
    assert chosen([*marked, *emphasis, *unmarked])[-2:] == ["Rule 5", "Part 7"]
    assert set(heading_levels([*marked, *unmarked])) == {0, 1, 2}


def test_what_looks_like_the_deepest_marked_headings_and_has_no_mark_lies_under_them() -> None:
    """An outline that ends at its second level: below it "Forms" is set as "Rule" is."""
    assert heading_levels([*parts_and_rules(3), title("Forms"), TEXT, title("Annex", LARGE), TEXT])[-4:] == [3, 0, 1, 0]


def test_marks_on_the_text_itself_are_a_mistake() -> None:
    text = PdfParagraph(1, TEXT.text, BODY, 4, mark=1)
    assert chosen([title("Leave", mark=1), text, title("Travel"), text]) == ["Leave", "Travel"]


def test_the_outline_of_a_file_gives_headings_and_levels() -> None:
    def page(canvas: Canvas) -> None:
        for at, (text, level) in enumerate([("1 Leave", 0), ("Parents", 1), ("2 Travel", 0)]):
            put(canvas, 40, 60 + at * 60, text)
            column(canvas, 40, 76 + at * 60, [f"{FULL}."] * 2)
            canvas.bookmarkPage(text)
            canvas.addOutlineEntry(text.lstrip("12 "), text, level)

    assert headings(read(page)) == ["1 1 Leave", "2 Parents", "1 2 Travel"]


def test_the_tags_of_a_file_give_headings_and_levels() -> None:
    drawn = "".join(
        f"/H{at + 1} <</MCID {at}>> BDC BT /F 10 Tf 40 {400 - at * 60} Td ({text}) Tj ET EMC\n"
        f"BT /F 10 Tf 40 {384 - at * 60} Td ({FULL}) Tj 0 -12 Td ({FULL}) Tj ET\n"
        for at, text in enumerate(("Leave", "Parents"))
    )
    source = load_pdf(
        written(
            "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 500]/Contents 5 0 R/Resources<</Font<</F 4 0 R>>>>/StructParents 0>>",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            f"<</Length {len(drawn)}>>stream\n{drawn}endstream",
            "<</Type/StructTreeRoot/K[7 0 R 8 0 R]/ParentTree 9 0 R>>",
            "<</Type/StructElem/S/H1/P 6 0 R/Pg 3 0 R/K 0>>",
            "<</Type/StructElem/S/H2/P 6 0 R/Pg 3 0 R/K 1>>",
            "<</Nums[0 10 0 R]>>",
            "[7 0 R 8 0 R]",
        )
    )
    assert headings(source) == ["1 Leave", "2 Parents"]


def written(*objects: str) -> bytes:
    """A PDF file of these objects, numbered from 1, the first of which is its catalogue."""
    numbered = "".join(f"{at} 0 obj {content} endobj\n" for at, content in enumerate(objects, start=1))
    return f"%PDF-1.7\n{numbered}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF".encode()
