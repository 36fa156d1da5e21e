"""What a section consists of, as it is found when a document is taken in."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.blocks.section_blocks import find_blocks, text_blocks
from policy_rag_parsers.records import Block, BlockKind, FileFormat, SourceText, TableMark
from policy_rag_parsers.structure.sections import parse_sections


def shown(text: str, blocks: list[Block]) -> list[tuple[str, str, str | None]]:
    """Kind, words, and the words of the parent, each up to the first line end."""

    def words(at: int | None) -> str | None:
        return None if at is None else text[at:].split("\n", maxsplit=1)[0]

    return [(block.kind.value, words(block.start), words(block.parent)) for block in blocks]


_CASES = {
    "a heading, a paragraph of wrapped lines": (
        "## 4 Leave\n\nIt is asked for\nin writing.",
        [("heading", "## 4 Leave", None), ("paragraph", "It is asked for", None)],
    ),
    "a list in a list, and what limits it": (
        "Paid are:\n(a) meals:\n(i) lunch;\n(ii) dinner;\n(b) hotels.\nHowever, not in May.\n\nTips are extra.",
        [
            ("paragraph", "Paid are:", None),
            ("item", "(a) meals:", "Paid are:"),
            ("item", "(i) lunch;", "(a) meals:"),
            ("item", "(ii) dinner;", "(a) meals:"),
            ("item", "(b) hotels.", "Paid are:"),
            ("flush", "However, not in May.", "Paid are:"),
            ("paragraph", "Tips are extra.", None),
        ],
    ),
    "what limits a list in French, Spanish and Portuguese": (
        (
            "Sont payés :\n(a) repas ;\n(b) hôtels.\nToutefois, pas en mai.\n\n"
            "Se pagan:\n(a) comidas;\n(b) hoteles.\nSin embargo, no en mayo.\n\n"
            "São pagos:\n(a) refeições;\n(b) hotéis.\nNo entanto, não em maio."
        ),
        [
            ("paragraph", "Sont payés :", None),
            ("item", "(a) repas ;", "Sont payés :"),
            ("item", "(b) hôtels.", "Sont payés :"),
            ("flush", "Toutefois, pas en mai.", "Sont payés :"),
            ("paragraph", "Se pagan:", None),
            ("item", "(a) comidas;", "Se pagan:"),
            ("item", "(b) hoteles.", "Se pagan:"),
            ("flush", "Sin embargo, no en mayo.", "Se pagan:"),
            ("paragraph", "São pagos:", None),
            ("item", "(a) refeições;", "São pagos:"),
            ("item", "(b) hotéis.", "São pagos:"),
            ("flush", "No entanto, não em maio.", "São pagos:"),
        ],
    ),
    "a heading in Spanish that says how its list is meant": (
        "## Artículos prohibidos\n\n- armas\n- vino",
        [
            ("heading", "## Artículos prohibidos", None),
            ("item", "- armas", "## Artículos prohibidos"),
            ("item", "- vino", "## Artículos prohibidos"),
        ],
    ),
    "markers that Markdown counts": (
        "a. Paper:\n\n    i. Locked:\n\n    i. Shredded.\n\na. Mail:\n\n    i. Encrypted.",
        [
            ("item", "a. Paper:", None),
            ("item", "i. Locked:", "a. Paper:"),
            ("item", "i. Shredded.", "a. Paper:"),
            ("item", "a. Mail:", None),
            ("item", "i. Encrypted.", "a. Mail:"),
        ],
    ),
    "a table with a header row": (
        "Limits:\n\n| Gas | Room |\n| --- | --- |\n| Argon | 5 kg |",
        [
            ("paragraph", "Limits:", None),
            ("table", "| Gas | Room |", "Limits:"),
            ("header_row", "| Gas | Room |", "| Gas | Room |"),
            ("row", "| Argon | 5 kg |", "| Gas | Room |"),
        ],
    ),
    "a sentence that points on": (
        "Closed on these days. Some are paid.\n\n| Day | Room |\n| --- | --- |\n| May 1 | All |\n\nThese are all.\n\n- Tips",
        [
            ("paragraph", "Closed on these days. Some are paid.", None),
            ("table", "| Day | Room |", "Closed on these days. Some are paid."),
            ("header_row", "| Day | Room |", "| Day | Room |"),
            ("row", "| May 1 | All |", "| Day | Room |"),
            ("paragraph", "These are all.", None),
            ("item", "- Tips", None),
        ],
    ),
    "a table that blanks draw": (
        "Record     Period\n---------  -------\nInvoices   7 years\nCCTV       31 days",
        [
            ("table", "Record     Period", None),
            ("header_row", "Record     Period", "Record     Period"),
            ("row", "Invoices   7 years", "Record     Period"),
            ("row", "CCTV       31 days", "Record     Period"),
        ],
    ),
    "a note below": (
        "Codeine[^1] is counted.\n\n[^1]: Not in May.",
        [("paragraph", "Codeine[^1] is counted.", None), ("note", "[^1]: Not in May.", None)],
    ),
    "a note whose mark a loader wrote": (
        "At most 4 weeks a year. [1] It is unpaid.\n\n[1] Not for a disabled child.\n\n[2] ISO 27001.",
        [
            ("paragraph", "At most 4 weeks a year. [1] It is unpaid.", None),
            ("note", "[1] Not for a disabled child.", None),
            ("paragraph", "[2] ISO 27001.", None),
        ],
    ),
    "a table of contents": (
        "1. Purpose ........... 2\n2. Scope ........... 3\n\nCosts are paid.",
        [
            ("contents", "1. Purpose ........... 2", None),
            ("contents", "2. Scope ........... 3", None),
            ("paragraph", "Costs are paid.", None),
        ],
    ),
    "figures inside figures, further in": (
        "1. Ask:\n   1. the head,\n   2. the desk.\n2. Travel:\n   - by day,\n   - by rail.\n3. Return.",
        [
            ("item", "1. Ask:", None),
            ("item", "1. the head,", "1. Ask:"),
            ("item", "2. the desk.", "1. Ask:"),
            ("item", "2. Travel:", None),
            ("item", "- by day,", "2. Travel:"),
            ("item", "- by rail.", "2. Travel:"),
            ("item", "3. Return.", None),
        ],
    ),
    "numbered items, however they are indented": (
        "Paid are:\n  (1) meals;\n(a) lunch;\n(b) dinner;\n  (2) hotels.",
        [
            ("paragraph", "Paid are:", None),
            ("item", "(1) meals;", "Paid are:"),
            ("item", "(a) lunch;", "(1) meals;"),
            ("item", "(b) dinner;", "(1) meals;"),
            ("item", "(2) hotels.", "Paid are:"),
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), _CASES.values(), ids=_CASES)
def test_what_a_text_consists_of(text: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert shown(text, text_blocks(text, title="Leave", number="4")) == expected


def test_lines_of_code_are_no_headings_and_no_items() -> None:
    text = "Run:\n\n```bash\n# install\n- all\n\n# then\nrun\n```\n```\nEnd\n```\n\n    # later\n"
    blocks = text_blocks(text, title="Leave", number="4", markdown=True)
    assert [(block.kind.value, text[block.start : block.end]) for block in blocks] == [
        ("paragraph", "Run:"),
        ("paragraph", "# install\n- all\n\n# then\nrun"),
        ("paragraph", "End"),
        ("paragraph", "# later"),
    ]


def test_a_loader_says_where_a_table_is_and_whether_it_has_a_header() -> None:
    text = "Argon | 5 kg\nXenon | 2 kg\n"
    for header_end, kinds in ((0, ["table", "row", "row"]), (12, ["table", "header_row", "row"])):
        source = SourceText(text, FileFormat.DOCX, tables=(TableMark(0, 25, header_end),))
        blocks = find_blocks(source, parse_sections(source, title="Gas"))
        assert [block.kind.value for block in blocks] == kinds


def test_the_titles_of_a_document_tell_its_table_of_contents() -> None:
    text = "# Doc\n\n- Hotels abroad\n- Meals\n\n## Hotels abroad\n\nPaid.\n\n## Meals\n\nPaid too.\n"
    source = SourceText(text, FileFormat.MARKDOWN)
    kinds = [block.kind for block in find_blocks(source, parse_sections(source, title="Doc"))]
    assert kinds.count(BlockKind.CONTENTS) == 2


_LINES = st.sampled_from(
    ["# One", "## 2 Two", "2.1 Three", "It is paid.", "It is paid for:", "(a) one;", "(i) two", "- three", "  - four:",
     "| a | b |", "|---|---|", "a\tb\tc", "Code*", "* Not in May.", "[^1]: Note.", "", "However, no.", "1. Purpose .... 2"]
)  # fmt: skip


@given(lines=st.lists(_LINES, max_size=14))
def test_blocks_are_in_order_apart_and_inside_their_sections(lines: list[str]) -> None:
    source = SourceText("\n".join(lines), FileFormat.MARKDOWN)
    sections = parse_sections(source, title="Doc")
    blocks = find_blocks(source, sections)
    outer = [block for block in blocks if block.kind not in (BlockKind.ROW, BlockKind.HEADER_ROW)]
    assert [block.start for block in blocks] == sorted(block.start for block in blocks)
    assert all(one.end <= two.start for one, two in pairwise(outer))
    starts = {block.start for block in blocks}
    for block in blocks:
        text = source.text[block.start : block.end]
        assert text == text.strip() != ""
        assert any(section.start <= block.start and block.end <= section.end for section in sections)
        assert block.parent is None or (block.parent in starts and block.parent <= block.start)
    held = {at for block in outer for at in range(block.start, block.end)}
    ink = {at for at, char in enumerate(source.text) if char.isalnum()}
    assert ink <= held


def test_of_markdown_only_what_a_reader_sees_is_a_block() -> None:
    text = (
        "# Desks\n\n<!-- a note\n\nto editors -->\n\n{% comment %}\nHidden.\n{% endcomment %}\n\n{% alert %}\nAsk the\nDesk"
        " first.\n{% endalert %}\n\n- {% image %}\n- one\n\n> [!NOTE]\n> Both\n> Go.\n\n[desk]: https://x.y\n"
    )
    source = SourceText(text, FileFormat.MARKDOWN)
    found = find_blocks(source, parse_sections(source, title="Desks"))
    assert [text[one.start : one.end] for one in found] == ["# Desks", "Ask the\nDesk first.", "- one", "Both\n> Go."]
