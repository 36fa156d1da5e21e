"""The summary of a whole document: by an LLM from its sections, or the first rule of each."""

from collections.abc import Sequence

from policy_rag.answering.context import AnswerContext
from policy_rag.answering.extraction.composition import Quote, compose
from policy_rag.answering.extraction.quotable_units import Unit, units
from policy_rag.answering.generation.generator import generate, section_name
from policy_rag.answering.presentation.wording import refusal
from policy_rag.records.answer import Answer, Said, Status
from policy_rag.records.search import Hit
from policy_rag_parsers.text.answer_language import words_for

_MOST_QUOTED = 12
_LONGEST = 600


def summarise(question: str, hits: Sequence[Hit], context: AnswerContext) -> Answer:
    """A summary of the sections of one document, each statement cited.

    An LLM is given the sections in their order, as many as fit; the trace names those that do not. Without one the
    summary is the first thing that each of the first twelve sections says. Its confidence is 1: nothing was searched.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the LLM fails.
    """
    silent = False
    if context.calls is not None:
        draft = generate(
            question,
            hits,
            context.calls,
            max_hits=len(hits),
            prompt=context.prompt,
            unverified=context.unverified,
            reader=context.reader,
        )
        text, citations, removed, left_out = draft.text, draft.citations, draft.removed, draft.left_out
        said: tuple[Said, ...] = ()
        silent = draft.silent
    else:
        with context.trace.span("quote") as span:
            openings = [_quote(hit, first) for hit in hits for first in units(hit)[:1]]
            quoted = compose(openings[:_MOST_QUOTED])
            span.attributes["statements"] = len(quoted.quotes)
        text, citations, removed, said = quoted.text, quoted.citations, (), quoted.said
        left_out = tuple(one.hit for one in openings[_MOST_QUOTED:])
    first = section_name(left_out[0]) if left_out else ""
    notices = (f"the summary leaves {len(left_out)} sections out, from {first} on",) if left_out else ()
    return Answer(
        question=question,
        status=Status.ANSWERED if citations else Status.REFUSED,
        answer=text if citations else refusal(words_for(question, context.languages), removed, silent=silent),
        citations=citations,
        said=said,
        removed=removed,
        nearest=() if citations else tuple(hits[:3]),
        confidence=1.0 if citations else 0.0,
        llm=context.answerer,
        notices=notices,
    )


def _quote(hit: Hit, unit: Unit) -> Quote:
    """A unit with what introduces it, where both are short, else its own words."""
    start, end = unit.spans[0][0], unit.spans[-1][1]
    if end - start > _LONGEST:
        start, end = unit.start, unit.end
    return Quote(hit.text[start - hit.start : end - hit.start], start, end, hit)
