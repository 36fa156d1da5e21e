"""Filters in questions from the command line: told on standard error, in the JSON, and switched off."""

import json

import pytest

OLD = """---
title: Travel Policy
version: "1"
effective_from: 2023-01-01
effective_to: 2025-12-31
---
# Travel Policy

## 1 Hotels

A hotel room costs 90 euros at most.
"""
NEW = OLD.replace('"1"', '"2"').replace("2023-01-01", "2026-01-01").replace("effective_to: 2025-12-31\n", "")
NEW = NEW.replace("90 euros", "120 euros")
QUESTION = "How much may a hotel room cost in the 2024 travel policy?"


@pytest.fixture(scope="module")
def index(index_of):
    return index_of({"old.md": OLD, "new.md": NEW})


@pytest.fixture
def asked(index, call):
    """What a command prints, and what it tells beside."""

    def calling(*arguments):
        printed = call(*arguments, "--index", index, "--json")
        lines = printed.out.splitlines() if "--from" in arguments else [printed.out]
        return [json.loads(line) for line in lines], printed.err

    return calling


def test_search_and_ask_answer_from_the_edition_that_is_named(asked):
    (found,), said = asked("search", QUESTION)
    assert {hit["file"] for hit in found["hits"]} == {"old.md"}
    assert found["filters"] == ["doc_id=old.md", "as_of=2025-12-31"]
    assert "searched under doc_id=old.md, as_of=2025-12-31" in said
    (answer,), said = asked("ask", QUESTION, "--llm", "extractive")
    assert "90 euros" in answer["answer"]
    assert answer["filters"] == found["filters"]
    assert "searched under" in said


def test_the_text_of_an_answer_says_once_what_it_was_searched_under(index, call, tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text(f"How much may a hotel room cost?\n{QUESTION}\n", encoding="utf-8")
    printed = call("ask", "--from", file, "--llm", "extractive", "--index", index)
    assert "searched under" not in printed.err
    assert printed.out.count("  searched under doc_id=old.md, as_of=2025-12-31") == 1
    assert printed.out.index(QUESTION) < printed.out.index("searched under")


def test_it_can_be_switched_off(asked, monkeypatch):
    (found,), said = asked("search", QUESTION, "--self-query", "off")
    assert {hit["file"] for hit in found["hits"]} == {"new.md"}
    assert "filters" not in found
    assert "searched under" not in said
    monkeypatch.setenv("POLICY_RAG_SELF_QUERY", "off")
    assert "filters" not in asked("search", QUESTION)[0][0]


def test_each_question_of_a_file_has_its_own_filters(asked, tmp_path):
    file = tmp_path / "questions.txt"
    file.write_text(f"{QUESTION}\nHow much may a hotel room cost?\n", encoding="utf-8")
    (first, second), _ = asked("search", "--from", file)
    assert first["filters"] == ["doc_id=old.md", "as_of=2025-12-31"]
    assert "filters" not in second
    assert {hit["file"] for hit in second["hits"]} == {"new.md"}


def test_an_llm_chooses_where_there_is_one(asked, ollama, monkeypatch):
    monkeypatch.setenv("POLICY_RAG_LLM", "ollama/llama3.2")

    def reply(body):
        lines = body["messages"][-1]["content"].splitlines()
        number = next(line.partition(".")[0] for line in lines if line.endswith("title: Travel Policy"))
        return json.dumps({"choices": [int(number)], "as_of": "2024-06-30"})

    ollama.reply = reply
    (found,), _ = asked(
        "search", "What did the journey rules on travel say about hotels in 2024?", "--self-query", "llm"
    )
    assert found["filters"] == ["as_of=2024-06-30", "title=Travel Policy"]
    assert {hit["file"] for hit in found["hits"]} == {"old.md"}


OFFICE = "# The office\n\n## Desks\n\nDesks in the office are booked a week ahead.\n"
REMOTE = "# Remote working\n\n## Coming in\n\nCome in to the office at least 4 days a month.\n"
DAYS = "How many days a month do I have to be in the office?"


def test_a_thing_with_the_name_of_a_document_hides_no_other(index_of, call):
    index = index_of({"office.md": OFFICE, "remote.md": REMOTE})
    found = json.loads(call("search", DAYS, "--index", index, "--json").out)
    assert "filters" not in found
    assert found["hits"][0]["file"] == "remote.md"
    answer = json.loads(call("ask", DAYS, "--llm", "extractive", "--index", index, "--json").out)
    assert answer["status"] == "answered"
    assert "at least 4 days a month" in answer["answer"]
