"""The answers to the parts of a plan put together, each statement cited."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.confidence.probability import LEAST_RIGHT
from policy_rag.answering.context import AnswerContext
from policy_rag.answering.generation.generator import generate
from policy_rag.answering.planning.query_plan import EARLIER, SubQuestion
from policy_rag.answering.presentation.wording import refusal
from policy_rag.answering.verification.prompt_injection import gives_orders
from policy_rag.records.answer import Answer, Citation, Said, Status, as_text
from policy_rag.records.search import Hit
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_EARLIER_CHARS = 300
_MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """The answer to a part of a plan; `asked` is the sub-question with earlier answers in their places."""

    planned: SubQuestion
    asked: str
    answer: Answer


def combine(question: str, parts: Sequence[PartAnswer], context: AnswerContext, mended: Sequence[str] = ()) -> Answer:
    """The answer to a question by the answers to its parts.

    Without an LLM these follow each other in order; with one it writes the combination from the cited passages, and
    what of that does not hold by them is removed as always; of the LLM's words only the combination is streamed. If
    nothing holds, the parts follow each other. Citations are numbered through the whole answer, each place once. A part
    without an answer is named. The answer's status and confidence are those of the least sure part that is shown, the
    confidence at least that below which nothing is shown; where none is, the confidence is the largest of all.

    Args:
        question: as asked.
        parts: in the order of the plan, one at least.
        context: with what it is answered.
        mended: what was mended of the plan, which the notices begin with.

    Raises:
        BudgetError: the LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    text, citations, removed, notices = _combined(question, parts, context)
    answers = [part.answer for part in parts]
    shown = [one for one in answers if one.shown]
    removed = (*(sentence for one in answers for sentence in one.removed), *removed)
    if shown:
        status = Status.ANSWERED if all(one.answered for one in shown) else Status.UNCERTAIN
        # Beside an answer what is shown is as likely right as what is not refused.
        sure = max(min(one.confidence for one in shown), LEAST_RIGHT)
    else:
        status, sure = Status.REFUSED, max(one.confidence for one in answers)
        words = words_for(question, context.languages)
        text = refusal(words, removed, near_miss=any(one.answer.endswith(words.near_miss) for one in answers))
    quoted = [] if context.calls else [said for one in answers for said in _renumbered_said(one, citations)]
    return Answer(
        question=question,
        status=status,
        answer=text,
        citations=citations,
        said=tuple(dict.fromkeys(quoted)),
        removed=removed,
        nearest=() if shown else _nearest(answers),
        confidence=sure,
        llm=context.answerer,
        timings_ms=_summed(answers),
        notices=tuple(dict.fromkeys((*mended, *(notice for one in answers for notice in one.notices), *notices))),
    )


def with_earlier_answers(question: str, parts: Sequence[PartAnswer]) -> str:
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
    question: str, parts: Sequence[PartAnswer], context: AnswerContext
) -> tuple[str, tuple[Citation, ...], tuple[str, ...], tuple[str, ...]]:
    """The answer's text, its citations, what was removed of the combination, and what people should know."""
    answered = [part for part in parts if part.answer.shown]
    words = words_for(question, context.languages)
    joined, citations = _joined(parts, words)
    if context.calls is None or len(answered) < 2:
        return joined, citations, (), ()
    numbered = [(part.asked, _renumbered(part.answer, citations)) for part in answered]
    with context.trace.span("combine"):
        draft = generate(
            question,
            [_as_hit(citation, rank) for rank, citation in enumerate(citations, 1)],
            context.calls,
            max_hits=len(citations),
            prompt=load_template("combine"),
            variables={"answers": "\n".join(f"- {as_data(asked)} {as_data(text)}" for asked, text in numbered)},
            stream_callback=context.stream_callback,
            unverified=context.unverified,
            reader=context.reader,
        )
    if draft.refused:
        return joined, citations, draft.removed, ("the parts are given one by one: no combination of them held",)
    silent = [f"{_heading(part)}\n{words.part_refused}" for part in parts if not part.answer.shown]
    return "\n\n".join([draft.text, *silent]), draft.citations, draft.removed, ()


def _joined(parts: Sequence[PartAnswer], words: AnswerWords) -> tuple[str, tuple[Citation, ...]]:
    """The parts one after another, each under its question, numbered through; what answers several stands once."""
    places: dict[tuple[str, int, int], Citation] = {}
    for part in parts:
        for citation in part.answer.citations:
            places.setdefault(_place(citation), replace(citation, n=len(places) + 1))
    citations = tuple(places.values())
    if not any(part.answer.shown for part in parts):
        return "", ()
    texts = [_renumbered(part.answer, citations) if part.answer.shown else words.part_refused for part in parts]
    if len(parts) == 1:
        return texts[0], citations
    asked: dict[tuple[str, int], list[str]] = {}
    for number, (part, text) in enumerate(zip(parts, texts, strict=True)):
        asked.setdefault((text, 0 if part.answer.shown else number), []).append(_heading(part))
    return "\n\n".join(f"{' '.join(headings)}\n{text}" for (text, _), headings in asked.items()), citations


def _renumbered(answer: Answer, citations: Sequence[Citation]) -> str:
    """An answer's text with the numbers that its places have among `citations`."""
    if answer.said:  # a quotation may hold what looks like a mark
        begin = f"{answer.answer.splitlines()[0]}\n" if answer.status is Status.UNCERTAIN else ""
        return begin + as_text(_renumbered_said(answer, citations))
    new = _new_numbers(answer, citations)
    return _MARK.sub(lambda mark: f"[{new.get(int(mark[1]), mark[1])}]", answer.answer)


def _renumbered_said(answer: Answer, citations: Sequence[Citation]) -> list[Said]:
    new = _new_numbers(answer, citations)
    return [replace(one, n=new[one.n]) for one in answer.said]


def _new_numbers(answer: Answer, citations: Sequence[Citation]) -> dict[int, int]:
    numbers = {_place(citation): citation.n for citation in citations}
    return {citation.n: numbers[_place(citation)] for citation in answer.citations}


def _place(citation: Citation) -> tuple[str, int, int]:
    return citation.doc_id, citation.start, citation.end


def _heading(part: PartAnswer) -> str:
    return EARLIER.sub(lambda found: f"(the answer to part {found[1]})", part.planned.words or part.planned.question)


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


def _nearest(answers: Sequence[Answer]) -> tuple[Hit, ...]:
    """The nearest hit of each part, each once."""
    return tuple({(hit.doc_id, hit.start): hit for one in answers for hit in one.nearest[:1]}.values())


def _summed(answers: Sequence[Answer]) -> dict[str, float]:
    names = dict.fromkeys(name for one in answers for name in one.timings_ms)
    return {name: sum(one.timings_ms.get(name, 0.0) for one in answers) for name in names}
