"""Tables of a section: their rows, what each is about, and what its cells say under their heads."""

from policy_rag.answering.verification.table_rows import Cell, tables


def told(text: str) -> list[list[str]]:
    return [[row.told for row in table.rows] for table in tables(text, "english")]


def test_bars_tabs_and_blanks_draw_tables() -> None:
    for text in (
        "| Gas | Room |\n| --- | --- |\n| Argon | 5 kg |\n| Xenon | 7 kg |\n",
        "Gas | Room\nArgon | 5 kg\nXenon | 7 kg\n",
        "Gas\tRoom\nArgon\t5 kg\nXenon\t7 kg\n",
        "Gas      Room\nArgon    5 kg\nXenon    7 kg\n",
    ):
        assert told(text) == [["Argon; Room: 5 kg", "Xenon; Room: 7 kg"]], text


def test_rows_and_headers_have_their_places() -> None:
    text = "Limits:\n\n| Gas | Room |\n| --- | --- |\n| Argon | 5 kg |\n\nAsk first.\n\nGas | Room\nNeon | 1 kg\nXenon | 7 kg\n"
    first, second = tables(text, "english")
    assert first.header is not None
    assert text[slice(*first.header)] == "| Gas | Room |\n| --- | --- |"
    assert [text[row.start : row.end] for row in first.rows] == ["| Argon | 5 kg |"]
    assert [row.key for row in second.rows] == ["Neon", "Xenon"]


def test_a_row_of_a_blank_table_that_goes_on_below_keeps_its_columns() -> None:
    text = "Record        Kept        From\nPayroll       7 years     end of\n                          the year\nVisitors      90 days     entry\n"
    assert told(text) == [["Payroll; Kept: 7 years; From: end of the year", "Visitors; Kept: 90 days; From: entry"]]


def test_a_serial_number_is_not_what_a_row_is_about() -> None:
    (table,) = tables("No | Gas | Room\n1. | Argon | 5 kg\n2. | Xenon | 7 kg\n", "english")
    assert [row.key for row in table.rows] == ["Argon", "Xenon"]


def test_an_empty_cell_moves_no_other() -> None:
    assert told("Gas | In | Out\nArgon |  | 90\n| 20 | 30\n") == [["Argon; Out: 90", "In: 20; Out: 30"]]
    assert told("| Gas | In | Out |\n|---|---|---|\n| Argon | | a \\| b |\n") == [["Argon; Out: a | b"]]


def test_a_cell_that_denies_negates_its_head() -> None:
    assert Cell(1, "Hotel", "nein").told("german") == "kein Hotel"
    assert Cell(1, "Under 12", "not permitted").told("english") == "not permitted Under 12"
    assert Cell(1, "Countersigned", "Yes").told("english") == "Countersigned"
    assert Cell(1, "Note", "").told("english") == ""
    assert Cell(1, "", "yes").told("english") == "yes"


def test_a_cell_of_sentences_is_prose() -> None:
    (table,) = tables("Step | Duty\nFirst | Write to them. They answer in time.\nNext | written reply\n", "english")
    assert [row.is_prose for row in table.rows] == [True, False]


def test_text_without_a_table_has_none() -> None:
    assert tables("Staff may use a | or b.\nNothing else.", "english") == []
