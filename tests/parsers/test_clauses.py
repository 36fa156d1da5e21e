"""Clauses by reference: sections, list items, items in items."""

import pytest

from policy_rag_parsers.clauses import find_clause, list_items
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.sections import parse_sections

TEXT = """1. Trains
Any class.

2. Flights

2.1 Flights are booked by the desk:
(a) economy;
(b)\t(i)\tbusiness over six hours; and
(ii) first class
never;
provided that all is approved.

(c) by night.

2.2 Letters:
(g) gee;
(h) aitch;
(i) eye;
(j) jay.

2.3 Numerals:
(h) aitch:
(i) one;
(ii) two:
(A) sub one;
(B) sub two.
(i) begins anew.

2.4 Steps:
1. open
   the form
2. sign it

2.5 Bullets
- a) one
- b) two

Part 3 Rest

3.1.(1) The first.
(a) an item.
3.1.(2) The second.
"""
SECTIONS = parse_sections(SourceText(TEXT, FileFormat.TEXT), title="Doc")


def clause(reference: str) -> str | None:
    found = find_clause(TEXT, SECTIONS, reference)
    return None if found is None else TEXT[found[0] : found[1]]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("1", "1. Trains\nAny class."),
        ("section 1", "1. Trains\nAny class."),
        ("2.1(a)", "(a) economy;"),
        ("2.1.(a)", "(a) economy;"),
        ("2.1.a", "(a) economy;"),
        ("Clause 2.1(a).", "(a) economy;"),
        ("the paragraph 2.1 (A)", "(a) economy;"),
        ("2.1(b)", "(b)\t(i)\tbusiness over six hours; and\n(ii) first class\nnever;"),
        ("2.1(b)(i)", "(i)\tbusiness over six hours; and"),
        ("section 2.1(b)(ii)", "(ii) first class\nnever;"),
        ("2.1(c)", "(c) by night."),
        ("2.2(i)", "(i) eye;"),
        ("2.2(j)", "(j) jay."),
        ("2.3(h)(i)", "(i) one;"),
        ("2.3(h)(ii)(B)", "(B) sub two."),
        ("2.4(1)", "1. open\n   the form"),
        ("2.4(2)", "2. sign it"),
        ("2.5(b)", "b) two"),
        ("part 3", TEXT[TEXT.index("Part 3") :].rstrip()),
        ("3.1(1)", "3.1.(1) The first.\n(a) an item."),
        ("3.1(1)(a)", "(a) an item."),
        ("\u200e2.\u200e2(g)", "(g) gee;"),
    ],
)
def test_the_exact_range_is_found(reference: str, expected: str) -> None:
    assert clause(reference) == expected


@pytest.mark.parametrize(
    "reference", ["9", "2.9", "2.1(z)", "2.1(a)(i)", "Rule 1.1.1.1", "flights", "", "(a)", "Part 4"]
)
def test_what_is_not_there_is_not_found(reference: str) -> None:
    assert clause(reference) is None


def test_a_section_comes_with_all_under_it() -> None:
    found = clause("2")
    assert found is not None
    assert found.startswith("2. Flights")
    assert found.endswith("- b) two")


def test_items_are_ordered_nested_and_inside_their_section() -> None:
    for section in SECTIONS:
        items = list_items(TEXT, section)
        assert [item.start for item in items] == sorted(item.start for item in items)
        for item in items:
            assert section.start <= item.start < item.end <= section.end
            outer = [one for one in items if one.labels == item.labels[:-1] and one.start < item.start]
            assert len(item.labels) == 1 or outer[-1].end >= item.end


def test_many_items_of_one_label_do_not_nest() -> None:
    text = "1.1 Scope\n" + "(x) y;\n" * 2_000
    (section,) = parse_sections(SourceText(text, FileFormat.TEXT), title="Doc")
    items = list_items(text, section)
    assert len(items) == 2_000
    assert {item.labels for item in items} == {("x",)}
