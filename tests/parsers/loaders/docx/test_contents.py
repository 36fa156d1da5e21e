"""DOCX: Word's own tables of contents, by style, by field and by gallery."""

from typing import Any

import pytest
from shown_source import headings
from word_files import para, put, read, read_body, style

from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.records import BlockKind, SourceText
from policy_rag_parsers.structure.sections import parse_sections

_PAGE = "<w:r><w:tab/><w:t>4</w:t></w:r>"
_LISTED = para("Section 1 Scope", _PAGE), para("Section 2 Lost", _PAGE)
_GALLERY = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'


def field(kind: str, instruction: str = "") -> str:
    code = f"<w:r><w:instrText> {instruction} </w:instrText></w:r>" if instruction else ""
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>{code}'


def policy(*contents: str) -> SourceText:
    def build(document: Any) -> None:
        document.styles.add_style("toc 1", 1)
        put(document, *contents, para("Section 1 Scope", properties=style("Heading1")), para("For all."))

    return read(build)


@pytest.mark.parametrize(
    "contents",
    [
        [para(text, _PAGE, properties=style("toc1")) for text in ("Section 1 Scope", "Section 2 Lost")],
        [para(field("begin", 'TOC \\o "1-3"'), "Section 1 Scope", _PAGE), _LISTED[1], para(field("end"))],
        [f"<w:sdt>{_GALLERY}<w:sdtContent>{''.join(_LISTED)}</w:sdtContent></w:sdt>"],
    ],
    ids=["style", "field", "gallery"],
)
def test_entries_are_no_headings_however_word_marks_them(contents: list[str]) -> None:
    source = policy(*contents)
    assert source.text.startswith("Section 1 Scope\t4\nSection 2 Lost\t4\n\nSection 1 Scope")
    assert source.contents == ((0, 34),)
    sections = parse_sections(source, title="")
    assert [source.text[one.start : one.body].strip() for one in sections if one.level] == ["Section 1 Scope"]
    assert {one.kind for one in find_blocks(source, sections) if one.end <= 34} == {BlockKind.CONTENTS}


def test_a_field_that_never_ends_hides_nothing() -> None:
    source = policy(para(field("begin", "TOC")))
    assert source.contents == ()
    assert headings(source) == ["1 Section 1 Scope"]


def test_a_row_that_is_nothing_but_a_heading_stands_over_its_table() -> None:
    heading = para("History", properties=style("Heading1"))
    wide = f'<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>{heading}</w:tc></w:tr>'
    rows = "".join(
        f"<w:tr><w:tc>{para(left)}</w:tc><w:tc>{para(right)}</w:tc></w:tr>"
        for left, right in (("Version", "Date"), ("1.0", "May 2025"))
    )
    source = read_body(
        para("Scope", properties=style("Heading1")), f"<w:tbl><w:tblPr/><w:tblGrid/>{wide}{rows}</w:tbl>"
    )
    assert source.text == "Scope\n\nHistory\n\nVersion | Date\n1.0 | May 2025\n"
    assert headings(source) == ["1 Scope", "1 History"]
