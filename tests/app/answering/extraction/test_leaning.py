"""A sentence is never quoted without what it leans on, nor a bound without what holds beyond it."""

import pytest
from made_hits import parsed_hit, quoted_spans

from policy_rag.answering.extraction.exceptions import alters
from policy_rag.answering.extraction.leaning import leans
from policy_rag.answering.extraction.quotable_units import units

_FIRST = {
    "english": "Trips of up to 5 days are paid by the office.",
    "german": "Reisen bis zu 5 Tagen zahlt das Büro.",
    "french": "Les voyages de 5 jours au plus sont payés par le bureau.",
    "spanish": "Los viajes de hasta 5 días los paga la oficina.",
    "portuguese": "As viagens de até 5 dias são pagas pelo escritório.",
}
_LEANING = {
    "english": [
        "Book them by 30 June.", "Don't lend it to anybody.", "You need a doctor's note for this, even for one day.",
        "Nobody is paid for that.", "Then tell the desk.", "Also tell the police.",
        "If they are cancelled, also tell the police.", "If the card was stolen, also call the bank.",
    ],
    "german": [
        "Buchen Sie sie bis zum 30. Juni.", "Ein Attest ist dafür nötig.", "Dann entscheidet die Leitung.",
        "Wenn etwas gestohlen wurde, informieren Sie auch die Polizei.",
    ],
    "french": [
        "Réservez-les avant le 30 juin.", "Un certificat est demandé pour cela.", "Prévenez aussi la police.",
        "En cas de vol, prévenez également la police.",
    ],
    "spanish": [
        "Resérvelos antes del 30 de junio.", "Se exige un certificado para ello.", "Avise también a la policía.",
        "En caso de robo, avise también a la policía.",
    ],
    "portuguese": [
        "Reserve-as até 30 de junho.", "Um atestado é exigido para isso.", "Avise também a polícia.",
        "Em caso de furto, avise também a polícia.",
    ],
}  # fmt: skip
_ALONE = {
    "english": [
        "Keep this policy at the desk.", "You need a note for this kind of leave.", "Keep the receipt and attach it.",
        "Staff may also park in the yard.", "If you are ill, tell the desk and then your manager.",
        "When it rains, the yard is shut.", "Make it clear that you speak for yourself.", "Say that nobody is hurt.",
        "A note that the doctor signs is enough.", "If you fall ill, get a note for this.",
        "Wine, also known as drink, is not served.",
    ],
    "german": [
        "Die Leitung ist dafür zuständig, dass alle gehen.", "Praktikanten dürfen auch parken.", "Heben Sie Belege auf.",
        "Auch Praktikanten dürfen parken.",
    ],
    "french": ["Les stagiaires peuvent aussi se garer.", "Gardez le reçu.", "Si vous partez, demandez un reçu pour cela."],
    "spanish": ["Los becarios también pueden aparcar.", "Guarde el recibo.", "La cédula se guarda en la oficina."],
    "portuguese": ["Os estagiários também podem estacionar.", "Guarde o recibo.", "O guarda-chuva fica na portaria."],
}  # fmt: skip
_BEYOND = {
    "english": [
        "Anything above goes to the director.", "Anything over that goes to the director.", "Over that, ask the desk.",
        "Above that, ask your director.", "Everything else goes to the director.", "Beyond that, the desk decides.",
        "More than that needs approval.", "Longer trips go to the director.", "Any more comes out of your pay.",
        "After that it goes to the director.", "If it takes longer, ask the desk.", "The rest comes out of your pay.",
    ],
    "german": [
        "Alles andere geht an die Leitung.", "Alles darüber geht an die Leitung.", "Darüber entscheidet die Leitung.",
        "Längere Reisen gehen an die Leitung.", "Wenn es länger dauert, fragen Sie die Leitung.",
    ],
    "french": [
        "Tout le reste va à la direction.", "Au-delà, la direction décide.", "S'il dure plus longtemps, demandez-la.",
        "Pour les voyages plus longs, la direction décide.",
    ],
    "spanish": [
        "Todo lo demás va a la dirección.", "Por encima de eso, decide la dirección.",
        "Los viajes más largos van a la dirección.", "Si dura más, decide la dirección.",
    ],
    "portuguese": [
        "Tudo o resto vai para a direção.", "Acima disso, decide a direção.", "Se durar mais, decide a direção.",
        "As viagens mais longas vão para a direção.",
    ],
}  # fmt: skip
_NOT_BEYOND = {
    "english": [
        "More information is on the wiki.", "Over the years the desk has moved.", "Above all, be kind.",
        "Tell the rest of us.", "Larger than life is how the desk paints.", "If you know more than I do, say so.",
        "Everyone of the desk signs.", "Under this policy the desk decides.", "Other desks are grey.",
    ],
    "german": ["Darüber hinaus hilft das Büro.", "Weitere Hinweise gibt das Büro.", "Mehr Hinweise gibt das Büro."],
    "french": ["Plus de détails sont au bureau.", "Le bureau aide toujours."],
    "spanish": ["Más detalles están en la oficina.", "La oficina ayuda siempre."],
    "portuguese": ["Mais detalhes estão no escritório.", "O escritório ajuda sempre."],
}  # fmt: skip


def cases(of: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(_FIRST[language], sentence) for language, sentences in of.items() for sentence in sentences]


@pytest.mark.parametrize(("first", "sentence"), cases(_LEANING))
def test_a_sentence_that_speaks_of_the_one_before_brings_it(first: str, sentence: str) -> None:
    assert leans(sentence)
    assert quoted_spans(parsed_hit(f"{first} {sentence}"))[1] == [first, sentence]
    assert quoted_spans(parsed_hit(f"{first}\n\n{sentence}"))[1] == [sentence]


@pytest.mark.parametrize(("first", "sentence"), cases(_ALONE))
def test_a_sentence_that_names_what_it_speaks_of_stands_alone(first: str, sentence: str) -> None:
    assert not leans(sentence)
    assert quoted_spans(parsed_hit(f"{first} {sentence}"))[-1] == [sentence]


@pytest.mark.parametrize(("first", "sentence"), cases(_BEYOND))
def test_a_bound_and_what_holds_beyond_it_come_together(first: str, sentence: str) -> None:
    assert alters(first, sentence)
    assert quoted_spans(parsed_hit(f"{first} {sentence}")) == [[first, sentence]] * 2
    assert quoted_spans(parsed_hit(f"{first}\n\n{sentence}"))[0] == [first]


@pytest.mark.parametrize(("first", "sentence"), cases(_NOT_BEYOND))
def test_what_only_compares_or_tells_more_stays_away(first: str, sentence: str) -> None:
    assert not alters(first, sentence)
    assert quoted_spans(parsed_hit(f"{first} {sentence}")) == [[first], [sentence]]


def test_a_comparison_is_with_a_figure() -> None:
    assert not alters("The desk books all trips.", "Longer trips go to the director.")
    assert alters("The desk books all trips.", "Anything else goes to the director.")


def test_a_larger_thing_with_a_figure_of_its_own_stands_alone_and_comes_with_the_smaller() -> None:
    first, longer = "Trips of up to 5 days are paid.", "Longer trips of up to 9 days are half paid."
    assert quoted_spans(parsed_hit(f"{first} {longer}")) == [[first, longer], [longer]]


def test_a_latest_day_comes_with_what_is_due() -> None:
    rule, until = "You can carry up to 5 days into the next year.", "Use them by 30 June or they are gone."
    assert quoted_spans(parsed_hit(f"{rule} {until} The desk is open.")) == [[rule, until]] * 2 + [
        ["The desk is open."]
    ]


@pytest.mark.parametrize(
    "opening",
    ["No.", "Yes!", "Nein.", "Non.", "Sí.", "Não.", "Lost the pass?", "Wirklich?", "Lost it? Or never had it?"],
)
def test_a_question_or_a_bare_yes_or_no_is_one_with_what_follows(opening: str) -> None:
    then = "If you must, borrow one from the desk."
    assert quoted_spans(parsed_hit(f"{opening} {then} The desk is open.")) == [
        [f"{opening} {then}"],
        ["The desk is open."],
    ]


@pytest.mark.parametrize("opening", ["No dogs.", "Yes to cats.", "AGPL: no.", "Ask yourself why."])
def test_what_says_something_is_not(opening: str) -> None:
    then = "The desk is open on Mondays."
    assert quoted_spans(parsed_hit(f"{opening} {then}"))[-1] == [then]


def test_a_run_in_heading_may_stand_between_a_question_and_its_answer() -> None:
    text = "What are the limits? 3.1 Gifts. Flowers may be kept."
    assert quoted_spans(parsed_hit(f"{text} The desk is open.")) == [[text], ["The desk is open."]]


def test_a_question_alone_is_not_quoted() -> None:
    assert quoted_spans(parsed_hit("The desk is open. Any questions?\n\nAsk the desk.")) == [
        ["The desk is open."],
        ["Ask the desk."],
    ]
    assert quoted_spans(parsed_hit("Check before a trip:\n- Is it needed?\n- Is it paid?"))[0][-1] == "- Is it needed?"


def test_a_question_leads_into_the_list_that_answers_it() -> None:
    hit = parsed_hit("Who may park?\n\n- guests;\n- cleaners.")
    assert quoted_spans(hit) == [["Who may park?", "- guests;"], ["Who may park?", "- cleaners."]]
    assert [unit.text for unit in units(hit)] == ["Who may park? - guests;", "Who may park? - cleaners."]
