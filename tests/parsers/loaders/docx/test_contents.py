"""DOCX: Word's own tables of contents, by style, by field and by gallery."""

from typing import Any

from word_files import put, read

from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.records import BlockKind, SourceText
from policy_rag_parsers.structure.sections import parse_sections

_PAGE = "<w:r><w:tab/><w:t>4</w:t></w:r>"


def entry(text: str, style: str = "", before: str = "", after: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{before}<w:r><w:t>{text}</w:t></w:r>{_PAGE}{after}</w:p>"


def field(kind: str, instruction: str = "") -> str:
    code = f"<w:r><w:instrText> {instruction} </w:instrText></w:r>" if instruction else ""
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>{code}'


def policy(*contents: str) -> SourceText:
    def build(document: Any) -> None:
        document.styles.add_style("toc 1", 1)
        put(document, *contents)
        document.add_heading("Section 1 Scope", 1)
        document.add_paragraph("For all.")

    return read(build)


def headings(source: SourceText) -> list[str]:
    return [source.text[one.start : one.body].strip() for one in parse_sections(source, title="") if one.level]


def test_entries_are_no_headings_however_word_marks_them() -> None:
    by_style = policy(entry("Section 1 Scope", "toc1"), entry("Section 2 Lost", "toc1"))
    begin = field("begin", 'TOC \\o "1-3"')
    by_field = policy(entry("Section 1 Scope", before=begin), entry("Section 2 Lost"), f"<w:p>{field('end')}</w:p>")
    gallery = '<w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr>'
    listed = f"{entry('Section 1 Scope')}{entry('Section 2 Lost')}"
    by_gallery = policy(f"<w:sdt>{gallery}<w:sdtContent>{listed}</w:sdtContent></w:sdt>")
    for source in (by_style, by_field, by_gallery):
        assert source.text.startswith("Section 1 Scope\t4\nSection 2 Lost\t4\n\nSection 1 Scope")
        assert source.contents == ((0, 34),)
        assert headings(source) == ["Section 1 Scope"]


def test_entries_are_blocks_of_contents() -> None:
    source = policy(entry("Section 1 Scope", "toc1"), entry("Section 2 Lost", "toc1"))
    found = find_blocks(source, parse_sections(source, title=""))
    assert {one.kind for one in found if one.end <= 34} == {BlockKind.CONTENTS}


def test_a_field_that_never_ends_hides_nothing() -> None:
    source = policy(f"<w:p>{field('begin', 'TOC')}</w:p>")
    assert source.contents == ()
    assert headings(source) == ["Section 1 Scope"]


def test_a_row_that_is_nothing_but_a_heading_stands_over_its_table() -> None:
    def build(document: Any) -> None:
        document.add_heading("Scope", 1)
        table = document.add_table(3, 2)
        table.cell(0, 0).merge(table.cell(0, 1)).paragraphs[0].style = document.styles["Heading 1"]
        for at, text in enumerate(("History", None, "Version", "Date", "1.0", "May 2025")):
            if text:
                table.cell(at // 2, at % 2).paragraphs[0].add_run(text)

    source = read(build)
    assert source.text == "Scope\n\nHistory\n\nVersion | Date\n1.0 | May 2025\n"
    assert headings(source) == ["Scope", "History"]
