"""PDF: which pages are set in two columns, and the order in which these are read."""

from collections.abc import Sequence

import drawn_pdf
import pytest
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.records import PageMark, SourceText
from policy_rag_parsers.structure.sections import parse_sections

WIDTH = 480
LEFT, RIGHT, COLUMN = 40, 250, 190  # a gutter of 20 points

PAY = (
    "2.1 A gift that is worth more than forty pounds is declined with thanks, and whoever was offered it tells the "
    "company secretary on the same day."
)
TRIPS = (
    "2.2 Tickets for sport or for the theatre need the approval of a director before they are taken, whatever the "
    "relation with the giver is."
)
CASH = "2.3 Cash is never taken, nor are vouchers that can be changed into cash in a shop or by way of the internet."
STAFF = "3.1 These rules bind all the staff, the members of the board, and agents while they act on behalf of the firm."
BOARD = (
    "3.2 The board looks at the register once in each quarter, and asks about entries of one giver that repeat within "
    "a year."
)
LEAVERS = "3.3 Those who leave hand over what they were given during the last month, unless it has been eaten since."


def pdf(*pages: drawn_pdf.Drawn) -> SourceText:
    return load_pdf(drawn_pdf.pdf(*pages, pagesize=(WIDTH, drawn_pdf.PAGE[1])))


def put(canvas: Canvas, x: float, y: float, text: str, font: str = "Helvetica", size: float = 9) -> None:
    drawn_pdf.put(canvas, x, y, text, size, font)


def pour(canvas: Canvas, x: float, y: float, blocks: Sequence[str], *, width: float = COLUMN, gap: float = 4) -> float:
    """Write paragraphs under each other, lines in bold as they stand; return the height that comes next."""
    for block in blocks:
        bold = block.startswith("*")
        y += 6 if bold else 0
        for line in simpleSplit(block.lstrip("*"), "Helvetica", 9, width):
            put(canvas, x, y, line, "Helvetica-Bold" if bold else "Helvetica")
            y += 11
        y += gap
    return y


def blocks_of(source: SourceText) -> list[str]:
    return source.text.rstrip("\n").split("\n\n")


@pytest.mark.parametrize("shift", [0, 2, 4, 5.5, 7, 9])
@pytest.mark.parametrize("gap", [0, 4, 7])
def test_columns_may_stand_on_different_heights(shift: float, gap: float) -> None:
    def page(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, ["*2 Gifts", PAY, TRIPS, CASH], gap=gap)
        pour(canvas, RIGHT, 80 + shift, [STAFF, "*3 Register", BOARD, LEAVERS], gap=gap)

    assert blocks_of(pdf(page)) == ["2 Gifts", PAY, TRIPS, CASH, STAFF, "3 Register", BOARD, LEAVERS]


@pytest.mark.parametrize("shift", [4.5, 5, 5.5, 6])
def test_columns_may_share_no_line_at_all(shift: float) -> None:
    def page(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, [" ".join([PAY, TRIPS[4:], CASH[4:]])])
        pour(canvas, RIGHT, 80 + shift, [" ".join([STAFF, BOARD[4:], LEAVERS[4:]])])

    assert blocks_of(pdf(page)) == [" ".join([PAY, TRIPS[4:], CASH[4:]]), " ".join([STAFF, BOARD[4:], LEAVERS[4:]])]


def test_columns_may_hold_lists_of_short_items() -> None:
    items = ["(a) trains;", "(b) buses and trams;", "(c) shared taxis; and", "(d) bicycles."]

    def page(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, [PAY, *items, TRIPS, *items], gap=2)
        pour(canvas, RIGHT, 83, [CASH, STAFF, *items, BOARD, *items], gap=2)

    assert blocks_of(pdf(page)) == [PAY, *items, TRIPS, *items, CASH, STAFF, *items, BOARD, *items]


@pytest.mark.parametrize("shift", [0, 5.5])
def test_there_may_be_three_columns(shift: float) -> None:
    def page(canvas: Canvas) -> None:
        for at, pair in enumerate([[PAY, TRIPS], [CASH, STAFF], [BOARD, LEAVERS]]):
            pour(canvas, LEFT + 145 * at, 80 + shift * at, pair, width=125)

    assert blocks_of(pdf(page)) == [PAY, TRIPS, CASH, STAFF, BOARD, LEAVERS]


def test_lines_over_both_columns_part_them() -> None:
    title = "Gifts and hospitality: what may be taken, what may be given, and who is asked before that"
    notice = "The second part binds suppliers too, who have agreed to it in the contracts which they signed."

    def page(canvas: Canvas) -> None:
        put(canvas, LEFT, 40, title)
        pour(canvas, LEFT, 70, [PAY, TRIPS])
        pour(canvas, RIGHT, 73, [CASH, STAFF])
        put(canvas, LEFT, 200, notice)
        pour(canvas, LEFT, 230, [BOARD, LEAVERS])
        pour(canvas, RIGHT, 230, [PAY, CASH])

    assert blocks_of(pdf(page)) == [title, PAY, TRIPS, CASH, STAFF, notice, BOARD, LEAVERS, PAY, CASH]


def test_each_part_of_a_page_may_have_its_columns() -> None:
    title = "What is written down of the gifts that were taken, and for how long it is kept: part"
    parts = [(PAY, TRIPS), (STAFF, LEAVERS), (BOARD, CASH), (TRIPS, PAY)]

    def page(canvas: Canvas) -> None:
        for at, (left, right) in enumerate(parts):
            put(canvas, LEFT, 40 + 80 * at, f"{title} {at}")
            pour(canvas, LEFT, 54 + 80 * at, [left])
            pour(canvas, RIGHT, 54 + 80 * at, [right])

    expected = [block for at, part in enumerate(parts) for block in (f"{title} {at}", *part)]
    assert blocks_of(pdf(page)) == expected


def test_a_small_part_of_a_page_may_stand_in_columns() -> None:
    above, below = " ".join([PAY, TRIPS[4:], CASH[4:]] * 3), " ".join([STAFF, BOARD[4:], LEAVERS[4:]] * 3)

    def page(canvas: Canvas) -> None:
        y = pour(canvas, LEFT, 40, [above, "(a) gifts;"], width=400)
        left = pour(canvas, LEFT, y, ["*2 Gifts", PAY, TRIPS])
        pour(canvas, RIGHT, y, [STAFF, "*3 Register", BOARD])
        pour(canvas, LEFT, left + 4, ["*4 Leavers", below], width=400)

    expected = [above, "(a) gifts;", "2 Gifts", PAY, TRIPS, STAFF, "3 Register", BOARD, "4 Leavers", below]
    assert blocks_of(pdf(page)) == expected


def test_a_sentence_goes_on_in_the_next_column_and_on_the_next_page() -> None:
    long = f"{PAY} {TRIPS[4:]} {CASH[4:]} {STAFF[4:]} {BOARD[4:]}"
    lines = simpleSplit(long, "Helvetica", 9, COLUMN)
    cut = len(lines) // 2 + 1  # in the middle of a sentence
    assert lines[cut - 1][-1].isalpha()
    rest = simpleSplit(f"4.1 {BOARD[4:-1]} and {LEAVERS[4:]}", "Helvetica", 9, COLUMN)

    def first(canvas: Canvas) -> None:
        for at, line in enumerate(lines[:cut]):
            put(canvas, LEFT, 80 + 11 * at, line)
        for at, line in enumerate(lines[cut:]):
            put(canvas, RIGHT, 78 + 11 * at, line)
        for at, line in enumerate(rest[:2]):
            put(canvas, RIGHT, 78 + 11 * len(lines) - 11 * cut + 6 + 11 * at, line)

    def second(canvas: Canvas) -> None:
        for at, line in enumerate(rest[2:]):
            put(canvas, LEFT, 80 + 11 * at, line)

    source = pdf(first, second)
    assert blocks_of(source) == [long, " ".join(rest)]
    assert source.pages == (PageMark(0, 1), PageMark(source.text.index(rest[2]), 2))


def full_page(canvas: Canvas) -> None:
    pour(canvas, LEFT, 80, [PAY, TRIPS, CASH])
    pour(canvas, RIGHT, 84, [STAFF, BOARD, LEAVERS])


FULL = [PAY, TRIPS, CASH, STAFF, BOARD, LEAVERS]
LAST = (
    ["*4 Leaving", "Before you leave:", "(a) hand in the key;"],
    ["(b) sign the list; and", "*5 Asking", "Ask the board."],
)


def test_on_a_page_with_few_lines_columns_are_where_other_pages_have_them() -> None:
    def last(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, LAST[0])
        pour(canvas, RIGHT, 80, LAST[1])

    assert blocks_of(pdf(full_page, last)) == [*FULL, *(line.lstrip("*") for line in (*LAST[0], *LAST[1]))]


def test_what_begins_in_bold_in_both_columns_is_no_table() -> None:
    left, right = ["*4 Leaving", "The key", "The card", "The car"], ["*Asking", "The board", "The clerk", "The bank"]

    def last(canvas: Canvas) -> None:
        for x, lines in ((LEFT, left), (RIGHT, right)):
            pour(canvas, x, 80, lines[:1], gap=0)
            pour(canvas, x, 94, lines[1:], gap=0)

    text = " ".join(pdf(full_page, last).text.split())
    assert text.endswith(" ".join(line.lstrip("*") for line in (*left, *right)))


def test_a_table_that_is_written_row_by_row_is_none_of_a_documents_columns() -> None:
    rows = [("Gift", "What to do"), ("Cash", "Decline it"), ("Tickets", "Ask a director"), ("Cakes", "Eat them")]

    def last(canvas: Canvas) -> None:
        for at, cells in enumerate(rows):
            for x, cell in zip((LEFT, RIGHT), cells, strict=True):
                put(canvas, x, 80 + 14 * at, cell)

    text = " ".join(pdf(full_page, last).text.split())
    assert text.endswith(" ".join(" ".join(cells) for cells in rows))


@pytest.mark.parametrize("size", [7, 9])
def test_small_or_distant_lines_at_the_edges_belong_to_no_column(size: float) -> None:
    far = 0 if size < 9 else 20

    def page(canvas: Canvas) -> None:
        put(canvas, LEFT, 40 - far, "Harrow Ltd", size=size)
        full_page(canvas)
        put(canvas, LEFT, 480 + far, "Uncontrolled when printed", size=size)
        put(canvas, WIDTH - 20, 480 + far, "1", size=size)

    assert blocks_of(pdf(page)) == ["Harrow Ltd", *FULL, "Uncontrolled when printed 1"]


def test_the_sections_of_two_columns_are_those_of_one() -> None:
    one = ["*2 Gifts", PAY, TRIPS, CASH, "*3 Register", STAFF, BOARD, LEAVERS]

    def columns(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, one[:5], gap=5)
        pour(canvas, RIGHT, 80, one[5:], gap=5)

    def single(canvas: Canvas) -> None:
        pour(canvas, LEFT, 80, one, width=400)

    for page in (columns, single):
        sections = parse_sections(pdf(page), title="Gifts")
        assert [section.number for section in sections] == ["2", "2.1", "2.2", "2.3", "3", "3.1", "3.2", "3.3"]
        assert [section.title for section in sections if section.title] == ["Gifts", "Register"]


ROWS = [
    ("Records of accidents at work", "kept for ten years in the safety office"),
    ("Contracts with all suppliers", "kept until seven years after their end"),
    ("Applications that were refused", "shredded by the hiring team after a year"),
    ("Films of the warehouse cameras", "overwritten after a month has gone by"),
    ("Keys and badges of visitors", "counted by the porter every evening"),
    ("Lists of those on the premises", "thrown away on the following morning"),
    ("Reports of the fire officer", "kept for as long as the building stands"),
    ("Personal files of the leavers", "kept for six years by the pay office"),
]


NAMES = [
    ("for the board, by its secretary, on the day below", "for the firm, by its manager, as was agreed"),
    *((f"{left.lower()}, on the day below", f"{right}, as was agreed") for left, right in ROWS[:2]),
]
SHORT = [(left.lower(), right) for left, right in ROWS]
LONG = ("lists of all those who left in the last few years", "kept until all of their claims are settled")


@pytest.mark.parametrize(
    ("above", "rows"),
    [
        ([PAY], ROWS),
        ([], [(f"{left}, see the annex", f"{right.capitalize()}, no less") for left, right in ROWS]),
        ([], SHORT),
        ([], [*SHORT, LONG]),
        ([PAY], NAMES),
    ],
    ids=["under text", "full cells", "short cells", "a long row", "lines for names"],
)
def test_the_rows_of_a_table_without_rules_stay_whole(above: list[str], rows: list[tuple[str, str]]) -> None:
    def page(canvas: Canvas) -> None:
        y = pour(canvas, LEFT, 60, above, width=400)
        for at, row in enumerate(rows):
            for x, cell in zip((LEFT, RIGHT), row, strict=True):
                put(canvas, x, y + 14 * at, cell)

    text = " ".join(pdf(page).text.split())
    places = [text.index(cell) for row in rows for cell in row]
    assert places == sorted(places)


def test_rows_of_wrapped_cells_are_no_columns() -> None:
    pairs = [(PAY, TRIPS), (CASH, STAFF), (BOARD, LEAVERS), (STAFF, CASH), (TRIPS, PAY)]
    cells = [(left[4:], right[4:]) for left, right in pairs]

    def page(canvas: Canvas) -> None:
        y = 60.0
        for left, right in cells:
            y = max(pour(canvas, LEFT, y, [left]), pour(canvas, RIGHT, y, [right])) + 4

    text = pdf(page).text
    # each row is read before the next one begins
    begins = [text.index(left.split(" which")[0][:18]) for left, _ in cells[:3]]
    assert begins[0] < text.index(cells[0][1][:18]) < begins[1] < text.index(cells[1][1][:18]) < begins[2]


def test_indented_lists_are_no_columns() -> None:
    items = ["(a) trains in the second class;", "(b) buses and trams;", "(c) a bicycle;", "(d) shared taxis; and"]

    def page(canvas: Canvas) -> None:
        y = pour(canvas, LEFT, 60, [PAY], width=400)
        for indent in (60, 110, 170, 220):
            y = pour(canvas, LEFT + indent, y, items, gap=1)
        pour(canvas, LEFT, y, [TRIPS], width=400)

    assert blocks_of(pdf(page)) == [PAY, *(items * 4), TRIPS]


@pytest.mark.parametrize("others", [(), (full_page,)])
def test_wide_blanks_in_single_lines_make_no_columns(others: Sequence[drawn_pdf.Drawn]) -> None:
    full = "whoever takes a gift enters it in the register on the same day, and names who gave it, and what for"
    halves = "and where it is worth more than sixty pounds", "the director is told, who may have it returned"

    def page(canvas: Canvas) -> None:
        for at in range(24):
            if at % 3 == 1:
                put(canvas, LEFT, 60 + 11 * at, halves[0])
                put(canvas, RIGHT, 60 + 11 * at, halves[1])
            else:
                put(canvas, LEFT, 60 + 11 * at, full)

    assert blocks_of(pdf(*others, page))[-1] == " ".join([full, *halves, full] * 8)


def test_addresses_beside_each_other_are_no_columns() -> None:
    left = ["Harrow and Pike Ltd", "Gifts register", "12 Mill Lane", "Leeds", "LS1 4AB", "England", "Company 123456"]
    right = [
        "Your letter of 3 May",
        "Our sign: GR/12",
        "Contact: J. Moss",
        "Room 14",
        "Ext. 220",
        "Page 1",
        "Copy: file",
    ]

    def page(canvas: Canvas) -> None:
        for at, (one, two) in enumerate(zip(left, right, strict=True)):
            put(canvas, LEFT, 60 + 12 * at, one)
            put(canvas, RIGHT + 60, 60 + 12 * at, two)
        pour(canvas, LEFT, 160, [PAY, TRIPS], width=400)

    text = " ".join(pdf(page).text.split())
    assert text.index(right[0]) < text.index(left[1]) < text.index(right[1])
