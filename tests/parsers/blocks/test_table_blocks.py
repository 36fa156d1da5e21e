from policy_rag_parsers.blocks.table_blocks import find_tables, header_text, table_rows
from policy_rag_parsers.records import FileFormat, SourceText, TableMark


def rows_of(text: str) -> list[tuple[str, list[str]]]:
    source = SourceText(text, FileFormat.TEXT)
    return [
        (header_text(text, table), [text[a:b] for a, b in table_rows(text, table)]) for table in find_tables(source)
    ]


def test_markdown_table_header_is_without_the_ruled_line() -> None:
    text = "Before.\n\n| Item | Limit |\n| :--- | ---: |\n| Hotel | 150 |\n| Meal | 30 |\n\nAfter."
    assert rows_of(text) == [("| Item | Limit |", ["| Hotel | 150 |", "| Meal | 30 |"])]


def test_a_header_whose_first_cell_is_empty_begins_with_a_bar() -> None:
    rows = ["Email  | yes    | yes", "Print  | yes    | no"]
    assert rows_of("\n".join(["       | Public | Internal", *rows])) == [("| Public | Internal", rows)]


def test_tab_table_needs_two_lines_of_as_many_cells() -> None:
    assert rows_of("Item\tLimit\nHotel\t150\nMeal\t30\n") == [("Item\tLimit", ["Hotel\t150", "Meal\t30"])]
    assert rows_of("Item\tLimit\nSome prose follows.\n") == []
    assert rows_of("1.1\tFirst clause\n1.2\tSecond clause\n") == []  # the tab behind a number bounds no cell


def test_a_row_of_figures_is_no_header() -> None:
    assert rows_of("2024\t1\n2025\t2\n2026\t3\n") == [("", ["2024\t1", "2025\t2", "2026\t3"])]


def test_marked_block_joins_the_lines_of_a_cell() -> None:
    rows = "Term\tDefinition\nLeave\tTime off:\n(a) paid;\n(b) unpaid.\nDay\tA working day."
    text = f"Terms:\n/Table Start\n{rows}\n/Table End\nEnd."
    assert rows_of(text) == [("Term\tDefinition", ["Leave\tTime off:\n(a) paid;\n(b) unpaid.", "Day\tA working day."])]


def test_a_block_without_end_is_no_table() -> None:
    assert rows_of("/Table Start\nTerm\tDefinition\nLeave\tTime off\n") == []


def test_the_marks_of_a_source_win() -> None:
    text = "A | B\n1 | 2\n3 | 4\n"
    mark = TableMark(0, 11, 5)
    assert find_tables(SourceText(text, FileFormat.HTML, tables=(mark,))) == (mark,)


def test_front_matter_holds_no_table() -> None:
    text = "a | b\nc | d\n\nText"
    assert find_tables(SourceText(text, FileFormat.TEXT, body_start=12)) == ()
