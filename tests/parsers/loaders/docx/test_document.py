"""DOCX: order, numbering, headings, tables, pages, notes and what is not read."""

from collections.abc import Sequence
from typing import Any

import pytest
from docx.oxml.ns import qn
from shown_source import headings, shown
from word_files import add_list, add_part, counted, para, put, read, read_body, run, style, table

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.document import load_docx
from policy_rag_parsers.loaders.list_numerals import letters, numeral, roman
from policy_rag_parsers.records import PageMark

PAGE_BREAK = '<w:r><w:br w:type="page"/></w:r>'


def test_title_headings_and_levels() -> None:
    def build(document: Any) -> None:
        document.core_properties.title = "From the properties"
        put(document, para("Leave Policy", properties=style("Title")), para("1. Scope", properties=style("Heading1")))
        put(document, para("All staff."), para("1.1 Parts", properties=style("Heading2")))

    source = read(build)
    assert source.text == "Leave Policy\n\n1. Scope\n\nAll staff.\n\n1.1 Parts\n"
    assert headings(source) == ["1 Leave Policy", "2 1. Scope", "3 1.1 Parts"]
    assert (source.title, source.pages) == ("From the properties", ())


def test_heading_by_own_style_by_outline_level_and_by_translated_style() -> None:
    def build(document: Any) -> None:
        document.styles.add_style("Clause", 1).base_style = document.styles["Heading 2"]
        document.styles["Heading 3"].element.set(qn("w:styleId"), "berschrift3")
        put(
            document,
            para("Own style", properties=style("Clause")),
            para("Outline level", properties='<w:outlineLvl w:val="2"/>'),
            para("Running text in a heading's style", properties=style("Heading1") + '<w:outlineLvl w:val="9"/>'),
            para("Übersetzt", properties=style("berschrift3")),
        )

    assert headings(read(build)) == ["2 Own style", "3 Outline level", "3 Übersetzt"]


def test_numbers_of_several_levels_are_counted_as_word_does() -> None:
    def build(document: Any) -> None:
        add_list(document, ("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)"))
        for text, depth in [
            ("Scope", 0), ("Staff", 1), ("first", 2), ("second", 2), ("deep", 3), ("Others", 1), ("again", 2),
            ("Pay", 0), ("skipped", 2), ("Rate", 1),
        ]:  # fmt: skip
            put(document, para(text, properties=(style("Heading1") if depth == 0 else "") + counted(depth)))

    assert shown(read(build)) == [
        "# 1. Scope", "1.1 Staff", "(a) first", "(b) second", "(i) deep", "1.2 Others", "(a) again",
        "# 2. Pay", "(a) skipped", "2.2 Rate",
    ]  # fmt: skip


def test_lists_over_one_abstract_list_count_on_unless_overridden() -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'

    def build(document: Any) -> None:
        add_list(document, ("upperRoman", "Part %1"), numbers={60: "", 61: "", 62: restart})
        for text, number in [("a", 60), ("b", 61), ("c", 62), ("d", 62), ("e", 60)]:
            put(document, para(text, properties=counted(0, number)))

    assert read(build).text == "Part I a\nPart II b\nPart V c\nPart VI d\nPart VII e\n"


def test_legal_numbering_bullets_and_no_number() -> None:
    def build(document: Any) -> None:
        add_list(document, ("upperRoman", "%1."), ("decimal", "%1.%2"), extra="<w:isLgl/>")
        add_list(document, ("bullet", "\uf0b7"), ("none", ""), numbers={51: ""})
        for text, place in zip("ABCDE", [(0, 50), (1, 50), (0, 51), (1, 51), (0, 0)], strict=True):
            put(document, para(text, properties=counted(*place)))

    assert read(build).text == "1. A\n1.1 B\n• C\nD\n\nE\n"


def test_numbering_by_style() -> None:
    def build(document: Any) -> None:
        add_list(document, ("decimal", "%1"), ("decimal", "%1.%2"))
        levels = document.part.numbering_part.element.findall(f".//{qn('w:lvl')}")
        levels[1].insert(2, document.styles["Heading 2"].element.makeelement(qn("w:pStyle"), {qn("w:val"): "Heading2"}))
        for name in ("Heading 1", "Heading 2"):
            number = document.styles[name].element.get_or_add_pPr().get_or_add_numPr().get_or_add_numId()
            number.val = 50
        for text, name in (("Scope", "Heading1"), ("Staff", "Heading2"), ("Guests", "Heading2")):
            put(document, para(text, properties=style(name)))

    assert headings(read(build)) == ["1 1 Scope", "2 1.1 Staff", "2 1.2 Guests"]


def test_tables_keep_their_place_and_header() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("Before")
        rates = document.add_table(3, 2, style="Table Grid")
        for row, cells in zip(rates.rows, [("City", "Rate"), ("Paris", "200"), ("", "150")], strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        for cell in rates.rows[0].cells:
            cell.paragraphs[0].runs[0].bold = True
        rates.cell(1, 0).merge(rates.cell(2, 0))
        put(document, para("After"), table(("Boxed",)))

    assert read(build).text == "Before\n\nCity | Rate\nParis | 200\nParis | 150\n\nAfter\n\nBoxed\n"
    assert shown(read(build)) == ["Before", "|| City | Rate", "| Paris | 200", "| Paris | 150", "After", "Boxed"]


def test_lines_with_tabs_are_a_table_unless_they_are_clauses_or_contents() -> None:
    def build(document: Any) -> None:
        for line in (
            "Grade\tDays\tNotice", "A\t25\t1 month", "B\t28\t2 months", "Rates:", "Paris\t200\nRome\t150\nOslo\t\t180",
            "Signed\tDate", "Rules:", "1.\tAsk", "2.\tTravel", "3.\tReturn", "Pages:", "Leave\t1", "Notice\t4", "Rates\t4",
        ):  # fmt: skip
            document.add_paragraph(line)

    assert [line for line in shown(read(build)) if line.startswith("|")] == [
        "|| Grade | Days | Notice", "| A | 25 | 1 month", "| B | 28 | 2 months",
        "| Paris | 200", "| Rome | 150", "| Oslo | 180", "| Signed | Date",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "header"),
    [
        ("<w:b/>", "<w:b/>", ["|| Country | Hotel |", "||  | Weekday | Weekend"]),
        ("<w:b/>", "", ["|| Country | Hotel |", "| Country | Weekday | Weekend"]),
        ("", "", ["| Country | Hotel |", "| Country | Weekday | Weekend"]),
    ],
    ids=["two rows in bold", "one row in bold", "none"],
)
def test_a_header_of_two_rows_that_merged_cells_hold_together(first: str, second: str, header: list[str]) -> None:
    def row(texts: Sequence[str], look: str, merged: str = "") -> str:
        spans = [f"<w:vMerge {merged}/>" if merged else "", f'<w:gridSpan w:val="{4 - len(texts)}"/>', ""]
        cells = zip(texts, spans, strict=False)
        return "".join(f"<w:tc><w:tcPr>{span}</w:tcPr>{para(run(text, look))}</w:tc>" for text, span in cells)

    rows = [
        row(["Country", "Hotel"], first, 'w:val="restart"'),
        row(["", "Weekday", "Weekend"], second, 'w:val="continue"'),
        row(["France", "100", "80"], ""),
    ]
    source = read_body("<w:tbl><w:tblPr/>" + "".join(f"<w:tr>{one}</w:tr>" for one in rows) + "</w:tbl>")
    assert shown(source) == [*header, "| France | 100 | 80"]


def test_a_header_row_that_word_repeats() -> None:
    repeated = table(("a", "b"), ("c", "d")).replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1)
    assert shown(read_body(repeated)) == ["|| a | b", "| c | d"]


def test_a_first_row_that_reads_as_a_header_needs_no_look() -> None:
    matrix = table(("", "Public", "Internal"), ("Email", "yes", "yes"), ("Printing", "yes", "no"))
    assert shown(read_body(matrix)) == ["||  | Public | Internal", "| Email | yes | yes", "| Printing | yes | no"]


def test_what_smart_art_shows_is_read() -> None:
    names = 'xmlns:d="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="urn:a"'
    boxes = "".join(
        f"<d:pt><d:t><a:bodyPr/>{''.join(f'<a:p><a:r><a:t>{line}</a:t></a:r></a:p>' for line in lines)}</d:t></d:pt>"
        for lines in [("Staff ask", "in writing"), (), ("The director approves",)]
    )

    def build(document: Any) -> None:
        data = f"<d:dataModel {names}><d:ptLst><d:pt type='doc'/>{boxes}</d:ptLst></d:dataModel>".encode()
        identity = add_part(document, "diagramData", "data1.xml", "application/xml", data)
        diagram = f'<w:r><w:drawing><d:relIds {names} r:dm="{identity}"/></w:drawing></w:r>'
        put(document, para("Steps:", diagram), para("End."))

    assert read(build).text == "Steps:\n\n• Staff ask in writing\n• The director approves\n\nEnd.\n"


def test_pages_from_breaks() -> None:
    source = read_body(
        para("One"), para(PAGE_BREAK), para("Two", PAGE_BREAK, "Three"), para("Four", properties="<w:pageBreakBefore/>")
    )
    assert source.text == "One\n\nTwo\nThree\n\nFour\n"
    assert source.pages == (PageMark(0, 1), PageMark(5, 2), PageMark(9, 3), PageMark(16, 4))


def test_pages_from_the_last_layout_are_not_counted_twice() -> None:
    source = read_body(para("One", PAGE_BREAK), para("<w:r><w:lastRenderedPageBreak/><w:t>Two</w:t></w:r>"))
    assert source.pages == (PageMark(0, 1), PageMark(5, 2))


def test_insertions_links_and_controls_are_read_deletions_and_hidden_text_are_not() -> None:
    inner = para(
        run("Kept "),
        "<w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>",
        "<w:hyperlink><w:r><w:tab/><w:t>link</w:t></w:r></w:hyperlink>",
        run("hidden", "<w:vanish/>"),
        "<w:r><w:noBreakHyphen/><w:t>x</w:t><w:br/><w:t>next</w:t><w:instrText>PAGE</w:instrText></w:r>",
    )
    source = read_body(f"<w:sdt><w:sdtPr/><w:sdtContent>{inner}</w:sdtContent></w:sdt>")
    assert source.text == "Kept new link-x\nnext\n"


def test_bold_numbered_lines_are_marked() -> None:
    blocks = [para(run("1. Scope", "<w:b/>")), para("text"), para(run("1.1 Staff", "<w:b/>")), para("text")]
    assert headings(read_body(*blocks, para(run("2. Half", "<w:b/>"), " bold"))) == ["1 1. Scope", "2 1.1 Staff"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a Word document"),
        (b"hello", "not a Word document"),
        (b"PK\x03\x04 broken", "not a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "encrypted or in Word's old format"),
    ],
)
def test_what_is_no_word_document(data: bytes, message: str) -> None:
    with pytest.raises(LoadError, match=message):
        load_docx(data)


def test_numerals() -> None:
    assert [roman(number) for number in (4, 9, 49, 1994, 0, 4000)] == ["iv", "ix", "xlix", "mcmxciv", "0", "4000"]
    assert [letters(number) for number in (1, 26, 27, 703)] == ["a", "z", "aa", "aaa"]
    assert [letters(number, doubled=True) for number in (26, 27, 53)] == ["z", "aa", "aaa"]
    assert [numeral(number, "ordinal") for number in (1, 2, 3, 4, 11, 22, 113)] == [
        "1st", "2nd", "3rd", "4th", "11th", "22nd", "113th",
    ]  # fmt: skip
