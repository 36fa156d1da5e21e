"""Tables that blanks draw: their rows, and what is none."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_parsers.structure.drawn_tables import aligned_tables, drawn_cells


def rows(text: str) -> list[list[str]]:
    return [[text[start:end] for start, end in table] for table in aligned_tables(text)]


def test_rows_stand_below_their_header_with_or_without_a_ruled_line() -> None:
    lines = [
        "Record           Period     From",
        "Invoices         7 years    end of year",
        "CCTV             31 days    recording",
    ]
    ruled = [lines[0], "---------------  ---------  ------------", *lines[1:]]
    assert rows("\n".join(lines)) == [lines]
    assert rows("Periods\n\n    " + "\n    ".join(ruled) + "\n\nElse none.") == [lines]
    assert rows("\n".join(ruled[:3])) == [lines[:2]]


def test_a_cell_that_goes_on_below_belongs_to_its_row() -> None:
    text = "Record      Period     From\nInvoices    7 years    the end of\n                       the year\nCCTV        31 days    recording"
    assert rows(text) == [[text[:27], text[28 : text.index("\nCCTV")], "CCTV        31 days    recording"]]


@pytest.mark.parametrize(
    "text",
    [
        "Lunch is paid.  Tea is not.\nHotels are too.  Taxis no.\nTrains are late.  Ask.",
        "(i)   the reason;\n(ii)  the cost of it, in euros; and\n(iii) the date of the review.",
        "- one:    two\nThree is a line of prose\nFour is another",
        "A   B\n\nC   D\n\nE   F",
        "A   B\nC   D",
        "| A   | B |\n| C   | D |\n| E   | F |",
        "-----  ----\n",
        "",
    ],
)  # fmt: skip
def test_what_is_no_table(text: str) -> None:
    assert rows(text) == []


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("Invoices           7 years   end of year", ["Invoices", "7 years", "end of year"]),
        ("Jobs, unsuccessful  6 months  rejection", ["Jobs, unsuccessful", "6 months", "rejection"]),
        ("Jobs unsuccessful, 6 months  rejection", ["Jobs unsuccessful,", "6 months", "rejection"]),
        ("Jobs refused       6 months", ["Jobs refused", "6 months", ""]),
        ("Minutes                      meeting", ["Minutes", "", "meeting"]),
        ("Invoices            7         end of year", ["Invoices", "7", "end of year"]),
        ("Invoices of all suppliers abroad  7 years  end", ["Invoices of all suppliers abroad", "7 years", "end"]),
        ("Kept.  Never lent. 7 years   end of year", ["Kept. Never lent.", "7 years", "end of year"]),
        ("Minutes and a long list of them", ["Minutes and a long list of them", "", ""]),
        ("Invoices           7 years   the end of\n                             the year", ["Invoices", "7 years", "the end of the year"]),
        ("Invoices and       7 years   end\nreceipts", ["Invoices and receipts", "7 years", "end"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", ["", "    "])
def test_a_cell_stands_below_the_name_of_its_column(row: str, cells: list[str], indent: str) -> None:
    header = "Record             Period    From"
    text = indent + f"{header}\n{row}".replace("\n", f"\n{indent}")
    ends = len(indent), text.index("\n")
    assert drawn_cells(text, ends, ends) == ["Record", "Period", "From"]
    assert drawn_cells(text, ends, (ends[1] + 1 + len(indent), len(text))) == cells


def test_two_tables_are_two() -> None:
    one, two = "Ab    Cd\nEf    Gh\nIj    Kl", "Mn       Op\nQr       St\nUv       Wx"
    assert rows(f"{one}\n\n{two}") == [one.split("\n"), two.split("\n")]


_CELL = st.lists(st.text("aBz", min_size=1, max_size=5), min_size=1, max_size=2).map(" ".join)


@given(
    cells=st.integers(2, 4).flatmap(lambda n: st.lists(st.lists(_CELL, min_size=n, max_size=n), min_size=3, max_size=6)),
    gap=st.integers(3, 6),
    ruled=st.booleans(),
)  # fmt: skip
def test_every_row_is_found(cells: list[list[str]], gap: int, ruled: bool) -> None:
    widths = [max(len(row[place]) for row in cells) + gap for place in range(len(cells[0]))]
    lines = ["".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    drawn = [lines[0], "".join("-" * (width - 1) + " " for width in widths).rstrip(), *lines[1:]] if ruled else lines
    assert rows("\n".join(drawn)) == [lines]


@given(text=st.text(" ab.|-(1)\n\t", max_size=120))
def test_rows_are_trimmed_in_order_and_apart(text: str) -> None:
    spans = [span for table in aligned_tables(text) for span in table]
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)
    assert all(before[1] < after[0] for before, after in itertools.pairwise(spans))
