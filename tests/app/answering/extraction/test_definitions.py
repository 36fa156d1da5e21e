"""Questions what a word means, and the texts that tell it, in every language."""

import pytest

from policy_rag.answering.extraction.definitions import asked_term, defines

LANGUAGES = ("english", "german", "french", "spanish", "portuguese")


@pytest.mark.parametrize(
    ("question", "telling", "silent"),
    [
        ("What is personal data?", "(1) ‘personal data’ means any information.", "‘personal data breach’ means a loss."),
        ("What counts as hospitality?", '"Hospitality" means meals.', "It counts as a gift, not as hospitality."),
        ("What does privileged account mean?", "| Privileged account | An account of IT |", "An account is locked."),
        ("What is a gift?", "For the purposes of this policy, a gift is any thing.", "A gift is registered."),
        ("Was ist ein Sicherheitsvorfall?", "**Sicherheitsvorfall:** ein Ereignis.", "Ein Sicherheitsvorfall ist zu melden."),
        ("Was versteht man unter Rufbereitschaft?", "Rufbereitschaft ist die Zeit zu Hause.", "Rufbereitschaft ist bezahlt."),
        ("Qu’est-ce qu’un visiteur ?", "Un visiteur désigne toute personne.", "Un visiteur doit signer."),
        ("¿Qué es un visitante?", "Un visitante es una persona.", "Un visitante debe firmar."),
        ("O que é um visitante?", "Um visitante é uma pessoa.", "Um visitante deve assinar."),
    ],
)  # fmt: skip
def test_a_text_tells_the_meaning_of_the_word_with_which_it_begins(question: str, telling: str, silent: str) -> None:
    term = asked_term(question, LANGUAGES)
    assert term
    assert defines(telling, term, LANGUAGES)
    assert not defines(silent, term, LANGUAGES)


@pytest.mark.parametrize(
    "question",
    ["Who approves a trip?", "What happens to my leave?", "What is the limit for a hotel room in a large city abroad?"],
)
def test_other_questions_ask_for_no_meaning(question: str) -> None:
    assert not asked_term(question, LANGUAGES)
