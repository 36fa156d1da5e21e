"""PDF: headings by what the file marks, and by the groups of paragraphs that are set alike."""

from collections.abc import Sequence

import pytest
from drawn_pdf import PAGE, column, pdf, put
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

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
        (
            "Keep calm and call the help desk, now or as soon as you can reach a phone.",
            "Leave",
            "Never open such mail.",
        ),
        ("Eligible costs:", "Other costs:", "Leave"),
        ("Discussion", "Discussion", "Discussion", "Discussion", "Leave"),
    ],
)
def test_a_style_of_sentences_or_labels_is_none_of_headings(texts: Sequence[str]) -> None:
    sentences = [paragraph for text in (*texts, *texts) for paragraph in (title(text), TEXT)]
    assert chosen(sentences) == []


CAPITALS = LineStyle(10.0, bold=False, capitals=True)
BLUE, LARGE_BLUE = LineStyle(10.0, bold=False, colour=0x3366), LineStyle(13.0, bold=False, colour=0x3366)


@pytest.mark.parametrize(
    ("outer", "inner", "expected"), [(CAPITALS, BOLD, [1, 2, 2, 1, 2, 1]), (BOLD, CAPITALS, [1, 2, 2, 1, 2, 1])]
)
def test_of_two_styles_of_one_size_that_is_higher_which_stands_over_the_other(
    outer: LineStyle, inner: LineStyle, expected: list[int]
) -> None:
    texts = [title("LEAVE", outer), title("Parents", inner), TEXT, title("Others", inner), TEXT]
    texts += [title("TRAVEL", outer), title("Trains", inner), TEXT, title("GIFTS", outer), TEXT]
    assert [level for level in heading_levels(texts) if level] == expected


def test_few_titles_in_the_colour_of_greater_ones_are_headings() -> None:
    texts = [title("Leave", LARGE_BLUE), TEXT, title("Parents", BLUE), TEXT]
    assert heading_levels(texts) == [1, 0, 2, 0]
    assert chosen([title("Leave", LARGE), TEXT, title("Parents", BLUE), TEXT]) == ["Leave"]


@pytest.mark.parametrize(
    ("to", "colour", "expected"),
    [("its end", 0, ["Leave of absence", "Travel"]), ("the margin", 0, []), ("its end", 0xEE, [])],
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
            column(canvas, 40, top + 20, ["This line is as long as all the full lines of this page are, it ends."] * 2)

    source = load_pdf(pdf(page))
    assert [source.text[mark.start : mark.end] for mark in source.headings] == expected


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
    marked = [
        paragraph
        for at in range(6)
        for paragraph in (title(f"Part {at}", LARGE, mark=1), TEXT, title(f"Rule {at}", mark=2), TEXT)
    ]
    emphasis = [title("Never forget", LineStyle(12.0, bold=True)), TEXT]
    unmarked = [title("Part 7", LARGE), TEXT]
    assert chosen([*marked, *emphasis, *unmarked])[-2:] == ["Rule 5", "Part 7"]
    assert set(heading_levels([*marked, *unmarked])) == {0, 1, 2}


def test_what_looks_like_the_deepest_marked_headings_and_has_no_mark_lies_under_them() -> None:
    """An outline that ends at its second level: below it "Forms" is set as "Rule" is."""
    marked = [
        paragraph
        for at in range(3)
        for paragraph in (title(f"Part {at}", LARGE, mark=1), TEXT, title(f"Rule {at}", mark=2), TEXT)
    ]
    assert heading_levels([*marked, title("Forms"), TEXT, title("Annex", LARGE), TEXT])[-4:] == [3, 0, 1, 0]


def test_marks_on_the_text_itself_are_a_mistake() -> None:
    text = PdfParagraph(1, TEXT.text, BODY, 4, mark=1)
    assert chosen([title("Leave", mark=1), text, title("Travel"), text]) == ["Leave", "Travel"]


def test_the_outline_of_a_file_gives_headings_and_levels() -> None:
    def page(canvas: Canvas) -> None:
        for at, (text, level) in enumerate([("1 Leave", 0), ("Parents", 1), ("2 Travel", 0)]):
            put(canvas, 40, 60 + at * 60, text)
            column(
                canvas, 40, 76 + at * 60, ["This line is as long as all the full lines of this page are, it ends."] * 2
            )
            canvas.bookmarkPage(text)
            canvas.addOutlineEntry(text.lstrip("12 "), text, level)

    source = load_pdf(pdf(page))
    headings = [(source.text[mark.start : mark.end], mark.level) for mark in source.headings]
    assert headings == [("1 Leave", 1), ("Parents", 2), ("2 Travel", 1)]


def test_the_tags_of_a_file_give_headings_and_levels() -> None:
    line = "This line is as long as all the full lines of this page are, it ends."
    drawn = "".join(
        f"/H{at + 1} <</MCID {at}>> BDC BT /F 10 Tf 40 {400 - at * 60} Td ({text}) Tj ET EMC\n"
        f"BT /F 10 Tf 40 {384 - at * 60} Td ({line}) Tj 0 -12 Td ({line}) Tj ET\n"
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
    headings = [(source.text[mark.start : mark.end], mark.level) for mark in source.headings]
    assert headings == [("Leave", 1), ("Parents", 2)]


def written(*objects: str) -> bytes:
    """A PDF file of these objects, numbered from 1, the first of which is its catalogue."""
    numbered = "".join(f"{at} 0 obj {content} endobj\n" for at, content in enumerate(objects, start=1))
    return f"%PDF-1.7\n{numbered}trailer<</Root 1 0 R/Size {len(objects) + 1}>>\n%%EOF".encode()


@pytest.mark.parametrize(
    ("unit", "below", "expected"),
    [
        ("Chapter I", "General rules", ["Chapter I General rules", "Chapter II Rights"]),
        ("Chapter I", "Section 1", ["Chapter I", "Section 1", "Chapter II Rights"]),
    ],
)
def test_the_title_under_a_unit_belongs_to_it(unit: str, below: str, expected: Sequence[str]) -> None:
    def page(canvas: Canvas) -> None:
        for top, texts in ((60, (unit, below)), (160, ("Chapter II", "Rights"))):
            for at, text in enumerate(texts):
                put(
                    canvas,
                    200 - canvas.stringWidth(text, "Helvetica-Bold", 12) / 2,
                    top + at * 26,
                    text,
                    12,
                    "Helvetica-Bold",
                )
            column(canvas, 40, top + 50, ["This line is as long as all the full lines of this page are, it ends."] * 2)

    source = load_pdf(pdf(page))
    assert [source.text[mark.start : mark.end] for mark in source.headings] == expected


def test_a_heading_in_justified_text_is_no_row() -> None:
    def page(canvas: Canvas) -> None:
        for top in (60, 160):
            for at, word in enumerate(("Rights", "and", "duties")):
                put(canvas, 40 + at * 70, top, word, 12, "Helvetica-Bold")
            column(canvas, 40, top + 20, ["This line is as long as all the full lines of this page are, it ends."] * 2)

    source = load_pdf(pdf(page))
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["Rights and duties"] * 2


def test_a_large_first_letter_belongs_to_its_word() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 112, "T", 30)
        put(canvas, 59, 100, "oday the office is open all day and it is")
        put(canvas, 59, 112, "closed on Sundays, when nobody is there.")

    assert load_pdf(pdf(page)).text.startswith("Today the office")


def test_text_that_is_printed_twice_is_bold_and_stands_once() -> None:
    def page(canvas: Canvas) -> None:
        for top in (60, 160):
            for shift in (0, 0.4):
                put(canvas, 40 + shift, top, "Leave of absence")
            column(canvas, 40, top + 20, ["This line is as long as all the full lines of this page are, it ends."] * 2)

    source = load_pdf(pdf(page))
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["Leave of absence"] * 2
    assert source.text.count("absence") == 2


def test_the_largest_words_of_a_title_page_are_the_title() -> None:
    def front(canvas: Canvas) -> None:
        put(canvas, 40, 100, "Travel policy", 24, "Helvetica-Bold")
        put(canvas, 40, 140, "Approved by the Board", 14, "Helvetica-Bold")

    def text(canvas: Canvas) -> None:
        put(canvas, 40, 60, "Scope", 14, "Helvetica-Bold")
        column(canvas, 40, 80, ["This line is as long as all the full lines of this page are, it ends."] * 3)

    source = load_pdf(pdf(front, text))
    assert source.title == "Travel policy"
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["Scope"]


def test_a_title_in_bold_before_a_wide_blank_is_a_heading_below_others() -> None:
    def page(canvas: Canvas) -> None:
        for top, text in ((60, "Leave"), (160, "Travel")):
            put(canvas, 40, top, text, 10, "Helvetica-Bold")
            column(canvas, 40, top + 24, ["This line is as long as all the full lines of this page are, it ends."] * 2)
            put(canvas, 40, top + 60, f"{text} abroad", 10, "Helvetica-Bold")
            put(canvas, 130, top + 60, "Whoever goes abroad asks for a permit of the")
            column(canvas, 40, top + 72, ["manager, who answers within one week."])

    source = load_pdf(pdf(page))
    headings = [(source.text[mark.start : mark.end], mark.level) for mark in source.headings]
    assert headings == [("Leave", 1), ("Leave abroad", 2), ("Travel", 1), ("Travel abroad", 2)]
    assert "Whoever goes abroad asks for a permit of the manager" in source.text
