import pytest

from policy_rag_parsers.references.defined_terms import find_definitions
from tests.support.parsed_text import parsed


def terms(text: str) -> list[tuple[str, str, str]]:
    return [(d.term, text[d.start : d.end], d.section_id) for d in find_definitions(*parsed(text))]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ('"Personal Data" means any data of a person.', ["Personal Data"]),
        ("“Personal Data” has the meaning given in 2.1.", ["Personal Data"]),
        ('"Fjord" is the system for expenses.', ["Fjord"]),
        ("„Dienstreise“ bedeutet eine Reise.", ["Dienstreise"]),
        ("**Approver** means the manager.", ["Approver"]),
        ("« Salarié » désigne toute personne.", ["Salarié"]),
        ("«Empleado» significa toda persona.", ["Empleado"]),
        ("A Acme (doravante «Empresa») paga.", ["Empresa"]),
        ('The Data Protection Officer (the "DPO") answers.', ["DPO"]),
        ('Ask the board ("Board") or the head (each, a "Head").', ["Board", "Head"]),
        ('The word "small" is used here.', []),
        ('A person ("A") pays.', []),
        ("**Note**: this is no term.", []),
        ("This means that all pay.", []),
    ],
)
def test_terms_anywhere(sentence: str, expected: list[str]) -> None:
    assert terms(f"## 1. Scope\n\n{sentence} More.\n") == [(term, sentence, "1") for term in sorted(expected)]


def test_a_section_on_definitions_needs_no_marks() -> None:
    text = (
        "## 1. Definitions\n\n- **AI system**: software that infers.\n- Trip means a journey.\n"
        "- Day: a working day.\n\n"
        "| Term | Meaning |\n|---|---|\n| Leave | Time off |\n| 3.1 | a number |\n\n## 2. Rules\n\n- Day: a day.\n"
    )
    assert terms(text) == [
        ("AI system", "- **AI system**: software that infers.", "1"),
        ("Trip", "- Trip means a journey.", "1"),
        ("Day", "- Day: a working day.", "1"),
        ("Leave", "| Leave | Time off |", "1"),
    ]


def test_a_table_of_terms_counts_wherever_it_stands() -> None:
    assert [t for t, _, _ in terms("## 1. Scope\n\nTerm\tMeaning\nLeave\tTime off\nDay\tA day\n")] == ["Leave", "Day"]
    assert terms("## 1. Scope\n\nItem\tPrice\nHotel\t150\nMeal\t30\n") == []


def test_a_term_defined_twice_comes_twice() -> None:
    text = '## 1. Scope\n\n"Day" means a day.\n\n## 2. More\n\n"Day" means a night.\n'
    assert [(term, section) for term, _, section in terms(text)] == [("Day", "1"), ("Day", "2")]
