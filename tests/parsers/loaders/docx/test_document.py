"""DOCX: order, numbering, headings, tables, pages, notes and what is not read."""

from collections.abc import Sequence
from typing import Any

import pytest
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from word_files import add_part, para, put, read, read_body, run

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.document import load_docx
from policy_rag_parsers.loaders.list_numerals import letters, numeral, roman
from policy_rag_parsers.records import PageMark, SourceText


def marked(source: SourceText) -> list[tuple[int, str]]:
    return [(mark.level, source.text[mark.start : mark.end]) for mark in source.headings]


def levels(*specs: tuple[str, str], extra: str = "") -> str:
    """The levels of an abstract list: format and text of each."""
    return "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{style}"/>{extra}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
        for depth, (style, text) in enumerate(specs)
    )


def add_list(document: Any, body: str, *, abstract: int = 50, numbers: dict[int, str] | None = None) -> None:
    root = document.part.numbering_part.element
    first = parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="{abstract}">{body}</w:abstractNum>')
    root.insert(0, first)
    for number, overrides in (numbers or {abstract: ""}).items():
        root.append(
            parse_xml(
                f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="{abstract}"/>{overrides}</w:num>'
            )
        )


def numbered(document: Any, text: str, depth: int, number: int = 50, style: str | None = None) -> Any:
    paragraph = document.add_paragraph(text, style=style)
    properties = paragraph._p.get_or_add_pPr()
    properties.append(
        parse_xml(f'<w:numPr {nsdecls("w")}><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>')
    )
    return paragraph


def test_title_headings_and_levels() -> None:
    def build(document: Any) -> None:
        document.core_properties.title = "From the properties"
        document.add_heading("Leave Policy", 0)
        document.add_heading("1. Scope", 1)
        document.add_paragraph("All staff.")
        document.add_heading("1.1 Parts", 2)

    source = read(build)
    assert source.text == "Leave Policy\n\n1. Scope\n\nAll staff.\n\n1.1 Parts\n"
    assert marked(source) == [(1, "Leave Policy"), (2, "1. Scope"), (3, "1.1 Parts")]
    assert source.title == "From the properties"
    assert source.pages == ()


def test_heading_by_own_style_by_outline_level_and_by_translated_style() -> None:
    def build(document: Any) -> None:
        own = document.styles.add_style("Clause", 1)
        own.base_style = document.styles["Heading 2"]
        document.add_paragraph("Own style", style="Clause")
        plain = document.add_paragraph("Outline level")
        plain._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="2"/>'))
        body = document.add_paragraph("Running text in a heading's style", style="Heading 1")
        body._p.get_or_add_pPr().append(parse_xml(f'<w:outlineLvl {nsdecls("w")} w:val="9"/>'))
        document.styles["Heading 3"].element.set(qn("w:styleId"), "berschrift3")
        german = document.add_paragraph("Übersetzt")
        german._p.get_or_add_pPr().insert(0, parse_xml(f'<w:pStyle {nsdecls("w")} w:val="berschrift3"/>'))

    assert marked(read(build)) == [(2, "Own style"), (3, "Outline level"), (3, "Übersetzt")]


def test_numbers_of_several_levels_are_counted_as_word_does() -> None:
    def build(document: Any) -> None:
        add_list(
            document, levels(("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)"))
        )
        for text, depth in [
            ("Scope", 0), ("Staff", 1), ("first", 2), ("second", 2), ("deep", 3), ("Others", 1), ("again", 2),
            ("Pay", 0), ("skipped", 2), ("Rate", 1),
        ]:  # fmt: skip
            numbered(document, text, depth, style="Heading 1" if depth == 0 else None)

    source = read(build)
    assert [line for line in source.text.split("\n") if line] == [
        "1. Scope", "1.1 Staff", "(a) first", "(b) second", "(i) deep", "1.2 Others", "(a) again",
        "2. Pay", "(a) skipped", "2.2 Rate",
    ]  # fmt: skip
    assert marked(source) == [(1, "1. Scope"), (1, "2. Pay")]


def test_lists_over_one_abstract_list_count_on_unless_overridden() -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'

    def build(document: Any) -> None:
        add_list(document, levels(("upperRoman", "Part %1")), numbers={60: "", 61: "", 62: restart})
        for text, number in [("a", 60), ("b", 61), ("c", 62), ("d", 62), ("e", 60)]:
            numbered(document, text, 0, number)

    lines = ["Part I a", "Part II b", "Part V c", "Part VI d", "Part VII e"]
    assert read(build).text == "\n".join(lines) + "\n"


def test_legal_numbering_bullets_and_no_number() -> None:
    def build(document: Any) -> None:
        add_list(document, levels(("upperRoman", "%1."), ("decimal", "%1.%2"), extra="<w:isLgl/>"), abstract=50)
        add_list(document, levels(("bullet", "\uf0b7"), ("none", "")), abstract=51)
        numbered(document, "A", 0)
        numbered(document, "B", 1)
        numbered(document, "C", 0, 51)
        numbered(document, "D", 1, 51)
        numbered(document, "E", 0, 0)

    assert read(build).text == "1. A\n1.1 B\n• C\nD\n\nE\n"


def test_numbering_by_style() -> None:
    def build(document: Any) -> None:
        linked = levels(("decimal", "%1"), ("decimal", "%1.%2")).replace(
            '<w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/>',
            '<w:numFmt w:val="decimal"/><w:pStyle w:val="Heading2"/><w:lvlText w:val="%1.%2"/>',
        )
        add_list(document, linked)
        for name in ("Heading 1", "Heading 2"):
            properties = document.styles[name].element.get_or_add_pPr()
            properties.append(parse_xml(f'<w:numPr {nsdecls("w")}><w:numId w:val="50"/></w:numPr>'))
        document.add_heading("Scope", 1)
        document.add_heading("Staff", 2)
        document.add_heading("Guests", 2)

    assert marked(read(build)) == [(1, "1 Scope"), (2, "1.1 Staff"), (2, "1.2 Guests")]


def test_tables_keep_their_place_and_header() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("Before")
        table = document.add_table(3, 2, style="Table Grid")
        for row, cells in zip(table.rows, [("City", "Rate"), ("Paris", "200"), ("", "150")], strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        for cell in table.rows[0].cells:
            cell.paragraphs[0].runs[0].bold = True
        table.cell(1, 0).merge(table.cell(2, 0))
        document.add_paragraph("After")
        box = document.add_table(1, 1)
        box.cell(0, 0).text = "Boxed"

    source = read(build)
    assert source.text == "Before\n\nCity | Rate\nParis | 200\nParis | 150\n\nAfter\n\nBoxed\n"
    (table,) = source.tables
    assert source.text[table.start : table.header_end] == "City | Rate"


def test_lines_with_tabs_are_a_table_unless_they_are_clauses_or_contents() -> None:
    def build(document: Any) -> None:
        for line in ("Grade\tDays\tNotice", "A\t25\t1 month", "B\t28\t2 months"):
            document.add_paragraph(line)
        document.add_paragraph("Rates:")
        document.add_paragraph("Paris\t200\nRome\t150\nOslo\t\t180")
        document.add_paragraph("Signed\tDate")
        document.add_heading("Rules")
        for line in ("1.\tAsk", "2.\tTravel", "3.\tReturn"):
            document.add_paragraph(line)
        document.add_paragraph("Pages:")
        for line in ("Leave\t1", "Notice\t4", "Rates\t4"):
            document.add_paragraph(line)

    source = read(build)
    assert [source.text[table.start : table.end] for table in source.tables] == [
        "Grade | Days | Notice\nA | 25 | 1 month\nB | 28 | 2 months",
        "Paris | 200\nRome | 150\nOslo | 180\nSigned | Date",
    ]
    assert [source.text[table.start : table.header_end] for table in source.tables] == ["Grade | Days | Notice", ""]


@pytest.mark.parametrize(
    ("first", "second", "header"),
    [
        ("<w:b/>", "<w:b/>", "Country | Hotel | \n | Weekday | Weekend"),
        ("<w:b/>", "", "Country | Hotel |"),
        ("", "", ""),
    ],
    ids=["two rows in bold", "one row in bold", "none"],
)
def test_a_header_of_two_rows_that_merged_cells_hold_together(first: str, second: str, header: str) -> None:
    def row(texts: Sequence[str], look: str, merged: str = "") -> str:
        across = 3 - len(texts)
        spans = [f"<w:vMerge {merged}/>" if merged else "", f'<w:gridSpan w:val="{across + 1}"/>', ""]
        cells = zip(texts, spans, strict=False)
        return "".join(f"<w:tc><w:tcPr>{span}</w:tcPr>{para(run(text, look))}</w:tc>" for text, span in cells)

    rows = [
        row(["Country", "Hotel"], first, 'w:val="restart"'),
        row(["", "Weekday", "Weekend"], second, 'w:val="continue"'),
        row(["France", "100", "80"], ""),
    ]
    source = read_body("<w:tbl><w:tblPr/>" + "".join(f"<w:tr>{one}</w:tr>" for one in rows) + "</w:tbl>")
    (table,) = source.tables
    assert source.text[table.start : table.header_end].strip() == header


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


def test_a_header_row_that_word_repeats() -> None:
    def build(document: Any) -> None:
        table = document.add_table(2, 2)
        for at, text in enumerate("abcd"):
            table.cell(at // 2, at % 2).text = text
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))

    source = read(build)
    (table,) = source.tables
    assert source.text[table.start : table.header_end] == "a | b"


def test_pages_from_breaks() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("One")
        document.add_page_break()
        paragraph = document.add_paragraph("Two")
        paragraph.add_run().add_break(WD_BREAK.PAGE)
        paragraph.add_run("Three")
        document.add_paragraph("Four").paragraph_format.page_break_before = True

    source = read(build)
    assert source.text == "One\n\nTwo\nThree\n\nFour\n"
    assert source.pages == (PageMark(0, 1), PageMark(5, 2), PageMark(9, 3), PageMark(16, 4))


def test_pages_from_the_last_layout_are_not_counted_twice() -> None:
    def build(document: Any) -> None:
        document.add_paragraph("One").add_run().add_break(WD_BREAK.PAGE)
        run = document.add_paragraph().add_run()
        run._r.append(OxmlElement("w:lastRenderedPageBreak"))
        run.add_text("Two")

    assert read(build).pages == (PageMark(0, 1), PageMark(5, 2))


def test_insertions_links_and_controls_are_read_deletions_and_hidden_text_are_not() -> None:
    inner = (
        '<w:r><w:t xml:space="preserve">Kept </w:t></w:r><w:ins><w:r><w:t>new</w:t></w:r></w:ins>'
        "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        "<w:hyperlink><w:r><w:tab/><w:t>link</w:t></w:r></w:hyperlink>"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>"
        "<w:r><w:noBreakHyphen/><w:t>x</w:t><w:br/><w:t>next</w:t><w:instrText>PAGE</w:instrText></w:r>"
    )
    control = f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p>{inner}</w:p></w:sdtContent></w:sdt>"
    source = read(lambda document: document.element.body.insert(0, parse_xml(control)))
    assert source.text == "Kept new link-x\nnext\n"


def test_bold_numbered_lines_are_marked() -> None:
    def build(document: Any) -> None:
        for text in ("1. Scope", "1.1 Staff"):
            document.add_paragraph().add_run(text).bold = True
            document.add_paragraph("text")
        document.add_paragraph().add_run("2. Half").bold = True
        document.paragraphs[-1].add_run(" bold")

    assert marked(read(build)) == [(1, "1. Scope"), (2, "1.1 Staff")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
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
