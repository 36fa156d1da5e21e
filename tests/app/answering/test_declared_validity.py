"""What documents declare of their validity answers who asks for it, cited where their head says the same."""

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.records.answer import Status

TRAVEL = (
    "---\ntitle: Travel Policy\nversion: '3.0'\neffective_from: 2026-01-01\n---\n# Travel Policy\n\n## 1 Booking\n\n"
    "Trips are booked with the travel desk. Receipts are handed in within 30 days.\n"
)
LEAVE = (
    "# Leave Policy\n\nVersion 2.1, effective from 1 February 2026\n\n## 1 Annual leave\n\n"
    "Employees have 30 days of annual leave a year.\n"
)


@pytest.fixture(scope="module")
def ask(index_of):
    with PolicyAssistant.open(index_of({"travel.md": TRAVEL, "leave.md": LEAVE}), llm="extractive") as assistant:
        yield lambda question: assistant.ask(question, as_of="2026-09-01")


def test_what_only_front_matter_declares_is_the_answer_and_no_other_document_is_quoted(ask):
    found = ask("Since when is the travel policy in force?")
    assert (found.status, found.confidence) == (Status.ANSWERED, 1.0)
    assert found.answer == "Travel Policy, version 3.0 from 2026-01-01."
    assert (found.citations, found.notices) == ((), ())


def test_a_line_of_the_head_that_says_so_is_cited(ask):
    found = ask("Which version of the leave policy is current?")
    assert found.answer == "Leave Policy, version 2.1 from 2026-02-01. [1]"
    assert [(one.quote, one.line) for one in found.citations] == [("Version 2.1, effective from 1 February 2026", 3)]


def test_a_part_of_a_question_is_answered_so_too(ask):
    found = ask("Since when is the travel policy in force and when are receipts handed in?")
    assert "Since when is the travel policy in force?\nTravel Policy, version 3.0 from 2026-01-01." in found.answer
    assert "within 30 days. [1]" in found.answer


def test_what_nothing_can_be_quoted_for_is_not_half_certain(index_of):
    with PolicyAssistant.open(index_of({"travel.md": TRAVEL.split("---\n")[2]}), llm="extractive") as assistant:
        found = assistant.ask("When does the travel policy take effect?")
    assert (found.status, found.confidence) == (Status.REFUSED, 0.0)
