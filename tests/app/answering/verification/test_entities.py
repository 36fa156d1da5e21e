"""Names and roles that stand nowhere in what a statement cites."""

import pytest

from policy_rag.answering.verification.entities import strange_name

SOURCES = [
    "The Data Officer (Ms Ada Byron) tells the Head of Audit, the HSE and the line manager.",
    "Rules of Ulm Works",
]


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("The Data Officer (Ms Ada Lovelace) tells the HSE.", "Lovelace"),
        ("Caldicott Officer Byron tells the HSE.", ""),  # at the beginning the first word may have its capital for that
        ("It is told to the Caldicott Officer.", "Caldicott"),
        ("The Head of Procurement is told.", "Procurement"),
        ("The director is told.", "director"),
        ("A committee is told.", "committee"),
        ("Ada Byron tells the supervisor.", ""),  # another word for a manager
        ("The Data Officer tells the Health and Safety Executive.", ""),
        ("The Data Officer tells the Health and Science Office.", "Science"),
        ("Offices are in Bonn and Kiel.", ""),  # single names are left alone
        ("The Head of Audit and the Data Officer are told at Ulm Works.", ""),
        ("ask the officer", ""),
        ("", ""),
    ],
)
def test_english_names_and_roles(statement: str, name: str) -> None:
    assert strange_name(statement, SOURCES, "english") == (f'"{name}" is not in what it cites' if name else "")


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("Der Urlaub wird von der Führungskraft genehmigt.", ""),  # another word for the same
        ("Der Urlaub wird von der Ausbildungsleitung genehmigt.", ""),
        ("Der Urlaub wird vom Vorstand genehmigt.", "vorstand"),
        ("Frau Lena Kurz genehmigt Urlaub.", "Kurz"),
        ("Urlaub Genehmigung Antrag.", ""),  # nouns have capitals
    ],
)
def test_german_names_and_roles(statement: str, name: str) -> None:
    source = "Urlaub genehmigt die Vorgesetzte, Frau Lena Lang, oder die Leitung der Ausbildung."
    assert strange_name(statement, [source], "german") == (f'"{name}" is not in what it cites' if name else "")


def test_initials_in_the_source_bear_out_a_name_in_full() -> None:
    assert strange_name("It is told to the Data Protection Officer.", ["Tell the DPO, an officer."], "english") == ""
    assert strange_name("It is told to the Data Privacy Board.", ["Tell the DPO, on the board."], "english") != ""
