"""The steps of a question as a trace in MLflow, written when the question is over: none is left half-finished.

This module imports MLflow, inside its functions; it is imported only where traces are switched on.
"""

import contextlib
import json
import logging
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import TraceError
from policy_rag.records.answer import Answer
from policy_rag.tracing import Span, Trace
from policy_rag_parsers.telemetry import silence_telemetry

if TYPE_CHECKING:
    from mlflow.entities import Span as MlflowSpan
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.tracing.client import TracingClient

EXPERIMENT = "questions"
ROOT = "question"
_TYPES = {
    ROOT: "CHAIN",
    "search": "RETRIEVER",
    "read": "RETRIEVER",
    "rerank": "RERANKER",
    "llm": "LLM",
    "check": "EVALUATOR",
    "quote": "PARSER",
    "plan": "AGENT",
    "sub-question": "CHAIN",
}
_INPUTS = frozenset({"question", "asked", "variables", "system", "user", "sections", "where", "queries"})
_OUTPUTS = frozenset(
    {"reply", "hits", "why_removed", "parts", "statements", "removed", "status", "citations", "answer"}
)
_SLACK_NS = 1000  # milliseconds are kept as floats
_PREVIEW = 1000
_LOCKED_S = 5.0  # that another writer may take
_CLIENT = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "20",
}


def keep_trace(
    trace: Trace, question: str, outcome: Answer | BaseException, *, folder: Path, texts: bool = True
) -> str:
    """Writes the trace of one question, every span of it ended.

    It goes where `MLFLOW_TRACKING_URI` says, else into the store beside the index; there into the experiment
    `questions`. Its root is the span `question`, with a span for each step inside of what it was a part of.

    Args:
        trace: what was taken down.
        question: as it was asked.
        outcome: the answer, or what went wrong: the trace and the step that failed then have the state ERROR.
        folder: the index's.
        texts: whether words of questions, sections and replies are written.

    Returns:
        The trace's id.

    Raises:
        TraceError: the store cannot be written.
    """
    root = _root(trace, question, outcome)  # the question is over: opening the store is no part of it
    _quiet()
    with _wrapped():
        client, experiment = _opened(folder)
        number = secrets.randbits(127) + 1
        trace_id = f"tr-{number:032x}"
        client.start_trace(_info(trace_id, experiment, root, trace, texts=texts))
        client.log_spans(experiment, _spans(root, trace, number, texts=texts))
    return trace_id


def with_trace_kept(answer: Callable[[], Answer], trace: Trace, question: str, *, folder: Path, texts: bool) -> Answer:
    """An answer whose trace is kept, whatever ends the question, Ctrl-C among it.

    A question never fails for want of its trace: a notice says that it could not be kept.
    """
    try:
        answered = answer()
    except BaseException as error:
        try:
            keep_trace(trace, question, error, folder=folder, texts=texts)
        except TraceError as not_kept:
            error.add_note(str(not_kept))
        raise
    try:
        trace_id = keep_trace(trace, question, answered, folder=folder, texts=texts)
    except TraceError as not_kept:
        return replace(answered, notices=(*answered.notices, str(not_kept)))
    return replace(answered, trace_id=trace_id, trace_store=store_uri(folder))


def store_uri(folder: Path) -> str:
    """Where traces of the index in `folder` are kept."""
    return os.environ.get("MLFLOW_TRACKING_URI", "").strip() or f"sqlite:///{folder.resolve() / 'mlflow.db'}"


def require_writable(uri: str) -> None:
    """Whether a store in SQLite can be written: MLflow tries one that cannot for minutes. Nothing is said of others.

    Raises:
        OSError: it cannot; it says why.
    """
    file = uri.removeprefix("sqlite:///")
    if file == uri or not file or ":memory:" in file:
        return
    try:
        with contextlib.closing(sqlite3.connect(file.partition("?")[0], timeout=_LOCKED_S)) as db:
            db.execute("BEGIN IMMEDIATE")
            db.rollback()
    except sqlite3.Error as error:
        raise OSError(f"{file}: {error}") from error


def keep_feedback(
    uri: str, trace_id: str, *, name: str, value: bool | float | str, why: str | None, by: str, human: bool
) -> None:
    """Keeps what is said of an answer with its trace, after what was said before.

    Args:
        uri: of the store that the trace is in.
        trace_id: the trace's.
        name: what is judged.
        value: the verdict.
        why: in words, or None.
        by: who says so.
        human: whether that is a person.

    Raises:
        TraceError: the store cannot be written, or there is no such trace.
    """
    _quiet()
    from mlflow.entities import AssessmentSource, Feedback
    from mlflow.tracing.client import TracingClient

    source = AssessmentSource(source_type="HUMAN" if human else "CODE", source_id=by)
    with _wrapped("feedback on the question"):
        require_writable(uri)
        TracingClient(uri).log_assessment(trace_id, Feedback(name=name, value=value, rationale=why, source=source))


def _quiet() -> None:
    silence_telemetry()
    for name, value in _CLIENT.items():
        os.environ.setdefault(name, value)
    import mlflow  # noqa: F401 - its import sets the levels of its loggers

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)


@contextmanager
def _wrapped(what: str = "the question's trace") -> Iterator[None]:
    """One error for whatever goes wrong with the store."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, OSError, NotImplementedError) as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise TraceError(
            f"{what} was not kept in MLflow ({said}): check MLFLOW_TRACKING_URI, or switch trace_to_mlflow off"
        ) from error


def _opened(folder: Path) -> tuple["TracingClient", str]:
    """A client of the store, and the experiment's id in it."""
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException
    from mlflow.tracing.client import TracingClient

    named = os.environ.get("MLFLOW_TRACKING_URI", "").strip()
    place = folder.resolve()
    uri = store_uri(folder)
    require_writable(uri)
    plain = MlflowClient(tracking_uri=uri)
    found = plain.get_experiment_by_name(EXPERIMENT)
    if found is not None:
        return TracingClient(uri), str(found.experiment_id)
    try:
        artifacts = None if named else (place / "mlflow-artifacts").as_uri()
        made = plain.create_experiment(EXPERIMENT, artifact_location=artifacts)
    except MlflowException:  # another question has made it in the meantime
        again = plain.get_experiment_by_name(EXPERIMENT)
        if again is None:
            raise
        made = again.experiment_id
    return TracingClient(uri), str(made)


def _info(trace_id: str, experiment: str, root: Span, trace: Trace, *, texts: bool) -> "TraceInfo":
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.entities.trace_location import TraceLocation
    from mlflow.entities.trace_state import TraceState

    return TraceInfo(
        trace_id=trace_id,
        trace_location=TraceLocation.from_experiment_id(experiment),
        request_time=trace.begin_ns // 1_000_000,
        execution_duration=int(root.ms),
        state=TraceState.OK if root.error is None else TraceState.ERROR,
        request_preview=str(root.texts["question"])[:_PREVIEW] if texts else "",
        response_preview=str(root.texts.get("answer", ""))[:_PREVIEW] if texts else "",
        trace_metadata={
            "mlflow.trace_schema.version": "3",
            "mlflow.trace.tokenUsage": json.dumps(_tokens(trace)),
        },
        tags={"mlflow.traceName": ROOT},
    )


def _tokens(trace: Trace) -> dict[str, int]:
    calls = [span.attributes for span in trace.spans if span.name == "llm" and "tokens_in" in span.attributes]
    tokens_in, tokens_out = (sum(int(facts[name]) for facts in calls) for name in ("tokens_in", "tokens_out"))
    return {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}


def _root(trace: Trace, question: str, outcome: Answer | BaseException) -> Span:
    """The question as a step that holds all others."""
    end_ns = max([trace.now_ns(), *(span.end_ns for span in trace.spans)])
    root = Span(ROOT, trace.begin_ns, (end_ns - trace.begin_ns) / 1e6, texts={"question": question})
    if isinstance(outcome, BaseException):
        root.error = f"{type(outcome).__name__}: {' '.join(str(outcome).split())}"
    else:
        root.attributes |= {"status": outcome.status.value, "confidence": outcome.confidence, "llm": outcome.llm}
        root.texts["answer"] = outcome.answer
    return root


def _spans(root: Span, trace: Trace, number: int, *, texts: bool) -> list["MlflowSpan"]:
    """The root, then a span for each span, each inside of the narrowest one that holds it."""
    spans = [_span(root, number, 1, None, texts=texts)]
    open_ones: list[tuple[Span, int]] = []
    for own, span in enumerate(trace.spans, 2):
        while open_ones and open_ones[-1][0].end_ns + _SLACK_NS < span.end_ns:
            open_ones.pop()
        spans.append(_span(span, number, own, open_ones[-1][1] if open_ones else 1, texts=texts))
        open_ones.append((span, own))
    return spans


def _span(span: Span, number: int, own: int, parent: int | None, *, texts: bool) -> "MlflowSpan":
    from mlflow.entities import Span as MlflowSpan

    shown = dict(span.as_record(texts=texts))
    error = shown.pop("error", None)
    for name in ("step", "ms"):
        shown.pop(name)
    attributes: dict[str, Any] = {
        "mlflow.traceRequestId": f"tr-{number:032x}",
        "mlflow.spanType": _TYPES.get(span.name, "CHAIN"),
    }
    inputs = {name: value for name, value in shown.items() if name in _INPUTS}
    outputs = {name: value for name, value in shown.items() if name in _OUTPUTS}
    rest = {name: value for name, value in shown.items() if name not in _INPUTS | _OUTPUTS}
    attributes |= {"mlflow.spanInputs": inputs, "mlflow.spanOutputs": outputs, **rest}
    if "tokens_in" in shown:
        tokens_in, tokens_out = shown["tokens_in"], shown["tokens_out"]
        attributes["mlflow.chat.tokenUsage"] = {
            "input_tokens": tokens_in,
            "output_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        }
    return MlflowSpan.from_dict(
        {
            "trace_id": f"tr-{number:032x}",
            "span_id": f"{own:016x}",
            "parent_span_id": f"{parent:016x}" if parent else None,
            "name": span.name,
            "start_time_unix_nano": span.begin_ns,
            "end_time_unix_nano": max(span.end_ns, span.begin_ns),
            "status": {"code": "STATUS_CODE_ERROR" if error else "STATUS_CODE_OK", "message": error or ""},
            "attributes": _dumped(attributes),
        }
    )


def _dumped(attributes: Mapping[str, Any]) -> dict[str, str]:
    return {name: json.dumps(value, ensure_ascii=False, default=str) for name, value in attributes.items()}
