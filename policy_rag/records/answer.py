"""An answer, its citations, and how it may end."""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from policy_rag.errors import TraceError
from policy_rag.records.search import Hit


class Status(StrEnum):
    """What became of a question."""

    ANSWERED = "answered"
    REFUSED = "refused"
    CLARIFY = "clarify"


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that a statement stands on. `quote` is exactly `[start, end)` of the document's text.

    `path_numbers` are those of a hit; not in the JSON form.
    """

    n: int
    quote: str
    doc_id: str
    version: str | None
    file: str
    section_id: str
    path: tuple[str, ...]
    start: int
    end: int
    page: int | None
    path_numbers: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, and on what it stands.

    Attributes:
        question: as asked.
        status: answered, refused or clarify.
        answered: `status is Status.ANSWERED`.
        answer: plain text with `[n]` marks; for a refusal, the sentence that says so.
        citations: one for each `n` in the answer's text, in order of `n`.
        removed: statements of the LLM that were taken out because their citation does not hold.
        nearest: for a refusal, the nearest hits; they do not answer the question.
        clarification: the question back to the asker, or None.
        confidence: 0 to 1, the support for an answer in the policies found.
        llm: which answerer answered: `extractive` or the model's name.
        trace: the steps taken, when asked for.
        timings_ms: milliseconds a step.
        notices: for people, a line each; not in the JSON form.
        filters: those that were read out of the question, as they are typed; in the JSON form where there are any.
        trace_id: of the trace that was kept in MLflow, which feedback is given on; in the JSON form where there is one.
        trace_store: where that trace is; not in the JSON form.
    """

    question: str
    status: Status
    answer: str
    citations: tuple[Citation, ...]
    removed: tuple[str, ...] = ()
    nearest: tuple[Hit, ...] = ()
    clarification: str | None = None
    confidence: float
    llm: str
    trace: tuple[Mapping[str, Any], ...] | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    notices: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    trace_id: str | None = None
    trace_store: str | None = field(default=None, repr=False)

    @property
    def answered(self) -> bool:
        """Whether the policies answered the question."""
        return self.status is Status.ANSWERED

    def feedback(self, good: bool, comment: str | None = None, *, by: str | None = None) -> None:
        """Says whether the answer helped; MLflow keeps it with the answer's trace.

        Args:
            good: whether it did.
            comment: why, in words.
            by: who says so; by default the user of this machine.

        Raises:
            TraceError: the answer has no trace, or it cannot be written to.
        """
        if self.trace_id is None or self.trace_store is None:
            raise TraceError("this answer has no trace to keep feedback with: ask with trace_to_mlflow=True")
        from policy_rag.answering.presentation.mlflow_tracing import keep_feedback

        who = by or getpass.getuser()
        keep_feedback(self.trace_store, self.trace_id, name="helpful", value=good, why=comment, by=who, human=True)

    def _repr_html_(self) -> str:
        """The answer as HTML, for notebooks; everything in it is escaped."""
        from policy_rag.answering.presentation.html import answer_html

        return answer_html(self)
