"""Tables of a PDF whose columns are kept apart by blanks: between rules, or under a header in bold."""

from collections.abc import Callable, Sequence

import pytest
from drawn_pdf import PAGE, column, pdf, put
from reportlab.pdfgen.canvas import Canvas

from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.records import FileFormat, SourceText

BOLD = "Helvetica-Bold"
FULL = "This line is as long as all the full lines of this page are, it ends"


def row(canvas: Canvas, y: float, cells: Sequence[tuple[float, str]], font: str = "Helvetica") -> None:
    for x, text in cells:
        put(canvas, x, y, text, font=font)


def rules(canvas: Canvas, *heights: float) -> None:
    for y in heights:
        canvas.line(40, PAGE[1] - y, 360, PAGE[1] - y)


def table_of(source: SourceText) -> str:
    (table,) = source.tables
    return source.text[table.start : table.end]


def test_a_header_in_bold_above_the_first_rule() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 90, "3 Rates", 13, BOLD)
        row(canvas, 120, [(42, "Country"), (170, "Rate"), (230, "Remark")], BOLD)
        row(canvas, 138, [(42, "France"), (170, "44"), (230, "Paris and the towns")])
        row(canvas, 150, [(230, "around it: 58")])
        row(canvas, 168, [(42, "United Kingdom of Great"), (170, "52"), (230, "London: 66")])
        row(canvas, 180, [(42, "Britain")])
        row(canvas, 198, [(42, "Spain"), (170, "34"), (230, "Madrid: 42")])
        rules(canvas, 125, 155, 185, 203)
        column(canvas, 40, 230, [FULL, "here."])

    source = load_pdf(pdf(page))
    assert table_of(source) == (
        "Country | Rate | Remark\nFrance | 44 | Paris and the towns around it: 58\n"
        "United Kingdom of Great Britain | 52 | London: 66\nSpain | 34 | Madrid: 42"
    )
    assert source.text[source.tables[0].start : source.tables[0].header_end] == "Country | Rate | Remark"
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["3 Rates"]
    assert source.text.endswith(f"Madrid: 42\n\n{FULL} here.\n")


def test_rows_between_few_rules_with_the_header_above() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 120, [(42, "Country"), (170, "Rate")], BOLD)
        for at, cells in enumerate([("Oman", "40"), ("Peru", "41"), ("Chad", "42"), ("Cuba", "43")]):
            row(canvas, 140 + 14 * at + 10 * (at > 1), [(42, cells[0]), (170, cells[1])])
        rules(canvas, 125, 162, 200)

    assert table_of(load_pdf(pdf(page))) == "Country | Rate\nOman | 40\nPeru | 41\nChad | 42\nCuba | 43"


def test_a_table_without_rules_under_a_header_in_bold() -> None:
    def page(canvas: Canvas) -> None:
        column(canvas, 40, 60, [FULL, "Then the rates."])
        row(canvas, 98, [(170, "Hotel")], BOLD)
        row(canvas, 110, [(42, "Country"), (110, "City"), (170, "limit"), (230, "Remark")], BOLD)
        # A row whose cells stand in the middle of the one with three lines, and a row without a remark.
        row(canvas, 130, [(230, "Breakfast is paid")])
        row(canvas, 142, [(42, "France"), (110, "Paris"), (170, "150"), (230, "unless the room")])
        row(canvas, 154, [(230, "includes it")])
        row(canvas, 172, [(42, "Spain"), (110, "Madrid"), (170, "120")])
        row(canvas, 190, [(42, "Peru"), (110, "Lima"), (170, "100"), (230, "none")])
        column(canvas, 40, 225, [FULL, "The end."])

    source = load_pdf(pdf(page))
    assert source.text == (
        f"{FULL} Then the rates.\n\nCountry | City | Hotel limit | Remark\n"
        "France | Paris | 150 | Breakfast is paid unless the room includes it\nSpain | Madrid | 120 | \n"
        f"Peru | Lima | 100 | none\n\n{FULL} The end.\n"
    )
    assert table_of(source).startswith("Country")
    assert source.headings == ()


def test_rows_a_little_wider_apart_than_lines_are_told_by_that() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "Country"), (140, "Rate"), (220, "Remark")], BOLD)
        # "Peru" and "Chile" have room on one line: as rows stand apart, they are one.
        row(canvas, 114, [(42, "Peru"), (140, "52"), (220, "none")])
        row(canvas, 126, [(42, "Chile")])
        row(canvas, 141, [(42, "Oman"), (140, "40"), (220, "hotels are")])
        row(canvas, 153, [(220, "extra")])
        put(canvas, 40, 190, "No more is paid.")

    assert table_of(load_pdf(pdf(page))).split("\n") == [
        "Country | Rate | Remark",
        "Peru Chile | 52 | none",
        "Oman | 40 | hotels are extra",
    ]


def test_rows_as_close_as_lines_begin_in_the_first_column() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "Grade"), (140, "Limit"), (220, "For")], BOLD)
        row(canvas, 112, [(42, "Chief of"), (140, "900"), (220, "all journeys")])
        row(canvas, 124, [(42, "section")])
        row(canvas, 136, [(42, "Staff"), (140, "500"), (220, "journeys of more")])
        row(canvas, 148, [(220, "than one day")])
        put(canvas, 40, 185, "No more is paid.")

    source = load_pdf(pdf(page))
    assert source.text == (
        "Grade | Limit | For\nChief of section | 900 | all journeys\nStaff | 500 | journeys of more than one day\n\n"
        "No more is paid.\n"
    )


@pytest.mark.parametrize(
    ("first", "rows"),
    [
        # "Great" has no room behind "Kingdom of" before the second column, "Spain" has behind "Peru".
        (("United Kingdom of", "Great Britain"), ["United Kingdom of Great Britain | 52"]),
        (("Peru", "Spain"), ["Peru | 52", "Spain | "]),
    ],
)
def test_a_first_cell_goes_on_where_it_had_no_room(first: tuple[str, str], rows: list[str]) -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "Country"), (140, "Rate")], BOLD)
        put(canvas, 42, 112, first[0], font=BOLD)
        put(canvas, 140, 112, "52")
        put(canvas, 42, 124, first[1], font=BOLD)
        put(canvas, 42, 136, "Oman", font=BOLD)
        put(canvas, 140, 136, "40")

    source = load_pdf(pdf(page))
    assert table_of(source).split("\n") == ["Country | Rate", *rows, "Oman | 40"]
    assert source.headings == ()


@pytest.mark.parametrize("walls", [(100, 116), (116, 132), (100, 132), ()])
def test_rows_of_a_grid_may_lack_walls(walls: Sequence[float]) -> None:
    def page(canvas: Canvas) -> None:
        rules(canvas, 100, 116, 132, 148)
        for x in (40, 360):
            canvas.line(x, PAGE[1] - 100, x, PAGE[1] - 148)
        if walls:
            canvas.line(200, PAGE[1] - walls[0], 200, PAGE[1] - walls[1])
        row(canvas, 112, [(44, "Country"), (204, "Rate")])
        row(canvas, 128, [(44, "Oman"), (204, "40")])
        row(canvas, 144, [(44, "Peru"), (204, "41")])

    assert load_pdf(pdf(page)).text == "Country | Rate\nOman | 40\nPeru | 41\n"


def test_a_cell_over_all_columns_stays_one() -> None:
    def page(canvas: Canvas) -> None:
        rules(canvas, 100, 116, 132, 148)
        for x in (40, 360):
            canvas.line(x, PAGE[1] - 100, x, PAGE[1] - 148)
        canvas.line(200, PAGE[1] - 116, 200, PAGE[1] - 148)
        row(canvas, 112, [(44, "Rates that hold from May on in all of them")])
        row(canvas, 128, [(44, "Oman"), (204, "40")])
        row(canvas, 144, [(44, "Peru"), (204, "41")])

    text = load_pdf(pdf(page)).text
    assert text == "Rates that hold from May on in all of them | \nOman | 40\nPeru | 41\n"


def test_a_header_with_a_rule_under_it_needs_no_bold() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "Country"), (140, "Rate")])
        rules(canvas, 105)
        row(canvas, 116, [(42, "Oman"), (140, "40")])
        row(canvas, 130, [(42, "Peru"), (140, "41")])
        column(canvas, 40, 170, [FULL, FULL])

    assert load_pdf(pdf(page)).text == f"Country | Rate\nOman | 40\nPeru | 41\n\n{FULL} {FULL}\n"


def test_cells_in_the_middle_of_rows_that_stand_close() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 140, 94, "Rate per", font=BOLD)
        row(canvas, 100, [(42, "Country"), (220, "Remark")], BOLD)
        put(canvas, 140, 106, "night", font=BOLD)
        row(canvas, 118, [(220, "Paris and the towns")])
        row(canvas, 130, [(42, "France"), (140, "44"), (220, "around it: 58, unless")])
        row(canvas, 142, [(220, "breakfast is paid")])
        row(canvas, 154, [(220, "Madrid: 42, and")])
        row(canvas, 160, [(42, "Spain"), (140, "34")])
        row(canvas, 166, [(220, "no more")])

    assert load_pdf(pdf(page)).text == (
        "Country | Rate per night | Remark\nFrance | 44 | Paris and the towns around it: 58, unless breakfast is paid\n"
        "Spain | 34 | Madrid: 42, and no more\n"
    )


@pytest.mark.parametrize("y", [94, 98, 102, 106])
def test_a_header_of_two_cells_on_different_heights(y: int) -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, y, [(140, "Rate per")], BOLD)
        row(canvas, y + 6, [(42, "Country")], BOLD)
        row(canvas, y + 12, [(140, "night")], BOLD)
        row(canvas, y + 28, [(42, "Oman"), (140, "40")])
        row(canvas, y + 44, [(42, "Peru"), (140, "41")])

    assert load_pdf(pdf(page)).text == "Country | Rate per night\nOman | 40\nPeru | 41\n"


def test_two_tables_of_one_width_with_text_between_them() -> None:
    def page(canvas: Canvas) -> None:
        for y in (100, 200):
            rules(canvas, y, y + 16, y + 32, y + 48)
            row(canvas, y + 12, [(44, "Country"), (204, "Rate")])
            row(canvas, y + 28, [(44, "Oman"), (204, "40")])
            row(canvas, y + 44, [(44, "Peru"), (204, "41")])
        column(canvas, 40, 170, [FULL, FULL])

    rates = "Country | Rate\nOman | 40\nPeru | 41"
    assert load_pdf(pdf(page)).text == f"{rates}\n\n{FULL} {FULL}\n\n{rates}\n"


@pytest.mark.parametrize(
    ("last", "rest", "rows"),
    [
        ("paid unless the hotel", "says otherwise", ["Peru | 41 | paid unless the hotel says otherwise"]),
        ("paid.", "none", ["Peru | 41 | paid.", " |  | none"]),
    ],
)
def test_a_row_that_the_end_of_a_page_cuts(last: str, rest: str, rows: list[str]) -> None:
    header = [(42, "Country"), (140, "Rate"), (200, "Breakfast")]

    def first(canvas: Canvas) -> None:
        row(canvas, 400, header, BOLD)
        row(canvas, 416, [(42, "Oman"), (140, "40"), (200, "paid")])
        row(canvas, 432, [(42, "Peru"), (140, "41"), (200, last)])

    def second(canvas: Canvas) -> None:
        row(canvas, 100, header, BOLD)
        row(canvas, 116, [(200, rest)])
        row(canvas, 132, [(42, "Chad"), (140, "42"), (200, "paid")])
        row(canvas, 148, [(42, "Cuba"), (140, "43"), (200, "paid")])

    assert table_of(load_pdf(pdf(first, second))).split("\n")[2:-2] == rows


def test_rows_with_a_rule_under_each_and_none_above() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 40, 60, "2 Facts", 13, BOLD)
        facts = [("Owner", "The chief information officer"), ("Version", "4.0"), ("Review", "each year")]
        for at, (name, fact) in enumerate(facts):
            row(canvas, 80 + 16 * at, [(42, name), (140, fact)])
        rules(canvas, 85, 101, 117)

    source = load_pdf(pdf(page))
    assert source.text == "2 Facts\n\nOwner | The chief information officer\nVersion | 4.0\nReview | each year\n"


def test_a_box_below_a_table_as_wide_is_no_part_of_it() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 80, [(42, "Class"), (140, "Storage"), (300, "Years")], BOLD)
        row(canvas, 96, [(42, "Public"), (140, "anywhere"), (300, "2")])
        row(canvas, 112, [(42, "Secret"), (140, "encrypted"), (300, "10")])
        rules(canvas, 85, 101, 117, 118, 150)
        put(canvas, 42, 138, "Secret information never leaves by e-mail.")
        for x in (40, 360):
            canvas.line(x, PAGE[1] - 118, x, PAGE[1] - 150)

    source = load_pdf(pdf(page))
    assert source.text == (
        "Class | Storage | Years\nPublic | anywhere | 2\nSecret | encrypted | 10\n\n"
        "Secret information never leaves by e-mail.\n"
    )


def test_a_header_of_two_rows_is_left_out_where_it_comes_again() -> None:
    def page(rates: Sequence[tuple[str, str, str]]) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            rows = [("Country", "Hotel", ""), ("", "Weekday", "Weekend"), *rates]
            for at, texts in enumerate(rows):
                row(
                    canvas,
                    92 + 16 * at,
                    [(44 + 100 * x, text) for x, text in enumerate(texts) if text],
                    BOLD if at < 2 else "Helvetica",
                )
            last = 80 + 16 * len(rows)
            for at in range(len(rows) + 1):  # the cells "Country" and "Hotel" go over two rows, and two columns
                canvas.line(140 if at == 1 else 40, PAGE[1] - 80 - 16 * at, 340, PAGE[1] - 80 - 16 * at)
            for x, top in [(40, 80), (140, 80), (240, 96), (340, 80)]:
                canvas.line(x, PAGE[1] - top, x, PAGE[1] - last)

        return draw

    source = load_pdf(pdf(page([("Oman", "40", "30"), ("Peru", "41", "31")]), page([("Chad", "42", "32")])))
    assert table_of(source) == (
        "Country | Hotel | \n | Weekday | Weekend\nOman | 40 | 30\nPeru | 41 | 31\nChad | 42 | 32"
    )
    (table,) = source.tables
    assert source.text[table.start : table.header_end].endswith("Weekend")


def test_the_title_of_a_table_is_no_part_of_its_header() -> None:
    def page(canvas: Canvas) -> None:
        put(canvas, 42, 98, "Meals", 10, BOLD)
        row(canvas, 110, [(42, "Country"), (170, "Rate")], BOLD)
        row(canvas, 124, [(42, "Oman"), (170, "40")])
        row(canvas, 138, [(42, "Peru"), (170, "41")])

    source = load_pdf(pdf(page))
    assert source.text == "Meals\n\nCountry | Rate\nOman | 40\nPeru | 41\n"


def test_a_number_and_its_title_are_no_header() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "1."), (90, "Payment")], BOLD)
        row(canvas, 114, [(42, "1.1"), (90, "We pay at once.")])
        row(canvas, 128, [(42, "1.2"), (90, "You pay later.")])
        row(canvas, 150, [(42, "2."), (90, "Liability")], BOLD)
        row(canvas, 164, [(42, "2.1"), (90, "Nobody is liable.")])

    source = load_pdf(pdf(page))
    assert source.tables == ()
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["1. Payment", "2. Liability"]


def test_clauses_under_a_header_in_bold_are_text() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(42, "No."), (90, "Rule")], BOLD)
        row(canvas, 116, [(42, "1.1"), (90, "We pay at once.")])
        row(canvas, 132, [(42, "1.2"), (90, "You pay later.")])

    source = load_pdf(pdf(page))
    assert source.tables == ()
    assert source.text == "No. Rule\n\n1.1 We pay at once.\n\n1.2 You pay later.\n"


def test_headings_of_two_columns_are_no_header() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(40, "Rights"), (210, "Duties")], BOLD)
        left = ["Whoever has worked here for more", "than a year may ask for leave that", "is not paid, with two months of",
                "notice, and without a reason, but", "not in the months in which others", "of the same team are away."]  # fmt: skip
        right = ["Whoever takes leave hands over all", "open work in writing, and says who", "is to be asked while they are not",
                 "here; without that the leave is not", "granted, whatever was agreed with", "the manager before it began."]  # fmt: skip
        column(canvas, 40, 116, left)
        column(canvas, 210, 122, right)

    source = load_pdf(pdf(page))
    assert source.tables == ()
    assert " ".join(left_line for left_line in source.text.split()).count("may ask for leave that is not paid") == 1


def test_headings_over_short_columns_are_no_header() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 100, [(40, "Rights"), (210, "Duties")], BOLD)
        column(canvas, 40, 114, ["Whoever has worked here", "for more than a year may", "ask for leave."])
        column(canvas, 210, 114, ["Whoever takes leave hands", "over all open work, and", "says who is asked."])

    assert load_pdf(pdf(page)).tables == ()


def test_words_in_bold_with_gaps_are_no_heading() -> None:
    def page(canvas: Canvas) -> None:
        row(canvas, 60, [(40, "Travel Policy"), (300, "HR-12")], BOLD)
        put(canvas, 40, 90, "1. Scope", 10, BOLD)
        column(canvas, 40, 110, [FULL, FULL])

    source = load_pdf(pdf(page))
    assert source.format is FileFormat.PDF
    assert [source.text[mark.start : mark.end] for mark in source.headings] == ["1. Scope"]


@pytest.mark.parametrize("gap", [16, 30])
def test_nothing_but_the_bars_is_added_and_nothing_lost(gap: int) -> None:
    # Two tables of the same columns, a bold line of totals, a line far to the right of all cells.
    def page(canvas: Canvas) -> None:
        for y in (60, 60 + 6 * gap):
            row(canvas, y, [(42, "Country"), (170, "Rate")], BOLD)
            row(canvas, y + gap, [(42, "Oman"), (170, "40"), (330, "new")])
            row(canvas, y + 2 * gap, [(42, "Peru"), (170, "41")])
            row(canvas, y + 3 * gap, [(42, "Total"), (170, "81")], BOLD)
            row(canvas, y + 4 * gap, [(42, "Later.")])

    words = load_pdf(pdf(page)).text.replace("|", " ").split()
    assert sorted(words) == sorted(["Country", "Rate", "Oman", "40", "new", "Peru", "41", "Total", "81", "Later."] * 2)
