"""Documents as the pages show them: without markup, in their structure, the quoted words marked and no others."""

import pytest

from policy_rag.server.page.document_text import Run, shown_blocks
from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_document

MARKDOWN = """# Leave

## 1 Length

Annual leave is **28 days**, see [the table](table.md#days) below.

1. Managers
1. All others
   - in Leeds

| Years | Days |
| --- | --- |
| 5 | 1 |
| 10 | 2 |
"""


def shown(text: str, quote: str = "", file: str = "leave.md", file_format: FileFormat = FileFormat.MARKDOWN):
    source = SourceText(text, file_format)
    sections = parse_document(source, title=None, otherwise="leave").sections
    start = text.index(quote)
    marked = [(start, start + len(quote))] if quote else []
    return shown_blocks(text, file, find_blocks(source, sections), sections, marked)


def words(runs: tuple[Run, ...]) -> str:
    return "".join(run.text for run in runs)


def marked(blocks) -> list[str]:
    runs = [run for b in blocks for cell in (b.runs, *b.header, *(c for row in b.rows for c in row)) for run in cell]
    return [run.text for run in runs if run.marked]


def test_structure_is_shown_without_markup():
    blocks = shown(MARKDOWN)
    assert [(b.kind, b.level, b.label, words(b.runs)) for b in blocks if b.kind != "table"] == [
        ("heading", 2, "", "Leave"),
        ("heading", 2, "", "1 Length"),
        ("paragraph", 0, "", "Annual leave is 28 days, see the table below."),
        ("item", 0, "1.", "Managers"),
        ("item", 0, "2.", "All others"),
        ("item", 1, "•", "in Leeds"),
    ]


def test_a_table_keeps_its_cells():
    (table,) = [b for b in shown(MARKDOWN) if b.kind == "table"]
    assert [words(cell) for cell in table.header] == ["Years", "Days"]
    assert [[words(cell) for cell in row] for row in table.rows] == [["5", "1"], ["10", "2"]]


@pytest.mark.parametrize(
    ("quote", "said"),
    [
        ("28 days", ["28 days"]),
        ("**28 days**, see", ["28 days, see"]),
        (
            "Annual leave is **28 days**, see [the table](table.md#days) below.",
            ["Annual leave is 28 days, see the table below."],
        ),
        ("All others\n   - in Leeds", ["All others", "in Leeds"]),
        ("| 10 | 2 |", ["10", "2"]),
        ("## 1 Length", ["1 Length"]),
    ],
)
def test_the_quoted_words_are_marked_and_no_others(quote, said):
    assert marked(shown(MARKDOWN, quote)) == said


def test_the_first_marked_words_are_where_a_reader_is_taken():
    blocks = shown(MARKDOWN, "All others\n   - in Leeds")
    assert [run.text for b in blocks for run in b.runs if run.first] == ["All others"]


def test_wrapped_lines_of_a_text_file_are_one_paragraph():
    text = "1. SCOPE\n\nLeave is 28\ndays a year for\nall staff.\n"
    blocks = shown(text, "28\ndays a year", "leave.txt", FileFormat.TEXT)
    assert words(blocks[-1].runs) == "Leave is 28 days a year for all staff."
    assert marked(blocks) == ["28 days a year"]
