"""A conversation: from Python, and from a pipe into the command line."""

import io
import json

import pytest
from made_policies import made_policy

from policy_rag import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import ModelError, UsageError
from policy_rag.records.answer import Status

LEAVE = made_policy(
    "Leave Policy",
    ("Annual leave", "Employees have 30 days of annual leave. Contractors have no annual leave."),
    ("Sick leave", "A doctor's note is needed from the third day of sickness. Follow the policy of the insurer."),
)
TRAVEL = made_policy(
    "Travel Policy",
    ("Hotels", "A hotel room costs 120 euros at most. Whoever books follows the policy."),
)
LEAVE_DAYS = "How many days of annual leave do employees have?"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"leave.md": LEAVE, "travel.md": TRAVEL})


@pytest.fixture
def session(index):
    with PolicyAssistant.open(index, llm="extractive", threshold=0.01) as assistant:
        yield assistant.chat()


def test_a_follow_up_is_searched_with_the_words_of_the_question_before(session):
    session.ask(LEAVE_DAYS)
    answer = session.ask("And contractors?")
    assert answer.question == "And contractors?"
    assert session.turns[1].searched == "And contractors? (days annual leave employees)"
    assert "Contractors have no annual leave" in answer.answer
    assert answer.notices[-1].startswith("read as: And contractors? (")
    assert answer.trace[0]["step"] == "condense"
    session.ask("And interns?")
    assert session.turns[2].searched == "And interns? (days annual leave employees)"


def test_a_quoted_answer_is_heard_whole_and_a_question_back_or_a_refusal_not_at_all(session, index):
    heard = []
    answer = session.ask(LEAVE_DAYS, on_text=heard.append)
    assert heard == [answer.answer]
    assert session.ask("How do I follow the policy?", on_text=heard.append).status is Status.CLARIFY
    with PolicyAssistant.open(index, llm="extractive", threshold=1.0) as assistant:
        assert assistant.ask("What does a hotel room cost?", on_text=heard.append).status is Status.REFUSED
    assert len(heard) == 1


def test_an_llm_is_heard_as_it_answers_and_not_as_it_condenses(index, ollama):
    said = "Employees have 30 days of annual leave [1]. Contractors have no annual leave [1]. Employees have 99"
    ollama.replies = [said, "How many days of annual leave do contractors have?", said]
    ollama.cut = list
    heard = []
    with PolicyAssistant.open(index, llm="ollama/llama3.2", threshold=0) as assistant:
        session = assistant.chat(where=["doc_id=leave.md"])
        session.ask(LEAVE_DAYS)
        answer = session.ask("And contractors?", on_text=heard.append)
        assert [step["step"] for step in answer.trace].count("llm") == 2
    assert heard == ["Employees have 30 days of annual leave [1].", " Contractors have no annual leave [2]."]
    assert "".join(heard) == answer.answer
    assert answer.removed == ("Employees have 99",)


def test_what_any_matter_may_need_is_sought_in_the_matter_asked_about(index_of):
    """Alone "Whose approval is needed?" finds the policy that says most of approvals."""
    abroad = "Work abroad is limited to 20 days a year and requires the approval of Human Resources."
    costs = "Costs need the approval of the Audit Committee. Whose approval is needed is told on request."
    place = index_of(
        {
            "remote.md": made_policy("Remote Work Policy", ("Abroad", abroad)),
            "reports.md": made_policy("Reports Policy", ("Costs", costs)),
        }
    )
    with PolicyAssistant.open(place, llm="extractive", threshold=0.01) as assistant:
        both = assistant.ask("How many days can I work from abroad, and whose approval is needed?")
        session = assistant.chat()
        session.ask("How many days can I work from abroad?")
        follow_up = session.ask("Whose approval is needed?")
    for answer in (both, follow_up):
        assert "Human Resources" in answer.answer
        assert "Audit Committee" not in answer.answer


def test_a_question_of_its_own_starts_a_topic(session):
    session.ask(LEAVE_DAYS)
    for question in ("What does a hotel room cost?", "Who books it?"):
        session.ask(question)
    searched = [turn.searched for turn in session.turns[1:]]
    assert searched == ["What does a hotel room cost?", "Who books it? (hotel room cost)"]


def test_a_question_of_its_own_after_a_question_back_is_the_new_topic(session):
    assert session.ask("how do I follow the policy?").status is Status.CLARIFY
    assert not [line for line in session.ask("What does a hotel cost?").notices if line.startswith("read as")]
    session.ask("and from when?")
    assert session.turns[2].searched == "and from when? (hotel cost)"


def test_new_forgets(session):
    session.ask(LEAVE_DAYS)
    session.new()
    assert session.turns == ()
    session.ask("And contractors?")
    assert session.turns[0].searched == "And contractors?"


def test_what_was_asked_back_is_answered_by_a_name(session):
    assert session.ask("How do I follow the policy?").status is Status.CLARIFY
    session.ask("the travel policy")
    assert session.turns[1].searched == "the travel policy (follow)"


def test_what_fails_is_not_in_the_history(session, index):
    session.ask(LEAVE_DAYS)
    with pytest.raises(UsageError):
        session.ask("  ")
    assert len(session.turns) == 1


def test_an_llm_condenses_and_its_reply_is_checked(index, ollama):
    ollama.replies = ["NOT ANSWERED", "How many days of annual leave do contractors have?", "NOT ANSWERED"]
    with PolicyAssistant.open(index, llm="ollama/llama3.2", threshold=0) as assistant:
        session = assistant.chat(where=["doc_id=leave.md"])
        session.ask(LEAVE_DAYS)
        answer = session.ask("And contractors?")
    assert len(ollama.chats) == 3
    assert session.turns[1].searched == "How many days of annual leave do contractors have?"
    assert [step["step"] for step in answer.trace] == [
        "condense", "llm", "search", "rerank", "evidence", "support", "quote", "llm", "check",
    ]  # fmt: skip
    assert answer.trace[1]["tokens_in"] > 0
    assert {hit["file"] for hit in answer.trace[2]["hits"]} == {"leave.md"}
    ollama.models = []
    with PolicyAssistant.open(index, llm="ollama/llama3.2") as assistant, pytest.raises(ModelError):
        assistant.chat().ask("How many days?")


@pytest.fixture
def piped(index, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("POLICY_RAG_THRESHOLD", "0.01")

    def calling(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        capsys.readouterr()
        status = run(["chat", "--index", str(index), "--llm", "extractive", *arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return calling


def test_a_piped_conversation(piped):
    status, out, err = piped(f"{LEAVE_DAYS}\n\nAnd contractors?\n/sources\n/why\n/quit\nnever asked\n")
    assert status == 0
    assert "30 days" in out
    assert "leave.md" in out
    assert "read as: And contractors? (" in err
    for word in ("condense", "search", "support", "quote", "threshold"):
        assert word in out
    assert "never asked" not in out + err


def test_commands_without_an_answer_and_unknown_ones_say_so(piped):
    status, out, err = piped("/why\n/sources\n/nonsense\n/new\n")
    assert (status, out) == (0, "")
    assert err.count("nothing was asked yet") == 2
    assert "there is no /nonsense" in err
    assert "/quit" in err


def test_json_is_all_that_is_printed_with_json_a_line_an_answer(piped):
    status, out, _ = piped(f"/why\n{LEAVE_DAYS}\n/sources\n/why\n/nonsense\nAnd contractors?\n", "--json")
    answer, sources, why, following = (json.loads(line) for line in out.splitlines())
    assert status == 0
    assert (answer["question"], following["question"]) == (LEAVE_DAYS, "And contractors?")
    assert (sources, why) == ({"citations": answer["citations"]}, {"trace": answer["trace"]})


def test_a_notice_of_a_question_is_told_again_with_the_next_and_once_with_each(piped):
    asked = f"{LEAVE_DAYS}\nAnd contractors?\n"
    _, _, err = piped(f"{asked}/new\n{asked}", "--llm", "auto")
    assert err.count("read as: And contractors?") == 2
    assert err.count("answering ") == 1


def test_a_question_that_fails_does_not_end_the_conversation(piped):
    status, out, err = piped("a" * 20_001 + "\nWhat does a hotel room cost?\n")
    assert status == 1
    assert "error: the question has 20,001 characters" in err
    assert "120 euros" in out
