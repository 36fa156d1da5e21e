"""What a document says of itself: who answers for it, and which document a question names."""

import pytest

from policy_rag.answering.extraction.document_head import asks_responsible, is_named, says_responsible, says_validity

TITLES = (
    *("Travel and Expenses Policy", "Richtlinie Reisen", "Politique de voyages", "Política de viajes"),
    "Política de viagens",
)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who is responsible for the travel policy?", True),
        ("Who approved the travel policy?", True),
        ("Wer ist für die Richtlinie Reisen verantwortlich?", True),
        ("Qui est responsable de la politique de voyages ?", True),
        ("¿Quién aprobó la política de viajes?", True),
        ("Quem aprovou a política de viagens?", True),
        ("Qui approuve les repas selon la politique de voyages ?", False),
        ("Who approves trips under the travel policy?", False),
        ("When was the travel policy approved?", False),
        ("Who is responsible for travel?", False),
    ],
)
def test_only_who_answers_for_a_document_is_asked(question: str, asks: bool) -> None:
    assert asks_responsible(question, list(TITLES)) is asks


def test_a_head_names_who_answers_and_a_question_a_telling_word_of_a_title() -> None:
    lines = ("**Document owner:** Head of Finance", "Verantwortlich: Dr. Petri", "Second class is the standard.")
    assert list(map(says_responsible, lines)) == [True, True, False]
    assert not is_named("Who owns the travel policy?", "Procurement Policy")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Rev. 3", True),
        ("En vigueur depuis le 1er janvier 2025", True),
        ("Vigente desde el 1 de enero de 2025", True),
        ("Em vigor desde 1 de janeiro de 2025", True),
        ("Versión 3.2", True),
        ("Valable 30 jours.", False),
        ("El plazo es de 30 días.", False),
    ],
)
def test_a_head_says_its_validity_in_every_language(line: str, says: bool) -> None:
    assert says_validity(line) is says
