"""What one question is answered with."""

from collections.abc import Callable
from dataclasses import dataclass, field

from policy_rag.answering.confidence.model import Weights, weights_in_force
from policy_rag.answering.confidence.question_terms import Idf
from policy_rag.answering.extraction.selection import MOST
from policy_rag.answering.generation.answer_prompt import answer_prompt
from policy_rag.index.store.store import Snapshot
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.llm.metering import Calls
from policy_rag.models.embedder import Embedder
from policy_rag.models.reader import Reader
from policy_rag.models.reader_language import is_english
from policy_rag.records.choices import ContextOrder, Unverified
from policy_rag.settings import Settings
from policy_rag.tracing import Trace
from policy_rag_prompts.loader import Template


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What one question is answered with.

    Attributes:
        embedder: the index's embedding model.
        idf: of the keyword index that was searched.
        languages: those of the index's documents.
        weights: the support model.
        threshold: least support with which anything is shown, 0 to 1.
        most_quoted: statements that an answer by quotation chooses at most.
        certain: least confidence for an answer; what lies between is shown as uncertain.
        quick: gives the embedding model in 8-bit integers, where it is wanted; None for none.
        reader: reads question or statement and text together; None: words decide alone.
        calls: the LLM under the question's budget, or None to answer by quotation.
        order: in which order the LLM is given sections.
        prompt: the words that the LLM is asked to answer with, or None for those for its size.
        may_refuse: whether the LLM is offered to refuse.
        unverified: what becomes of an LLM's sentences that do not hold.
        stream_callback: is given all of the answer's text so far, as it grows; see `generator.generate`.
        notice_callback: is given each notice that is known before the answer is written.
        trace: where the steps are kept.
        notices: what people should know of every answer, such as who answers.
    """

    embedder: Embedder
    idf: Idf
    languages: tuple[str, ...]
    weights: Weights
    threshold: float
    most_quoted: int = MOST
    certain: float = 0.0
    quick: Callable[[], Embedder] | None = None
    reader: Reader | None = None
    calls: Calls | None = None
    order: ContextOrder = ContextOrder.RANKED
    prompt: Template | None = None
    may_refuse: bool = True
    unverified: Unverified = Unverified.REMOVE
    stream_callback: Callable[[str], None] | None = None
    notice_callback: Callable[[str], None] | None = None
    trace: Trace = field(default_factory=Trace)
    notices: tuple[str, ...] = ()

    def embedder_of(self, question: str) -> Embedder:
        """What embeds a question and the sentences that may answer it: where no reader reads, vectors decide alone."""
        is_read = self.reader is not None and is_english(question)
        return self.quick() if self.quick is not None and is_read else self.embedder

    @property
    def answerer(self) -> str:
        """Who answers: the LLM's name, or `extractive`."""
        return self.calls.name if self.calls else EXTRACTIVE


def context_of(
    chosen: Settings, snapshot: Snapshot, embedder: Embedder, reader: Reader | None, calls: Calls | None
) -> AnswerContext:
    """What questions are answered with under some settings, without a trace."""
    weights = weights_in_force(chosen, llm=calls is not None)
    return AnswerContext(
        embedder=embedder,
        idf=snapshot.keywords.idf,
        languages=snapshot.derived.languages,
        weights=weights,
        threshold=weights.threshold,
        certain=weights.certain,
        reader=reader,
        calls=calls,
        order=chosen.answer.context_order,
        prompt=answer_prompt(chosen.answer.prompt, calls.billions) if calls else None,
        unverified=chosen.answer.unverified,
    )
