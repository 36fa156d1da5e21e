"""Generated answers: an LLM writes from numbered sections, and only what its citations bear is kept."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.generation.answer_prompt import AUTO, answer_prompt
from policy_rag.answering.generation.implicit_citations import names_only, neighbours_marks, section_with
from policy_rag.answering.generation.prompt_context import PromptContext, build_context
from policy_rag.answering.generation.reply_parser import (
    REFUSAL,
    ReplySentence,
    begins_as_json,
    has_mark,
    is_refusal,
    is_whole,
    plain_reply,
    split_reply,
)
from policy_rag.answering.generation.stable_text import StableText
from policy_rag.answering.presentation.escaping import without_unseen
from policy_rag.answering.verification.support import StatementSupport, exact_support_of, support_of
from policy_rag.errors import ModelError
from policy_rag.llm.language_model import LanguageModel, Reply
from policy_rag.llm.metering import Calls
from policy_rag.models.reader import Reader
from policy_rag.records.answer import Citation
from policy_rag.records.choices import ContextOrder, Unverified
from policy_rag.records.search import Hit
from policy_rag.records.statement import StatementVerdict
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import Template

_SPARE_TOKENS = 64
_BARE_WORDS = 3
_UNVERIFIED = "(not borne out by its source)"
_DOUBTFUL = "(in doubt: read its source)"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence without citation marks, and where it stands.

    Attributes:
        text: as it is shown.
        citations: where it stands.
        said: as the model wrote it; other than `text` where that was hardly a word.
        item: whether it was an item of a list.
        reason: why it does not hold, where it is shown nevertheless; else "".
        doubtful: whether its source does not clearly say so; it is shown and marked.
    """

    text: str
    citations: tuple[Citation, ...]
    said: str
    item: bool
    reason: str = ""
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """What is left of an LLM's reply.

    Attributes:
        statements: what holds, in the order of the reply; citations are numbered within each. With `Unverified.MARK`
            also what does not, without citations, where anything else holds.
        text: the answer that the statements make, with `[n]` marks; "" for a refusal. Items of a list stand on lines of
            their own, other sentences follow each other.
        citations: one for each `n` in the text, in order of `n`: each place once, in the order in which it cites them.
        removed: sentences that were taken out, as the model wrote them.
        reasons: why, one for each of `removed`.
        silent: whether it wrote nothing, or nothing but its thinking.
        left_out: hits from the end of the ranking that the model was not given.
    """

    statements: tuple[Statement, ...]
    text: str
    citations: tuple[Citation, ...]
    removed: tuple[str, ...]
    reasons: tuple[str, ...]
    left_out: tuple[Hit, ...]
    silent: bool = False

    @property
    def refused(self) -> bool:
        """Whether there is no answer: the model refused, wrote nothing, or nothing that it said holds."""
        return not self.statements


def generate(
    question: str,
    hits: Sequence[Hit],
    model: LanguageModel,
    *,
    max_hits: int = 8,
    related: Sequence[Hit] = (),
    order: ContextOrder = ContextOrder.RANKED,
    prompt: Template | None = None,
    may_refuse: bool = True,
    variables: Mapping[str, str] | None = None,
    stream_callback: Callable[[str], None] | None = None,
    unverified: Unverified = Unverified.REMOVE,
    reader: Reader | None = None,
) -> AnswerDraft:
    """Ask `model` to answer from `hits`, and keep the sentences that what they cite bears out.

    Without hits the model is not asked and the draft is a refusal. A sentence is removed when it cites nothing, cites a
    number that was not given, or is unsupported (`support.support_of`); a doubtful one is marked. One without a mark
    cites the section that holds it word for word, or else what its neighbours cite (`implicit_citations`). Small models
    count sections wrongly: what is nearly a copy of another section than the one that it cites stands or falls by that.
    One of hardly a word ("30 [1].") gives way to the sentence that it cites, and the unfinished end of a reply that was
    cut is removed: half a rule may be a false one. As many of the best sections are given as fit into the model's
    window beside the prompt and the longest reply.

    Args:
        question: as asked.
        hits: best first.
        model: who writes; where it is `Calls`, the call and the check are taken down in its steps.
        max_hits: most hits to give.
        related: sections that the hits bring along; see `build_context`.
        order: in which order the sections are given.
        prompt: with variables `question`, `sections`, `refusal` and those of `variables`; None: that for its size.
        may_refuse: whether the model is offered to refuse; where the support is sure, small ones refuse too often.
        variables: further ones, already data.
        stream_callback: is given the draft's text while the model writes, each time all of it so far. A sentence
            is in it once it is stable (`StableText`) and holds; of a refusal nothing is given.
        unverified: what becomes of sentences that do not hold.
        reader: reads a sentence and its source together; None: rules decide alone.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails, or its window is too small for even one section.
    """
    prompt = prompt or answer_prompt(AUTO, model.billions)
    if not hits:
        return AnswerDraft((), "", (), (), (), left_out=())
    words = {"question": as_data(question), "refusal": REFUSAL if may_refuse else "", **(variables or {})}
    empty = prompt.render(sections="", **words)
    used = estimate_tokens(empty.system) + estimate_tokens(empty.user)
    budget = model.context_window - model.reply_tokens - used - _SPARE_TOKENS
    context = build_context(hits, budget, max_hits=max_hits, related=related, order=order)
    if not context.hits:
        raise ModelError(
            f"the window of {model.name}, {model.context_window} tokens, has no room for a section: "
            "raise the setting llm_context, ask more briefly, or use --llm extractive"
        )
    calls = Calls.of(model)
    checker = _StatementChecker(question, context.hits, unverified is Unverified.MARK, reader)
    stream = _StatementStream(checker, stream_callback) if stream_callback else None
    reply = calls.ask(
        prompt,
        {"sections": context.text, **words},
        sections=[
            section_name(hit) + (" (its chunk)" if n in context.cut else "") for n, hit in enumerate(context.hits, 1)
        ],
        left_out=[section_name(hit) for hit in context.left_out],
        on_partial=stream.read if stream else None,
    )
    streamed = stream.statements if stream else ()
    with calls.trace.span("check") as span:
        draft = _draft(checker, reply, context, streamed)
        marked = [(one.said, one.reason) for one in draft.statements if one.reason]
        span.attributes |= {"statements": len(draft.statements) - len(marked), "removed": len(draft.removed)}
        if marked:
            span.attributes["marked"] = len(marked)
        both = [*zip(draft.removed, draft.reasons, strict=True), *marked]
        span.texts["why_removed"] = [{"statement": text, "reason": reason} for text, reason in both]
    return draft


def section_name(hit: Hit) -> str:
    """How a trace names a section: its file and its id."""
    return f"{hit.file} {hit.section_id}"


def _compose(statements: Sequence[Statement]) -> tuple[str, tuple[Citation, ...]]:
    """The text and the citations of statements; a further one only ever adds to the end of the text."""
    numbers: dict[tuple[str, str, int, int], Citation] = {}
    text = ""
    previous_item = False
    for statement in statements:
        marks = _UNVERIFIED if statement.reason else _DOUBTFUL if statement.doubtful else ""
        for citation in statement.citations:
            place = (citation.doc_id, citation.file, citation.start, citation.end)
            kept = numbers.setdefault(place, replace(citation, n=len(numbers) + 1))
            marks += f"[{kept.n}]"
        line = _marked(statement.text, marks)
        if statement.item:
            text += f"\n- {line}" if text else f"- {line}"
        else:
            gap = "\n" if previous_item else " "
            text += gap + line if text else line
        previous_item = statement.item
    return text, tuple(numbers.values())


def _marked(text: str, marks: str) -> str:
    """Marks stand before the full stop.

    >>> _marked("Leave is 25 days.", "[1]"), _marked("Ask HR", "[2]")
    ('Leave is 25 days [1].', 'Ask HR [2]')
    """
    if text[-1] in ".!?":
        return f"{text[:-1]} {marks}{text[-1]}"
    return f"{text} {marks}"


class _StatementStream:
    """The statements of a reply that are stable and hold, given to a callback while the model writes.

    What was given stays: where the reply turns out to have been thinking aloud up to a closing tag that nothing opened,
    the statements that were given already still begin the answer.
    """

    def __init__(self, checker: "_StatementChecker", callback: Callable[[str], None]) -> None:
        self._statements: list[Statement] = []
        self._checker, self._callback = checker, callback
        self._stable = StableText()
        self._text = ""
        self._checked = 0
        self._seen: set[str] = set()

    @property
    def statements(self) -> Sequence[Statement]:
        """What was given: nothing as long as nothing holds."""
        return self._statements if _any_holds(self._statements) else ()

    def read(self, reply: str) -> None:
        """Takes the reply so far."""
        if begins_as_json(reply):
            return
        text = self._stable.grow(self._checker.plain(reply))
        if text == self._text:
            return
        if not text.startswith(self._text):
            self._checked, self._seen = 0, _texts(self._statements)
        self._text = text
        if is_refusal(text):
            return
        sentences = split_reply(text)
        # What stands behind the last mark may have one yet to come.
        end = max((place for place, sentence in enumerate(sentences, 1) if sentence.cited), default=0)
        new, self._checked = sentences[self._checked : end], max(self._checked, end)
        kept, _ = self._checker.check(new, self._seen)
        self._statements += kept
        if kept and self.statements:
            self._callback(_compose(self._statements)[0])


def _draft(
    checker: "_StatementChecker", reply: Reply, context: PromptContext, streamed: Sequence[Statement]
) -> AnswerDraft:
    """What of a reply holds, behind what was streamed of it."""
    text = checker.plain(reply.text)
    sentences = [] if is_refusal(text) else split_reply(text)
    cut = sentences[-1:] if reply.done_reason == "length" and not is_whole(text) else []
    kept, failed = checker.check(sentences[: len(sentences) - len(cut)], _texts(streamed))
    failed += [(sentence.shown, "the reply was cut within it") for sentence in cut]
    statements = (*streamed, *kept) if _any_holds([*streamed, *kept]) else ()
    removed = [] if statements and checker.keeps_unverified else failed
    shown, citations = _compose(statements)
    return AnswerDraft(
        statements=statements,
        text=shown,
        citations=citations,
        removed=tuple(sentence for sentence, _ in removed),
        reasons=tuple(reason for _, reason in removed),
        left_out=context.left_out,
        silent=not text.strip(),
    )


@dataclass(frozen=True, slots=True)
class _StatementChecker:
    """What sentences are held against: the question, and the sections given."""

    question: str
    given: Sequence[Hit]
    keeps_unverified: bool
    reader: Reader | None

    def plain(self, reply: str) -> str:
        """A reply as the text that was asked for; see `plain_reply`."""
        clauses = {hit.number: n for n, hit in reversed([*enumerate(self.given, 1)]) if hit.number}
        return plain_reply(without_unseen(reply), clauses)

    def check(
        self, sentences: Sequence[ReplySentence], seen: set[str]
    ) -> tuple[list[Statement], list[tuple[str, str]]]:
        """What is kept, and what fails, as it was written, with the reason; `seen` comes to hold all their texts."""
        statements: list[Statement] = []
        failed: list[tuple[str, str]] = []
        for sentence, marks in zip(sentences, neighbours_marks(sentences), strict=True):
            if sentence.text.casefold() in seen or any(names_only(sentence.text, hit) for hit in self._cited(marks)):
                continue  # small models repeat themselves, and list their sources
            seen.add(sentence.text.casefold())
            citations, reason, doubtful = self._verified(sentence, marks)
            if reason:
                failed.append((sentence.shown, reason))
            if self.keeps_unverified or not reason:
                text = _in_full(sentence.text, citations) if citations else sentence.text
                statements.append(Statement(text, citations, sentence.text, sentence.item, reason, doubtful))
        return statements, failed

    def _verified(self, sentence: ReplySentence, marks: Sequence[int]) -> tuple[tuple[Citation, ...], str, bool]:
        """Where a sentence stands, why it does not hold, and whether it is in doubt.

        `marks` is what it cites, by itself or by its neighbours.
        """
        own = None if sentence.cited else section_with(sentence.text, self.given)
        numbers = marks if own is None else (own,)
        if not numbers:
            return (), "it cites nothing", False
        cited = self._cited(numbers)
        found = support_of(sentence.text, cited, asked=self.question, reader=self.reader) if cited else None
        if found is None or found.verdict is not StatementVerdict.SUPPORTED:
            found = self._elsewhere(sentence.text, cited) or found
        if found is None:
            return (), f"it cites [{numbers[0]}], which was not given", False
        if found.verdict is StatementVerdict.UNSUPPORTED:
            return (), found.reason, False
        return found.citations, "", found.verdict is StatementVerdict.DOUBTFUL

    def _cited(self, numbers: Sequence[int]) -> list[Hit]:
        return [self.given[number - 1] for number in numbers if 0 < number <= len(self.given)]

    def _elsewhere(self, text: str, cited: Sequence[Hit]) -> StatementSupport | None:
        """How a sentence stands by the section of which it is nearly a copy, other than `cited`; None without one."""
        others = [hit for hit in self.given if hit not in cited]
        exact = [one for hit in others if (one := exact_support_of(text, hit, asked=self.question))]
        return max(exact, key=lambda one: one.nearness, default=None)


def _any_holds(statements: Sequence[Statement]) -> bool:
    """Whether anything among them holds."""
    return any(not statement.reason for statement in statements)


def _texts(statements: Sequence[Statement]) -> set[str]:
    return {statement.said.casefold() for statement in statements}


def _in_full(text: str, citations: Sequence[Citation]) -> str:
    """A statement; where it is hardly a word, the sentences that it cites, which say what it is about.

    "30 [1]" holds of full-time employees whoever was asked about. A row of a table says less than its figure alone, and
    a quotation with what looks like a mark would seem to cite.
    """
    quotes = " ".join(" ".join(citation.quote.split()) for citation in citations)
    return text if len(text.split()) > _BARE_WORDS or "|" in quotes or has_mark(quotes) else quotes
