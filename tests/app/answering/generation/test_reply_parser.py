"""Replies of LLMs: sentences with what they cite, in the forms that small models write, and refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.answering.generation.reply_parser import is_refusal, plain_reply, split_reply


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Leave is 25 days [1]. Ask HR [2][3].", [("Leave is 25 days.", (1,)), ("Ask HR.", (2, 3))]),
        ("Leave is 25 days. [1] Ask HR.[2]", [("Leave is 25 days.", (1,)), ("Ask HR.", (2,))]),
        ("Leave is 25 days [1, 3].", [("Leave is 25 days.", (1, 3))]),
        ("Leave is 25 days [1 and 2; 4-6].", [("Leave is 25 days.", (1, 2, 4, 5, 6))]),
        ("Leave is 25 days [Section 1].", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [Sections 1, 2].", [("Leave is 25 days.", (1, 2))]),
        ("Leave is 25 days 【2】.", [("Leave is 25 days.", (2,))]),
        ("Leave is 25 days【1†source】.", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [Source: 1] [^2] [#3].", [("Leave is 25 days.", (1, 2, 3))]),
        ('Leave is 25 days [section n="2"].', [("Leave is 25 days.", (2,))]),
        ("Urlaub sind 25 Tage [Abschnitt 2].", [("Urlaub sind 25 Tage.", (2,))]),
        ("Leave is 25 days [1, Leave Policy 2026].", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days ([1]). Ask HR [[2]].", [("Leave is 25 days.", (1,)), ("Ask HR.", (2,))]),
        ("Leave is 25 days (Sections 1 and 2).", [("Leave is 25 days.", (1, 2))]),
        ("Leave is 25 days. (Section 1) Ask HR. (see Section 2)", [("Leave is 25 days.", (1,)), ("Ask HR.", (2,))]),
        ("Leave is 25 days. (Section 4.2)", [("Leave is 25 days.", ()), ("(Section 4.2)", ())]),
        ("Leave is 25 days.¹ Ask HR².", [("Leave is 25 days.", (1,)), ("Ask HR.", (2,))]),
        ("Leave is 25 days¹²; ask HR.³, ⁴", [("Leave is 25 days; ask HR.", (1, 2, 3, 4))]),
        ("A desk has 8 m² [1], or 10² m².", [("A desk has 8 m², or 10² m².", (1,))]),
        ("Leave is 25 days (3).", [("Leave is 25 days.", (3,))]),
        ("Notice is three months (3) [1].", [("Notice is three months (3).", (1,))]),
        ("It is told in paragraph (1).", [("It is told in paragraph (1).", ())]),
        ("It is due by 1 May (2026).", [("It is due by 1 May (2026).", ())]),
        ("According to [1], leave is 25 days.", [("Leave is 25 days.", (1,))]),
        ("However, leave is 25 days [1].", [("Leave is 25 days.", (1,))]),
        ("Please note that the policy states that leave is 25 days [1].", [("Leave is 25 days.", (1,))]),
        ("However leave is taken, ask HR [1].", [("However leave is taken, ask HR.", (1,))]),
        ("Based on the provided sections, leave is 25 days [1].", [("Leave is 25 days.", (1,))]),
        ("**Answer:** Leave is 25 days [1].", [("Leave is 25 days.", (1,))]),
        ("## Leave\n\nLeave is 25 days [1].", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [^1].\n\n[^1]: Leave policy", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [1][1].", [("Leave is 25 days.", (1,))]),
        ("Leave is [1] 25 days.", [("Leave is 25 days.", (1,))]),
        ("According to section 2, leave is 25 days [2].", [("Leave is 25 days.", (2,))]),
        ("Section 2 states that leave is 25 days.", [("Leave is 25 days.", (2,))]),
        ("According to section 4.2, leave is 25 days [1].", [("According to section 4.2, leave is 25 days.", (1,))]),
        ("Selon la section 2, le congé est de 25 jours.", [("Le congé est de 25 jours.", (2,))]),
        ("Según la sección 2, el permiso es de 5 días.", [("El permiso es de 5 días.", (2,))]),
        ("O prazo é de 5 dias [Seções 2 e 3].", [("O prazo é de 5 dias.", (2, 3))]),
        ("Sin embargo, es de 5 días [Fuente 1].", [("Es de 5 días.", (1,))]),
        ("Respuesta: Son 5 días [1].\n\nFuentes:\n[1] Permisos", [("Son 5 días.", (1,))]),
        ("Das steht in Absatz (1).", [("Das steht in Absatz (1).", ())]),
        ("**Leave** is `25` days [1].", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days.\n[1]\n", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [1].\n\nSources:\n[1] Leave policy\n[2] Other", [("Leave is 25 days.", (1,))]),
        ("Leave is 25 days [1].\n\n**References**\n- [1] Leave policy", [("Leave is 25 days.", (1,))]),
        ("Rules of 2021 apply [2021].", [("Rules of 2021 apply.", (2021,))]),
        ("e.g. 2.5 days [1]. Then", [("e.g. 2.5 days.", (1,)), ("Then", ())]),
        ("", []),
        ("[1]", []),
    ],
)
def test_sentences_keep_what_they_cite(reply: str, expected: list[tuple[str, tuple[int, ...]]]) -> None:
    assert [(sentence.text, sentence.cited) for sentence in split_reply(reply)] == expected


def test_items_of_a_list_and_rows_of_a_table_are_told_from_sentences() -> None:
    listed = "You may claim:\n- hotels [1]\n* trains [2];\n2. taxis [1]\nAsk [3]."
    rows = "| Kind | Days |\n| --- | --- |\n| Annual leave | 25 | [1] |\n| Sick leave | 30, paid [2] |"
    found = [*split_reply(listed), *split_reply(rows)]
    assert [(s.text, s.cited, s.item) for s in found] == [
        ("You may claim:", (), False),
        ("hotels", (1,), True),
        ("trains;", (2,), True),
        ("taxis", (1,), True),
        ("Ask.", (3,), False),
        ("Kind: Days", (), True),
        ("Annual leave: 25", (1,), True),
        ("Sick leave: 30, paid", (2,), True),
    ]
    assert found[1].shown == "- hotels [1]"


@pytest.mark.parametrize(
    ("reply", "plain"),
    [
        ("Leave is 25 days [4.2]. Ask HR [Section 5.1.3].", "Leave is 25 days [1]. Ask HR [2]."),
        ("Leave is 25 days [9.9].", "Leave is 25 days [9.9]."),
        ('{"sources": ["1"], "answer": "Leave is 25 days [1]."}', "Leave is 25 days [1]."),
        ('```json\n{"answer": "Leave is 25 days [1]."}\n```', "Leave is 25 days [1]."),
        ("{Leave} is 25 days [1].", "{Leave} is 25 days [1]."),
    ],
)
def test_a_reply_in_another_form_is_read_as_text(reply: str, plain: str) -> None:
    assert plain_reply(reply, {"4.2": 1, "5.1.3": 2}) == plain


@pytest.mark.parametrize(
    "reply",
    [
        "NOT ANSWERED", "Not answered.", "**NOT_ANSWERED**", "Answer: NOT ANSWERED\n\nThe sections are about leave.",
        "not-answered", "", " \n", "I don't know.", "I do not have enough information.",
        "I'm sorry, but nothing here says so.", "I cannot answer this question from the sections.",
        "Unfortunately, the provided sections do not mention pets.",
        "The sections above don't contain any information about pets.", "The given policies do not address this.",
        "None of the provided sections answer the question.",
        "Based on the provided sections, there is no information about pets.",
        "There is no mention of pets in the policy.", "There is not enough information to answer.",
        "It is not specified whether pets may come.", "No information is given on pets.",
        "The context does not provide an answer. However, pets are usually allowed.",
        "Die Abschnitte enthalten dazu keine Angaben.", "Ich kann die Frage nicht beantworten.",
        "Leider kann ich die Frage nicht beantworten.", "Les sections fournies ne mentionnent pas les animaux.",
        "Malheureusement, je ne peux pas répondre à cette question.",
        "Las secciones proporcionadas no mencionan los animales.", "Lo siento, no hay información sobre animales.",
        "As seções fornecidas não mencionam animais.", "Infelizmente, não há informação sobre animais.",
    ],
)  # fmt: skip
def test_refusals_are_recognised_in_the_forms_that_models_write(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "The policy does not cover contractors [2].", "No, visitors may not enter [1].", "Leave is 25 days [1].",
        "There is a limit of EUR 50 [1].", "The sections above answer this: leave is 25 days [1].",
        "The sections do not fully answer this. However, leave is 25 days [1].", "I [1]",
        "Le congé ne peut pas être reporté.", "No hay límite.", "Não há limite.",
        "Questions that are not answered by HR go to the CEO [1].",
    ],
)  # fmt: skip
def test_statements_are_no_refusals(reply: str) -> None:
    assert not is_refusal(reply)


@given(st.text(st.sampled_from("ab1[],.- \n*【】§sectionSources:"), max_size=80))
def test_any_reply_is_taken_apart_without_marks_left(reply: str) -> None:
    for sentence in split_reply(reply):
        assert sentence.text.strip() == sentence.text != ""
        assert all(number >= 0 for number in sentence.cited)
        assert "\n" not in sentence.shown
    is_refusal(reply)
