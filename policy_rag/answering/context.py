"""What one question is answered with."""

from collections.abc import Callable
from dataclasses import dataclass, field

from policy_rag.answering.confidence.model import Weights
from policy_rag.answering.confidence.question_terms import Idf
from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.llm.metering import Calls
from policy_rag.models.embedder import Embedder
from policy_rag.records.options import ContextOrder, Unverified
from policy_rag.tracing import Trace


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """What one question is answered with.

    Attributes:
        embedder: the index's embedding model.
        idf: of the keyword index that was searched.
        languages: those of the index's documents.
        weights: the support model.
        threshold: least confidence for an answer, 0 to 1.
        calls: the LLM under the question's budget, or None to answer by quotation.
        order: in which order the LLM is given sections.
        unverified: what becomes of an LLM's sentences that do not hold.
        stream_callback: is given all of the answer's text so far, as it grows; see `generator.generate`.
        trace: where the steps are kept.
        notices: what people should know of every answer, such as who answers.
    """

    embedder: Embedder
    idf: Idf
    languages: tuple[str, ...]
    weights: Weights
    threshold: float
    calls: Calls | None = None
    order: ContextOrder = ContextOrder.RANKED
    unverified: Unverified = Unverified.REMOVE
    stream_callback: Callable[[str], None] | None = None
    trace: Trace = field(default_factory=Trace)
    notices: tuple[str, ...] = ()

    @property
    def answerer(self) -> str:
        """Who answers: the LLM's name, or `extractive`."""
        return self.calls.name if self.calls else EXTRACTIVE
