"""Carries out a plan: each part answered by itself, each statement cited, and the parts put together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from policy_rag.answering.answerer import EXTRACTIVE, Answering, answer_question
from policy_rag.answering.generation import generator as generated
from policy_rag.answering.planning.query_plan import EARLIER, Method, Plan, SubQuestion
from policy_rag.answering.planning.summarizer import summarise
from policy_rag.answering.presentation.wording import REFUSED, refusal
from policy_rag.answering.verification.prompt_injection import gives_orders
from policy_rag.index.store.documents import DocumentInfo
from policy_rag.llm.metering import Calls
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.search import Hit, SearchResult
from policy_rag.tracing import Steps
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_prompts.data import as_data

_EARLIER_CHARS = 300
_MARK = re.compile(r"\[(\d+)\]")


class Sources(Protocol):
    """Where a question and its parts are looked for: what the asker may see, and no more."""

    def documents(self) -> Sequence[DocumentInfo]:
        """What there is."""
        ...

    def search(self, question: str, where: tuple[str, ...] = ()) -> SearchResult:
        """The hits for a question or a part of it, under further filters."""
        ...

    def whole(self, where: tuple[str, ...]) -> tuple[Hit, ...]:
        """The sections of the one document that the filters leave, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a plan with its answer; `asked` is the sub-question with earlier answers in their places."""

    planned: SubQuestion
    asked: str
    answer: Answer


def answer_planned(question: str, plan: Plan, sources: Sources, answering: Answering, steps: Steps) -> Answer:
    """The answer to a question by its plan.

    Without an LLM the parts' answers follow each other in order; with one it writes the combination from the cited
    passages, and what of that does not hold by them is removed as always; of the LLM's words only the combination is
    heard by `answering.on_text`. If nothing holds, the parts follow each other. Citations are numbered through the
    whole answer, each place once. A part without an answer is named. The answer's confidence is the least of its
    answered parts, or the largest of all where none is answered.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    parts: list[Part] = []
    quiet = replace(answering, on_text=None)
    for number, planned in enumerate(plan.parts, 1):
        with steps.step("sub-question") as step, steps.within(part=number):
            asked = _with_earlier(planned.question, parts)
            step.facts |= {"part": number, "method": planned.method.value, "source": list(planned.where)}
            step.texts |= {"question": planned.question, "asked": asked}
            part = Part(planned, asked, _answer(planned, asked, parts, sources, quiet, steps))
            step.facts |= {"status": part.answer.status.value, "citations": len(part.answer.citations)}
            parts.append(part)
    text, citations, removed, told = _combined(question, parts, answering, steps)
    answered = [part.answer.confidence for part in parts if part.answer.answered]
    removed = (*(one for part in parts for one in part.answer.removed), *removed)
    return Answer(
        question=question,
        status=Status.ANSWERED if citations else Status.REFUSED,
        answer=text if citations else refusal(removed),
        citations=citations,
        removed=removed,
        nearest=() if citations else _nearest(parts),
        confidence=min(answered) if answered else max((part.answer.confidence for part in parts), default=0.0),
        llm=answering.name,
        timings_ms=_summed(parts),
        notices=tuple(dict.fromkeys((*plan.mended, *(n for part in parts for n in part.answer.notices), *told))),
    )


def _answer(
    planned: SubQuestion, asked: str, parts: Sequence[Part], sources: Sources, answering: Answering, steps: Steps
) -> Answer:
    missing = [n for n in planned.uses if not parts[n - 1].answer.answered]
    if missing:
        told = f"part {len(parts) + 1} needs the answer to part {missing[0]}, which the policies do not give"
        return _no_answer(asked, answering, told)
    if planned.method is Method.SUMMARY:
        return summarise(asked, sources.whole(planned.where), answering, steps)
    return answer_question(sources.search(asked, planned.where), answering, steps=steps, asks_back=False)


def _no_answer(question: str, answering: Answering, told: str) -> Answer:
    return Answer(
        question=question,
        status=Status.REFUSED,
        answer=REFUSED,
        citations=(),
        confidence=0.0,
        llm=answering.name,
        notices=(told,),
    )


def _with_earlier(question: str, parts: Sequence[Part]) -> str:
    """A sub-question with the words of earlier answers where it names them."""
    return EARLIER.sub(lambda found: f"({_words(parts[int(found[1]) - 1].answer)})", question)


def _words(answer: Answer) -> str:
    """What an answer quotes, without what gives orders to an assistant: only rules may shape what is asked next."""
    quoted = " ".join(
        citation.quote[start:end]
        for citation in answer.citations
        for start, end in sentence_spans(citation.quote, 0, len(citation.quote))
        if not gives_orders(citation.quote[start:end])
    )
    return " ".join(quoted.split())[:_EARLIER_CHARS]


def _combined(
    question: str, parts: Sequence[Part], answering: Answering, steps: Steps
) -> tuple[str, tuple[Citation, ...], tuple[str, ...], tuple[str, ...]]:
    """The answer's text, its citations, what was removed of the combination, and what people should know."""
    answered = [part for part in parts if part.answer.answered]
    joined, citations = _joined(parts)
    if answering.model is None or len(answered) < 2:
        return joined, citations, (), ()
    numbered = [(part.asked, _renumbered(part.answer, citations)) for part in answered]
    told = "\n".join(f"- {as_data(asked)} {as_data(text)}" for asked, text in numbered)
    with steps.step("combine"):
        draft = generated.generate(
            question,
            [_as_hit(citation, rank) for rank, citation in enumerate(citations, 1)],
            Calls.of(answering.model),
            max_hits=len(citations),
            template="combine",
            variables={"answers": told},
            on_text=answering.on_text,
            unverified=answering.unverified,
        )
    if draft.refused:
        return joined, citations, draft.removed, ("the parts are given one by one: no combination of them held",)
    text, own = generated.compose(draft)
    silent = [_silence(part) for part in parts if not part.answer.answered]
    return "\n".join([text, *silent]), own, draft.removed, ()


def _joined(parts: Sequence[Part]) -> tuple[str, tuple[Citation, ...]]:
    """The parts one after another, each under its question, numbered through."""
    places: dict[tuple[str, int, int], Citation] = {}
    for part in parts:
        for citation in part.answer.citations:
            places.setdefault(_place(citation), replace(citation, n=len(places) + 1))
    citations = tuple(places.values())
    if not citations:
        return "", ()
    blocks = [
        f"{_heading(part)}\n{_renumbered(part.answer, citations)}" if part.answer.answered else _silence(part)
        for part in parts
    ]
    return ("\n".join(blocks) if len(parts) > 1 else _renumbered(parts[0].answer, citations)), citations


def _renumbered(answer: Answer, citations: Sequence[Citation]) -> str:
    """An answer's text with the numbers that its places have among `citations`."""
    numbers = {_place(citation): citation.n for citation in citations}
    new = {citation.n: numbers[_place(citation)] for citation in answer.citations}
    if answer.llm == EXTRACTIVE:  # a quotation may hold what looks like a mark
        return "\n".join(f"{citation.quote} [{new[citation.n]}]" for citation in answer.citations)
    return _MARK.sub(lambda mark: f"[{new.get(int(mark[1]), mark[1])}]", answer.answer)


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.doc_id, citation.start, citation.end


def _silence(part: Part) -> str:
    return f"{_heading(part)}\nThe policies found do not answer this part."


def _heading(part: Part) -> str:
    return EARLIER.sub(lambda found: f"(the answer to part {found[1]})", part.planned.question)


def _as_hit(citation: Citation, rank: int) -> Hit:
    """A cited passage as it is given to the LLM that writes the combination."""
    return Hit(
        rank=rank,
        score=0.0,
        doc_id=citation.doc_id,
        version=citation.version,
        file=citation.file,
        section_id=citation.section_id,
        number=None,
        title=citation.path[-1] if citation.path else "",
        path=citation.path,
        start=citation.start,
        end=citation.end,
        chunk_start=citation.start,
        chunk_end=citation.end,
        page=citation.page,
        text=citation.quote,
        found_by={},
        path_numbers=citation.path_numbers,
    )


def _nearest(parts: Sequence[Part]) -> tuple[Hit, ...]:
    """The nearest hit of each part, each once."""
    best = {(hit.doc_id, hit.start): hit for part in parts for hit in part.answer.nearest[:1]}
    return tuple(best.values())


def _summed(parts: Sequence[Part]) -> dict[str, float]:
    names = dict.fromkeys(name for part in parts for name in part.answer.timings_ms)
    return {name: sum(part.answer.timings_ms.get(name, 0.0) for part in parts) for name in names}
