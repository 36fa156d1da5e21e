"""Rows that a question names by a value of their table's first column."""

import pytest
from made_hits import parsed_hit

from policy_rag.answering.extraction.named_rows import without_other_rows
from policy_rag.answering.extraction.quotable_units import units
from policy_rag.records.search import Hit


def a_hit(column: str, keys: list[str], lead: str = "These amounts may be offered:") -> Hit:
    rows = "".join(f"| {key} | up to {place}00 |\n" for place, key in enumerate(keys, 1))
    return parsed_hit(
        f"{lead}\n\n| {column} | Amount |\n|---|---|\n{rows}\nMore is decided by the board.", title="Limits"
    )


def left(question: str, hit: Hit) -> list[str]:
    """The keys of the rows that are left; "all" where the whole table is."""
    found = units(hit)
    kept = without_other_rows(question, found)
    if kept == found:
        return ["all"]
    assert [unit for unit in found if unit.table is None] == [unit for unit in kept if unit.table is None]
    own = [hit.text[unit.start - hit.start : unit.end - hit.start] for unit in kept if unit.table is not None]
    return [row.split("|")[1].strip() for text in own for row in text.split("\n")]


GRADES = ["3", "4", "5", "6 and above"]


@pytest.mark.parametrize(
    ("question", "column", "keys", "expected"),
    [
        ("How much can a grade 5 offer?", "Grade", GRADES, ["5"]),
        ("How much can a grade 9 offer?", "Grade", GRADES, ["6 and above"]),
        ("How much for grades 3 and 4?", "Pay grade", GRADES, ["3", "4"]),
        ("How much for grade 4-5?", "Grade of employee", GRADES, ["4", "5"]),
        ("How much for grade 6?", "Grade", ["1 to 4", "5 to 6", "Executive"], ["5 to 6"]),
        ("How much for level C?", "Level", ["A", "B–C", "D"], ["B–C"]),
        ("How much for band B2?", "Band", ["B1", "B2", "C1"], ["B2"]),
        ("How much for band 1?", "Band", ["Band 1", "Band 2"], ["Band 1"]),
        ("Wie viel darf Stufe 8?", "Gehaltsstufe", ["bis 3", "4 bis 6", "7 oder höher"], ["7 oder höher"]),
        ("Combien pour le niveau 1 ?", "Niveau", ["jusqu'à 2", "3 et au-delà"], ["jusqu'à 2"]),
        ("¿Cuánto para el nivel 9?", "Nivel", ["1", "2 o superior"], ["2 o superior"]),
        ("Quanto para o nível 9?", "Nível", ["1", "2 ou superior"], ["2 ou superior"]),
        # it is not there
        ("How much can a grade 2 offer?", "Grade", GRADES, []),
        ("How much for level E?", "Level", ["A", "B–C", "D"], []),
        # nothing is named, or whether it is there cannot be told
        ("How much can I offer?", "Grade", GRADES, ["all"]),
        ("How much is 5 euros?", "Grade", GRADES, ["all"]),
        ("What does section 2 say?", "Grade", GRADES, ["all"]),
        ("How much for grade 12?", "Grade", ["1 to 4", "5 to 6", "Executive"], ["all"]),
        ("How much for grade 2?", "Grade", ["A", "B", "C"], ["all"]),
        ("How much for 5 days?", "Fee for days", ["1", "2"], ["all"]),
        ("How much of grade 5,000?", "Grade", GRADES, ["all"]),
        ("What level I need?", "Level", ["A", "B"], ["all"]),
    ],
)  # fmt: skip
def test_of_a_table_the_named_rows_are_left(question: str, column: str, keys: list[str], expected: list[str]) -> None:
    assert left(question, a_hit(column, keys)) == expected


def test_a_named_row_comes_with_what_leads_into_its_table_and_without_its_other_rows() -> None:
    hit = a_hit("Grade", GRADES)
    (row,) = (unit for unit in without_other_rows("May grade 4 pay?", units(hit)) if unit.table is not None)
    assert [hit.text[a - hit.start : b - hit.start] for a, b in row.quoted] == [
        "These amounts may be offered:",
        "| 4 | up to 200 |",
    ]


def test_a_row_without_a_key_goes_with_the_row_above() -> None:
    assert left("How much for grade 4?", a_hit("Grade", ["3", "4", "", "5"])) == ["4", ""]


def test_a_sentence_that_brings_the_whole_table_goes_with_its_other_rows() -> None:
    hit = a_hit("Grade", GRADES, lead="The limits in the table below are for each case.")
    found = units(hit)
    assert found[0].text == "The limits in the table below are for each case."
    kept = without_other_rows("How much for grade 2?", found)
    assert [unit.text for unit in kept] == ["More is decided by the board."]
