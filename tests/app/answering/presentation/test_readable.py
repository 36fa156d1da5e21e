"""A quotation as people read it: no markup, lines joined, lists marked and numbered; the quotation itself is verbatim."""

import re
from dataclasses import replace

import pytest
from made_hits import parsed_hit

from policy_rag.answering.citations import cite
from policy_rag.answering.presentation.readable import header_rows, readable, readable_line
from policy_rag.records.search import Hit
from policy_rag_parsers.records import Block, BlockKind


def a_hit(text: str, file: str = "a.md") -> Hit:
    return parsed_hit(text, file=file, number="3", title="Desks", path=("Rooms", "Desks"), start=10, line=5)


def read(text: str, file: str = "a.md") -> str:
    hit = a_hit(text, file)
    return readable(hit, hit.start, hit.end)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ask the **Travel\nDesk** _first_, see `cost_code`.", "Ask the Travel Desk first, see cost_code."),
        ("See [the form](https://x.y/a_b) or <desk@x.y>.", "See the form or desk@x.y."),
        ("See [the form][f] and [rules][].\n\n[f]: https://x.y", "See the form and rules."),
        ('Read [it]({% page "a/b" %}) in {% channel "desk" %}.', "Read it in desk."),
        ("The fee is {{ fee }} euros.{: .wide}", "The fee is … euros."),
        ("It costs 5 \\* 3 &amp; more<br>than<sup>2</sup> that.", "It costs 5 * 3 & more than2 that."),
        ("> [!NOTE]\n> Both\n> go.", "Both go."),
        ("**Owner:** Legal,\nMs Okafor\n**Next review:** May 2028", "Owner: Legal, Ms Okafor\nNext review: May 2028"),
        ("Ask the desk. Note: it is\nclosed on Sundays.", "Ask the desk. Note: it is closed on Sundays."),
        ("- one for\n  all\n- two\n  - inner", "• one for all\n• two\n  • inner"),
        ("1. open\n1. sign\n1. send", "1. open\n2. sign\n3. send"),
        ("1. open\n\n   Wait.\n\n1. sign", "1. open\nWait.\n2. sign"),
        ("3. open\n4. sign", "3. open\n4. sign"),
        ("(a) open;\n(b) sign.", "(a) open;\n(b) sign."),
        ("1\\. Desks are shared.", "1. Desks are shared."),
        ("| Room | Seats |\n|---|---|\n| *A* | 4 |", "Room | Seats\nA | 4"),
        ("{% alert %}\nAsk first.\n{% endalert %}", "Ask first."),
        ("Paid by card.\\* Never cash.", "Paid by card.* Never cash."),
        ("It costs ~~30~~ 40 EUR, see `~~`.", "It costs 40 EUR, see ~~."),
        ("| A | B | C |\n|---|---|---|\n| x | | 5 |\n| y | a \\| b |", "A | B | C\nx | – | 5\ny | a ¦ b | –"),
        ("Kept 30 days[^1], the shed [12].\n\n[^1]: From [3, 4].", "Kept 30 days¹, the shed ¹².\n¹ From ³,⁴."),
        ("| How much | Who |\n|---|---|\n| > 1 l | H&S |\n| < 1 l | all |", "How much | Who\n> 1 l | H&S\n< 1 l | all"),
        ("See [2019] and [^a] and [ ].", "See [2019] and [^a] and [ ]."),
    ],
)
def test_markdown_is_shown_as_it_renders(text: str, expected: str) -> None:
    assert read(text) == expected


def test_other_formats_keep_their_characters() -> None:
    assert read("Use *.csv and a_b_c,\nnot <x>.", "a.txt") == "Use *.csv and a_b_c, not <x>."
    assert readable_line("Use *.csv\n\n`x`", "a.html") == "Use *.csv `x`"
    assert readable_line("Use **all**\nof it.", "a.markdown") == "Use all of it."


def test_an_item_that_is_quoted_alone_has_the_number_that_it_renders_with() -> None:
    text = "1. open\n1. sign\n1. send it **to\n   Anna**"
    hit = a_hit(text)
    start = hit.start + text.rindex("1.")
    assert readable(hit, start, hit.end) == "3. send it to Anna"


def test_a_row_without_its_header_has_the_names_of_its_cells() -> None:
    text = "| Room | Seats | Note |\n|---|---|---|\n| A | 4 | |\n| B | **6** | *new* |\n| C |"
    hit = a_hit(text)
    first, last = text.index("| B"), text.index("\n| C")
    assert readable(hit, hit.start + first, hit.start + last) == "Room: B | Seats: 6 | Note: new"
    assert readable(hit, hit.start + text.index("| A"), hit.start + first) == "Room: A | Seats: 4"


def test_a_row_of_a_text_below_a_header_without_first_cell_has_the_names_of_its_cells() -> None:
    text = "      | Staff | Guests\nWi-Fi | yes   | yes\nBadge | yes   | no"
    hit = a_hit(text, "a.txt")
    assert readable(hit, hit.start + text.index("Badge"), hit.end) == "Badge | Staff: yes | Guests: no"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| Inside | Outside\nLaser |  | 90\nSaw | 20 |", "– | Inside | Outside\nLaser | – | 90\nSaw | 20 | –"),
        ("Who |  | \n | in | out\nLaser | 1 | 2", "Who | in | out\nLaser | 1 | 2"),
        ("Who | Fee |\n | inside | outside\nLaser | 1 | 2", "Who | Fee inside | Fee outside\nLaser | 1 | 2"),
    ],
)
def test_rows_that_a_loader_joined_have_empty_cells_at_their_ends(text: str, expected: str) -> None:
    table, header = text.index(text[0]) + 10, text.index("\nLaser")
    rows = [(found.start() + 10, found.end() + 10) for found in re.finditer(r"(?:Laser|Saw).*", text)]
    blocks = (
        Block(BlockKind.TABLE, table, len(text) + 10, None, ""),
        Block(BlockKind.HEADER_ROW, table, header + 10, table, ""),
        *(Block(BlockKind.ROW, *row, table, "") for row in rows),
    )
    hit = replace(a_hit(text, "a.html"), blocks=blocks)
    assert readable(hit, hit.start, hit.end) == expected


def test_a_row_that_blanks_draw_is_cut_below_its_header() -> None:
    lines = [
        "    Record             Period    From",
        "    Jobs, refused now  6 months  refusal",
        "    Minutes                      meeting",
    ]
    hit = a_hit("The periods are:\n\n" + "\n".join(lines), "a.txt")
    shown = readable(hit, hit.start, hit.end)
    assert shown.split("\n")[-3:] == [
        "Record | Period | From",
        "Jobs, refused now | 6 months | refusal",
        "Minutes | – | meeting",
    ]
    at = hit.start + hit.text.index("Jobs")
    row = readable(hit, at, at + len(lines[1].strip()))
    assert row == "Record: Jobs, refused now | Period: 6 months | From: refusal"


def test_header_rows_are_those_that_a_quotation_shows_to_be_some() -> None:
    assert header_rows("| A[1] | B |\n|---|---|\n| x | 5 |", "a.md") == ["A¹ | B"]
    assert header_rows("| x | 5 |\n| y | 6 |", "a.md") == []
    assert header_rows("Ask first.", "a.md") == []


def test_emphasis_that_ends_outside_leaves_nothing() -> None:
    assert readable(a_hit("**Ask first. Then go** home."), 10, 22) == "Ask first."


def test_a_citation_is_verbatim_and_readable_and_names_the_line_it_begins_on() -> None:
    hit = a_hit("Desks are shared.\n\nAsk the\n**Desk**.")
    cited = cite(2, hit, hit.start + 19, hit.end)
    assert (cited.quote, cited.text, cited.line) == ("Ask the\n**Desk**.", "Ask the Desk.", 7)
    assert (cited.document, cited.number, cited.title) == ("Rooms", "3", "Desks")
    assert cite(1, replace(hit, line=None, blocks=()), hit.start, hit.end).line is None
