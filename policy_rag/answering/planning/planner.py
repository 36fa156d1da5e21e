"""Makes plans: by rules, or by an LLM whose reply is checked and mended."""

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from policy_rag.answering.planning.query_plan import Method, QueryPlan, SubQuestion, mend, wants_summary
from policy_rag.index.search.terms import terms
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.llm.metering import Calls
from policy_rag.retrieval.filters import parse_filter, written_filter
from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule
from policy_rag.retrieval.transforms.decomposition import QuestionPart, question_parts
from policy_rag.retrieval.transforms.json_forms import JsonForm, Line, ask_for, numbers_in
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.data import as_attribute, as_data

RULES = "rules"
_SHARE = 4  # the list of documents takes a quarter of the window at most
_NAMES = frozenset({"title", "doc_id", "file"})


def make_plan(
    question: str, documents: Sequence[DocumentInfo], *, most: int, day: dt.date, calls: Calls | None = None
) -> tuple[QueryPlan, tuple[str, ...]]:
    """The plan of a question, mended, and what people should know of it.

    An LLM makes it where there is one, else rules do: its parts, each in the documents that it points to. A reply that
    is no plan, or that asks with numbers of its own, gives way to the rules.

    Args:
        question: as asked.
        documents: those that the asker may read and that are in force.
        most: most parts.
        day: the day that the question is about.
        calls: the LLM, or None.

    Raises:
        BudgetError: the LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    notices: tuple[str, ...] = ()
    if calls is not None:
        parts, left_out = _parts_by_llm(question, documents, most, calls)
        notices = (f"{left_out} documents were not shown to the planner: the list was too long",) if left_out else ()
        if parts is not None:
            return mend(parts, documents, most=most, asked=question, by=calls.name), notices
        notices = (*notices, "the LLM's plan was unusable: rules made one")
    return mend(_parts_by_rules(question, documents, day), documents, most=most, asked=question, by=RULES), notices


def _parts_by_rules(question: str, documents: Sequence[DocumentInfo], day: dt.date) -> list[SubQuestion]:
    """The parts of a question, each in the documents that it points to."""
    found = []
    for part in question_parts(question) or (QuestionPart(question, question),):
        summary = wants_summary(part.question)
        source = _titled(part.question, documents, summary) or _pointed_to(part.question, documents, day)
        method = Method.SUMMARY if summary and source else Method.RETRIEVAL
        found.append(SubQuestion(part.question, source, method, words=part.words))
    return found


def _titled(part: str, documents: Sequence[DocumentInfo], summary: bool) -> tuple[str, ...]:
    """The documents whose whole titles a part names, as filters, where it asks for a summary or for nothing beside.

    Else the title of "Leave" would keep each question on leave from all other documents.
    """
    stems = terms(part)
    held = {one.title: terms(one.title) for one in documents}
    titles = [title for title, own in held.items() if _holds(stems, own) and (summary or set(stems) <= set(own))]
    return (written_filter("title", *titles),) if titles else ()


def _pointed_to(part: str, documents: Sequence[DocumentInfo], day: dt.date) -> tuple[str, ...]:
    """The documents that a part points to, as `self_query` reads it, as filters."""
    for condition in read_filters_by_rule(part, documents, day).conditions:
        if any(parse_filter(text).key in _NAMES for text in condition.where):
            return condition.where
    return ()


def _holds(stems: Sequence[str], title: Sequence[str]) -> bool:
    """Whether a title stands in a text, as it is or inflected."""
    return bool(title) and any(
        list(stems[i : i + len(title)]) == list(title) for i in range(len(stems) - len(title) + 1)
    )


class _PartForm(JsonForm):
    question: Line
    documents: tuple[str, ...] = ()
    method: Literal["retrieval", "summary"] = "retrieval"


class _PlanForm(JsonForm):
    steps: tuple[_PartForm, ...]


def _parts_by_llm(
    question: str, documents: Sequence[DocumentInfo], most: int, calls: Calls
) -> tuple[list[SubQuestion] | None, int]:
    """The parts by an LLM, None where its reply is unusable, and how many documents it was not shown."""
    listed, left_out = _listed(documents, calls.context_window // _SHARE)
    reply = ask_for(calls, "plan", _PlanForm, question=as_data(question), documents=listed, most=str(most))
    own = numbers_in(question)
    if reply is None or not reply.steps or any(not _asked_numbers(step.question) <= own for step in reply.steps):
        return None, left_out
    return [SubQuestion(step.question, step.documents, Method(step.method)) for step in reply.steps], left_out


def _asked_numbers(question: str) -> frozenset[str]:
    """The numbers of a sub-question, without the places of earlier answers."""
    return numbers_in(" ".join(word for word in question.split() if not word.startswith("#")))


def _listed(documents: Sequence[DocumentInfo], most_tokens: int) -> tuple[str, int]:
    """A line a document, as many as fit, and how many do not."""
    lines: list[str] = []
    used = 0
    for document in documents:
        declared = "".join(
            f", {as_attribute(key)}={as_attribute(value)}"
            for key, value in document.extra.items()
            if isinstance(value, str)
        )
        line = f"- {as_attribute(document.doc_id)}: {as_attribute(document.title)}{declared}"
        used += estimate_tokens(line)
        if used > most_tokens:
            break
        lines.append(line)
    return "\n".join(lines), len(documents) - len(lines)
