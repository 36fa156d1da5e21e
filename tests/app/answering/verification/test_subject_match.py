"""Figures that are said of something which what is cited does not know."""

import pytest

from policy_rag.answering.verification.subject_match import strange_subject

FILES = ["Personnel files are retained for three years after the employee left. Sick leave is paid for six weeks."]


@pytest.mark.parametrize(
    ("statement", "subject"),
    [
        ("The probation period is three years.", "probation"),
        ("Parking permits are kept for three years.", "parking"),
        ("Bonuses expire after three years.", "bonuses"),
        ("Retaining lasts three years.", ""),  # a form of "retained"
        ("Personal files are kept for three years.", ""),  # and of "personnel", by its beginning
        ("The salary is paid for six weeks.", ""),  # another word for pay
        ("The maximum period is three years.", ""),  # tells nothing
        ("Staff get six weeks.", ""),  # nor does this
        ("You receive six weeks.", ""),
        ("The policy says that bonuses are due in six weeks.", "bonuses"),
        ("The policy says six weeks.", ""),  # nor does this
        ("For parking permits it is three years.", ""),  # what stands before the verb is no subject
        ("The bakery holds three loaves.", "bakery"),
        ("Bonuses are paid.", ""),  # no figure
        ("Under section 3 bonuses are paid.", ""),  # a reference is none
        ("", ""),
    ],
)
def test_english_subjects(statement: str, subject: str) -> None:
    assert strange_subject(statement, FILES, "english") == (
        f'of "{subject}" what it cites says nothing' if subject else ""
    )


@pytest.mark.parametrize(
    ("statement", "source", "language", "holds"),
    [
        ("Die Kündigungsfrist beträgt drei Wochen.", "Der Schichtplan hängt drei Wochen vorher aus.", "german", False),
        ("Die Probezeit beträgt 30 Tage.", "Der Jahresurlaub beträgt 30 Tage.", "german", False),
        ("Die Aushangfrist beträgt drei Wochen.", "Der Plan hat drei Wochen vorher Aushang.", "german", True),
        ("Der Urlaub beträgt 30 Tage.", "Der Jahresurlaub beträgt 30 Tage.", "german", True),
        ("Die Wochenarbeitszeit beträgt 40 Stunden.", "Die Arbeitszeit in der Woche: 40 Stunden.", "german", True),
        (
            "Die Einspruchsfrist ist 3 Tage.",
            "Der Plan mit der Frist von 3 Tagen.",
            "german",
            False,
        ),  # "frist" is a measure
        ("Le préavis est de 30 jours.", "La demande de congé est faite 30 jours avant.", "french", False),
        ("Les vacances durent 30 jours.", "Le congé dure 30 jours.", "french", True),
        ("The DPO has 3 days.", "The Data Protection Officer answers within 3 days.", "english", True),
        ("A Data Office has 3 days.", "The DO answers within 3 days.", "english", True),
    ],
)
def test_compounds_synonyms_and_initials(statement: str, source: str, language: str, holds: bool) -> None:
    assert (strange_subject(statement, [source], language) == "") is holds
