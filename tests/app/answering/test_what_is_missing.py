"""What no policy has is said: a word, a language; and what asks nothing is not searched."""

import json

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.records.answer import Status
from policy_rag.retrieval.transforms.rewriting import is_courtesy

PARKING = "# Parking Rules\n\n## 1 Cars\n\nEmployees park their cars in the yard behind the house.\n"
LATER = (
    "---\neffective_from: 2099-01-01\n---\n# Boat Rules\n\n## 1 Boats\n\nEmployees moor their boats behind the house.\n"
)
HIDDEN_LATER = "---\naccess: [zoo]\neffective_from: 2098-03-01\n---\n# Ape Rules\n\n## 1 Apes\n\nApes live in trees.\n"
HIDDEN = "---\naccess: [zoo]\n---\n# Zoo Rules\n\n## 1 Animals\n\nThe zebra lives in the yard of the house.\n"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"parking.md": PARKING, "zoo.md": HIDDEN, "boats.md": LATER, "apes.md": HIDDEN_LATER})


@pytest.fixture
def ask(index):
    def call(question, **given):
        with PolicyAssistant.open(index, llm="extractive", threshold=given.pop("threshold", 1.0)) as assistant:
            return assistant.ask(question, **given)

    return call


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("May employees park a zebra?", '"zebra"'),
        ("Can somebody bring llamas and an aeroplane?", '"llamas" or "aeroplane"'),
        ("Is there a swimming pool in the yard?", '"swimming" or "pool"'),
    ],
)
def test_words_that_no_policy_has_are_named_in_a_refusal(ask, question, named):
    assert ask(question).answer.endswith(f" No policy here mentions {named}.")


def test_words_that_some_policy_has_are_not_named(ask):
    assert "mentions" not in ask("Where do employees park their car behind houses?").answer


def test_a_word_of_what_the_asker_may_not_read_is_one_that_no_policy_has(ask):
    assert '"zebra"' in ask("Where is the zebra?").answer
    assert "zebra" not in ask("Where is the zebra?", groups=["zoo"]).answer


@pytest.mark.parametrize(
    "question",
    ["How many cars, how often, how fast and how long ago?", "Show me the section on cars in January, please",
     "Which clauses explain how large a yard is in weeks?", "How do I get my car back?",
     "May employees take cars away, go out and come along together?"],
)  # fmt: skip
def test_words_of_asking_of_clauses_and_of_dates_are_not_named(ask, question):
    assert "mentions" not in ask(question).answer


@pytest.fixture(scope="module")
def german(index_of):
    files = {
        "parken.md": "# Parkordnung\n\n## 1 Autos\n\nDie Mitarbeiter stellen ihre Autos im Hof hinter dem Haus ab.\n",
        "boote.md": "---\neffective_from: 2099-01-01\n---\n# Bootsordnung\n\nDie Mitarbeiter haben keine Boote.\n",
    }
    with PolicyAssistant.open(index_of(files), llm="extractive", threshold=1.0) as assistant:
        yield lambda question: assistant.ask(question).answer


def test_verbs_and_particles_of_asking_are_not_named_in_german(german):
    assert "erwähnt" not in german("Was müssen die Mitarbeiter mit den Autos tun?")
    assert 'erwähnt "Zebras".' in german("Wer gibt die Zebras zurück?")


def test_a_policy_to_come_is_told_in_the_language_of_the_question(german):
    said = german("Dürfen die Mitarbeiter Boote haben?")
    assert said.endswith("Bootsordnung gilt vom 2099-01-01 an: fragen Sie mit --as-of 2099-01-01.")


def test_a_clause_that_is_nowhere_is_said_instead_of_words(ask):
    assert ask("Show me section 9.9 of the parking rules").answer.endswith(" There is no section 9.9 in Parking Rules.")


def test_a_word_of_a_policy_to_come_is_said_to_be_there_with_its_day(ask):
    said = 'No policy in force mentions "boats". Boat Rules is in force from 2099-01-01: ask with --as-of 2099-01-01.'
    assert ask("May employees have boats?").answer.endswith(said)
    assert "mentions" not in ask("May employees have boats?", as_of="2099-01-01").answer


@pytest.mark.parametrize("question", ["Do apes park?", "What do the Ape Rules say of apes?", "Do apes park in 2098?"])
def test_nothing_shows_of_a_policy_to_come_that_the_asker_may_not_read(ask, question):
    blind = ask(question)
    assert '"apes"' in blind.answer
    assert "2098-" not in " ".join((blind.answer, *blind.notices))
    assert "2098-03-01" in " ".join((ask(question, groups=["zoo"]).answer, *ask(question, groups=["zoo"]).notices))


def test_a_policy_to_come_that_is_named_is_told_with_its_day(ask):
    notices = ask("What do the Boat Rules say about moors?").notices
    said = "Boat Rules is in force from 2099-01-01: ask with --as-of 2099-01-01"
    assert any(line.startswith(said) for line in notices)
    assert "as_of=2099-01-01" in ask("Where will employees moor boats in 2099?").filters


def test_a_language_that_no_policy_has_is_said(ask):
    said = "La question est en français, et aucune politique ici ne l'est : posez-la en anglais."
    question = "Combien de jours de congé est-ce que nous avons dans une année ?"
    assert said in ask(question).answer
    assert "mentionne" not in ask(question).answer, "none of its words could be found"
    assert said in ask(question, threshold=0.0).notices
    assert "question is in" not in ask("Where do employees park?").answer


@pytest.mark.parametrize(
    "said",
    ["Thanks!", "thank you very much", "Hi there", "Good morning, team.", "ok, great, thanks a lot :)", "Danke schön!",
     "Vielen Dank für Ihre Hilfe", "Merci beaucoup", "¡Muchas gracias!", "Obrigado", "Hello", "bye"],
)  # fmt: skip
def test_thanks_and_greetings_ask_nothing(said):
    assert is_courtesy(said)


@pytest.mark.parametrize(
    "asked", ["Hi, may I park?", "Thanks, and for guests?", "Parking?", "???", "What about the team?", ""]
)
def test_what_asks_something_is_no_courtesy(asked):
    assert not is_courtesy(asked)


def test_what_asks_nothing_is_not_searched_and_leaves_a_conversation_as_it_was(index, ask):
    answer = ask("Thanks!", trace=True)
    assert (answer.status, answer.citations, answer.nearest) == (Status.CLARIFY, (), ())
    assert "search" not in {step["step"] for step in answer.trace}
    with PolicyAssistant.open(index, llm="extractive", threshold=0.0) as assistant:
        chat = assistant.chat()
        chat.ask("Where do employees park their cars?")
        assert chat.ask("Great, thank you!").status is Status.CLARIFY
        assert len(chat.turns) == 1


def test_how_a_follow_up_is_read_is_told_before_its_answer(index):
    told = []
    with PolicyAssistant.open(index, llm="extractive", threshold=0.0) as assistant:
        chat = assistant.chat()
        chat.ask("Where do employees park their cars?")
        chat.ask("And guests?", on_notice=told.append, on_text=lambda _: told.append("text"))
    assert told[0].startswith("read as: And guests?")
    assert told.index("text") > 0


def test_notices_come_once_and_before_the_answer(index, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("POLICY_RAG_THRESHOLD", "0")
    asked = ["Where do employees park?", "Where is the yard?"]
    questions = tmp_path / "questions.txt"
    questions.write_text("\n".join(asked))
    assert run(["ask", "--from", str(questions), "--json", "--llm", "auto", "--index", str(index)]) == 0
    out, err = capfd.readouterr()
    assert [json.loads(line)["question"] for line in out.splitlines()] == asked
    assert len(err.splitlines()) == len(set(err.splitlines())) == 1
    told = []
    with PolicyAssistant.open(index, llm="auto", threshold=0.0) as assistant:
        answer = assistant.ask("Where do employees park?", on_notice=told.append, on_text=lambda _: told.append("text"))
    assert told[0] == answer.notices[0]
    assert told[-1] == "text"
