"""One question from beginning to end: search, question back, plan, support, answer."""

import datetime as dt
from dataclasses import dataclass, replace
from functools import partial

from policy_rag.answering.clarification import clarify
from policy_rag.answering.confidence.llm_feature import llm_view
from policy_rag.answering.confidence.model import Features, confidence, features
from policy_rag.answering.confidence.probability import LEAST_RIGHT, is_near_miss, probability_right
from policy_rag.answering.conflicts import contradicting
from policy_rag.answering.context import AnswerContext
from policy_rag.answering.declared_validity import declared_answer
from policy_rag.answering.extraction.composition import Extract
from policy_rag.answering.extraction.extractor import extract
from policy_rag.answering.extraction.leading_words import with_leading_words
from policy_rag.answering.generation.generator import generate
from policy_rag.answering.planning.combination import PartAnswer, combine, with_earlier_answers
from policy_rag.answering.planning.planner import make_plan
from policy_rag.answering.planning.query_plan import Method, QueryPlan, SubQuestion
from policy_rag.answering.planning.summarizer import summarise
from policy_rag.answering.presentation.wording import no_such_language, refusal, what_is_missing
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag.records.answer import Answer, Citation, Said, Status, as_text
from policy_rag.records.search import SearchResult
from policy_rag.retrieval.hit_blocks import QUOTED_HITS, with_parsed_blocks
from policy_rag.retrieval.pipeline import TracedSearch
from policy_rag.retrieval.transforms.decomposition import question_parts
from policy_rag.retrieval.transforms.rewriting import is_courtesy
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_parsers.text.tokenizer import foreign_language

_NEAREST = 3
_MOST_OF_PART = 2  # with more an answer to two questions is too long to read


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """How questions with several parts are taken apart.

    Attributes:
        max_parts: at most.
        day: that they are about.
        asked: whether every question is planned; else those that rules take apart, where no LLM answers.
    """

    max_parts: int
    day: dt.date
    asked: bool = True


def answer(question: str, search: TracedSearch, context: AnswerContext, planning: PlanOptions | None = None) -> Answer:
    """The answer to a question.

    Args:
        question: to be understood alone.
        search: over what the asker may see.
        context: with what it is answered. Its `stream_callback` is given the whole text of an answer in the end,
            whoever wrote it, and nothing of a refusal or of a question back.
        planning: how it is taken apart; None: it is answered as a whole.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    if is_courtesy(question):
        return _courtesy(question, context)
    result = search.search(question)
    if context.notice_callback is not None:
        for notice in (*context.notices, *result.notices):
            context.notice_callback(notice)
    asked_back = _question_back(result, context)
    if asked_back is not None:
        answered = asked_back
    elif planning and not result.declared and (planning.asked or (context.calls is None and question_parts(question))):
        answered = _answer_by_plan(question, result, search, context, planning)
    else:
        answered = _answer_or_refuse(result, context)
    if context.stream_callback is not None and answered.shown:
        context.stream_callback(answered.answer)
    answered = _with_what_is_missing(question, answered, search)
    return replace(answered, notices=tuple(dict.fromkeys((*context.notices, *answered.notices))))


def _courtesy(question: str, context: AnswerContext) -> Answer:
    """What is said to somebody who only greets or thanks; nothing is searched."""
    said = words_for(question, context.languages).courtesy
    return Answer(
        question=question,
        status=Status.CLARIFY,
        answer=said,
        citations=(),
        confidence=0.0,
        llm=context.answerer,
        clarification=said,
    )


def _with_what_is_missing(question: str, answered: Answer, search: TracedSearch) -> Answer:
    """The answer with a word on what no policy has: the question's language, and where it is in doubt, its words."""
    held = sorted({document.language for document in search.documents()})
    foreign = foreign_language(question, held) if held else None
    said = [no_such_language(foreign, held)] if foreign else []
    words = words_for(question, held)
    if answered.status in {Status.REFUSED, Status.UNCERTAIN}:
        # A search that found anything at all may have looked in an edition that has the clause.
        said += what_is_missing(search.missing(question), words, clauses=not answered.nearest)
    said = list(filter(None, said))
    if answered.status is not Status.REFUSED:
        return replace(answered, notices=(*answered.notices, *said))
    return replace(answered, answer=" ".join((answered.answer, *said)))


def answer_from_result(result: SearchResult, context: AnswerContext, *, asks_back: bool = True) -> Answer:
    """Answers from the hits of a search, asks back, or refuses.

    A question that names no subject is answered with a question back; no LLM is asked for that. A question whose
    support is below the threshold is refused before an LLM is asked to answer; where the support was fitted with the
    LLM's own view, it is asked for that. What an LLM writes is kept only as far as its citations bear it out; if
    nothing is left, the answer is a refusal.

    Args:
        result: the hits with their blocks, and the question.
        context: with what.
        asks_back: whether a question that names no subject is asked back.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    asked_back = _question_back(result, context) if asks_back else None
    return asked_back or _answer_or_refuse(result, context)


def _question_back(result: SearchResult, context: AnswerContext) -> Answer | None:
    """The question back to one that names no subject, or None; see `policy_rag.answering.clarification`."""
    clarification = clarify(result.matter, result.hits, context.languages)
    if clarification is None:
        return None
    with context.trace.span("clarify") as span:
        span.attributes["candidates"] = [hit.doc_id for hit in clarification.candidates]
    return Answer(
        question=result.question,
        status=Status.CLARIFY,
        answer=clarification.question,
        citations=(),
        confidence=confidence(_features(result, replace(context, calls=None)), context.weights),
        llm=context.answerer,
        nearest=clarification.candidates,
        clarification=clarification.question,
        timings_ms=result.timings_ms,
        notices=result.notices,
        filters=result.filters,
    )


def _answer_or_refuse(result: SearchResult, context: AnswerContext, *, near_misses: bool = False) -> Answer:
    """The answer where its support is enough, the nearest text where it is doubtful, else a refusal.

    With `near_misses` what the reader would refuse is shown as the nearest text.
    A threshold of 0 refuses nothing. What documents declare of their validity answers who asks for that.
    """
    if result.declared:
        return declared_answer(result)
    with context.trace.span("support") as weighing:
        found = _features(result, context)
        support = confidence(found, context.weights)
        weighing.attributes |= {"support": support, "threshold": context.threshold, "certain": context.certain}
    begin = context.trace.now_ns()
    enough = bool(result.hits) and support >= context.threshold
    quoted = _quoted(result, context) if enough else Extract((), (), ())
    # What is refused is not read: that it is hardly supported is all that is known of it.
    right = probability_right(found, quoted.first) if enough else support
    words = words_for(result.question, context.languages)
    says = words.refused
    if enough and context.threshold and not near_misses and is_near_miss(found, quoted.first):
        enough, says = False, refusal(words, (), near_miss=True)
    weighing.attributes["confidence"] = right
    refused = Answer(
        question=result.question,
        status=Status.REFUSED,
        answer=says,
        citations=(),
        confidence=right,
        llm=context.answerer,
        nearest=result.hits[:_NEAREST],
        notices=result.notices,
        filters=result.filters,
        timings_ms={**result.timings_ms, "support": weighing.ms, "answer": 0.0},
    )
    if not enough:
        return refused
    if right < context.certain:
        status, lead = Status.UNCERTAIN, f"{words.nearest}\n"
        context = _beginning_with(lead, context)
    else:
        status, lead = Status.ANSWERED, ""
        context = replace(context, may_refuse=False)
        quoted = with_leading_words(quoted, result.matter, context.languages)
    written = _with_contradictions(_write(result, quoted, context), result, context)
    timings = {**refused.timings_ms, "answer": (context.trace.now_ns() - begin) / 1e6}
    if not written.citations:
        says = refusal(words, written.removed, silent=written.silent)
        sure = right if quoted.citations else 0.0  # nothing that could be quoted is nothing that could be right
        return replace(refused, answer=says, confidence=sure, removed=written.removed, timings_ms=timings)
    return replace(
        refused,
        status=status,
        answer=lead + written.text,
        said=written.said,
        citations=written.citations,
        removed=written.removed,
        nearest=(),
        timings_ms=timings,
    )


def _beginning_with(lead: str, context: AnswerContext) -> AnswerContext:
    """The same, what is streamed behind a first line."""
    given = context.stream_callback
    return context if given is None else replace(context, stream_callback=lambda text: given(lead + text))


def _features(result: SearchResult, context: AnswerContext) -> Features:
    """What is known of how far the hits support an answer, with the LLM's own view where that counts."""
    evidence = result.evidence if result.hits and result.evidence else result.hits
    found = features(result.matter, evidence, idf=context.idf, languages=context.languages, reranked=result.hits)
    if context.calls is not None and context.weights.asks_llm and result.hits:
        found = replace(found, llm=llm_view(result.matter, result.hits, context.calls))
    return found


@dataclass(frozen=True, slots=True)
class _Written:
    """An answer's text, its citations, what was removed of an LLM's or that it is silent, what a quotation says."""

    text: str
    citations: tuple[Citation, ...]
    removed: tuple[str, ...] = ()
    said: tuple[Said, ...] = ()
    silent: bool = False


def _write(result: SearchResult, quoted: Extract, context: AnswerContext) -> _Written:
    if context.calls is not None:
        draft = generate(
            result.question,
            result.hits,
            context.calls,
            related=result.related,
            order=context.order,
            prompt=context.prompt,
            may_refuse=context.may_refuse,
            stream_callback=context.stream_callback,
            unverified=context.unverified,
            reader=context.reader,
        )
        return _Written(draft.text, draft.citations, draft.removed, silent=draft.silent)
    return _Written(quoted.text, quoted.citations, said=quoted.said)


def _quoted(result: SearchResult, context: AnswerContext) -> Extract:
    """What of the hits answers, word for word: the answer without an LLM, and with one what tells how sure it is."""
    embedder = context.embedder_of(result.matter)
    with context.trace.span("quote") as span:
        quoted = extract(
            result.matter,
            result.hits,
            embed=partial(embed_remembered, embedder),
            embed_query=lambda question: embedder.embed_queries([question])[0],
            idf=context.idf,
            reader=context.reader,
            most=context.most_quoted,
            languages=context.languages,
            related=result.related,
        )
        span.attributes["statements"] = len(quoted.citations)
    return quoted


def _with_contradictions(written: _Written, result: SearchResult, context: AnswerContext) -> _Written:
    """The same with what other policies that were found say against it."""
    hits = with_parsed_blocks(result.hits[:QUOTED_HITS])
    words = words_for(result.question, context.languages)
    for reason, other in contradicting(
        written.citations,
        hits,
        partial(embed_remembered, context.embedder_of(result.matter)),
        context.reader,
        words,
        said=[one.quote for one in written.said],
    ):
        citation = replace(other, n=other.n or len(written.citations) + 1)
        line = Said(f"{words.otherwise} ({reason}): {citation.text}", citation.n, quote=citation.quote)
        others = (one for one in written.said if (one.n, one.quote) != (line.n, line.quote))  # it is said once
        said = (*others, line) if written.said else ()
        text = as_text(said) if said else f"{written.text}\n\n{as_text([line])}"
        citations = written.citations if other.n else (*written.citations, citation)
        written = replace(written, text=text, citations=citations, said=said)
    return written


def _answer_by_plan(
    question: str, result: SearchResult, search: TracedSearch, context: AnswerContext, planning: PlanOptions
) -> Answer:
    """The answer by the question's plan, part by part where it has several."""
    plan, notices = _plan(question, search, context, planning)
    if plan.is_plain:
        answered = _answer_or_refuse(result, context)
    else:
        quiet = replace(context, stream_callback=None, most_quoted=min(context.most_quoted, _MOST_OF_PART))
        parts: list[PartAnswer] = []
        for number, planned in enumerate(plan.parts, 1):
            with context.trace.span("sub-question") as span, context.trace.within(part=number):
                asked = with_earlier_answers(planned.question, parts)
                span.attributes |= {"part": number, "method": planned.method.value, "source": list(planned.where)}
                span.texts |= {"question": planned.question, "asked": asked}
                part = PartAnswer(planned, asked, _answer_part(planned, asked, parts, search, quiet, result))
                span.attributes |= {"status": part.answer.status.value, "citations": len(part.answer.citations)}
                parts.append(part)
        if context.threshold and not any(part.answer.answered for part in parts):
            parts = [_without_near_miss(part, result, context) for part in parts]
        answered = combine(question, parts, context, plan.mended)
    return replace(answered, notices=(*notices, *answered.notices))


def _plan(
    question: str, search: TracedSearch, context: AnswerContext, planning: PlanOptions
) -> tuple[QueryPlan, tuple[str, ...]]:
    """The plan of a question, and what people should know of it."""
    with context.trace.span("plan") as span:
        plan, notices = make_plan(
            question, search.documents(), most=planning.max_parts, day=planning.day, calls=context.calls
        )
        span.attributes |= {"by": plan.by, "mended": list(plan.mended)}
        span.texts["parts"] = [
            {"question": part.question, "source": list(part.where) or "all", "method": part.method.value}
            for part in plan.parts
        ]
    return plan, notices


def _answer_part(
    planned: SubQuestion,
    asked: str,
    before: list[PartAnswer],
    search: TracedSearch,
    context: AnswerContext,
    whole: SearchResult,
) -> Answer:
    """The answer to a part, `asked` with the answers that it needs; a refusal where one of those is missing.

    What the reader takes for a near miss is given all the same, as the nearest text: beside a part that is answered it
    answers more often than not. `whole` is what was found for the question.
    """
    missing = [n for n in planned.uses if not before[n - 1].answer.shown]
    if missing:
        notice = f"part {len(before) + 1} needs the answer to part {missing[0]}, which the policies do not give"
        return Answer(
            question=asked,
            status=Status.REFUSED,
            answer=words_for(asked, context.languages).refused,
            citations=(),
            confidence=0.0,
            llm=context.answerer,
            notices=(notice,),
        )
    if planned.method is Method.SUMMARY:
        return summarise(asked, search.whole(planned.where), context)
    found = search.search(asked, planned.where, part_of=None if planned.where else whole)
    return _answer_or_refuse(found, context, near_misses=True)


def _without_near_miss(part: PartAnswer, whole: SearchResult, context: AnswerContext) -> PartAnswer:
    """A part as it stands; refused where what it shows is a near miss."""
    if not part.answer.shown or part.answer.confidence >= LEAST_RIGHT:
        return part
    refused = replace(
        part.answer,
        status=Status.REFUSED,
        answer=refusal(words_for(part.asked, context.languages), (), near_miss=True),
        citations=(),
        said=(),
        nearest=whole.hits[:_NEAREST],
    )
    return replace(part, answer=refused)
