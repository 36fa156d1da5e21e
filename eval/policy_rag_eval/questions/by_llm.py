"""Makes questions by an LLM: plans the calls, asks them in waves, and finds the quotes again in the sections."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from policy_rag.llm.protocol import LanguageModel, estimate_tokens
from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_eval.questions.drafts import PAIRED, Draft, Drop, Quote, Reason, SectionKey, Style
from policy_rag_eval.questions.filtering import Sifter
from policy_rag_eval.questions.linked_sections import linked_sections
from policy_rag_eval.questions.quotes import find_quote
from policy_rag_eval.questions.replies import Item, pair_schema, read_reply, section_schema
from policy_rag_eval.questions.reply_cache import Asker, Call
from policy_rag_eval.questions.rules import sections_worth_asking
from policy_rag_parsers.records import Section
from policy_rag_prompts.data import as_attribute, as_data
from policy_rag_prompts.loader import load_template

WORDING: Mapping[Style, str] = {
    Style.FACTUAL: "asks for one fact of the section: an amount, a deadline, a person, a thing",
    Style.CLAUSE: "asks what the section says and names its number and the policy, as a lawyer would",
    Style.PARAPHRASE: "is put by an employee in everyday words, from a situation, without the section's terms",
    Style.CONDITIONAL: "asks what holds in a case that fulfils, or does not fulfil, a condition of the section",
    Style.MULTI: "needs one fact of the first and one of the second section",
    Style.COMPARISON: "asks in what the two sections agree or differ on one point",
    Style.UNANSWERABLE: "is close to the section and looks as if it answered it, yet it does not",
}
_ROLE_TOKENS = 64
_LEAST_WAVE = 4
_REPLY_TOKENS = 110  # of one question with its quote; only for the estimate before a run


@dataclass(frozen=True, slots=True)
class Task:
    """A call to be made: one section with its styles, or two sections with one."""

    sections: tuple[SectionKey, ...]
    styles: tuple[Style, ...]


@dataclass(frozen=True)
class Plan:
    """The calls of a run in order; `too_long` counts those left out because their prompt does not fit the model."""

    tasks: tuple[Task, ...]
    calls: tuple[Call, ...]
    too_long: int


@dataclass
class Made:
    """What asking came to: calls answered now and in earlier runs, calls that failed, and tokens and time of both."""

    answered: int = 0
    kept: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    ms: float = 0.0
    error: str = ""


def plan_calls(
    documents: Sequence[SourceDocument],
    model: LanguageModel,
    *,
    styles: Collection[Style],
    per_section: int,
    seed: int,
    reviewed: Collection[SectionKey] = (),
) -> Plan:
    """All calls that could be made, in the order that the seed fixes.

    Each section gets `per_section` styles, in turn, less the reviewed questions that it has; those that need two
    sections are a call of their own, with a section that it refers to, else with the next one.
    """
    by_key = {(d.info.doc_id, s.section_id): (d, s) for d in documents for s in sections_worth_asking(d)}
    order = sorted(by_key)
    random.Random(f"{seed} calls").shuffle(order)
    linked = linked_sections(documents) if PAIRED & set(styles) else {}
    done = Counter(reviewed)
    tasks: list[Task] = []
    turn = 0
    listed = [style for style in Style if style in styles]
    for key in order:
        room = max(0, min(per_section, len(listed)) - done[key])
        chosen = [listed[(turn + i) % len(listed)] for i in range(room)]
        turn += room
        tasks += _tasks(key, chosen, by_key, linked)
    calls: list[Call] = []
    fitting: list[Task] = []
    for task in tasks:
        call = call_of(task, by_key)
        expected = estimate_tokens(call.prompt.system) + estimate_tokens(call.prompt.user) + _ROLE_TOKENS
        if expected + model.reply_tokens <= model.context_window:
            fitting.append(task)
            calls.append(call)
    return Plan(tuple(fitting), tuple(calls), len(tasks) - len(fitting))


def _tasks(
    key: SectionKey,
    styles: Sequence[Style],
    by_key: Mapping[SectionKey, tuple[SourceDocument, Section]],
    linked: Mapping[SectionKey, Sequence[SectionKey]],
) -> Iterator[Task]:
    document, section = by_key[key]
    single = tuple(style for style in styles if style not in PAIRED and (style is not Style.CLAUSE or section.number))
    if single:
        yield Task((key,), single)
    following = (document.info.doc_id, section.next or "")
    other = next((one for one in (*linked.get(key, ()), following) if one in by_key and one != key), None)
    if other is not None:
        yield from (Task((key, other), (style,)) for style in styles if style in PAIRED)


def call_of(task: Task, by_key: Mapping[SectionKey, tuple[SourceDocument, Section]]) -> Call:
    """The prompt and schema of a task."""
    places = [by_key[key] for key in task.sections]
    language = places[0][0].info.language.capitalize()
    texts = [as_data(document.text[section.start : section.end]) for document, section in places]
    names = [_place(document, section) for document, section in places]
    if len(places) == 1:
        template = load_template("questions_section")
        prompt = template.render(
            document=as_attribute(places[0][0].info.title),
            place=names[0],
            section=texts[0],
            styles="\n".join(f'- "{style}": {WORDING[style]}' for style in task.styles),
            language=language,
        )
        return Call(template, prompt, section_schema(task.styles))
    template = load_template("questions_pair")
    prompt = template.render(
        first_place=names[0],
        first=texts[0],
        second_place=names[1],
        second=texts[1],
        style=WORDING[task.styles[0]],
        language=language,
    )
    return Call(template, prompt, pair_schema())


def _place(document: SourceDocument, section: Section) -> str:
    number = f"{section.number} " if section.number else ""
    return as_attribute(f"{document.info.title}, {number}{' > '.join(section.path[1:])}")


def make_by_llm(
    plan: Plan,
    asker: Asker,
    sifter: Sifter,
    *,
    count: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> Made:
    """Asks in waves until the sifter has kept `count` questions or the plan is done.

    A wave has about as many styles as questions are missing, so that hardly more is asked than is needed.

    Raises:
        ModelError: the server fails again and again; what was answered is kept.
    """
    made = Made()
    at = 0
    while at < len(plan.tasks) and len(sifter.kept) < count:
        until = _wave_end(plan.tasks, at, count - len(sifter.kept), asker.concurrency)
        done = 0

        def step(calls: int, first: int = at) -> None:
            nonlocal done
            done += calls
            if progress:
                progress(first + done, len(plan.tasks))

        outcomes = asker.ask_all(plan.calls[at:until], progress=step)
        for task, call, outcome in zip(plan.tasks[at:until], plan.calls[at:until], outcomes, strict=True):
            if outcome.reply is None:
                made.failed += 1
                made.error = outcome.error
                continue
            made.kept += outcome.kept
            made.answered += not outcome.kept
            made.tokens_in += outcome.reply.tokens_in
            made.tokens_out += outcome.reply.tokens_out
            made.ms += outcome.reply.ms
            items, drops = read_reply(outcome.reply.text, task.styles, pair=len(task.sections) > 1)
            for dropped in drops:
                sifter.drop(dropped)
            for item in items:
                draft = draft_of(item, task, sifter.documents, asker.model.name, call.template.sha256, seed)
                if isinstance(draft, Drop):
                    sifter.drop(draft)
                elif len(sifter.kept) < count:
                    sifter.offer(draft)
        at = until
    return made


def _wave_end(tasks: Sequence[Task], at: int, missing: int, concurrency: int) -> int:
    """One past the last task of a wave that may give as many questions as are missing."""
    end = at
    while end < len(tasks) and (missing > 0 or end - at < max(_LEAST_WAVE, concurrency)):
        missing -= len(tasks[end].styles)
        end += 1
    return end


def draft_of(
    item: Item, task: Task, documents: Mapping[str, SourceDocument], model: str, template: str, seed: int
) -> Draft | Drop:
    """A question as an LLM gave it, with its quotes found again in their sections; a drop where one is not there."""
    quotes: list[Quote] = []
    if item.style is not Style.UNANSWERABLE:
        for (doc_id, section_id), said in zip(task.sections, item.quotes, strict=True):
            document = documents[doc_id]
            section = document.by_id[section_id]
            span = find_quote(document.text, section.start, section.end, said)
            if span is None:
                return Drop(Reason.QUOTE_NOT_FOUND, f"{item.question} [{said}]")
            quotes.append(Quote(doc_id, document.info.file, section_id, *span, document.text[slice(*span)]))
    answered = item.answer and any(item.answer in quote.text for quote in quotes)
    return Draft(
        style=item.style,
        text=item.question,
        quotes=tuple(quotes),
        sections=task.sections,
        language=documents[task.sections[0][0]].info.language,
        answers=(item.answer,) if answered else (),
        made_by=model,
        template=template,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a run would cost. Tokens and seconds are estimates; `seconds` is None where no call was ever timed."""

    calls: int
    kept: int
    tokens_in: int
    tokens_out: int
    seconds: float | None


def forecast(plan: Plan, asker: Asker, *, count: int) -> Forecast:
    """What asking until `count` questions are made takes, if every question passes; a third more is usual.

    Seconds are those of the kept calls of this model, by their tokens, over the concurrency.
    """
    end = _wave_end(plan.tasks, 0, count, asker.concurrency)
    replies = [asker.kept(call) for call in plan.calls[:end]]
    missing = [
        (task, call) for task, call, reply in zip(plan.tasks, plan.calls, replies, strict=False) if reply is None
    ]
    timed = [reply for reply in replies if reply is not None]
    each = sum(reply.ms for reply in timed) / len(timed) / 1000 if timed else None
    return Forecast(
        calls=len(missing),
        kept=len(timed),
        tokens_in=sum(estimate_tokens(call.prompt.system + call.prompt.user) for _, call in missing),
        tokens_out=sum(_REPLY_TOKENS * len(task.styles) for task, _ in missing),
        seconds=None if each is None else each * len(missing) / asker.concurrency,
    )
