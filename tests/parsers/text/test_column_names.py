import pytest

from policy_rag_parsers.text.column_names import reads_as_header

ROWS = (["Wi-Fi", "yes", "no"], ["Badge", "yes", "yes"])


@pytest.mark.parametrize(
    ("first", "rows", "expected"),
    [
        (["", "Staff", "Guests"], ROWS, True),
        (["What", "Staff", "Guests"], ROWS, True),
        (["What", "Staff", "Guests"], ROWS[:1], False),  # a row is as likely to be like the other
        (["Owner", "HR"], (["Approver", "Board"], ["Reader", "staff"]), False),
        (["What", "", "Guests"], ROWS, False),
        (["What", "Staff", "Staff"], ROWS, False),
        (["Parking", "no", "YES"], ROWS, False),
        (["Badge", "Staff", "Guests"], ROWS, False),
        (["What", "2025", "Guests"], ROWS, False),
        (["What", "All staff have it.", "Guests"], ROWS, False),
        (["Owner:", "HR", "London"], ROWS, False),
        (["What", "Staff", "Guests" * 11], ROWS, False),
    ],
)
def test_a_first_row_reads_as_a_header(first: list[str], rows: tuple[list[str], ...], expected: bool) -> None:
    assert reads_as_header([first, *rows]) == expected
