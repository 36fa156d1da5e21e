"""Schedules, annexes, parts and articles in Roman numerals, as questions ask for them."""

import pytest

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.references.clause_lookup import find_clause
from policy_rag_parsers.references.clause_query import clause_queries, possible_keys
from policy_rag_parsers.structure.sections import parse_sections
from tests.support.clause_keys import clause_query_keys


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is in Schedule 2 of the records retention policy?", ["schedule2"]),
        ("what does appendix b say", ["appendixb"]),
        ("what does appendix a say", ["appendixa"]),
        ("Annex A and Exhibit B", ["annexa", "exhibitb"]),
        ("Exhibits A and B", ["exhibita", "exhibitb"]),
        ("Article IV(2)", ["iv(2)"]),
        ("What does Part I say about Part 3?", ["parti", "part3"]),
        ("Chapter 2 of Part 6", ["part6chapter2"]),
        ("Part 6 Chapter 2", ["part6chapter2"]),
        ("Was steht in Anlage 1 der Richtlinie?", ["anlage1"]),
        ("paragraph 3 of Schedule 2", ["schedule2(3)"]),
        ("section 4.2 of Schedule 1", ["schedule1(4.2)"]),
        ("Schedules 1 to 3", ["schedule1", "schedule2", "schedule3"]),
    ],
)
def test_what_is_asked_for(question, expected):
    assert list(clause_query_keys(question)) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Can I schedule 2 meetings a day?",
        "How do I annex a copy, and exhibit a pattern?",
        "Is the part I play clear?",
        "May we schedule a meeting in part?",
        "What does the travel schedule say?",
    ],
)
def test_words_that_are_no_units(question):
    assert clause_query_keys(question) == ()


def test_either_numerals_are_looked_for():
    (clause,) = clause_queries("Schedule II")
    assert possible_keys(clause) == ("scheduleii", "schedule2")


TEXT = """# Rules

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
SECTIONS = parse_sections(SourceText(TEXT, FileFormat.MARKDOWN), title="Rules")


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("article 4", "Four."),
        ("Chapter 2", "Sixth."),
        ("schedule 2", "Second."),
        ("paragraph 2 of Schedule 1", "2. Paid late."),
        ("Anlage 1", "Frau Kröger."),
    ],
)
def test_they_are_found_in_either_numerals_and_by_title(reference, expected):
    found = find_clause(TEXT, SECTIONS, reference)
    assert found is not None
    assert TEXT[found[0] : found[1]].split("\n\n###", maxsplit=1)[0].endswith(expected)


@pytest.mark.parametrize("reference", ["Schedule 3", "Annex 1", "Anlage 2", "Chapter 6", "section 2"])
def test_a_unit_is_no_other_of_the_same_number(reference):
    assert find_clause(TEXT, SECTIONS, reference) is None


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


@pytest.mark.parametrize(
    ("text", "reference", "begins"),
    [
        (NESTED, "Part 2 Chapter 1", "Chapter 1\nBackup"),
        (NESTED, "Chapter 1 of Part 1", "Chapter 1\nScope"),
        (NESTED, "Annexe II Article 2", "Article 2"),
        (NESTED, "article 1er de l'annexe II", "Article 1er"),
        (NESTED, "l'alinéa b) de l'article 2", "b) neuf."),
        (BRAZILIAN, "inciso II do artigo 1", "II - gestor"),
        (BRAZILIAN, "art. 2º, § 2º", "§ 2º Um"),
        (BRAZILIAN, "§ 1º do art. 2º", "§ 1º Em"),
        (BRAZILIAN, "art. 2º-A", "Art. 2º-A O gestor"),
    ],
)
def test_units_and_items_lie_in_units_that_are_sections(text, reference, begins):
    found = find_clause(text, parse_sections(SourceText(text, FileFormat.TEXT), title="Manual"), reference)
    assert found is not None
    assert text[found[0] :].startswith(begins)


def test_units_beside_each_other_are_not_put_into_one():
    assert clause_query_keys("Part 2 and section 5") == ("part2", "5")
