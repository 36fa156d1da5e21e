"""Makes questions by an LLM: plans the calls, asks them in waves, and finds the quotes again in the sections."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from policy_rag.llm.language_model import LanguageModel, prompt_tokens
from policy_rag_eval.data.quote_search import find_quote, holds_whole
from policy_rag_eval.questions.by_rules import askable_sections
from policy_rag_eval.questions.drafts import PAIRED, DraftQuote, Drop, QuestionDraft, QuestionStyle, Reason, SectionKey
from policy_rag_eval.questions.linked_sections import linked_sections
from policy_rag_eval.questions.llm_calls import Call, LLMCaller
from policy_rag_eval.questions.question_filter import QuestionFilter
from policy_rag_eval.questions.question_replies import RepliedItem, pair_schema, read_reply, section_schema
from policy_rag_eval.questions.source_documents import SourceDocument
from policy_rag_parsers.records import Section
from policy_rag_prompts.data import as_attribute, as_data
from policy_rag_prompts.loader import load_template

WORDING: Mapping[QuestionStyle, str] = {
    QuestionStyle.FACTUAL: "asks for one fact of the section: an amount, a deadline, a person, a thing",
    QuestionStyle.CLAUSE: "asks what the section says and names its number and the policy, as a lawyer would",
    QuestionStyle.PARAPHRASE: "is put by an employee in everyday words, from a situation, without the section's terms",
    QuestionStyle.CONDITIONAL: "asks what holds in a case that fulfils, or does not fulfil, a condition of the section",
    QuestionStyle.MULTI: "needs one fact of the first and one of the second section",
    QuestionStyle.COMPARISON: "asks in what the two sections agree or differ on one point",
    QuestionStyle.UNANSWERABLE: "is close to the section and looks as if it answered it, yet it does not",
}
_MIN_WAVE = 4
_REPLY_TOKENS = 110  # of one question with its quote; only for the estimate before a run


@dataclass(frozen=True, slots=True)
class QuestionCall:
    """A call to be made: one section with its styles, or two sections with one."""

    sections: tuple[SectionKey, ...]
    styles: tuple[QuestionStyle, ...]
    call: Call


@dataclass(frozen=True)
class CallPlan:
    """The calls of a run in order; `too_long` counts those left out because their prompt does not fit the model."""

    calls: tuple[QuestionCall, ...]
    too_long: int


@dataclass
class Usage:
    """What asking came to: calls answered now and in earlier runs, calls that failed, and tokens and time of both."""

    answered: int = 0
    remembered: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    error: str = ""


def plan_calls(
    documents: Sequence[SourceDocument],
    model: LanguageModel,
    *,
    styles: Collection[QuestionStyle],
    per_section: int,
    seed: int,
    reviewed: Collection[SectionKey] = (),
) -> CallPlan:
    """All calls that could be made, in the order that the seed fixes.

    Each section gets `per_section` styles, in turn, less the reviewed questions that it has; those that need two
    sections are a call of their own, with a section that it refers to, else with the next one.
    """
    by_key = {(d.info.doc_id, s.section_id): (d, s) for d in documents for s in askable_sections(d)}
    order = sorted(by_key)
    random.Random(f"{seed} calls").shuffle(order)
    linked = linked_sections(documents) if PAIRED & set(styles) else {}
    done = Counter(reviewed)
    calls: list[QuestionCall] = []
    turn = 0
    listed = [style for style in QuestionStyle if style in styles]
    for key in order:
        room = max(0, min(per_section, len(listed)) - done[key])
        chosen = [listed[(turn + i) % len(listed)] for i in range(room)]
        turn += room
        calls += _calls(key, chosen, by_key, linked)
    fitting = tuple(one for one in calls if _tokens(one) + model.reply_tokens <= model.context_window)
    return CallPlan(fitting, len(calls) - len(fitting))


def _tokens(one: QuestionCall) -> int:
    return prompt_tokens(one.call.prompt.system, one.call.prompt.user)


def _calls(
    key: SectionKey,
    styles: Sequence[QuestionStyle],
    by_key: Mapping[SectionKey, tuple[SourceDocument, Section]],
    linked: Mapping[SectionKey, Sequence[SectionKey]],
) -> Iterator[QuestionCall]:
    document, section = by_key[key]
    single = tuple(
        style for style in styles if style not in PAIRED and (style is not QuestionStyle.CLAUSE or section.number)
    )
    if single:
        yield QuestionCall((key,), single, _on_section(document, section, single))
    following = (document.info.doc_id, section.next or "")
    other = next((one for one in (*linked.get(key, ()), following) if one in by_key and one != key), None)
    if other is not None:
        for style in styles:
            if style in PAIRED:
                yield QuestionCall((key, other), (style,), _on_pair(by_key[key], by_key[other], style))


def _on_section(document: SourceDocument, section: Section, styles: Sequence[QuestionStyle]) -> Call:
    template = load_template("questions_section")
    prompt = template.render(
        document=as_attribute(document.info.title),
        place=_place(document, section),
        section=as_data(document.text[section.start : section.end]),
        styles="\n".join(f'- "{style}": {WORDING[style]}' for style in styles),
        language=document.info.language.capitalize(),
    )
    return Call(template, prompt, section_schema(styles))


def _on_pair(
    first: tuple[SourceDocument, Section], second: tuple[SourceDocument, Section], style: QuestionStyle
) -> Call:
    template = load_template("questions_pair")
    texts = [as_data(document.text[section.start : section.end]) for document, section in (first, second)]
    prompt = template.render(
        first_place=_place(*first),
        first=texts[0],
        second_place=_place(*second),
        second=texts[1],
        style=WORDING[style],
        language=first[0].info.language.capitalize(),
    )
    return Call(template, prompt, pair_schema())


def _place(document: SourceDocument, section: Section) -> str:
    number = f"{section.number} " if section.number else ""
    return as_attribute(f"{document.info.title}, {number}{' > '.join(section.path[1:])}")


def make_by_llm(
    plan: CallPlan,
    caller: LLMCaller,
    accepted: QuestionFilter,
    *,
    count: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Usage:
    """Asks in waves until the filter has accepted `count` questions or all calls are made.

    A wave has about as many styles as questions are missing, so that hardly more is asked than is needed.

    Raises:
        ModelError: the server fails again and again; what was answered is kept.
    """
    usage = Usage()
    start = 0
    while start < len(plan.calls) and len(accepted.questions) < count:
        end = _wave_end(plan.calls, start, count - len(accepted.questions), caller.concurrency)
        wave = plan.calls[start:end]

        def advance(done: int, _: int, first: int = start) -> None:
            if progress:
                progress(first + done, len(plan.calls))

        for one, result in zip(wave, caller.call_all([one.call for one in wave], progress=advance), strict=True):
            reply = result.reply
            if reply is None:
                usage.failed += 1
                usage.error = result.error
                continue
            usage.remembered += result.kept
            usage.answered += not result.kept
            usage.tokens_in += reply.tokens_in
            usage.tokens_out += reply.tokens_out
            usage.ms += reply.ms
            items, drops = read_reply(reply.text, one.styles, pair=len(one.sections) > 1)
            for dropped in drops:
                accepted.drop(dropped)
            for item in items:
                draft = _draft(item, one, accepted.documents, caller.model.name, seed)
                if isinstance(draft, Drop):
                    accepted.drop(draft)
                elif len(accepted.questions) < count:
                    accepted.offer(draft)
        start = end
    return usage


def _wave_end(calls: Sequence[QuestionCall], start: int, missing: int, concurrency: int) -> int:
    """One past the last call of a wave that may give as many questions as are missing."""
    end = start
    while end < len(calls) and (missing > 0 or end - start < max(_MIN_WAVE, concurrency)):
        missing -= len(calls[end].styles)
        end += 1
    return end


def _draft(
    item: RepliedItem, call: QuestionCall, documents: Mapping[str, SourceDocument], model: str, seed: int
) -> QuestionDraft | Drop:
    """A question as an LLM gave it, with its quotes found again in their sections; a drop where one is not there."""
    quotes: list[DraftQuote] = []
    if item.style is not QuestionStyle.UNANSWERABLE:
        for (doc_id, section_id), text in zip(call.sections, item.quotes, strict=True):
            document = documents[doc_id]
            section = document.by_id[section_id]
            span = find_quote(document.text, section.start, section.end, text)
            if span is None:
                return Drop(Reason.QUOTE_NOT_FOUND, f"{item.question} [{text}]")
            quotes.append(DraftQuote(doc_id, document.info.file, section_id, *span, document.text[slice(*span)]))
    answered = item.answer and any(holds_whole(quote.text, item.answer) for quote in quotes)
    return QuestionDraft(
        style=item.style,
        text=item.question,
        quotes=tuple(quotes),
        sections=call.sections,
        language=documents[call.sections[0][0]].info.language,
        answers=(item.answer,) if answered else (),
        made_by=model,
        template=call.call.template.sha256,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class DraftingEstimate:
    """What a run would cost: calls to make, calls answered already, and tokens of the former as we estimate them."""

    calls: int
    kept: int
    tokens_in: int
    tokens_out: int


def estimate_calls(plan: CallPlan, caller: LLMCaller, *, count: int) -> DraftingEstimate:
    """What asking until `count` questions are made takes, if every question passes; a third more is usual."""
    wave = plan.calls[: _wave_end(plan.calls, 0, count, caller.concurrency)]
    missing = [one for one in wave if caller.cached(one.call) is None]
    return DraftingEstimate(
        calls=len(missing),
        kept=len(wave) - len(missing),
        tokens_in=sum(_tokens(one) for one in missing),
        tokens_out=sum(_REPLY_TOKENS * len(one.styles) for one in missing),
    )
