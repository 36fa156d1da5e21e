"""Tables that Markdown writes in HTML: read as rows that keep their lines."""

import pytest

from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.loaders.text import load_text
from policy_rag_parsers.records import BlockKind, FileFormat
from policy_rag_parsers.structure.sections import parse_sections

TABLE = """\
<table class="wide">
  <thead>
    <tr><th>Grade</th>
      <th>Days</th></tr>
  </thead>

  <tr>
    <td rowspan="2">A</td>
    <td>25 <del>24</del> <b>or</b>
      26</td>
  </tr><tr><td>**27**</td></tr>
  <tr><td>Director</td><td>30</td></tr></table>
"""


def lines_of(markdown: str) -> list[str]:
    return load_text(markdown.encode(), FileFormat.MARKDOWN).text.split("\n")


def test_rows_stand_on_the_lines_on_which_they_begin() -> None:
    source = load_text(f"---\ntitle: Leave\n---\n# Leave\n\n{TABLE}After.\n".encode(), FileFormat.MARKDOWN)
    assert [line.rstrip() for line in source.text.split("\n")[5:]] == [
        "", "", "Grade | Days", "", "", "", "A | 25 or 26", "", "", "", "A | **27**", "Director | 30", "After.", "",
    ]  # fmt: skip
    blocks = find_blocks(source, parse_sections(source, title=""))
    kinds = {BlockKind.HEADER_ROW, BlockKind.ROW}
    assert [(block.kind.value, source.text[block.start : block.end]) for block in blocks if block.kind in kinds] == [
        ("header_row", "Grade | Days"), ("row", "A | 25 or 26"), ("row", "A | **27**"), ("row", "Director | 30"),
    ]  # fmt: skip


def test_a_first_row_that_reads_as_a_header_is_one() -> None:
    markdown = (
        "<table>\n<tr><td>What<td>Staff<td>Guests\n<tr><td>Wi-Fi<td>yes<td>yes\n<tr><td>Badge<td>yes<td>no\n</table>\n"
    )
    source = load_text(markdown.encode(), FileFormat.MARKDOWN)
    assert [source.text[one.start : one.header_end] for one in source.tables] == ["What | Staff | Guests"]


def test_a_row_that_shares_its_line_takes_the_next() -> None:
    lines = lines_of("<table><tr><th>a<th>b</tr><tr><td>c<td>d</tr>\n</table> tail\n\nx")
    assert [line.split() for line in lines] == [["a", "|", "b"], ["c", "|", "d", "tail"], [], ["x"]]


def test_what_stands_behind_a_table_keeps_its_place_in_characters() -> None:
    written = "# Leave\n\n" + TABLE.replace("<del>24</del> ", "") + "After.\n"
    text = load_text(written.encode(), FileFormat.MARKDOWN).text
    assert "Director | 30" in text
    assert (len(text), text.index("After.")) == (len(written), written.index("After."))


@pytest.mark.parametrize(
    "kept",
    [
        "```html\n<table>\n<tr><td>a</td><td>b</td></tr>\n</table>\n```\n",
        "<!--\n<table>\n<tr><td>a</td><td>b</td></tr>\n</table>\n-->\n",
        "Text\n\n    <table>\n    <tr><td>a</td><td>b</td></tr>\n    </table>\n",
        "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>\n",
        "<table>\n<tr><td><h2>Pay</h2></td><td>b</td></tr>\n</table>\n",
        "<table>\n<tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr>\n</table>\n",
        "<table>\n<tr><td>a</td><td>b</td></tr>\n",
        "<table>\n</table>\n",
    ],
    ids=["code", "comment", "indented code", "more rows than lines", "headings", "nested", "open", "empty"],
)
def test_what_stays_as_it_is_written(kept: str) -> None:
    source = load_text(kept.encode(), FileFormat.MARKDOWN)
    assert (source.text, source.tables) == (kept, ())
