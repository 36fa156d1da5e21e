"""What becomes of the trace of a question: it joins the caller's own, is kept in MLflow, or waits for feedback."""

import sys
from collections.abc import Callable
from pathlib import Path

from policy_rag.answering.presentation.last_question import forget_last, with_unkept
from policy_rag.records.answer import Answer
from policy_rag.tracing import Trace


def traced(
    answer: Callable[[], Answer], trace: Trace, question: str, *, folder: Path, texts: bool, to_mlflow: bool
) -> Answer:
    """The answer to a question, its trace kept whatever ends the question.

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
        return with_unkept(answer(), trace, folder, texts=texts)
    from policy_rag.answering.presentation.mlflow_tracing import with_trace_kept

    answered = with_trace_kept(answer, trace, question, folder=folder, texts=texts)
    forget_last(folder)
    return answered
