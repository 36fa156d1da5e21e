"""What becomes of the trace of a question: it joins the caller's own, is kept in MLflow, or waits for feedback.

Where it waits, it stands beside its index: feedback needs no setting, and MLflow is written to only then.
"""

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from policy_rag.records.answer import Answer, Status
from policy_rag.tracing import Span, Trace
from policy_rag.whole_files import written_whole

FILE = "last_question.json"


@dataclass(slots=True)
class UnkeptTrace:
    """The trace of a question that MLflow does not have yet.

    Attributes:
        trace: its steps.
        answer: what became of it.
        folder: the index's.
        texts: whether words of questions, sections and replies may be kept.
        kept: the id and the store of the trace once it is kept.
    """

    trace: Trace
    answer: Answer
    folder: Path
    texts: bool
    kept: tuple[str, str] | None = None

    def keep(self) -> tuple[str, str]:
        """Writes it to MLflow, once; its id and its store.

        Raises:
            TraceError: the store cannot be written.
        """
        if self.kept is None:
            from policy_rag.answering.presentation.mlflow_tracing import keep_trace, store_uri

            asked = self.answer.question
            trace_id = keep_trace(self.trace, asked, self.answer, folder=self.folder, texts=self.texts)
            self.kept = trace_id, store_uri(self.folder)
            forget_last(self.folder)
        return self.kept

    def as_record(self) -> dict[str, Any]:
        """All of it but the folder as plain values; see `of`."""
        left_out: dict[str, Any] = {} if self.texts else {"texts": {}, "details": {}}
        spans = [{**asdict(span), **left_out} for span in self.trace.spans]
        said = {
            "question": self.answer.question if self.texts else "",
            "answer": self.answer.answer if self.texts else "",
            "status": self.answer.status.value,
            "confidence": self.answer.confidence,
            "llm": self.answer.llm,
        }
        return {"begin_ns": self.trace.begin_ns, "texts": self.texts, "outcome": said, "spans": spans}

    @classmethod
    def of(cls, record: Mapping[str, Any], folder: Path) -> "UnkeptTrace":
        """Reads what `as_record` made, for the index in a folder."""
        outcome = record["outcome"]
        answer = Answer(**{**outcome, "status": Status(outcome["status"])}, citations=())
        trace = Trace.of(record["begin_ns"], (Span(**span) for span in record["spans"]))
        return cls(trace, answer, folder, record["texts"])

    def remember(self) -> None:
        """Writes it beside the index, in place of the question before; where nothing can be written, nothing is."""
        record = self.as_record()
        with suppress(OSError), written_whole(self.folder / FILE) as beside:
            beside.write_text(json.dumps(record, ensure_ascii=True, default=str), encoding="utf-8")


def last_question(folder: Path) -> UnkeptTrace | None:
    """The question that was asked last, where its trace is not in MLflow yet; None where there is none to be read."""
    try:
        return UnkeptTrace.of(json.loads((folder / FILE).read_text(encoding="utf-8")), folder)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def forget_last(folder: Path) -> None:
    """Takes away what stands beside an index, since MLflow has the last question."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)


def traced(
    answer: Callable[[], Answer], trace: Trace, question: str, *, folder: Path, texts: bool, to_mlflow: bool
) -> Answer:
    """The answer to a question, its trace kept whatever ends the question; one that waits can be given feedback.

    Args:
        answer: answers.
        trace: where its steps are.
        question: as asked.
        folder: the index's.
        texts: whether words of questions, sections and replies may be kept.
        to_mlflow: whether the trace is kept in MLflow where the caller makes no trace of its own there.
    """
    if "mlflow" in sys.modules:  # else nobody is making a trace, and importing it would take seconds
        from policy_rag.answering.presentation.mlflow_tracing import with_trace_joined

        joined = with_trace_joined(answer, trace, question, texts=texts)
        if joined is not None:
            return joined
    if not to_mlflow:
        answered = answer()
        return replace(answered, unkept=UnkeptTrace(trace, answered, folder, texts))
    from policy_rag.answering.presentation.mlflow_tracing import with_trace_kept

    answered = with_trace_kept(answer, trace, question, folder=folder, texts=texts)
    forget_last(folder)
    return answered
