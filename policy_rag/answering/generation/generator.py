"""Generated answers: an LLM writes from numbered sections, and only what its citations bear is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.generation.implicit_citations import neighbours_marks, section_with
from policy_rag.answering.generation.prompt_context import Context, build_context
from policy_rag.answering.generation.reply_parser import REFUSAL, ReplySentence, has_mark, is_refusal, split_reply
from policy_rag.answering.generation.stream_stability import Settled
from policy_rag.answering.presentation.escaping import without_unseen
from policy_rag.answering.verification.checker import check
from policy_rag.errors import ModelError
from policy_rag.llm.metering import Calls
from policy_rag.llm.protocol import LanguageModel, Listener, Reply, estimate_tokens
from policy_rag.records.answer import Citation
from policy_rag.records.options import ContextOrder, Unverified
from policy_rag.records.search import Hit
from policy_rag.tracing import Steps
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_SPARE_TOKENS = 64
_BARE_WORDS = 3
_UNVERIFIED = "(not borne out by its source)"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence without citation marks, and where it stands.

    Attributes:
        text: as it is shown.
        citations: where it stands.
        said: as the model wrote it; other than `text` where that was hardly a word.
        item: whether it was an item of a list.
        reason: why it does not hold, where it is shown nevertheless; else "".
    """

    text: str
    citations: tuple[Citation, ...]
    said: str
    item: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is left of an LLM's reply.

    Attributes:
        statements: what holds, in the order of the reply; citations are numbered within each. With `Unverified.MARK`
            also what does not, without citations, where anything else holds.
        removed: sentences that were taken out, as the model wrote them.
        reasons: why, one for each of `removed`.
        refused: whether there is no answer: the model refused, or nothing that it said holds.
        reply: the reply itself, or None when there was nothing to ask with.
        left_out: hits from the end of the ranking that the model was not given.
        given: the hits that it was given; section `[n]` was `given[n - 1]`.
        template: name, version and hash of the prompt's words (`answer 1 3f2a...`).
    """

    statements: tuple[Statement, ...]
    removed: tuple[str, ...]
    reasons: tuple[str, ...]
    refused: bool
    reply: Reply | None
    left_out: tuple[Hit, ...]
    given: tuple[Hit, ...]
    template: str


def generate(
    question: str,
    hits: Sequence[Hit],
    model: LanguageModel,
    *,
    max_hits: int = 8,
    brought: Sequence[Hit] = (),
    order: ContextOrder = ContextOrder.RANKED,
    template: str = "answer",
    variables: Mapping[str, str] | None = None,
    on_text: Listener | None = None,
    unverified: Unverified = Unverified.REMOVE,
) -> Draft:
    """Ask `model` to answer from `hits`, and keep the sentences that what they cite bears out.

    Without hits the model is not asked and the draft is a refusal. A sentence is removed when it cites nothing, cites a
    number that was not given, or does not hold (`citations.check`). One without a mark cites the section that holds it
    word for word, or else what its neighbours cite (`uncited`). One of hardly a word ("30 [1].") gives way to the
    sentence that it cites. As many of the best sections are given as fit into the model's window beside the prompt and
    the longest reply.

    Args:
        question: as asked.
        hits: best first.
        model: who writes; where it is `Calls`, the call and the check are taken down in its steps.
        max_hits: most hits to give.
        brought: sections that the hits bring along; see `build_context`.
        order: in which order the sections are given.
        template: the prompt; its variables are `question`, `sections`, `refusal` and those of `variables`.
        variables: further ones, already data.
        on_text: hears the text of `compose` grow while the model writes: each time all of it so far. A sentence is
            heard once it is settled (`Settled`) and holds; of a refusal nothing is heard.
        unverified: what becomes of sentences that do not hold.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails, or its window is too small for even one section.
    """
    prompt = load_template(template)
    if not hits:
        return Draft((), (), (), refused=True, reply=None, left_out=(), given=(), template=prompt.label)
    words = {"question": as_data(question), "refusal": REFUSAL, **(variables or {})}
    empty = prompt.render(sections="", **words)
    used = estimate_tokens(empty.system) + estimate_tokens(empty.user)
    budget = model.context_window - model.reply_tokens - used - _SPARE_TOKENS
    context = build_context(hits, budget, max_hits=max_hits, brought=brought, order=order)
    if not context.hits:
        raise ModelError(
            f"the window of {model.name}, {model.context_window} tokens, has no room for a section: "
            "raise the setting llm_context, ask more briefly, or use --llm extractive"
        )
    calls = Calls.of(model)
    checking = _Checking(question, context.hits, marks=unverified is Unverified.MARK)
    early = _Early(checking, on_text) if on_text else None
    reply = calls.ask(
        prompt,
        {"sections": context.text, **words},
        sections=[
            section_name(hit) + (" (its chunk)" if n in context.cut else "") for n, hit in enumerate(context.hits, 1)
        ],
        left_out=[section_name(hit) for hit in context.left_out],
        listener=early.hear if early else None,
    )
    return _checked(checking, reply, context, prompt.label, calls.steps, early.told if early else ())


def section_name(hit: Hit) -> str:
    """How a trace names a section: its file and its id."""
    return f"{hit.file} {hit.section_id}"


def compose(draft: Draft) -> tuple[str, tuple[Citation, ...]]:
    """The answer's text with `[n]` marks, and its citations in order of `n`; `("", ())` for a refusal.

    A further statement only ever adds to the end of the text. Places are numbered in the order in which the text cites
    them, each once. Items of a list stand on lines of their own, other sentences follow each other.
    """
    return _composed(draft.statements)


def _composed(statements: Sequence[Statement]) -> tuple[str, tuple[Citation, ...]]:
    numbers: dict[tuple[str, str, int, int], Citation] = {}
    text = ""
    previous_item = False
    for statement in statements:
        marks = _UNVERIFIED if statement.reason else ""
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


class _Early:
    """The statements of a reply that are settled and hold, told to `on_text` while the model writes.

    What was told stays: where the reply turns out to have been thinking aloud up to a closing tag that nothing opened,
    the statements that were told already still begin the answer.
    """

    def __init__(self, checking: "_Checking", on_text: Listener) -> None:
        self._statements: list[Statement] = []
        self._checking, self._on_text = checking, on_text
        self._settled = Settled()
        self._read = ""
        self._done = 0
        self._seen: set[str] = set()

    @property
    def told(self) -> Sequence[Statement]:
        """What was heard: nothing as long as nothing holds."""
        return self._statements if _bears(self._statements) else ()

    def hear(self, reply: str) -> None:
        """Takes the reply so far."""
        text = self._settled.grow(without_unseen(reply))
        if text == self._read:
            return
        if not text.startswith(self._read):
            self._done, self._seen = 0, _texts(self._statements)
        self._read = text
        if is_refusal(text):
            return
        sentences = split_reply(text)
        # What stands behind the last mark may have one yet to come.
        end = max((place for place, sentence in enumerate(sentences, 1) if sentence.cited), default=0)
        new, self._done = sentences[self._done : end], max(self._done, end)
        kept, _ = self._checking.of(new, self._seen)
        self._statements += kept
        if kept and self.told:
            self._on_text(_composed(self._statements)[0])


def _checked(
    checking: "_Checking", reply: Reply, context: Context, label: str, steps: Steps, told: Sequence[Statement]
) -> Draft:
    """What of a reply holds; the check is a step of its own."""
    with steps.step("check") as step:
        draft = _draft(checking, reply, context, label, told)
        marked = [(one.said, one.reason) for one in draft.statements if one.reason]
        step.facts |= {"statements": len(draft.statements) - len(marked), "removed": len(draft.removed)}
        if marked:
            step.facts["marked"] = len(marked)
        both = [*zip(draft.removed, draft.reasons, strict=True), *marked]
        step.texts["why_removed"] = [{"statement": text, "reason": reason} for text, reason in both]
    return draft


def _draft(checking: "_Checking", reply: Reply, context: Context, label: str, told: Sequence[Statement]) -> Draft:
    text = without_unseen(reply.text)
    sentences = [] if is_refusal(text) else split_reply(text)
    found, failed = checking.of(sentences, _texts(told))
    statements = [*told, *found] if _bears([*told, *found]) else []
    removed = [] if statements and checking.marks else failed
    return Draft(
        statements=tuple(statements),
        removed=tuple(shown for shown, _ in removed),
        reasons=tuple(reason for _, reason in removed),
        refused=not statements,
        reply=reply,
        left_out=context.left_out,
        given=context.hits,
        template=label,
    )


@dataclass(frozen=True, slots=True)
class _Checking:
    """What sentences are held against: the question and the sections given. With `marks` those that fail are kept."""

    question: str
    given: Sequence[Hit]
    marks: bool

    def of(self, sentences: Sequence[ReplySentence], seen: set[str]) -> tuple[list[Statement], list[tuple[str, str]]]:
        """What is kept, and what fails, as it was written, with the reason; `seen` comes to hold all their texts."""
        statements: list[Statement] = []
        failed: list[tuple[str, str]] = []
        for sentence, marks in zip(sentences, neighbours_marks(sentences), strict=True):
            if sentence.text.casefold() in seen:
                continue  # small models repeat themselves
            seen.add(sentence.text.casefold())
            citations, reason = _verified(self.question, sentence, marks, self.given)
            if reason:
                failed.append((sentence.shown, reason))
            if self.marks or not reason:
                text = _in_full(sentence.text, citations) if citations else sentence.text
                statements.append(Statement(text, citations, sentence.text, sentence.item, reason))
        return statements, failed


def _bears(statements: Sequence[Statement]) -> bool:
    """Whether anything among them holds."""
    return any(not statement.reason for statement in statements)


def _texts(statements: Sequence[Statement]) -> set[str]:
    return {statement.said.casefold() for statement in statements}


def _verified(
    question: str, sentence: ReplySentence, marks: Sequence[int], given: Sequence[Hit]
) -> tuple[tuple[Citation, ...], str]:
    """Where a sentence stands, or why it does not hold; `marks` is what it cites, by itself or by its neighbours."""
    own = None if sentence.cited else section_with(sentence.text, given)
    numbers = marks if own is None else (own,)
    if not numbers:
        return (), "it cites nothing"
    cited = [given[number - 1] for number in numbers if 0 < number <= len(given)]
    if not cited:
        return (), f"it cites [{numbers[0]}], which was not given"
    verdict = check(sentence.text, cited, asked=question)
    return verdict.citations, verdict.reason


def _in_full(text: str, citations: Sequence[Citation]) -> str:
    """A statement; where it is hardly a word, the sentences that it cites, which say what it is about.

    "30 [1]" holds of full-time employees whoever was asked about. A row of a table says less than its figure alone, and
    a quotation with what looks like a mark would seem to cite.
    """
    quotes = " ".join(" ".join(citation.quote.split()) for citation in citations)
    return text if len(text.split()) > _BARE_WORDS or "|" in quotes or has_mark(quotes) else quotes
