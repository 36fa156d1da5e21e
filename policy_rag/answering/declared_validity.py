"""The answer to a question on validity: what the documents declare, cited where a line in their heads says so."""

import re

from policy_rag.answering.citations import cite
from policy_rag.answering.extraction.document_head import says_validity
from policy_rag.answering.extraction.quotable_units import Unit, units
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.search import Hit, SearchResult


def declared_answer(result: SearchResult) -> Answer:
    """What `result.declared` says, a line a document. Its confidence is 1: nothing was searched for it."""
    lines: list[str] = []
    citations: list[Citation] = []
    for one in result.declared:
        told = max(
            ((_agreeing(unit, hit), hit, unit) for hit in one.head for unit in units(hit) if not unit.is_column),
            key=lambda found: found[0],
            default=None,
        )
        if told is None or not told[0]:
            lines.append(f"{one.text}.")
            continue
        _, hit, unit = told
        citations.append(cite(len(citations) + 1, hit, unit.start, unit.end))
        lines.append(f"{one.text}. [{len(citations)}]")
    return Answer(
        question=result.question,
        status=Status.ANSWERED,
        answer="\n".join(lines),
        citations=tuple(citations),
        confidence=1.0,
        llm=EXTRACTIVE,
        notices=result.notices,
        filters=result.filters,
        timings_ms={**result.timings_ms, "support": 0.0, "answer": 0.0},
    )


def _agreeing(unit: Unit, hit: Hit) -> int:
    """How much of what a document declares a line on its validity says; 0 for any other line."""
    if not says_validity(unit.text):
        return 0
    years = {str(day.year) for day in (hit.effective_from, hit.effective_to) if day is not None}
    numbers = {hit.version.casefold().lstrip("v")} if hit.version else set[str]()
    return sum(re.search(rf"(?<![\w.]){re.escape(one)}(?!\w|\.\d)", unit.text) is not None for one in years | numbers)
