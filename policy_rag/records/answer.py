"""An answer, its citations, and how it may end."""

import datetime as dt
import getpass
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from policy_rag.errors import TraceError
from policy_rag.records.search import Hit


class Status(StrEnum):
    """What became of a question.

    `uncertain`: the nearest text is shown, and not claimed to answer.
    """

    ANSWERED = "answered"
    UNCERTAIN = "uncertain"
    REFUSED = "refused"
    CLARIFY = "clarify"


class Keepable(Protocol):
    """A trace that can be kept in MLflow."""

    def keep(self) -> tuple[str, str]:
        """Keeps it, once; its id and its store."""
        ...

    def remember(self) -> None:
        """Leaves it beside the index, for feedback from another process."""
        ...


@dataclass(frozen=True, slots=True)
class Citation:
    """A place that a statement stands on.

    Attributes:
        n: the `[n]` in the answer's text.
        quote: exactly `[start, end)` of the document's text.
        doc_id: the document's.
        version: what the document says of its version, or None.
        file: path relative to the folder that was ingested.
        section_id: unique within the document.
        path: titles from the document's title down to the section's own.
        start: first character.
        end: one past the last.
        page: the page on which `quote` begins, or None.
        path_numbers: the number of each step of `path`, or None; not in the JSON form.
        text: `quote` as people read it: without markup, each paragraph, item or row on a line.
        document: the document's title.
        number: the section's number as printed, or None.
        title: the section's title; may be empty.
        line: on which `quote` begins, from 1, in files that have lines (Markdown, plain text); else None.
        effective_from: first day on which the document is in force, or None where it says none.
        effective_to: the last one, or None.
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
    text: str = ""
    document: str = ""
    number: str | None = None
    title: str = ""
    line: int | None = None
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """Words of an answer that is quotations.

    Attributes:
        text: as people read them.
        n: the `[n]` that they stand on.
        leads: whether they answer by themselves; what else is said belongs to them or comes near them.
        quote: the same as they stand in the document, markup and all.
    """

    text: str
    n: int
    leads: bool = False
    quote: str = ""


def as_text(said: Sequence[Said]) -> str:
    r"""An answer's text: what leads, then after an empty line the rest, each with its mark.

    >>> as_text([Said("Leave is 28 days.", 1, leads=True), Said("Part-time staff have fewer.", 2)])
    'Leave is 28 days. [1]\n\nPart-time staff have fewer. [2]'
    """
    blocks = ([one for one in said if one.leads], [one for one in said if not one.leads])
    return "\n\n".join("\n".join(f"{one.text} [{one.n}]" for one in block) for block in blocks if block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was answered, and on what it stands.

    Attributes:
        question: as asked.
        status: answered, uncertain, refused or clarify.
        answered: `status is Status.ANSWERED`.
        answer: plain text with `[n]` marks; for a refusal, the sentence that says so.
        citations: one for each `n` in the answer's text, in order of `n`.
        removed: statements of the LLM that were taken out because their citation does not hold.
        nearest: for a refusal, the nearest hits; they do not answer the question.
        clarification: the question back to the asker, or None.
        confidence: 0 to 1, the probability that the answer is right, calibrated on the development sets.
        said: of an answer by quotation, the words and their `n`, what answers first; not in the JSON form.
        llm: which answerer answered: `extractive` or the model's name.
        trace: the steps taken, when asked for.
        timings_ms: milliseconds a step.
        notices: for people, a line each; not in the JSON form.
        filters: those that were read out of the question, as they are typed; in the JSON form where there are any.
        trace_id: of the trace that was kept in MLflow, which feedback is given on; in the JSON form where there is one.
        trace_store: where that trace is; not in the JSON form.
        unkept: the trace where it was not kept; feedback keeps it. Not in the JSON form.
    """

    question: str
    status: Status
    answer: str
    citations: tuple[Citation, ...]
    said: tuple[Said, ...] = ()
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
    unkept: "Keepable | None" = field(default=None, repr=False, compare=False)

    @property
    def answered(self) -> bool:
        """Whether the policies answered the question."""
        return self.status is Status.ANSWERED

    @property
    def shown(self) -> bool:
        """Whether text of the policies is shown for it, as an answer or as the nearest there is."""
        return self.status in {Status.ANSWERED, Status.UNCERTAIN}

    def feedback(self, good: bool, comment: str | None = None, *, by: str | None = None) -> None:
        """Says whether the answer helped; MLflow keeps it with the answer's trace.

        Args:
            good: whether it did.
            comment: why, in words.
            by: who says so; by default the user of this machine.

        Raises:
            TraceError: the answer comes from no question that was asked of an index, or MLflow cannot be written.
        """
        if self.trace_id is not None and self.trace_store is not None:
            trace_id, store = self.trace_id, self.trace_store
        elif self.unkept is not None:
            trace_id, store = self.unkept.keep()
        else:
            raise TraceError("this answer has no trace to keep feedback with: give feedback on what `ask` returns")
        from policy_rag.answering.presentation.mlflow_tracing import keep_feedback

        who = by or getpass.getuser()
        keep_feedback(store, trace_id, name="helpful", value=good, why=comment, by=who, human=True)

    def _repr_html_(self) -> str:
        """The answer as HTML, for notebooks; everything in it is escaped."""
        from policy_rag.answering.presentation.html import answer_html

        return answer_html(self)
