"""DOCX: dialects, document types, tracked deletions of paragraph marks, embedded files, headers and footers, tables."""

import re
from typing import Any

import pytest
from shown_source import headings, shown
from word_files import (
    add_part,
    add_xml_part,
    counted,
    para,
    put,
    read,
    read_body,
    read_list,
    rewritten,
    run,
    saved,
    style,
    table,
)

from policy_rag_parsers.document_metadata.title_block import read_title_block
from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.document import load_docx

GONE = "<w:rPr><w:del/></w:rPr>"
HEADING = style("Heading1")
NUMBERED = counted()
BORDERS = '<w:tblBorders><w:top w:val="single"/></w:tblBorders>'


def as_strict(name: str, part: bytes) -> bytes:
    """The namespaces of ISO 29500 Strict instead of those that Word writes by default."""
    if not name.endswith((".xml", ".rels")):
        return part
    return re.sub(
        rb"http://schemas\.openxmlformats\.org/(wordprocessingml|officeDocument|drawingml)/2006/",
        rb"http://purl.oclc.org/ooxml/\1/",
        part,
    )


def test_a_strict_document_is_read_as_any() -> None:
    usual = saved(
        lambda document: put(document, para("Scope", properties=HEADING), para("50 euros"), table(("a", "b")))
    )
    strict = rewritten(usual, as_strict)
    assert b"purl.oclc.org" not in usual
    assert load_docx(strict) == load_docx(usual)
    assert load_docx(strict).text == "Scope\n\n50 euros\n\na | b\n"


@pytest.mark.parametrize(
    "damaged", ["word/document.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml"]
)
def test_a_document_type_is_refused(damaged: str) -> None:
    def build(document: Any) -> None:
        add_xml_part(
            document, "footnotes", f'<w:footnotes><w:footnote w:id="2">{para("Note")}</w:footnote></w:footnotes>'
        )
        put(document, para("SECRET end"))

    def declare(name: str, part: bytes) -> bytes:
        if name != damaged:
            return part
        start = part.index(b"?>") + 2 if part.startswith(b"<?xml") else 0
        return part[:start] + b'<!DOCTYPE a [<!ENTITY x "y">]>' + part[start:]

    whole = saved(build)
    assert load_docx(whole).text == "SECRET end\n"
    with pytest.raises(LoadError, match="declares a document type") as raised:
        load_docx(rewritten(whole, declare))
    assert "\n" not in str(raised.value)


def deleted(text: str) -> str:
    return f"<w:del><w:r><w:delText>{text}</w:delText></w:r></w:del>"


def test_a_deleted_paragraph_is_not_counted() -> None:
    source = read_list(
        para("One", properties=NUMBERED),
        para(deleted("Two"), properties=NUMBERED + GONE),
        para(f"<w:moveFrom>{run('Moved')}</w:moveFrom>", properties=NUMBERED + "<w:rPr><w:moveFrom/></w:rPr>"),
        para("Three", properties=NUMBERED),
        para(deleted("Last"), properties=NUMBERED + GONE),
        table(("a", "b")),
        para("Four", properties=NUMBERED),
    )
    assert source.text == "1. One\n2. Three\n\na | b\n\n3. Four\n"


def test_paragraphs_without_the_mark_between_them_are_one() -> None:
    source = read_list(
        para("May be granted ", properties=HEADING + GONE),
        '<w:bookmarkEnd w:id="1"/>',
        para(deleted("or not "), "in writing ", properties=NUMBERED + GONE),
        para("only.", properties=NUMBERED),
        para("Kept before a table", properties=GONE),
        table(("a", "b")),
    )
    assert source.text == "1. May be granted in writing only.\n\nKept before a table\n\na | b\n"


def test_a_long_chapter_whose_marks_are_deleted_is_one_paragraph() -> None:
    # Each text moves once; where it moved on with all before it, the time grew with the square of their number.
    words = [f"w{number} " for number in range(3000)]
    source = read_list(*(para(word, properties=GONE) for word in words), para("end.", properties=NUMBERED))
    assert source.text == f"1. {''.join(words)}end.\n"


def chunk(document: Any, content_type: str, data: bytes) -> None:
    identity = add_part(document, "aFChunk", f"chunk{len(document.part.rels)}.bin", content_type, data)
    put(document, f'<w:altChunk r:id="{identity}"/>')


def test_embedded_html_and_text_are_read() -> None:
    def build(document: Any) -> None:
        put(document, para("Leave Policy", properties=style("Title")))
        chunk(document, "text/html", b"<h1>1. Leave</h1><p>30 days.</p><table><tr><th>a<th>b<tr><td>1<td>2</table>")
        chunk(document, "text/plain; charset=utf-8", b"\nPlain words\n")
        put(document, para("After"))

    source = read(build)
    assert source.text == "Leave Policy\n\n1. Leave\n\n30 days.\n\na | b\n1 | 2\n\nPlain words\n\nAfter\n"
    assert shown(source)[:5] == ["# Leave Policy", "## 1. Leave", "30 days.", "|| a | b", "| 1 | 2"]
    assert source.notes == ()


def test_embedded_files_that_are_not_read_are_told() -> None:
    def build(document: Any) -> None:
        put(document, para("Leave"))
        chunk(document, "application/rtf", b"{\\rtf1}")
        chunk(document, "text/html", b"  ")
        chunk(document, "text/html", b"<p> </p>")
        put(document, '<w:altChunk r:id="rId999"/>')

    source = read(build)
    assert source.text == "Leave\n"
    assert [note.partition(", and")[0].removeprefix("a file within it ") for note in source.notes] == [
        "is of the type application/rtf", "holds no HTML", "is not in the document",
    ]  # fmt: skip


def test_headers_and_footers_are_kept_apart() -> None:
    def build(document: Any) -> None:
        section = document.sections[0]
        section.different_first_page_header_footer = False
        section.header.paragraphs[0].text = "Northfield\tPolicy HR-12\tVersion 2.4, effective 1 March 2026"
        section.footer.paragraphs[0].text = "Northfield  Stand: Januar"
        section.first_page_header.paragraphs[0].text = "Version 1.0"
        section.even_page_header.paragraphs[0].text = "Version 1.1"
        put(document, para("Sickness"))

    source = read(build)
    assert source.text == "Sickness\n"
    assert source.margins == ("Northfield", "Policy HR-12", "Version 2.4, effective 1 March 2026", "Stand: Januar")
    assert read_title_block(source).version == "2.4"


def test_headers_of_first_and_even_pages_where_there_are_such() -> None:
    def build(document: Any) -> None:
        document.settings.odd_and_even_pages_header_footer = True
        document.sections[0].different_first_page_header_footer = True
        document.sections[0].first_page_header.paragraphs[0].text = "First"
        document.sections[0].even_page_footer.paragraphs[0].text = "Even"
        put(document, para("Text"))

    assert sorted(read(build).margins) == ["Even", "First"]


def test_a_frame_of_one_column_is_read_as_text() -> None:
    frame = table(
        (para("1. Scope", properties=HEADING) + para("All staff."),),
        (para("2. Claims", properties=HEADING) + table(("a", "b"), properties=BORDERS) + para("Later."),),
    )
    source = read_body(frame)
    assert source.text == "1. Scope\n\nAll staff.\n\n2. Claims\n\na | b\n\nLater.\n"
    assert headings(source) == ["1 1. Scope", "1 2. Claims"]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ([(para(run("City", "<w:b/>")),), ("Paris",), ("Rome",)], ["|| City", "| Paris", "| Rome"]),
        (
            [("Side", "Top"), (para("1. Scope", properties=HEADING), "All staff.")],
            ["Side", "Top", "# 1. Scope", "All staff."],
        ),
        (
            [("Grade", "Rail", "Air"), (para("Manager", properties=HEADING), "1st", "yes")],
            ["| Grade | Rail | Air", "| Manager | 1st | yes"],
        ),
        (
            [(para("City", properties=HEADING), para("Rate", properties=HEADING)), ("Paris", "200")],
            ["|| City | Rate", "| Paris | 200"],
        ),
    ],
    ids=["a list under a header", "headings in cells", "labels of rows", "a header"],
)
def test_which_tables_are_frames(rows: list[tuple[str, ...]], text: list[str]) -> None:
    assert shown(read_body(table(*rows, properties=BORDERS))) == text


def test_numbers_and_clauses_beside_each_other_without_borders() -> None:
    rows = (("1.", "Payment"), ("1.1", para("We pay.") + para("In time.")), ("", "In euros."), ("(a)", "at once"))
    assert read_body(table(*rows)).text == "1. Payment\n1.1 We pay.\n\nIn time.\n\nIn euros.\n\n(a) at once\n"
    assert read_body(table(*rows, properties=BORDERS)).tables
    none = BORDERS.replace("single", "nil")
    assert not read_body(table(*rows, properties=none)).tables


@pytest.mark.parametrize(
    "rows",
    [
        (("1", "500"), ("2", "600")),
        (("No.", "Clause"), ("1.", "We pay.")),
        (("1.", "We", "pay"), ("2.", "You", "go")),
        (("Paris", "200"), ("Rome", "150")),
    ],
)
def test_data_without_borders_stays_a_table(rows: tuple[tuple[str, ...], ...]) -> None:
    assert read_body(table(*rows)).text == "\n".join(" | ".join(row) for row in rows) + "\n"


def test_numbers_that_word_counts_in_a_cell_of_their_own() -> None:
    number = para(properties=NUMBERED)
    assert read_list(table((number, "We pay."), (number, "You go."))).text == "1. We pay.\n2. You go.\n"


def test_a_text_box_in_a_cell_follows_the_table() -> None:
    box = f"<w:r><w:pict><w:txbxContent>{para('Applies to all')}</w:txbxContent></w:pict></w:r>"
    assert read_body(table((para("a", box), "b"), ("c", "d")), para("After")).text == (
        "a | b\nc | d\n\nApplies to all\n\nAfter\n"
    )


def test_a_text_box_in_a_text_box_is_read_once() -> None:
    inner = f"<w:r><w:pict><w:txbxContent>{para('Inner')}</w:txbxContent></w:pict></w:r>"
    box = f"<w:txbxContent>{para('Outer', inner)}</w:txbxContent>"
    twice = f"<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
    assert read_body(para("Host", twice)).text == "Host\n\nOuter\n\nInner\n"


def test_numbers_of_sentences_in_a_counted_paragraph() -> None:
    raised = '<w:vertAlign w:val="superscript"/>'
    sentences = para(run("1", raised), "Die Satzung gilt. ", run("2", raised), "Sie endet.", properties=NUMBERED)
    assert read_list(sentences).text == "1. 1 Die Satzung gilt. 2 Sie endet.\n"


def test_spans_beyond_reason_are_cut() -> None:
    wide = '<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>'
    other = f"<w:tc>{para('b')}</w:tc>"
    text = read_body(f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{wide}{other}</w:tr></w:tbl>").text
    assert text.count("|") == 100
