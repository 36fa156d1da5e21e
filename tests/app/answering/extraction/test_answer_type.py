"""What a question expects, and which texts hold it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.extraction.answer_type import AnswerType, expected_type, holds

TIME, AMOUNT, NUMBER = AnswerType.TIME, AnswerType.AMOUNT, AnswerType.NUMBER


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("english", "How long are invoices kept?", TIME),
        ("english", "I lost my badge. When do I have to report that?", TIME),
        ("english", "How many days off do I get?", TIME),
        ("english", "How many people must sign?", AMOUNT),
        ("english", "What does a night cost?", AMOUNT),
        ("english", "How much is the daily rate for meals?", AMOUNT),
        # what lasts is told by its length, however it is asked for, and what is left out may last
        ("english", "How many holidays do I get?", NUMBER),
        ("english", "How much sick pay do I get?", NUMBER),
        ("english", "How much is the rate at which leave builds up?", NUMBER),
        ("english", "How many can I carry over?", NUMBER),
        ("english", "How many times may I retake the exam?", NUMBER),
        ("english", "How many remote-working days are allowed?", NUMBER),
        ("english", "What is the maximum for a gift?", NUMBER),
        ("english", "What are the limits for presents?", NUMBER),
        ("english", "What's our yearly training budget?", NUMBER),
        ("english", "What is the time limit for claims?", TIME),
        ("english", "What is the purpose of the limits?", None),
        ("english", "Who signs when the head is away?", None),
        ("german", "Bis wann muss ich den Beleg einreichen?", TIME),
        ("german", "Wie viele Tage Urlaub habe ich?", TIME),
        ("german", "Wie hoch ist das Tagegeld?", NUMBER),
        ("german", "Was kostet ein Parkplatz?", AMOUNT),
        ("german", "Wie viele Gäste darf ich mitbringen?", AMOUNT),
        ("german", "Wie viele Pausen habe ich?", NUMBER),
        ("german", "Wie viele darf ich übertragen?", NUMBER),
        ("german", "Welche Obergrenzen gelten für Geschenke?", NUMBER),
        ("german", "Wie lautet der übliche Prozentsatz?", NUMBER),
        ("german", "Welcher Grundsatz gilt für Geschenke?", None),
        ("german", "Wer genehmigt Reisen?", None),
        ("french", "Dans quel délai dois-je rendre l'ordinateur ?", TIME),
        ("french", "Combien coûte une nuit d'hôtel au maximum ?", AMOUNT),
        ("french", "Quelles sont les limites pour les cadeaux ?", NUMBER),
        ("french", "Combien de devis faut-il ?", AMOUNT),
        ("french", "Combien de congés puis-je reporter ?", NUMBER),
        ("french", "Qui approuve un voyage ?", None),
        ("spanish", "¿Cuánto tiempo se conservan las facturas?", TIME),
        ("spanish", "¿Cuánto puede costar un hotel?", AMOUNT),
        ("spanish", "¿Cuáles son los límites para los regalos?", NUMBER),
        ("spanish", "¿Cuántas ofertas necesito?", AMOUNT),
        ("spanish", "¿Cuántas vacaciones tengo?", NUMBER),
        ("spanish", "¿Cuántos puedo pasar al año siguiente?", NUMBER),
        ("spanish", "¿Quién aprueba un viaje cuando falta el jefe?", None),
        ("portuguese", "Quanto tempo são guardadas as faturas?", TIME),
        ("portuguese", "Quantas pessoas têm de assinar?", AMOUNT),
        ("portuguese", "Quais são os limites para presentes?", NUMBER),
        ("portuguese", "Quanto custa o estacionamento?", AMOUNT),
        ("portuguese", "Quantas folgas tenho?", NUMBER),
        ("portuguese", "Quem aprova uma viagem?", None),
    ],
)
def test_a_question_tells_whether_it_expects_a_time_or_a_number(
    language: str, question: str, expected: AnswerType | None
) -> None:
    assert expected_type(question, [language]) == expected


@pytest.mark.parametrize(
    ("language", "text", "time", "number"),
    [
        ("english", "Invoices are kept for ten years.", True, True),
        ("english", "Report it immediately.", True, False),
        ("english", "Up to 24 credit hours may be kept.", True, True),
        ("english", "The office is open from 9:30.", True, True),
        ("english", "Claims are due by 30 April.", True, True),
        ("english", "The committee meets on Mondays.", True, False),
        ("english", "A night costs EUR 140.", False, True),
        ("english", "Section 4 of the Act of 2019 applies.", False, False),
        ("english", "4. The head approves.", False, False),
        ("german", "Der Verlust ist unverzüglich zu melden.", True, False),
        ("german", "Der Ausschuss tagt jeden zweiten Montag.", True, False),
        ("german", "Höchstens 30 Euro je Tag.", False, True),
        ("french", "Les factures sont gardées dix ans.", True, True),
        ("spanish", "Se informa sin demora.", True, False),
        ("portuguese", "As faturas são guardadas durante cinco anos.", True, True),
        ("english", "It is valid until the close of business on the working day after.", True, False),
        ("english", "Files are kept till the matter is closed.", True, False),
        ("english", "Send it by the end of the month.", True, False),
        ("english", "Send it by post to the end user.", False, False),
        ("english", "Gifts up to the limit are allowed.", False, False),
        ("german", "Sie gilt bis zum Ende des folgenden Arbeitstags.", True, False),
        ("german", "Die Sperre gilt bis auf Weiteres.", True, False),
        ("german", "Geschenke bis zum Höchstbetrag sind erlaubt.", False, False),
        ("german", "Gehälter bis zur Stufe B.", False, False),
        ("french", "Elle vaut jusqu'à la fermeture des bureaux.", True, False),
        ("french", "Les dossiers sont gardés jusqu'à ce que l'affaire soit close.", True, False),
        ("french", "Jusqu'à l'approbation, rien n'est payé.", True, False),
        ("french", "Remboursé jusqu'au plafond.", False, False),
        ("spanish", "Es válida hasta el cierre de la oficina.", True, False),
        ("spanish", "Se reembolsa hasta el límite.", False, False),
        ("portuguese", "É válida até ao fecho do escritório.", True, False),
        ("portuguese", "Reembolsa-se até o limite.", False, False),
    ],
)
def test_a_text_holds_a_time_a_number_or_neither(language: str, text: str, time: bool, number: bool) -> None:
    assert (holds(TIME, text, [language]), holds(NUMBER, text, [language])) == (time, number)


@pytest.mark.parametrize(
    ("language", "text", "told"),
    [
        ("english", "It is paid for 21 weeks.", False),
        ("english", "Report it within 72 hours, in 2019 within three days.", False),
        ("german", "Die Rückgabe erfolgt binnen drei Tagen.", False),
        ("french", "La demande est faite dans les dix jours.", False),
        ("spanish", "Se devuelve en cinco días.", False),
        ("portuguese", "Devolve-se no prazo de cinco dias.", False),
        ("english", "Full pay is given for 12 weeks, then 60%.", True),
        ("english", "Those who are away over 5 hours claim £8.", True),
        ("english", "There are 12 car spaces.", True),
        ("english", "Up to 24 credit hours may be kept.", True),
        ("english", "The alarm is tested every six months.", True),
        ("german", "Höchstens 30 Euro je Tag.", True),
        ("french", "Trois devis sont demandés sous dix jours.", True),
        ("spanish", "Se piden tres ofertas en cinco días.", True),
        ("portuguese", "Pedem-se três propostas em cinco dias.", True),
    ],
)
def test_a_length_of_time_is_no_amount(language: str, text: str, told: bool) -> None:
    assert holds(AMOUNT, text, [language]) == told


def test_a_language_without_words_of_its_own_expects_nothing() -> None:
    assert expected_type("Hoe lang?", ["dutch"]) is None
    assert not holds(NUMBER, "10", ["dutch"])


@given(st.integers(2, 1899), st.sampled_from(["minutes", "hours", "days", "weeks", "months", "years"]))
def test_any_length_of_time_is_one(count: int, unit: str) -> None:
    assert holds(TIME, f"It takes {count} {unit}.", ["english"])
    assert not holds(TIME, f"It takes {count} signatures.", ["english"])
