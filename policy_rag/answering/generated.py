"""Generated answers: an LLM writes from numbered sections, and only what its citations bear is kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.citations import check
from policy_rag.answering.context import Context, build_context
from policy_rag.answering.reply import REFUSAL, ReplySentence, has_mark, is_refusal, split_reply
from policy_rag.answering.settled import Settled
from policy_rag.answering.shown import without_unseen
from policy_rag.answering.uncited import neighbours_marks, section_with
from policy_rag.errors import ModelError
from policy_rag.models.calls import Calls
from policy_rag.models.language_model import LanguageModel, Listener, Reply, estimate_tokens
from policy_rag.records import Citation, ContextOrder, Hit
from policy_rag.steps import Steps
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_SPARE_TOKENS = 64
_BARE_WORDS = 3


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that holds, without citation marks, and where it stands.

    Attributes:
        text: as it is shown.
        citations: where it stands.
        said: as the model wrote it; other than `text` where that was hardly a word.
        item: whether it was an item of a list.
    """

    text: str
    citations: tuple[Citation, ...]
    said: str
    item: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What is left of an LLM's reply.

    Attributes:
        statements: what holds, in the order of the reply; citations are numbered within each.
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
    early = _Early(question, context.hits, on_text) if on_text else None
    reply = calls.ask(
        prompt,
        {"sections": context.text, **words},
        sections=[
            section_name(hit) + (" (its chunk)" if n in context.cut else "") for n, hit in enumerate(context.hits, 1)
        ],
        left_out=[section_name(hit) for hit in context.left_out],
        listener=early.hear if early else None,
    )
    return _checked(question, reply, context, prompt.label, calls.steps, early.statements if early else ())


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
        marks = ""
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

    def __init__(self, question: str, given: Sequence[Hit], on_text: Listener) -> None:
        self.statements: list[Statement] = []
        self._question, self._given, self._on_text = question, given, on_text
        self._settled = Settled()
        self._read = ""
        self._done = 0
        self._seen: set[str] = set()

    def hear(self, reply: str) -> None:
        """Takes the reply so far."""
        text = self._settled.grow(without_unseen(reply))
        if text == self._read:
            return
        if not text.startswith(self._read):
            self._done, self._seen = 0, _texts(self.statements)
        self._read = text
        if is_refusal(text):
            return
        sentences = split_reply(text)
        # What stands behind the last mark may have one yet to come.
        end = max((place for place, sentence in enumerate(sentences, 1) if sentence.cited), default=0)
        new, self._done = sentences[self._done : end], max(self._done, end)
        kept, _ = _verified_all(self._question, new, self._given, self._seen)
        if kept:
            self.statements += kept
            self._on_text(_composed(self.statements)[0])


def _checked(
    question: str, reply: Reply, context: Context, label: str, steps: Steps, told: Sequence[Statement]
) -> Draft:
    """What of a reply holds; the check is a step of its own."""
    with steps.step("check") as step:
        draft = _draft(question, reply, context, label, told)
        step.facts |= {"statements": len(draft.statements), "removed": len(draft.removed)}
        both = zip(draft.removed, draft.reasons, strict=True)
        step.texts["why_removed"] = [{"statement": text, "reason": reason} for text, reason in both]
    return draft


def _draft(question: str, reply: Reply, context: Context, label: str, told: Sequence[Statement]) -> Draft:
    text = without_unseen(reply.text)
    sentences = [] if is_refusal(text) else split_reply(text)
    statements, removed = _verified_all(question, sentences, context.hits, _texts(told))
    return Draft(
        statements=(*told, *statements),
        removed=tuple(shown for shown, _ in removed),
        reasons=tuple(reason for _, reason in removed),
        refused=not (told or statements),
        reply=reply,
        left_out=context.left_out,
        given=context.hits,
        template=label,
    )


def _verified_all(
    question: str, sentences: Sequence[ReplySentence], given: Sequence[Hit], seen: set[str]
) -> tuple[list[Statement], list[tuple[str, str]]]:
    """What holds, and what does not, as it was written, with the reason; `seen` comes to hold the sentences' texts."""
    statements: list[Statement] = []
    removed: list[tuple[str, str]] = []
    for sentence, marks in zip(sentences, neighbours_marks(sentences), strict=True):
        if sentence.text.casefold() in seen:
            continue  # small models repeat themselves
        seen.add(sentence.text.casefold())
        citations, reason = _verified(question, sentence, marks, given)
        if reason:
            removed.append((sentence.shown, reason))
        else:
            statements.append(Statement(_in_full(sentence.text, citations), citations, sentence.text, sentence.item))
    return statements, removed


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
