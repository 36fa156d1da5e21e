"""Metadata by an LLM from the command line: what it costs beforehand, what is kept, what fails."""

import json

import pytest
from ollama_server import Fault

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run

POLICY = """# Leave Policy

## 1 Retention

Leave records are kept for ten years and are then deleted by the People team.

## 2 Sabbatical

Employees may take a sabbatical after five years if they ask nine months in advance.
"""


@pytest.fixture
def policies(tmp_path, monkeypatch):
    monkeypatch.setenv("POLICY_RAG_METADATA_PATIENCE", "0.1")
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "leave.md").write_text(POLICY, encoding="utf-8")
    return tmp_path / "policies"


@pytest.fixture
def call(tmp_path, capsys):
    def calling(*arguments):
        status = run([*arguments, "--index", str(tmp_path / "index"), "--json"])
        printed = capsys.readouterr()
        return status, json.loads(printed.out) if printed.out else None, printed.err

    return calling


def answer(body):
    """What a model would say of the one section that it is shown."""
    text = body["messages"][-1]["content"]
    subject = "sabbaticals" if "sabbatical" in text else "records"
    wanted = body["format"]["properties"]
    return json.dumps({"summary": f"On {subject}."} if "summary" in wanted else {"questions": [f"What of {subject}?"]})


LLM = ("--metadata", "summary,questions", "--llm", "ollama/llama3.2")


def test_it_is_asked_once_a_section_and_kind_and_kept(policies, call, ollama):
    ollama.reply = answer
    status, report, _ = call("ingest", str(policies), *LLM)
    assert status == 0
    # Two sections with a body; the document's own heading has none.
    counts = report["metadata"]["summary"]
    assert (counts["wanted"], counts["extracted"], counts["skipped"], counts["failed"]) == (3, 2, 1, 0)
    assert len(ollama.chats) == 4
    _, shown, _ = call("show", "leave.md", "--section", "2")
    assert shown["metadata"] == {"summary": "On sabbaticals.", "questions": ["What of sabbaticals?"]}
    call("ingest", str(policies), *LLM)
    assert len(ollama.chats) == 4
    text = POLICY.replace("ten years", "twelve years")
    (policies / "leave.md").write_text(text, encoding="utf-8")
    call("ingest", str(policies), *LLM)
    assert len(ollama.chats) == 6  # both kinds of the one section that changed


def test_a_dry_run_times_one_call_and_keeps_its_answer(policies, call, ollama, tmp_path):
    ollama.reply = answer
    status, plan, _ = call("ingest", str(policies), *LLM, "--dry-run")
    assert status == 0
    assert plan["calls"] == {"summary": 2, "questions": 2}
    assert plan["tokens_in"]["summary"] > 100
    assert plan["seconds"] > 0
    assert len(ollama.chats) == 1
    assert not (tmp_path / "index").exists()
    with PolicyAssistant.open(tmp_path / "index", create=True):
        pass
    call("ingest", str(policies), *LLM, "--dry-run")
    _, report, _ = call("ingest", str(policies), *LLM)
    assert len(ollama.chats) == 1 + 4  # the second dry run's answer is one of the four
    assert report["metadata"]["summary"]["cached"] + report["metadata"]["questions"]["cached"] == 1


def test_a_section_that_fails_is_indexed_without_it_and_not_asked_again(policies, call, ollama):
    ollama.reply = lambda body: "" if "sabbatical" in body["messages"][-1]["content"] else answer(body)
    status, report, said = call("ingest", str(policies), *LLM)
    assert status == 0
    assert report["metadata"]["summary"]["failed"] == 1
    assert {(f["section_id"], f["kind"]) for f in report["metadata_failures"]} == {("2", "summary"), ("2", "questions")}
    assert "without summary: leave.md 2" in said
    _, found, _ = call("search", "When may I take a sabbatical?")
    assert found["hits"][0]["section_id"] == "2"
    asked = len(ollama.chats)
    _, report, _ = call("ingest", str(policies), *LLM)
    assert (report["unchanged"], len(ollama.chats)) == (1, asked)  # what was answered is not asked again
    assert len(report["metadata_failures"]) == 2


def test_calls_without_an_answer_are_made_again_by_the_next_ingest(policies, call, ollama):
    ollama.reply = answer
    ollama.fault_of = lambda body: Fault.HTTP_500 if "sabbatical" in body["messages"][-1]["content"] else None
    _, report, _ = call("ingest", str(policies), *LLM)
    assert {failure["section_id"] for failure in report["metadata_failures"]} == {"2"}
    ollama.fault_of = None
    _, report, _ = call("ingest", str(policies), *LLM)
    assert report["updated"] == 1
    assert "metadata_failures" not in report
    assert call("show", "leave.md", "--section", "2")[1]["metadata"]["summary"] == "On sabbaticals."


def test_removed_documents_leave_no_answer_behind(policies, call, ollama, tmp_path):
    ollama.reply = answer
    call("ingest", str(policies), *LLM)
    assert (tmp_path / "index" / "metadata.cache").is_file()
    call("remove", "leave.md")
    assert not (tmp_path / "index" / "metadata.cache").exists()
    for file in (tmp_path / "index").rglob("*"):
        assert not file.is_file() or b"On sabbaticals" not in file.read_bytes()


def test_a_server_that_is_gone_says_so_and_the_index_is_as_it_was(policies, call, ollama, tmp_path):
    ollama.fault = Fault.HTTP_500
    status, _, said = call("ingest", str(policies), *LLM, "--dry-run")
    assert status == 1
    assert said.startswith("error:")
