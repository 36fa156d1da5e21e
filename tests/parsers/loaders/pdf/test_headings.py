"""PDF: headings over more than one line."""

from collections.abc import Sequence

import pytest
from drawn_pdf import drawn, read
from shown_source import headings


def found(lines: Sequence[str], *, place: str = "40", leading: int = 15) -> list[str]:
    """The headings of a page with lines of 12 points in bold over text."""
    titles = "".join(f"*{100 + at * leading}@12 | {place} {line}\n" for at, line in enumerate(lines))
    source = read(drawn(f"{titles}{110 + len(lines) * leading} | 40 FULL. / FULL."))
    return [heading.split(" ", 1)[1] for heading in headings(source)]


@pytest.mark.parametrize("place", ["40", "=200"])
@pytest.mark.parametrize(
    "lines",
    [
        ("§ 1", "Geltungsbereich"),
        ("§ 2 Genehmigung von Reisen durch die", "Geschäftsführung und die Reisestelle"),
        ("1.2 Responsibilities of line managers", "Travel office and Treasury", "for longer journeys"),
        ("Schedule of payments", "for employees in the first year"),
        ("SCHEDULE OF PAYMENTS", "FOR EMPLOYEES"),
        ("The rights and duties of the", "Officer"),
    ],
)
def test_one_heading_over_several_lines(lines: Sequence[str], place: str) -> None:
    assert found(lines, place=place) == [" ".join(lines)]


@pytest.mark.parametrize(
    "lines",
    [("Travel Policy", "Version 2.1"), ("1. Scope", "1.1 Staff"), ("Acme Ltd", "§ 1 Scope"), ("Notes", "(a) Costs")],
)
def test_headings_under_each_other(lines: Sequence[str]) -> None:
    assert found(lines) == list(lines)


def test_headings_set_apart_are_two_and_a_formula_is_none() -> None:
    assert found(("1. Scope", "Guests"), leading=24) == ["1. Scope", "Guests"]
    assert found(["Pension = salary × years"]) == []


@pytest.mark.parametrize(
    ("last", "first", "expected"),
    [
        ("3.2 Journeys that last longer", "than five days", ["3.2 Journeys that last longer than five days"]),
        ("3.2 Journeys", "3.3 Hotels", ["3.2 Journeys", "3.3 Hotels"]),
        ("Journeys", "Hotels", ["Journeys", "Hotels"]),
    ],
)
def test_a_heading_may_go_on_on_the_next_page(last: str, first: str, expected: list[str]) -> None:
    source = read(
        drawn(f"100 | 40 FULL. / FULL.\n*400@12 | 40 {last}"), drawn(f"*100@12 | 40 {first}\n120 | 40 FULL. / FULL.")
    )
    assert [heading.split(" ", 1)[1] for heading in headings(source)] == expected
    assert source.text[source.pages[1].start :].startswith(first)
