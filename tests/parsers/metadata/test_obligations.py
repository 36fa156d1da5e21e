"""Obligations by pattern: who, must or must not, what, when, and the exact sentence."""

import pytest

from policy_rag_parsers.metadata.obligations import section_obligations
from policy_rag_parsers.text.sentences import sentence_spans


def duties(text: str, language: str = "english") -> list[tuple[str, str, str, str, str]]:
    found = section_obligations(text, sentence_spans(text, 0, len(text)), language)
    return [(o.who, o.force.value, o.what, o.when, text[o.start : o.end]) for o in found]


@pytest.mark.parametrize(
    ("text", "who", "force", "what", "when"),
    [
        ("Employees must report losses within two hours.", "Employees", "must", "report losses within two hours", "within two hours"),
        ("A firm shall keep records.", "A firm", "must", "keep records", ""),
        ("Managers may not accept gifts.", "Managers", "must-not", "accept gifts", ""),
        ("Staff cannot share passwords.", "Staff", "must-not", "share passwords", ""),
        ("Trainees can't drive alone.", "Trainees", "must-not", "drive alone", ""),
        ("Visitors may only enter with a badge.", "Visitors", "must", "only enter with a badge", ""),
        ("Laptops may be used only at home.", "", "must", "Laptops may be used only at home", ""),
        ("Visitors are to be escorted.", "", "must", "Visitors are to be escorted", ""),
        ("You must ask if a claim cannot be paid.", "You", "must", "ask if a claim cannot be paid", ""),
        ("Suppliers are required to sign the code.", "Suppliers", "must", "sign the code", ""),
        ("Staff are prohibited from sharing passwords.", "Staff", "must-not", "sharing passwords", ""),
        ("If a card is lost, the holder must call the bank.", "the holder", "must", "call the bank", ""),
        ("A person who drives must hold a licence.", "A person", "must", "hold a licence", ""),
        ("Losses must be reported by the head of department.", "the head of department", "must", "Losses must be reported by the head of department", ""),
        ("Bills must be paid by the 15th of each month.", "", "must", "Bills must be paid by the 15th of each month", "by the 15th of each month"),
        ("Staff must see Dr. Smith first.", "Staff", "must", "see Dr. Smith first", ""),
        ("Claims are sent in; staff must do so within 30 (thirty) days.", "staff", "must", "do so within 30 (thirty) days", "within 30 (thirty) days"),
        ("No employee may accept cash.", "", "must-not", "No employee may accept cash", ""),
        ("Nobody shall be dismissed for a report.", "", "must-not", "Nobody shall be dismissed for a report", ""),
        ("Smoking is prohibited in all rooms.", "", "must-not", "Smoking is prohibited in all rooms", ""),
        ("Trips must be booked early.", "", "must", "Trips must be booked early", ""),
    ],
)  # fmt: skip
def test_one_sentence(text: str, who: str, force: str, what: str, when: str) -> None:
    assert duties(text) == [(who, force, what, when, text)]


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


def test_two_in_a_sentence_share_a_subject() -> None:
    text = "The owner must test the model and must not release it before."
    assert [(who, force, what) for who, force, what, _, _ in duties(text)] == [
        ("The owner", "must", "test the model"),
        ("The owner", "must-not", "release it before"),
    ]


def test_each_item_of_a_list_obliges_with_the_words_before_it() -> None:
    text = "A firm must:\n(a) keep a register; and\n(b) tell the board within a week.\nThe rest is free."
    assert duties(text) == [
        ("A firm", "must", "keep a register", "", "(a) keep a register; and"),
        ("A firm", "must", "tell the board within a week", "within a week", "(b) tell the board within a week."),
    ]


def test_an_item_that_ends_like_a_conjunction_stays_whole() -> None:
    text = "Systems must:\n(a) answer every command; and\n(b) be simple to use."
    assert [one[2] for one in duties(text)] == ["answer every command", "be simple to use"]


def test_an_item_that_denies_forbids() -> None:
    text = "All staff shall:\n(a) lock the screen; and\n(b) not share passwords."
    assert [one[:3] for one in duties(text)] == [
        ("All staff", "must", "lock the screen"),
        ("All staff", "must-not", "share passwords"),
    ]


@pytest.mark.parametrize(
    ("text", "who", "force", "what"),
    [
        ("Die Führungskraft muss innerhalb von zwei Wochen antworten.", "Die Führungskraft", "must", "innerhalb von zwei Wochen antworten"),
        ("Die Arbeitszeit darf zehn Stunden nicht überschreiten.", "Die Arbeitszeit", "must-not", "zehn Stunden nicht überschreiten"),
        ("Beschäftigte sind verpflichtet, Zeiten zu erfassen.", "Beschäftigte", "must", "verpflichtet, Zeiten zu erfassen"),
        ("Reisen müssen vorher genehmigt werden.", "", "must", "Reisen müssen vorher genehmigt werden"),
        ("Alle müssen bis zum 3. Werktag abgeben.", "Alle", "must", "bis zum 3. Werktag abgeben"),
        ("Die Leitung hat zu prüfen, ob keine Gefahr besteht.", "Die Leitung", "must", "zu prüfen, ob keine Gefahr besteht"),
        ("Belege sind zehn Jahre aufzubewahren.", "", "must", "Belege sind zehn Jahre aufzubewahren"),
        ("Das Rauchen ist in allen Räumen untersagt.", "", "must-not", "Das Rauchen ist in allen Räumen untersagt"),
        ("Niemand darf allein arbeiten.", "", "must-not", "Niemand darf allein arbeiten"),
    ],
)  # fmt: skip
def test_german(text: str, who: str, force: str, what: str) -> None:
    assert [one[:3] for one in duties(text, "german")] == [(who, force, what)]


@pytest.mark.parametrize(
    ("language", "text", "who", "force", "what", "when"),
    [
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
    ],
)  # fmt: skip
def test_by_the_modal_words_of_other_languages(
    language: str, text: str, who: str, force: str, what: str, when: str
) -> None:
    assert [one[:4] for one in duties(text, language)] == [(who, force, what, when)]


def test_an_item_that_denies_forbids_in_french() -> None:
    text = "Le responsable doit :\na) tenir un registre ; et\nb) ne pas divulguer de données."
    assert [one[:3] for one in duties(text, "french")] == [
        ("Le responsable", "must", "tenir un registre"),
        ("Le responsable", "must-not", "divulguer de données"),
    ]


def test_where_the_subject_is_not_known_the_sentence_says_what() -> None:
    text = "Free software is not licensed for us, and may not be used."
    assert duties(text) == [("", "must-not", text[:-1], "", text)]


def test_a_label_in_front_is_no_part_of_the_subject() -> None:
    assert [one[0] for one in duties("(a) Approval: Managers must sign.")] == ["Managers"]
