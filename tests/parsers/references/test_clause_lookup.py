"""Clauses by reference: sections, list items, items in items, units in either numerals, numbers put in between."""

import pytest

from policy_rag_parsers.blocks.list_items import list_items
from policy_rag_parsers.references.clause_lookup import find_clause
from tests.support.parsed_text import parsed

TRAVEL = """1. Trains
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
RULES = """# Rules

## 1. Scope

All staff.

## Article IV

Four.

## Part 6 Chapter 2

Sixth.

## Schedule 1 - Fees

1. Paid at once.
2. Paid late.

## Schedule II

Second.

### Anlage 1: Kontakte

Frau Kröger.
"""
NESTED = """PART 1
General

Chapter 1
Scope

1. All staff.

PART 2
Work

Chapter 1
Backup

2. Daily.

Annexe II – Charte

Article 1er – Secret

Rien.

Article 2 – Code

a) court ;
b) neuf.
"""
BRAZILIAN = """CAPÍTULO I
DO OBJETO

Art. 1º Considera-se:
I - empregado: toda pessoa;
II - gestor: o responsável.

Art. 2º O empregado tem 30 dias de férias.
§ 1º Em três períodos.
§ 2º Um com 14 dias.

Art. 2º-A O gestor aprova o pedido.
"""
ORDER = """Ordnung

§ 1 Zweck

Für alle.

§ 2 Rahmen

Nach § 2a gilt:

1. eins,
2. zwei,
2a. zwei und
3. drei.

§ 2a Samstag

Frei.

§ 3 Ende

Schluss.
"""

SICK = """# Krankmeldung

## Ziffer 1 Anzeige

Abs. 1: Am ersten Tag.

Abs. 2: Danach schriftlich. Es gilt § 5 Abs. 3 des Gesetzes.

## Ziffer 2: Kind

Zehn Tage.
"""
TRAINING = """# Fortbildung

## I. Allgemeines

1. Drei Tage im Jahr.
2. Das Budget verfällt am 31.12.

## II. Genehmigung

1. Bis 1.000 Euro genehmigt die Führungskraft.
2. Darüber die Geschäftsführung.

## III. Bindung

1. Ein Jahr.
2. Bei Kosten über
   a) 500 Euro: zwei,
   b) 900 Euro: drei Jahre.
"""


def clause(text: str, reference: str) -> str | None:
    found = find_clause(text, parsed(text)[1], reference)
    return None if found is None else text[found[0] : found[1]]


@pytest.mark.parametrize(
    ("text", "reference", "expected"),
    [
        (TRAVEL, "1", "1. Trains\nAny class."),
        (TRAVEL, "section 1", "1. Trains\nAny class."),
        (TRAVEL, "2.1(a)", "(a) economy;"),
        (TRAVEL, "2.1.(a)", "(a) economy;"),
        (TRAVEL, "2.1.a", "(a) economy;"),
        (TRAVEL, "Clause 2.1(a).", "(a) economy;"),
        (TRAVEL, "the paragraph 2.1 (A)", "(a) economy;"),
        (TRAVEL, "2.1(b)", "(b)\t(i)\tbusiness over six hours; and\n(ii) first class\nnever;"),
        (TRAVEL, "2.1(b)(i)", "(i)\tbusiness over six hours; and"),
        (TRAVEL, "section 2.1(b)(ii)", "(ii) first class\nnever;"),
        (TRAVEL, "2.1(c)", "(c) by night."),
        (TRAVEL, "2.2(i)", "(i) eye;"),
        (TRAVEL, "2.2(j)", "(j) jay."),
        (TRAVEL, "2.3(h)(i)", "(i) one;"),
        (TRAVEL, "2.3(h)(ii)(B)", "(B) sub two."),
        (TRAVEL, "2.4(1)", "1. open\n   the form"),
        (TRAVEL, "2.4(2)", "2. sign it"),
        (TRAVEL, "section 2.4.2", "2. sign it"),
        (TRAVEL, "2.5(b)", "b) two"),
        (TRAVEL, "part 3", TRAVEL[TRAVEL.index("Part 3") :].rstrip()),
        (TRAVEL, "3.1(1)", "3.1.(1) The first.\n(a) an item."),
        (TRAVEL, "3.1(1)(a)", "(a) an item."),
        (TRAVEL, "\u200e2.\u200e2(g)", "(g) gee;"),
        (GERMAN, "§ 3 Abs. 1", "(1) Wer eine Panne bemerkt, meldet sie."),
        (GERMAN, "§ 3 Absatz 2 Satz 1 Nr. 1", "1. dass kein Risiko besteht, oder"),
        (
            GERMAN,
            "§ 3 Abs. 2 Nr. 2",
            "2. dass die Daten verschlüsselt waren\n   a) auf dem Gerät und\n   b) im Archiv.",
        ),
        (GERMAN, "§ 3 Abs. 2 Nr. 2 lit. b", "b) im Archiv."),
        (GERMAN, "Abs. 3 von § 3", "(3) Die Betroffenen werden benachrichtigt."),
        (GERMAN, "section 4 paragraph 2", "4.2 Binnen eines Monats."),
        # in either numerals, by title, in units that are sections
        (RULES, "article 4", "## Article IV\n\nFour."),
        (RULES, "Chapter 2", "## Part 6 Chapter 2\n\nSixth."),
        (RULES, "schedule 2", "## Schedule II\n\nSecond.\n\n### Anlage 1: Kontakte\n\nFrau Kröger."),
        (RULES, "paragraph 2 of Schedule 1", "2. Paid late."),
        (RULES, "Anlage 1", "### Anlage 1: Kontakte\n\nFrau Kröger."),
        (NESTED, "Part 2 Chapter 1", "Chapter 1\nBackup\n\n2. Daily."),
        (NESTED, "Chapter 1 of Part 1", "Chapter 1\nScope\n\n1. All staff."),
        (NESTED, "Annexe II Article 2", "Article 2 – Code\n\na) court ;\nb) neuf."),
        (NESTED, "article 1er de l'annexe II", "Article 1er – Secret\n\nRien."),
        (NESTED, "l'alinéa b) de l'article 2", "b) neuf."),
        (BRAZILIAN, "inciso II do artigo 1", "II - gestor: o responsável."),
        (BRAZILIAN, "art. 2º, § 2º", "§ 2º Um com 14 dias."),
        (BRAZILIAN, "§ 1º do art. 2º", "§ 1º Em três períodos."),
        (BRAZILIAN, "art. 2º-A", "Art. 2º-A O gestor aprova o pedido."),
        (SICK, "Ziffer 2", "## Ziffer 2: Kind\n\nZehn Tage."),
        (SICK, "Ziffer 1 Abs. 2", "Abs. 2: Danach schriftlich. Es gilt § 5 Abs. 3 des Gesetzes."),
        *(
            (TRAINING, reference, "b) 900 Euro: drei Jahre.")
            for reference in (
                "III Nr. 2 b)",
                "III.2.b",
                "III.2 b)",
                "iii Nr. 2 lit. b",
                "Abschnitt III Nr. 2 Buchst. b",
            )
        ),
        (TRAINING, "III.1", "1. Ein Jahr."),
        (GERMAN, "§ 3 Abs. 2 Nr. 2 b)", "b) im Archiv."),
        # numbers that an amendment put between two others
        (ORDER, "§ 2a", "§ 2a Samstag\n\nFrei."),
        (ORDER, "§ 2A", "§ 2a Samstag\n\nFrei."),
        (ORDER, "§ 2 Nr. 2a", "2a. zwei und"),
        (ORDER, "§ 2 Nr. 3", "3. drei."),
    ],
)
def test_the_exact_range_is_found(text: str, reference: str, expected: str) -> None:
    assert clause(text, reference) == expected


@pytest.mark.parametrize(
    ("text", "references"),
    [
        (TRAVEL, ["9", "2.9", "2.1(z)", "2.1(a)(i)", "Rule 1.1.1.1", "flights", "", "(a)", "Part 4"]),
        (GERMAN, ["§ 3 Abs. 4", "§ 3 Abs. 1 Nr. 1", "§ 5 Abs. 1"]),
        (TRAINING, ["IX Nr. 2", "III Nr. 3", "Nr. 2 b)", "Teil B Nr. 2", "III.4", "II c)", "Kapitel 4 Nr. 2"]),
        (RULES, ["Schedule 3", "Annex 1", "Anlage 2", "Chapter 6", "section 2"]),
    ],
)
def test_what_is_not_there_is_not_found(text: str, references: list[str]) -> None:
    assert {reference: clause(text, reference) for reference in references} == dict.fromkeys(references)


def test_a_section_comes_with_all_under_it() -> None:
    found = clause(TRAVEL, "2")
    assert found is not None
    assert found.startswith("2. Flights")
    assert found.endswith("- b) two")


def test_items_are_ordered_nested_and_inside_their_section() -> None:
    for section in parsed(TRAVEL)[1]:
        items = list_items(TRAVEL, section)
        assert [item.start for item in items] == sorted(item.start for item in items)
        for item in items:
            assert section.start <= item.start < item.end <= section.end
            outer = [one for one in items if one.labels == item.labels[:-1] and one.start < item.start]
            assert len(item.labels) == 1 or outer[-1].end >= item.end


@pytest.mark.parametrize(
    ("text", "number", "labels"),
    [
        ("1.1 Scope\n" + "(x) y;\n" * 2_000, None, ["x"] * 2_000),  # many items of one label do not nest
        (GERMAN, "§ 3", ["1", "2", "21", "22", "22a", "22b", "3"]),  # figures of two forms are two lists
        ("1.1 Steps:\n1. open\n2) sign\n3. send\n", "1.1", ["1", "2", "3"]),  # a slip in the form opens no list
    ],
    ids=["many", "two forms", "slip"],
)
def test_labels_of_items(text: str, number: str | None, labels: list[str]) -> None:
    section = next(one for one in parsed(text)[1] if one.number == number)
    assert [item.labels for item in list_items(text, section)] == [tuple(one) for one in labels]
