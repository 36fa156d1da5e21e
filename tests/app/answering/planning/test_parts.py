"""Questions with parts: what each part may show, and what stands beside it."""

import pytest

from policy_rag.answering.confidence.probability import LEAST_RIGHT
from policy_rag.answering.extraction.selection import MOST
from policy_rag.assistant import PolicyAssistant
from policy_rag.records.answer import Status

ORDERS = """# Purchasing Rules

## 1 Emergency orders

If production stands still, the plant manager may place an emergency order by telephone up to EUR 20,000.

The form for it is entered in Anchor by the end of the next working day.

## 2 Framework orders

A framework order is placed by the buyer. It lasts for two years.
"""
KEPT = "".join(
    f"## {number} {what.capitalize()}\n\nThe buyer keeps the {what} of each supplier for {number + 2} years.\n\n"
    for number, what in enumerate(("offers", "invoices", "contracts", "letters"), 1)
)
TITLED = "# Leave\n\n## 1 Requests\n\nLeave is requested in the portal.\n"
ABSENCE = (
    "# Absence Rules\n\n## 1 Carrying over\n\nUp to five days of leave may be carried over into the next year.\n\n"
    "## 2 Approval\n\nThe line manager approves leave within three days.\n"
)
MISSED = "How many emergency orders were there last year?"
MISSED_TOO = "Which bank holds the money for orders?"


@pytest.fixture(scope="module")
def asked(index_of):
    place = index_of(
        {"orders.md": ORDERS, "leave.md": TITLED, "absence.md": ABSENCE, "kept.md": f"# Records\n\n{KEPT}"}
    )
    with PolicyAssistant.open(place, llm="extractive") as assistant:
        yield assistant.ask


def test_a_near_miss_is_shown_as_uncertain_beside_a_part_that_is_answered(asked):
    assert asked(MISSED).status is Status.REFUSED
    answer = asked(f"Who may place an emergency order by telephone, and {MISSED[:1].lower()}{MISSED[1:]}")
    assert answer.status is Status.UNCERTAIN
    assert answer.confidence == LEAST_RIGHT
    first, second = answer.answer.split(MISSED)
    assert "the plant manager may place" in first
    assert "nearest text" not in first
    assert "nearest text" in second


def test_near_misses_alone_are_refused(asked):
    answer = asked(f"{MISSED} {MISSED_TOO}")
    assert answer.status is Status.REFUSED
    assert "They may treat its matter" in answer.answer
    assert (answer.citations, answer.said) == ((), ())
    assert answer.nearest
    assert answer.confidence < LEAST_RIGHT


def test_a_mentioned_title_keeps_no_part_from_the_other_documents(asked):
    answer = asked("How many days of leave may I carry over, and who approves leave?")
    assert {one.file for one in answer.citations} == {"absence.md"}
    assert "five days" in answer.answer
    assert "line manager" in answer.answer


def test_a_part_without_its_verb_is_answered_by_what_it_leaves_out(asked):
    answer = asked("Who places an order in an emergency, and who in a framework?")
    assert "plant manager" in answer.answer
    assert "by the buyer" in answer.answer


def test_a_part_quotes_less_than_a_question(asked):
    question = "What does the buyer keep of each supplier?"
    assert len(asked(question).said) == MOST
    parts = asked(f"{question} Who may place an emergency order by telephone?")
    assert sum("keeps" in one.text for one in parts.said) == MOST - 1


def test_what_answers_two_parts_stands_once_under_both(asked):
    question = "Who may place an emergency order by telephone? Up to how much is an emergency order by telephone?"
    answer = asked(question)
    assert answer.answer.count("the plant manager may place") == 1
    assert answer.answer.startswith(f"{question}\n")
    assert len(set(answer.said)) == len(answer.said)
