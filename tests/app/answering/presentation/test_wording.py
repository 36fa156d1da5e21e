"""What an answer says of itself is in the language of the question, and is read in all of them."""

import pytest

from policy_rag.answering.clarification import is_question_back, listed_candidates
from policy_rag.answering.presentation.wording import without_doubt
from policy_rag.assistant import PolicyAssistant
from policy_rag.records.answer import Answer, Status
from policy_rag.server.page.shown_answer import shown_parts
from policy_rag_parsers.text.answer_language import answer_language, words_for
from policy_rag_parsers.text.lexicon import LEXICONS

POLICIES = {
    "reisen.md": "# Reiserichtlinie\n\n## 1 Hotel\n\nEin Hotel kostet höchstens 120 Euro je Nacht.\n\n"
    "## 2 Frist\n\nDie Frist für Belege beträgt 30 Tage.\n",
    "urlaub.md": "# Urlaubsrichtlinie\n\n## 1 Urlaub\n\nBeschäftigte haben 30 Tage Urlaub im Jahr.\n\n"
    "## 2 Frist\n\nDie Frist für Anträge beträgt zwei Wochen.\n",
    "hotel.md": "# Hotelordnung\n\n## 1 Hotel\n\nEin Hotel kostet höchstens 90 Euro je Nacht.\n",
}


@pytest.fixture(scope="module")
def folder(index_of):
    return index_of(POLICIES)


def ask(folder, question, **settings):
    with PolicyAssistant.open(folder, llm="extractive", **settings) as assistant:
        return assistant.ask(question)


@pytest.mark.parametrize(
    ("question", "likely", "language"),
    [
        ("Posso trabalhar a partir de casa?", ["portuguese"], "portuguese"),
        ("¿Quién aprueba gastos superiores a 500 euros?", ["spanish"], "spanish"),
        ("Posso trabalhar a partir de casa?", ["spanish", "portuguese"], "portuguese"),
        ("Was the policy changed?", ["german"], "english"),
        ("Was gilt?", ["english"], "german"),
        ("Dress code", ["german", "french"], "german"),
        ("Can I bring my dog?", ["german"], "english"),
        ("Dress code", [], "english"),
    ],
)
def test_words_that_several_languages_have_are_of_one_that_the_documents_are_in(question, likely, language):
    assert answer_language(question, likely) == language


def test_a_refusal_is_in_the_language_of_the_question(folder):
    said = 'Die gefundenen Richtlinien beantworten diese Frage nicht. Keine Richtlinie hier erwähnt "Zebra".'
    assert ask(folder, "Gibt es ein Zebra?", threshold=1.0).answer == said
    assert ask(folder, "Is there a zebra?", threshold=1.0).answer.startswith("The policies found do not answer")


def test_the_nearest_text_and_what_another_policy_says_are_told_in_its_language_and_laid_out(folder):
    answer = ask(folder, "Was kostet ein Hotel?", threshold=0.0, certain=1.0)
    assert answer.status is Status.UNCERTAIN
    (part,) = shown_parts(answer)
    assert part.uncertain
    assert part.leading[0].pieces[0].text.startswith("Ein Hotel kostet höchstens")
    assert [one.reason for one in part.against] in (["120 gegen 90 (Euro)"], ["90 gegen 120 (Euro)"])
    assert "\nEine andere Richtlinie sagt etwas anderes (" in answer.answer


def test_a_question_back_is_understood_in_each_language(folder):
    answer = ask(folder, "Was ist die Frist?")
    assert answer.status is Status.CLARIFY
    assert answer.answer.startswith("Mehrere Richtlinien könnten gemeint sein. ")
    assert sorted(listed_candidates(answer.answer)) == ["Reiserichtlinie: 2 Frist", "Urlaubsrichtlinie: 2 Frist"]
    assert not is_question_back("Richtlinien könnten gemeint sein.")


def test_thanks_are_returned_in_their_language(folder):
    assert ask(folder, "Vielen Dank für Ihre Hilfe!").answer.startswith("Was möchten Sie aus den Richtlinien wissen?")


@pytest.mark.parametrize("language", LEXICONS)
def test_the_line_of_doubt_is_taken_off_in_each_language(language):
    words = LEXICONS[language].answers
    assert without_doubt(f"{words.nearest}\nA.\nB.") == "A.\nB."
    assert without_doubt("A.\nB.") == "A.\nB."
    given = {"status": Status.UNCERTAIN, "citations": (), "confidence": 0.5, "llm": ""}
    (part,) = shown_parts(Answer(question="?", answer=f"{words.nearest}\nA.", **given))
    assert (part.uncertain, part.leading[0].pieces[0].text) == (True, "A.")


def test_what_is_filled_in_has_its_place_in_each_language():
    for one in LEXICONS.values():
        assert one.answers.unmentioned.format(words="X").count("X") == 1
        assert one.answers.unmentioned_now.format(words="X").count("X") == 1
        assert one.answers.no_such_language.format(asked="X", held="Y").count("X") == 1
    assert words_for("Quem aprova as férias do pessoal?").or_ == "ou"
