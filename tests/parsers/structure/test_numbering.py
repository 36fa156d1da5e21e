"""Reading numbers at the head of a line, and what follows what."""

import pytest

from policy_rag_parsers.structure.numbering import (
    Closing,
    Component,
    follows,
    is_first,
    is_next,
    read_marker,
    roman_value,
    step,
)


@pytest.mark.parametrize(
    ("line", "number", "values"),
    [
        ("1. Scope", "1", ["1"]),
        ("1 Scope", "1", ["1"]),
        ("1) Scope", "1", ["1"]),
        ("1.1 Purpose", "1.1", ["1", "1"]),
        ("A.3 Forms", "A.3", ["A", "3"]),
        ("4.2(b)(ii) Hotels", "4.2(b)(ii)", ["4", "2", "b", "ii"]),
        ("1.2.1.(2)\tThe firm", "1.2.1.(2)", ["1", "2", "1", "2"]),
        ("1.2.1.Guidance.3.\tThe firm", "1.2.1.Guidance.3", ["1", "2", "1", "", "3"]),
        ("5.13A.5.1 Limits", "5.13A.5.1", ["5", "13A", "5", "1"]),
        ("Part 6 Chapter 2", "Part 6 Chapter 2", ["6", "2"]),
        ("Part 6.Chapter 2.51.(1)\tThe", "Part 6.Chapter 2.51.(1)", ["6", "2", "51", "1"]),
        ("Section 4 — Pay", "Section 4", ["4"]),
        ("Article IV", "Article IV", ["IV"]),
        ("§ 3.2 Fristen", "§ 3.2", ["3", "2"]),
        ("Rule 7", "Rule 7", ["7"]),
        ("Schedule 1", "Schedule 1", ["1"]),
        ("Appendix A: Forms", "Appendix A", ["A"]),
        ("Annex II", "Annex II", ["II"]),
        ("APP1.A1.2\tLimits", "APP1.A1.2", ["1", "A1", "2"]),
        ("\u200e4.\u200e2 Hotels", "4.2", ["4", "2"]),
        ("2.1.Scope", "2.1", ["2", "1"]),
        ("TÍTULO PRELIMINAR", "TÍTULO PRELIMINAR", ["0"]),
        ("CAPÍTULO SÉPTIMO", "CAPÍTULO SÉPTIMO", ["7"]),
        ("Chapitre deuxième", "Chapitre deuxième", ["2"]),
        ("Titolo Terzo", "Titolo Terzo", ["3"]),
        ("Artigo 3.º-A", "Artigo 3.º-A", ["3A"]),
        ("SUBSECÇÃO II", "SUBSECÇÃO II", ["II"]),
        ("Artikel 7:610a", "Artikel 7:610a", ["7:610a"]),
        ("Ziffer 4 Krankes Kind", "Ziffer 4", ["4"]),
        ("Ziff. 2.1 Reinigung", "Ziff. 2.1", ["2", "1"]),
        ("Punkt 3: Ersatz", "Punkt 3", ["3"]),
        ("Nr. 4 Rückgabe", "Nr. 4", ["4"]),
        ("Apartado 2. Plazos", "Apartado 2", ["2"]),
        ("Point 3 – Frais", "Point 3", ["3"]),
    ],
)
def test_numbers_are_read_as_printed(line: str, number: str, values: list[str]) -> None:
    marker = read_marker(line)
    assert marker is not None
    assert marker.number == number
    assert [part.value for part in marker.parts] == values


@pytest.mark.parametrize(
    "line",
    [
        *("(a) flights", "- item", "1st place", "section 4 above", "Part of the cost", "Partly", "3rd", "", "Scope"),
        *("Nummer\tBetrag", "Nr.\tBetrag", "Punkt.", "Nr. 7/2024", "nr. 4 gilt"),
        *("v1.2", "12,50", "2h before", "2.5m people", "4x a year", "2ab. x"),
    ],
)
def test_other_lines_have_no_number(line: str) -> None:
    assert read_marker(line) is None


def test_offsets_point_into_the_line_with_its_invisible_marks() -> None:
    line = "  \u200e4.\u200e2.\tHotels"
    marker = read_marker(line)
    assert marker is not None
    assert line[marker.rest :] == "Hotels"
    assert line[marker.start : marker.end] == "4.\u200e2"
    assert marker.closing is Closing.DOT
    assert marker.tab


def test_a_long_line_is_read_at_its_head_only() -> None:
    marker = read_marker("1.1 " + "x" * 1_000_000)
    assert marker is not None
    assert marker.number == "1.1"


@pytest.mark.parametrize(
    ("text", "value"),
    [("i", 1), ("iv", 4), ("IX", 9), ("xiv", 14), ("XL", 40), ("iiii", None), ("ab", None), ("", None)],
)
def test_roman_numerals(text: str, value: int | None) -> None:
    assert roman_value(text) == value


@pytest.mark.parametrize(
    ("before", "after", "gap"),
    [
        ("1", "2", 1),
        ("9", "10", 1),
        ("2", "2", 0),
        ("3", "1", -2),
        ("5", "5A", 1),
        ("5A", "5B", 1),
        ("5A", "6", 1),
        ("a", "b", 1),
        ("h", "i", 1),  # the ninth letter
        ("i", "ii", 1),  # the numeral
        ("iv", "v", 1),
        ("A1", "A2", 1),
        ("a", "B", None),
        ("1", "a", None),
    ],
)
def test_steps_between_siblings(before: str, after: str, gap: int | None) -> None:
    assert step(Component("", before), Component("", after)) == gap
    assert step(Component("part", before), Component("chapter", after)) is None


def number(text: str) -> tuple[Component, ...]:
    marker = read_marker(text + "\t")
    assert marker is not None
    return marker.parts


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("1.1", "1.2", True),
        ("1.3", "2", True),
        ("1.3", "2.1", True),
        ("1", "1.1", True),
        ("1.9", "1.10", True),
        ("1.2", "1.5", True),  # two clauses were deleted
        ("1.2", "1.9", False),
        ("1.2", "1.1", False),
        ("1.2", "1.2", False),
        ("1.2.3", "1.2", False),
        ("1.2", "7.4", False),
    ],
)
def test_what_follows_what(before: str, after: str, *, expected: bool) -> None:
    assert follows(number(before), number(after)) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("2.2", "2.3", True),
        ("2.2", "2.2.1", True),
        ("2.2", "3.1", True),
        ("2.2", "3", True),
        ("2.2", "2.4", False),
        ("2.2", "3.2", False),
        ("2.1", "2", False),
        ("2.1", "2.1", False),
    ],
)
def test_what_is_next(before: str, after: str, *, expected: bool) -> None:
    assert is_next(number(before), number(after)) is expected


def test_first_of_a_run() -> None:
    assert [is_first(Component("", value)) for value in ("1", "a", "A", "i", "I", "2", "b")] == [True] * 5 + [False] * 2
