"""Tables of a PDF whose columns are kept apart by blanks; more of them stand in `pages.yaml`."""

import pytest
from drawn_pdf import drawn, read
from shown_source import shown

RATES = ["|| Country | Rate", "| Oman | 40", "| Peru | 41"]


@pytest.mark.parametrize("walls", ["100 116", "116 132", "100 132", "100 100"])
def test_rows_of_a_grid_may_lack_walls(walls: str) -> None:
    page = f"""
        rules 40 360 | 100 116 132 148
        walls 100 148 | 40 360
        walls {walls} | 200
        112 | 44 Country | 204 Rate
        128 | 44 Oman | 204 40
        144 | 44 Peru | 204 41
    """
    assert shown(read(drawn(page))) == RATES


@pytest.mark.parametrize("y", [94, 98, 102, 106])
def test_a_header_of_two_cells_on_different_heights(y: int) -> None:
    page = f"""
        *{y} | 140 Rate per
        *{y + 6} | 42 Country
        *{y + 12} | 140 night
        {y + 28} | 42 Oman | 140 40
        {y + 44} | 42 Peru | 140 41
    """
    assert shown(read(drawn(page))) == ["|| Country | Rate per night", *RATES[1:]]


@pytest.mark.parametrize(
    ("last", "rest", "rows"),
    [
        ("paid unless the hotel", "says otherwise", ["| Peru | 41 | paid unless the hotel says otherwise"]),
        ("paid.", "none", ["| Peru | 41 | paid.", "|  |  | none"]),
    ],
)
def test_a_row_that_the_end_of_a_page_cuts(last: str, rest: str, rows: list[str]) -> None:
    first = f"""
        *400 | 42 Country | 140 Rate | 200 Breakfast
        416 | 42 Oman | 140 40 | 200 paid
        432 | 42 Peru | 140 41 | 200 {last}
    """
    second = f"""
        *100 | 42 Country | 140 Rate | 200 Breakfast
        116 | 200 {rest}
        132 | 42 Chad | 140 42 | 200 paid
        148 | 42 Cuba | 140 43 | 200 paid
    """
    found = shown(read(drawn(first), drawn(second)))
    assert found[:2] == ["|| Country | Rate | Breakfast", "| Oman | 40 | paid"]
    assert found[2:] == [*rows, "| Chad | 42 | paid", "| Cuba | 43 | paid"]


def test_headings_over_short_columns_are_no_header() -> None:
    page = """
        *100 | 40 Rights | 210 Duties
        114 | 40 Whoever has worked here / for more than a year may / ask for leave.
        114 | 210 Whoever takes leave hands / over all open work, and / says who is asked.
    """
    assert read(drawn(page)).tables == ()


@pytest.mark.parametrize("gap", [16, 30])
def test_nothing_but_the_bars_is_added_and_nothing_lost(gap: int) -> None:
    # Two tables of the same columns, a bold line of totals, a line far to the right of all cells.
    page = "".join(
        f"""
        *{y} | 42 Country | 170 Rate
        {y + gap} | 42 Oman | 170 40 | 330 new
        {y + 2 * gap} | 42 Peru | 170 41
        *{y + 3 * gap} | 42 Total | 170 81
        {y + 4 * gap} | 42 Later.
        """
        for y in (60, 60 + 6 * gap)
    )
    words = read(drawn(page)).text.replace("|", " ").split()
    assert sorted(words) == sorted(["Country", "Rate", "Oman", "40", "new", "Peru", "41", "Total", "81", "Later."] * 2)
