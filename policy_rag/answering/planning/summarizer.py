"""The summary of a whole document: by an LLM from its sections, or the first rule of each."""

from collections.abc import Sequence

from policy_rag.answering.answerer import Answering
from policy_rag.answering.extraction import extractor as extractive
from policy_rag.answering.extraction.extractor import Statement
from policy_rag.answering.extraction.units import Unit, units
from policy_rag.answering.generation import generator as generated
from policy_rag.answering.presentation.wording import refusal
from policy_rag.records.answer import Answer, Status
from policy_rag.records.search import Hit
from policy_rag.tracing import Steps

_MOST_QUOTED = 12
_LONGEST = 600


def summarise(question: str, hits: Sequence[Hit], answering: Answering, steps: Steps) -> Answer:
    """A summary of the sections of one document, each statement cited.

    An LLM is given the sections in their order, as many as fit; the trace names those that do not. Without one the
    summary is the first thing that each of the first twelve sections says. Its confidence is 1: nothing was searched.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the LLM fails.
    """
    left: tuple[str, ...] = ()
    if answering.model is not None:
        draft = generated.generate(question, hits, answering.model, max_hits=len(hits), unverified=answering.unverified)
        (text, citations), removed = generated.compose(draft), draft.removed
        left = _left_out([generated.section_name(hit) for hit in draft.left_out])
    else:
        with steps.step("quote") as step:
            opening = [(hit, units(hit)[:1]) for hit in hits]
            said = [(hit, first[0]) for hit, first in opening if first]
            statements = [_quoted(hit, unit) for hit, unit in said[:_MOST_QUOTED]]
            step.facts["statements"] = len(statements)
        (text, citations), removed = extractive.compose(statements), ()
        left = _left_out([generated.section_name(hit) for hit, _ in said[_MOST_QUOTED:]])
    return Answer(
        question=question,
        status=Status.ANSWERED if citations else Status.REFUSED,
        answer=text if citations else refusal(removed),
        citations=citations,
        removed=removed,
        nearest=() if citations else tuple(hits[:3]),
        confidence=1.0 if citations else 0.0,
        llm=answering.name,
        notices=left,
    )


def _quoted(hit: Hit, unit: Unit) -> Statement:
    """A unit with what introduces it, where both are short, else its own words."""
    start, end = unit.spans[0][0], unit.spans[-1][1]
    if end - start > _LONGEST:
        start, end = unit.start, unit.end
    return Statement(hit.text[start - hit.start : end - hit.start], start, end, hit)


def _left_out(names: Sequence[str]) -> tuple[str, ...]:
    return (f"the summary leaves {len(names)} sections out, from {names[0]} on",) if names else ()
