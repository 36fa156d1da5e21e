"""Rewriting, other names and decomposition by rules: what they make of a question, and what they leave alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.index.search.terms import terms
from policy_rag.records.choices import Transform
from policy_rag.records.search import Query
from policy_rag.retrieval.transforms.aliases import Aliases, find_aliases, long_form, variants
from policy_rag.retrieval.transforms.chain import transform
from policy_rag.retrieval.transforms.decomposition import sub_questions
from policy_rag.retrieval.transforms.rewriting import rewrite

NOBODY = Aliases({})


@pytest.mark.parametrize(
    ("question", "rewritten"),
    [
        ("Hi, how many days of leave do I have?", "How many days of leave do I have?"),
        ("Could you please tell me if contractors get sick pay? Thanks!", "Contractors get sick pay?"),
        ("I was wondering whether I may work from Spain.", "I may work from Spain."),
        ("Can you provide more information on parental leave?", "Parental leave?"),
        ("Please explain, kindly, the hotel limit, thank you very much", "The hotel limit"),
        ("What may I claim, please?", "What may I claim?"),
        ("Who signs? Please let me know. Many thanks for your help!", "Who signs?"),
        ("Guten Tag, können Sie mir bitte sagen, ob es eine Kernzeit gibt?", "Es eine Kernzeit gibt?"),
        ("Bonjour, pourriez-vous me dire quel est le délai ? Merci d'avance !", "Quel est le délai ?"),
        ("Hola, ¿podría decirme cuál es el plazo? Muchas gracias.", "Cuál es el plazo?"),
        ("Bom dia, gostaria de saber qual é o prazo, por favor.", "Qual é o prazo"),
        # nothing is in the way here
        ("Who approves a trip to Singapore?", "Who approves a trip to Singapore?"),
        ("Can I tell a customer about the incident?", "Can I tell a customer about the incident?"),
        ("Well-being days: how many?", "Well-being days: how many?"),
        ("Hello!", "Hello!"),
    ],
)
def test_what_is_no_part_of_the_question_goes(question: str, rewritten: str) -> None:
    assert rewrite(question) == rewritten


@given(st.text(max_size=80))
def test_rewriting_adds_no_word_and_leaves_something_to_search(question: str) -> None:
    rewritten = rewrite(question)
    assert set(terms(rewritten)) <= set(terms(question))
    assert bool(terms(rewritten)) == bool(terms(question))
    assert rewrite(rewritten) == rewritten or not terms(question)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Compare the deadlines for incidents and for breaches within the company.",
            "the deadlines for incidents | the deadlines for breaches within the company",
        ),
        ("What is the difference between annual leave and special leave?", "annual leave | special leave"),
        ("How do hotels and meals differ?", "hotels | meals"),
        ("How much is a hotel, and who approves it?", "How much is a hotel? | Who approves it? (hotel)"),
        (
            "I go to Canada for a project. Who approves it and can I get an advance?",
            "I go to Canada for a project. Who approves it? | I go to Canada for a project. Can I get an advance?",
        ),
        (
            "Welche Pausen muss ich machen, und wie lange ist die Ruhezeit?",
            "Welche Pausen muss ich machen? | Wie lange ist die Ruhezeit?",
        ),
        (
            "Bis wann muss eine Panne gemeldet werden und an wen?",
            "Bis wann muss eine Panne gemeldet werden? | An wen muss eine Panne gemeldet werden?",
        ),
        ("Wem melde ich das Leck und bis wann?", "Wem melde ich das Leck? | Bis wann melde ich das Leck?"),
        ("How do I report a leak, and to whom?", "How do I report a leak? | To whom do I report a leak?"),
        ("Do I report a leak, and by when?", "Do I report a leak? | By when do I report a leak?"),
        ("Who reports leaks, and from which day?", "Who reports leaks? | From which day? (reports leaks)"),
        ("Wo beantrage ich Urlaub und wer zahlt?", "Wo beantrage ich Urlaub? | Wer zahlt? (beantrage Urlaub)"),
        ("Comment dois-je payer, et à qui ?", "Comment dois-je payer ? | À qui dois-je payer ?"),
        ("¿Cómo pago la cuota y a quién?", "¿Cómo pago la cuota? | ¿A quién pago la cuota?"),
        # what leaves out its verb, or all but what differs
        ("What do I pay for a car, and how much for a van?", "What do I pay for a car? | What do I pay for a van?"),
        ("How much do I get for a car, and for a van?", "How much do I get for a car? | How much do I get for a van?"),
        (
            "Wie lange gilt der Antrag für Reisen, und wie lange für Bücher?",
            "Wie lange gilt der Antrag für Reisen? | Wie lange gilt der Antrag für Bücher?",
        ),
        ("Who signs, who pays, and for how long?", "Who signs, who pays? | For how long? (signs pays)"),
        (
            "My child is ill. May I stay at home, and how often?",
            "My child is ill. May I stay at home? | My child is ill. How often? (stay home)",
        ),
        (
            "A guest fell. Whom do I tell, and who calls him?",
            "A guest fell. Whom do I tell? | A guest fell. Who calls him?",
        ),
        (
            "How long may I appeal, and if I lose, who pays the fee?",
            "How long may I appeal? | If I lose, who pays the fee?",
        ),
        # a preposition and a word that asks take what stands behind the front of the question before
        (
            "How soon do I have to report a leak, and to whom?",
            "How soon do I have to report a leak? | To whom do I have to report a leak?",
        ),
        (
            "Within how many hours must I report a leak and to whom?",
            "Within how many hours must I report a leak? | To whom must I report a leak?",
        ),
        (
            "How much do you pay for a van, and for how long?",
            "How much do you pay for a van? | For how long do you pay for a van?",
        ),
        (
            "How many days of leave do I get, and from when?",
            "How many days of leave do I get? | From when do I get? (days leave)",
        ),
        (
            "Who approves orders from abroad and from when?",
            "Who approves orders from abroad? | From when? (approves orders abroad)",
        ),
        (
            "Wie schnell muss ich ein Leck melden und an wen?",
            "Wie schnell muss ich ein Leck melden? | An wen muss ich ein Leck melden?",
        ),
        (
            "Dans quel délai dois-je signaler une fuite et à qui ?",
            "Dans quel délai dois-je signaler une fuite ? | À qui dois-je signaler une fuite ?",
        ),
        (
            "¿En cuánto tiempo debo informar de una fuga y a quién?",
            "¿En cuánto tiempo debo informar de una fuga? | ¿A quién debo informar de una fuga?",
        ),
        (
            "Em quanto tempo devo comunicar uma falha e a quem?",
            "Em quanto tempo devo comunicar uma falha? | A quem devo comunicar uma falha?",
        ),
        (
            "Do I report a leak to my boss, and to the owner?",
            "Do I report a leak to my boss? | Do I report a leak to the owner?",
        ),
        (
            "Do I have to report a leak, and how to avoid the next flood?",
            "Do I have to report a leak? | How to avoid the next flood?",
        ),
        ("What do I spend on hotels, and on meals?", "What do I spend on hotels? | What do I spend on meals?"),
        # what any matter may need is no subject of its own
        (
            "May I work from abroad, and whose approval is needed?",
            "May I work from abroad? | Whose approval is needed? (work abroad)",
        ),
        (
            "When may I take a taxi, and is a receipt needed?",
            "When may I take a taxi? | Is a receipt needed? (take taxi)",
        ),
        (
            "Can I hold bitcoin, and what must be reported?",
            "Can I hold bitcoin? | What must be reported? (hold bitcoin)",
        ),
        (
            "What is the hotel limit, and what happens if I break the rules?",
            "What is the hotel limit? | What happens if I break the rules? (hotel limit)",
        ),
        (
            "Darf ich ein Taxi nehmen, und brauche ich einen Beleg?",
            "Darf ich ein Taxi nehmen? | Brauche ich einen Beleg? (Taxi nehmen)",
        ),
        (
            "Quand puis-je prendre un taxi, et faut-il un reçu ?",
            "Quand puis-je prendre un taxi ? | Faut-il un reçu ? (prendre taxi)",
        ),
        (
            "¿Cuántos días puedo trabajar desde el extranjero y quién autoriza?",
            "¿Cuántos días puedo trabajar desde el extranjero? | ¿Quién autoriza? (días trabajar extranjero)",
        ),
        (
            "Quando posso apanhar um táxi, e é necessário um recibo?",
            "Quando posso apanhar um táxi? | É necessário um recibo? (apanhar táxi)",
        ),
        ("Can I fly business, and is a visa needed?", "Can I fly business? | Is a visa needed?"),
        ("Who approves hotels, and who signs a lease?", "Who approves hotels? | Who signs a lease?"),
        ("How long is the shift, and when do I get a break?", "How long is the shift? | When do I get a break?"),
        ("What do I report, and what is a breach?", "What do I report? | What is a breach?"),
        ("Wann ist Schluss, und wer meldet einen Diebstahl?", "Wann ist Schluss? | Wer meldet einen Diebstahl?"),
        # what is told in front of a question, in its sentence
        (
            "I go to Canada by train: what is the limit for a seat, and who approves it?",
            "I go to Canada by train: what is the limit for a seat? | I go to Canada by train: who approves it?",
        ),
        (
            "I am off to Oslo - who signs, and whose card pays?",
            "I am off to Oslo - who signs? | I am off to Oslo - whose card pays?",
        ),
        (
            "I am ill... what do I do, and who do I tell?",
            "I am ill... What do I do? | I am ill... Who do I tell?",
        ),
        (
            "If I lose my badge, who replaces it, and what does a guest wear?",
            "If I lose my badge, who replaces it? | If I lose my badge, what does a guest wear?",
        ),
        (
            "Ich fahre nach Leeds: wie hoch ist das Tagegeld, und wer zahlt das Hotel?",
            "Ich fahre nach Leeds: wie hoch ist das Tagegeld? | Ich fahre nach Leeds: wer zahlt das Hotel?",
        ),
        (
            "Voy a Canadá: ¿quién lo aprueba y puedo pedir un anticipo?",
            "Voy a Canadá: ¿quién lo aprueba? | Voy a Canadá: ¿puedo pedir un anticipo?",
        ),
        (
            "Perdi o crachá: quem devo avisar e quanto custa um novo?",
            "Perdi o crachá: quem devo avisar? | Perdi o crachá: quanto custa um novo?",
        ),
        # one thing asked of each of two
        (
            "What happens to my days and my laptop when I leave?",
            "What happens to my days when I leave? | What happens to my laptop when I leave?",
        ),
        ("What's the taxi limit and the train limit?", "What's the taxi limit? | What's the train limit?"),
        (
            "What about the bike shed and the car park, and who holds the keys?",
            "What about the bike shed? | What about the car park? | Who holds the keys?",
        ),
        (
            "Was passiert mit meinem Urlaub und mit meinem Rechner, wenn ich gehe?",
            "Was passiert mit meinem Urlaub, wenn ich gehe? | Was passiert mit meinem Rechner, wenn ich gehe?",
        ),
        (
            "Que deviennent mes congés et mon badge lorsque je pars ?",
            "Que deviennent mes congés lorsque je pars ? | Que deviennent mon badge lorsque je pars ?",
        ),
        ("¿Cuál es el precio y el plazo?", "¿Cuál es el precio? | ¿Cuál es el plazo? (precio)"),
        (
            "O que acontece com as minhas férias e com o meu crachá?",
            "O que acontece com as minhas férias? | O que acontece com o meu crachá?",
        ),
        # one question with two words that ask, and one that names nothing
        ("When and how do I claim expenses?", ""),
        ("Who do I tell and how?", ""),
        (
            "Who approves trips and how early must I ask?",
            "Who approves trips? | How early must I ask? (approves trips)",
        ),
        # without a subject of its own
        (
            "Can I have a second job and do I need to tell HR?",
            "Can I have a second job? | Do I need to tell HR? (second job)",
        ),
        (
            "How long is parental leave and how much notice do I give?",
            "How long is parental leave? | How much notice do I give? (parental leave)",
        ),
        ("Can I wear jeans and when do I get paid?", "Can I wear jeans? | When do I get paid?"),
        ("Who approves hotels and when must I ask the desk?", "Who approves hotels? | When must I ask the desk?"),
        ("Who signs?\nHow long is it kept?", "Who signs? | How long is it kept? (signs)"),
        (
            "Combien de jours de congé ai-je et puis-je en reporter ?",
            "Combien de jours de congé ai-je ? | Puis-je en reporter ?",
        ),
        ("¿Quién aprueba los viajes y hay que pedir cita?", "¿Quién aprueba los viajes? | ¿Hay que pedir cita?"),
        (
            "Quem aprova as viagens, e pode o gestor cancelar uma?",
            "Quem aprova as viagens? | Pode o gestor cancelar uma?",
        ),
        ("Quelle est la différence entre le congé et la dispense ?", "le congé | la dispense"),
        ("¿Qué diferencia hay entre las vacaciones y el permiso?", "las vacaciones | el permiso"),
        ("Qual é a diferença entre férias e licença?", "férias | licença"),
        # one question, whatever its commas and conjunctions
        ("May I keep my days... I mean carry them over?", ""),
        ("My bag was stolen and a file was in it, who do I tell?", ""),
        ("I go to Leeds: who pays for the room and the meals?", ""),
        ("What is the split between the employee and the manager?", ""),
        ("What's the date and the place of the meeting?", ""),
        ("What are the terms and conditions?", ""),
        ("What is the hotel and dinner limit?", ""),
        ("What's the notice period for the employee and the employer?", ""),
        ("May the employee and the manager agree on a shorter notice?", ""),
        ("Que dois-je faire si je suis malade et que je suis en voyage ?", ""),
        ("¿Qué reglas hay para los regalos y las comidas?", ""),
        ("Was gilt, wenn ich krank bin und es die Kollegen wissen?", ""),
        ("In case of illness, what must I do?", ""),
        ("Do I need a doctor's note if I am ill and have no phone?", ""),
        ("What are the rules for gifts and meals?", ""),
        ("How do I compare suppliers?", ""),
        ("Kann mein Chef sehen, wann ich komme?", ""),
        ("May I work abroad, and in particular alone?", ""),
        ("Do I have to ask, and to the point?", ""),
        ("How do I book a desk for guests and for staff?", ""),
    ],
)
def test_questions_with_parts_are_taken_apart(question: str, parts: str) -> None:
    assert " | ".join(sub_questions(question)) == parts


@given(st.lists(st.sampled_from(["who pays it", "how long is leave", "is it kept", "what else"]), max_size=9))
def test_there_are_never_more_parts_than_four_and_never_one(parts: list[str]) -> None:
    found = sub_questions(", and ".join(parts) + "?")
    assert len(found) != 1
    assert len(found) <= 4
    assert len(set(found)) == len(found)


def test_acronyms_are_matched_to_their_long_forms() -> None:
    text = (
        "The Data Protection Officer (DPO) advises. A DPIA (data protection impact assessment) is made first. "
        'Paid time off, also known as "PTO days", ends. '
        "See the table (below). The Board (see section 4) decides. IT (which is small) helps."
    )
    assert find_aliases(text) == {
        ("DPO", "Data Protection Officer"),
        ("DPIA", "data protection impact assessment"),
        ("Paid time off", "PTO days"),
    }


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Demandez au délégué à la protection des données (DPD).", ("DPD", "délégué à la protection des données")),
        ("Avisa al Delegado de Protección de Datos (en adelante, «DPD»).", ("DPD", "Delegado de Protección de Datos")),
        ("Es gilt das Gesetz über Arbeitszeit (im Folgenden „GA“).", ("GA", "Gesetz über Arbeitszeit")),
        ("El teletrabajo, también llamado «trabajo a distancia», termina.", ("teletrabajo", "trabajo a distancia")),
        ("A folga, também chamada banco de horas, termina.", ("folga", "banco de horas")),
    ],
)
def test_names_are_matched_in_other_languages(text: str, pair: tuple[str, str]) -> None:
    assert pair in find_aliases(text)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ('- "PEP" means a politically exposed person, and includes', ("PEP", "politically exposed person")),
        ('"SAR" means any suspicious activity report made to the Agency.', ("SAR", "suspicious activity report")),
        ("**MLRO** means the Money Laundering Reporting Officer or", ("MLRO", "Money Laundering Reporting Officer")),
        ("PEPs are defined as politically exposed persons.", ("PEPs", "politically exposed persons")),
        ("| PEP | Politically exposed person | 4.1 |", ("PEP", "Politically exposed person")),
        ("- **AML**: anti-money laundering", ("AML", "anti-money laundering")),
        ("„PEP“ bedeutet eine politisch exponierte Person.", ("PEP", "politisch exponierte Person")),
        ("PEP steht für politisch exponierte Person.", ("PEP", "politisch exponierte Person")),
        ("« PPE » désigne une personne politiquement exposée.", ("PPE", "personne politiquement exposée")),
        ("«PEP» significa una persona expuesta políticamente.", ("PEP", "persona expuesta políticamente")),
        ("«PEP» significa una persona de exposición pública.", ("PEP", "persona de exposición pública")),
        ("“PEP” designa uma pessoa exposta politicamente, e", ("PEP", "pessoa exposta politicamente")),
        # nothing that the letters stand for
        ('"PEP" means a client who holds a public office.', None),
        ('"CCTV" means cameras, closed to circuit television.', None),
        ('"HR" means the team of Human Resources.', None),
        ('"Gift" means anything of value given.', None),
        ("The PEP rules mean that people enter past.", None),
    ],
)
def test_an_acronym_that_is_defined_is_matched_to_the_words_that_it_means(
    text: str, pair: tuple[str, str] | None
) -> None:
    assert find_aliases(text) == ({pair} if pair else set())


@pytest.mark.parametrize(("words", "found"), [(6, 1), (7, 0)])
def test_another_name_has_six_words_at_most(words: int, found: int) -> None:
    other = " ".join(["leave", "that", "the", "firm", "pays", "for", "fully"][:words])
    assert len(find_aliases(f'Time off, also known as "{other}", ends.')) == found


@pytest.mark.parametrize(
    ("short", "before", "long"),
    [
        ("MLRO", "must appoint a Money Laundering Reporting Officer", "Money Laundering Reporting Officer"),
        ("HR", "ask Human Resources", "Human Resources"),
        ("ABC", "nothing of the kind", None),
        ("ALARP", "must be As Low As Reasonably Practicable", "As Low As Reasonably Practicable"),
        ("AI", "applied", None),  # one word is no long form
    ],
)
def test_a_long_form_is_the_shortest_that_holds_the_letters(short: str, before: str, long: str | None) -> None:
    assert long_form(short, before) == long


def test_a_name_is_put_in_place_of_the_other() -> None:
    aliases = Aliases({("DPO", "Data Protection Officer"): 2, ("DPO", "Data protection officers"): 1})
    assert variants("Who is the dpo?", aliases) == ("Who is the Data Protection Officer?",)
    assert variants("Do data protection officers travel?", aliases) == ("Do DPO travel?",)
    assert variants("Is the DPO a data protection officer?", aliases) == ()
    assert variants("Who is the CFO?", aliases) == ()
    assert variants("Where is it?", Aliases({("IT", "Information Technology"): 1})) == ()


def test_rewriting_takes_the_place_of_the_question_and_others_are_added() -> None:
    question = "Please tell me, who is the DPO, and how long is a report kept?"
    made = transform(
        question,
        [Transform.DECOMPOSE, Transform.MULTI_QUERY, Transform.REWRITE],
        aliases=lambda: Aliases({("DPO", "Data Protection Officer"): 1}),
    )
    assert made.queries == (
        Query("Who is the DPO, and how long is a report kept?", Transform.REWRITE),
        Query("Who is the Data Protection Officer, and how long is a report kept?", Transform.MULTI_QUERY),
        Query("Who is the DPO?", Transform.DECOMPOSE),
        Query("How long is a report kept?", Transform.DECOMPOSE),
    )
    assert made.notices == ()


def test_without_an_llm_what_takes_one_is_named_and_left_out() -> None:
    made = transform("Who pays?", [Transform.HYDE, Transform.STEP_BACK], aliases=lambda: NOBODY)
    assert made.queries == (Query("Who pays?"),)
    assert made.notices == ("step-back takes an LLM: left out", "hyde takes an LLM: left out")
