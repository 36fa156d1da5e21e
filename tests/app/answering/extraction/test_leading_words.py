"""What an answer to a question of yes or no begins with."""

import pytest

from policy_rag.answering.confidence.probability import FirstQuotation
from policy_rag.answering.extraction.composition import Extract
from policy_rag.answering.extraction.leading_words import leading_words, with_leading_words
from policy_rag.records.answer import Said


@pytest.mark.parametrize(
    ("language", "question", "sentence", "said"),
    [
        ("english", "Can I use my own phone?", "Private phones may be used.", "Permitted"),
        ("english", "Am I allowed to share keys?", "Keys must not be shared.", "Not permitted"),
        ("english", "I left. Do I have to hand in my badge?", "Badges must be handed in.", "Required"),
        ("english", "Do I have to wear a badge?", "Badges are not required.", "Not required"),
        ("english", "Can I work from Peru?", "Work from Peru is not permitted, not even for a day.", "Not permitted"),
        ("english", "Can drivers work from home?", "Drivers and desk staff cannot work from home.", "Not permitted"),
        ("english", "Can I work from home?", "Employees may work from home.", "Permitted"),
        ("english", "May I accept gifts?", "Contractors and personnel must not accept gifts.", "Not permitted"),
        ("english", "Can I work from home?", "Every member of the team may work from home.", "Permitted"),
        ("german", "Darf ich im Labor essen?", "Im Labor darf nicht gegessen werden.", "Nicht erlaubt"),
        (
            "german",
            "Darf ich ein Kennwort weitergeben?",
            "Kennwörter dürfen nicht weitergegeben werden.",
            "Nicht erlaubt",
        ),
        ("german", "Muss ich die Zeit erfassen?", "Alle müssen ihre Zeit erfassen.", "Vorgeschrieben"),
        ("french", "Peut-on fumer ici ?", "Il est interdit de fumer.", "Non autorisé"),
        ("spanish", "¿Puede un visitante entrar?", "Los visitantes no pueden entrar.", "No permitido"),
        ("portuguese", "Pode um visitante entrar?", "Os visitantes podem entrar.", "Permitido"),
        ("english", "Can interns use the gym?", "Interns are no longer eligible to use the gym.", "Not permitted"),
        ("english", "Can interns use the gym?", "Interns aren't yet authorised to use the gym.", "Not permitted"),
        ("english", "Must I wear a badge?", "Staff are not normally required to wear a badge.", "Not required"),
        ("english", "Must I warn the customer?", "Employees must not warn the customer.", "Not permitted"),
        ("english", "Can I sell leave?", "Leave cannot be sold.", "Not permitted"),
        ("english", "Must I warn the customer?", "5.2 An employee must not warn the customer.", "Not permitted"),
        ("german", "Muss ich den Kunden warnen?", "Der Kunde darf nicht gewarnt werden.", "Nicht erlaubt"),
        ("german", "Darf ich Gäste mitbringen?", "Gäste dürfen niemals mitgebracht werden.", "Nicht erlaubt"),
        ("french", "Puis-je prendre des photos ?", "Les photos ne peuvent plus être prises.", "Non autorisé"),
        ("french", "Dois-je présenter un reçu ?", "Un reçu n'est plus nécessaire.", "Pas obligatoire"),
        ("spanish", "¿Puedo abrir una cuenta?", "Las cuentas no pueden ser abiertas.", "No permitido"),
        ("spanish", "¿Puedo compartir claves?", "El personal nunca puede compartir claves.", "No permitido"),
        ("portuguese", "Posso abrir uma conta?", "As contas não podem ser abertas.", "Não permitido"),
        ("portuguese", "Tenho de apresentar recibos?", "Não têm que apresentar recibos.", "Não obrigatório"),
    ],
)
def test_a_plain_sentence_says_yes_or_no(language: str, question: str, sentence: str, said: str) -> None:
    assert leading_words(question, sentence, language) == said


_UNPLAIN = {
    "condition": ("Can I use my own phone?", "Private phones may be used if they are enrolled."),
    "restriction": ("Can I use my own phone?", "Private phones may be used only by managers."),
    "bound": ("May a retired colleague be hired?", "They may be hired at the earliest twelve months after they left."),
    "two kinds": ("Can I use my own phone?", "Private phones may be used. They must not be lent."),
    "no modal": ("Can I use my own phone?", "Telephones are a benefit."),
    "another kind": ("Can I use my own phone?", "Every phone must be locked."),
    "not yes or no": ("Who may use a private phone?", "Staff may use private phones."),
    "no modal asked": ("Is the phone mine?", "Phones may be kept."),
    "another deed": ("Can the head appoint a deputy?", "Deputies may be replaced by the head."),
    "other people": ("Can guests use the gym?", "Staff may use the gym."),
    "a group that nobody named": ("Can I work from home?", "Drivers and reception staff cannot work from home."),
    "the last of several": ("Can I work from home?", "Drivers, cooks and reception staff cannot work from home."),
    "a place that nobody named": ("May I eat?", "In the laboratory staff may not eat."),
    "another matter": ("Can I park at the door?", "Bicycles are not allowed."),
}


_DENIED = [
    ("english", "Can interns use the gym?", "Interns are not, as a rule, permitted to use the gym."),
    ("english", "Can I smoke?", "Smoking is not prohibited."),
    ("english", "Do I have to attend training?", "Training is not optional."),
    ("english", "Are interns eligible?", "Not all interns are eligible."),
    ("english", "Must I refuse gifts?", "Not every gift must be refused."),
    ("german", "Darf ich rauchen?", "Rauchen ist nicht verboten."),
    ("french", "Puis-je fumer ?", "Fumer n'est pas interdit."),
    ("spanish", "¿Puedo fumar?", "No está prohibido fumar."),
    ("portuguese", "Posso fumar?", "Não é proibido fumar."),
]


@pytest.mark.parametrize(("language", "question", "sentence"), _DENIED)
def test_what_is_denied_beside_its_modal_is_not_plain(language: str, question: str, sentence: str) -> None:
    assert leading_words(question, sentence, language) == ""


@pytest.mark.parametrize(("question", "sentence"), _UNPLAIN.values(), ids=_UNPLAIN)
def test_what_is_not_plain_says_nothing(question: str, sentence: str) -> None:
    assert leading_words(question, sentence, "english") == ""


def test_only_the_first_words_are_led_and_the_quotation_stays() -> None:
    said = (Said("Phones may be used.", 1, leads=True, quote="Phones *may* be used."), Said("Bring a case.", 1))
    led = with_leading_words(Extract((), said, ()), "Can I use my phone?", ["english"])
    assert [one.text for one in led.said] == ["Permitted: Phones may be used.", "Bring a case."]
    assert led.said[0].quote == "Phones *may* be used."
    assert led.text == "Permitted: Phones may be used. [1]\n\nBring a case. [1]"
    alone = Extract((), said[1:], ())
    assert with_leading_words(alone, "Can I use my phone?", ["english"]) == alone
    borne, left_open = (Extract((), said, (), first=FirstQuotation(borne=logit)) for logit in (2.0, -2.0))
    assert with_leading_words(borne, "Can I use my phone?", ["english"]) != borne
    assert with_leading_words(left_open, "Can I use my phone?", ["english"]) == left_open


@pytest.mark.parametrize(
    ("lines", "led"),
    [
        (("In the office:", "• phones must not be used."), ("In the office:", "• Not permitted: phones must")),
        (("In the office:", "Phones must not be used."), ("In the office:", "Not permitted: Phones must")),
        (("Staff must not:", "• in the office: use phones."), ("Not permitted: Staff must not:", "• in the office:")),
    ],
)
def test_the_sentence_that_says_it_is_led_and_not_the_line_that_leads_into_it(lines, led) -> None:
    said = tuple(Said(line, 1, leads=True, quote=line) for line in lines)
    found = with_leading_words(Extract((), said, ()), "May I use phones?", ["english"]).said
    assert all(one.text.startswith(begin) for one, begin in zip(found, led, strict=True))
    assert [one.quote for one in found] == list(lines)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Can drivers work from home?", ["Not permitted: Drivers", "Trained clerks"]),
        ("Can I work from home?", ["Trained clerks", "Drivers"]),
    ],
)
def test_of_two_that_say_the_contrary_the_one_on_whom_the_question_names_is_led_and_comes_first(question, begins):
    lines = ("Trained clerks may work from home for two days.", "Drivers cannot work from home.")
    said = tuple(Said(line, 1, leads=True, quote=line) for line in lines)
    found = with_leading_words(Extract((), said, ()), question, ["english"]).said
    assert all(one.text.startswith(begin) for one, begin in zip(found, begins, strict=True))
