"""Obligations by pattern: who, must or must not, what, when, and the exact sentence."""

import pytest

from policy_rag_parsers.metadata.obligations import section_obligations
from policy_rag_parsers.text.sentences import sentence_spans


def duties(text: str, language: str = "english") -> list[tuple[str, str, str, str, str]]:
    found = section_obligations(text, sentence_spans(text, 0, len(text)), language)
    return [(o.who, o.force.value, o.what, o.when, text[o.start : o.end]) for o in found]


@pytest.mark.parametrize(
    ("language", "text", "who", "force", "what", "when"),
    [
        ("english", "Employees must report losses within two hours.", "Employees", "must", "report losses within two hours", "within two hours"),
        ("english", "A firm shall keep records.", "A firm", "must", "keep records", ""),
        ("english", "Managers may not accept gifts.", "Managers", "must-not", "accept gifts", ""),
        ("english", "Staff cannot share passwords.", "Staff", "must-not", "share passwords", ""),
        ("english", "Trainees can't drive alone.", "Trainees", "must-not", "drive alone", ""),
        ("english", "Visitors may only enter with a badge.", "Visitors", "must", "only enter with a badge", ""),
        ("english", "Laptops may be used only at home.", "", "must", "Laptops may be used only at home", ""),
        ("english", "Visitors are to be escorted.", "", "must", "Visitors are to be escorted", ""),
        ("english", "You must ask if a claim cannot be paid.", "You", "must", "ask if a claim cannot be paid", ""),
        ("english", "Suppliers are required to sign the code.", "Suppliers", "must", "sign the code", ""),
        ("english", "Staff are prohibited from sharing passwords.", "Staff", "must-not", "sharing passwords", ""),
        ("english", "If a card is lost, the holder must call the bank.", "the holder", "must", "call the bank", ""),
        ("english", "A person who drives must hold a licence.", "A person", "must", "hold a licence", ""),
        ("english", "Losses must be reported by the head of department.", "the head of department", "must", "Losses must be reported by the head of department", ""),
        ("english", "Bills must be paid by the 15th of each month.", "", "must", "Bills must be paid by the 15th of each month", "by the 15th of each month"),
        ("english", "Staff must see Dr. Smith first.", "Staff", "must", "see Dr. Smith first", ""),
        ("english", "Claims are sent in; staff must do so within 30 (thirty) days.", "staff", "must", "do so within 30 (thirty) days", "within 30 (thirty) days"),
        ("english", "No employee may accept cash.", "", "must-not", "No employee may accept cash", ""),
        ("english", "Nobody shall be dismissed for a report.", "", "must-not", "Nobody shall be dismissed for a report", ""),
        ("english", "Smoking is prohibited in all rooms.", "", "must-not", "Smoking is prohibited in all rooms", ""),
        ("english", "Trips must be booked early.", "", "must", "Trips must be booked early", ""),
        ("german", "Die Führungskraft muss innerhalb von zwei Wochen antworten.", "Die Führungskraft", "must", "innerhalb von zwei Wochen antworten", "innerhalb von zwei Wochen"),
        ("german", "Die Arbeitszeit darf zehn Stunden nicht überschreiten.", "Die Arbeitszeit", "must-not", "zehn Stunden nicht überschreiten", ""),
        ("german", "Beschäftigte sind verpflichtet, Zeiten zu erfassen.", "Beschäftigte", "must", "verpflichtet, Zeiten zu erfassen", ""),
        ("german", "Reisen müssen vorher genehmigt werden.", "", "must", "Reisen müssen vorher genehmigt werden", ""),
        ("german", "Die Leitung hat zu prüfen, ob keine Gefahr besteht.", "Die Leitung", "must", "zu prüfen, ob keine Gefahr besteht", ""),
        ("german", "Belege sind zehn Jahre aufzubewahren.", "", "must", "Belege sind zehn Jahre aufzubewahren", ""),
        ("german", "Das Rauchen ist in allen Räumen untersagt.", "", "must-not", "Das Rauchen ist in allen Räumen untersagt", ""),
        ("german", "Niemand darf allein arbeiten.", "", "must-not", "Niemand darf allein arbeiten", ""),
        ("french", "Le salarié doit prévenir son responsable dans un délai de 48 heures.", "Le salarié", "must", "prévenir son responsable dans un délai de 48 heures", "dans un délai de 48 heures"),
        ("french", "Les managers ne peuvent pas accepter de cadeaux.", "Les managers", "must-not", "accepter de cadeaux", ""),
        ("french", "Il est interdit de fumer.", "", "must-not", "Il est interdit de fumer", ""),
        ("french", "Les voyages doivent être réservés.", "", "must", "Les voyages doivent être réservés", ""),
        ("french", "En cas de vol, l'employé doit appeler la banque.", "l'employé", "must", "appeler la banque", ""),
        ("spanish", "El empleado debe avisar en el plazo de dos días.", "El empleado", "must", "avisar en el plazo de dos días", "en el plazo de dos días"),
        ("spanish", "Nadie puede trabajar solo.", "", "must-not", "Nadie puede trabajar solo", ""),
        ("spanish", "Los visitantes sólo pueden entrar con tarjeta.", "", "must", "Los visitantes sólo pueden entrar con tarjeta", ""),
        ("portuguese", "Os gestores não podem aceitar presentes.", "Os gestores", "must-not", "aceitar presentes", ""),
        ("portuguese", "As viagens devem ser reservadas.", "", "must", "As viagens devem ser reservadas", ""),
        # the subject is not known: the sentence says what; and a label in front is no part of it
        ("english", "Free software is not licensed for us, and may not be used.", "", "must-not", "Free software is not licensed for us, and may not be used", ""),
        ("english", "(a) Approval: Managers must sign.", "Managers", "must", "sign", ""),
    ],
)  # fmt: skip
def test_one_sentence(language: str, text: str, who: str, force: str, what: str, when: str) -> None:
    assert duties(text, language) == [(who, force, what, when, text)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("english", "Nobody has to give reasons."),
        ("english", "She checks whether an authority must be told."),
        ("english", "Employees may work from home."),
        ("english", "Leave is requested in Kompass."),
        ("english", "May is a month."),
        ("english", "Some features may not work."),
        ("english", "We cannot guarantee that the site is safe."),
        ("english", "Where this cannot be done, HR helps."),
        ("english", "If a visit is to be made, the host tells HR."),
        ("english", "The fees are to be found in Annex 2."),
        ("english", "Where smoking is forbidden, a sign says so."),
        ("english", "Nothing in this policy shall prevent anyone from voting."),
        ("english", "The law of that country may not be equivalent."),
        ("german", "Beschäftigte dürfen zu Hause arbeiten."),
        ("german", "Beschäftigte müssen nicht zustimmen."),
        ("german", "Die Kosten sind im Anhang zu finden."),
        ("german", "Die Richtlinie ist neu."),
        ("french", "Le salarié peut travailler à domicile."),
        ("french", "Les visiteurs ne sont pas tenus de signer."),
        ("french", "Si un badge doit être remplacé, le service informe la sécurité."),
        ("spanish", "No es necesario firmar."),
        ("portuguese", "Quando o pedido deve ser feito, o gestor informa."),
    ],
)
def test_what_obliges_nobody(language: str, text: str) -> None:
    assert duties(text, language) == []


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "english",
            "The owner must test the model and must not release it before.",
            [("The owner", "must", "test the model"), ("The owner", "must-not", "release it before")],
        ),
        (
            "english",
            "Systems must:\n(a) answer every command; and\n(b) be simple to use.",  # ends like a conjunction
            [("Systems", "must", "answer every command"), ("Systems", "must", "be simple to use")],
        ),
        (
            "english",
            "All staff shall:\n(a) lock the screen; and\n(b) not share passwords.",
            [("All staff", "must", "lock the screen"), ("All staff", "must-not", "share passwords")],
        ),
        (
            "french",
            "Le responsable doit :\na) tenir un registre ; et\nb) ne pas divulguer de données.",
            [
                ("Le responsable", "must", "tenir un registre"),
                ("Le responsable", "must-not", "divulguer de données"),
            ],
        ),
        (
            "german",
            "Alle müssen bis zum 3. Werktag abgeben.",
            [("Alle", "must", "bis zum 3. Werktag abgeben")],
        ),
    ],
)
def test_who_must_do_what(language: str, text: str, expected: list[tuple[str, str, str]]) -> None:
    assert [one[:3] for one in duties(text, language)] == expected


def test_each_item_of_a_list_obliges_with_the_words_before_it() -> None:
    text = "A firm must:\n(a) keep a register; and\n(b) tell the board within a week.\nThe rest is free."
    assert duties(text) == [
        ("A firm", "must", "keep a register", "", "(a) keep a register; and"),
        ("A firm", "must", "tell the board within a week", "within a week", "(b) tell the board within a week."),
    ]
