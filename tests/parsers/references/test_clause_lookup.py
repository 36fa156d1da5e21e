"""Clauses by reference: sections, list items, items in items."""

import pytest

from policy_rag_parsers.blocks.list_items import list_items
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.references.clause_lookup import find_clause
from policy_rag_parsers.structure.sections import parse_sections

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
        ("section 2.4.2", "2. sign it"),
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


GERMAN = """# Richtlinie

## § 3 Datenpannen

(1) Wer eine Panne bemerkt, meldet sie.

(2) Der DSB meldet sie, es sei denn,

1. dass kein Risiko besteht, oder
2. dass die Daten verschlüsselt waren
   a) auf dem Gerät und
   b) im Archiv.

(3) Die Betroffenen werden benachrichtigt.

## § 4 Auskunft

4.1 Sofort.

4.2 Binnen eines Monats.
"""
GERMAN_SECTIONS = parse_sections(SourceText(GERMAN, FileFormat.MARKDOWN), title="Richtlinie")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("§ 3 Abs. 1", "(1) Wer eine Panne bemerkt, meldet sie."),
        ("§ 3 Absatz 2 Satz 1 Nr. 1", "1. dass kein Risiko besteht, oder"),
        ("§ 3 Abs. 2 Nr. 2", "2. dass die Daten verschlüsselt waren\n   a) auf dem Gerät und\n   b) im Archiv."),
        ("§ 3 Abs. 2 Nr. 2 lit. b", "b) im Archiv."),
        ("Abs. 3 von § 3", "(3) Die Betroffenen werden benachrichtigt."),
        ("section 4 paragraph 2", "4.2 Binnen eines Monats."),
    ],
)
def test_a_place_inside_a_unit_is_found_in_lists_and_in_sections_under_it(reference, expected):
    found = find_clause(GERMAN, GERMAN_SECTIONS, reference)
    assert found is not None
    assert GERMAN[found[0] : found[1]] == expected


@pytest.mark.parametrize("reference", ["§ 3 Abs. 4", "§ 3 Abs. 1 Nr. 1", "§ 5 Abs. 1"])
def test_a_place_that_is_not_inside_the_unit_is_not_found(reference):
    assert find_clause(GERMAN, GERMAN_SECTIONS, reference) is None


def test_figures_of_two_forms_are_two_lists():
    (section,) = (s for s in GERMAN_SECTIONS if s.number == "§ 3")
    labels = [item.labels for item in list_items(GERMAN, section)]
    assert labels == [("1",), ("2",), ("2", "1"), ("2", "2"), ("2", "2", "a"), ("2", "2", "b"), ("3",)]


def test_a_slip_in_the_form_of_a_figure_opens_no_list():
    text = "1.1 Steps:\n1. open\n2) sign\n3. send\n"
    (section,) = parse_sections(SourceText(text, FileFormat.TEXT), title="Doc")
    assert [item.labels for item in list_items(text, section)] == [("1",), ("2",), ("3",)]
