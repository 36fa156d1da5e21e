"""The steps of a question as a trace in MLflow, written when the question is over: none is left half-finished.

This module imports MLflow, inside its functions; it is imported only where traces are switched on.
"""

import contextlib
import json
import logging
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.answering.presentation.mlflow_spans import ROOT, active_span, join, root_span, steps, stored, tokens
from policy_rag.errors import TraceError
from policy_rag.records.answer import Answer
from policy_rag.tracing import Trace
from policy_rag_parsers.telemetry import silence_telemetry

if TYPE_CHECKING:
    from mlflow.entities import Assessment
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.tracing.client import TracingClient

EXPERIMENT = "questions"
_PREVIEW = 1000
_KIND = {"mlflow.experimentKind": "genai_development"}  # which pages its UI shows
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
    root = root_span(trace, question, outcome)  # the question is over: opening the store is no part of it
    _quiet()
    with _wrapped():
        client, experiment = _opened(folder)
        number = secrets.randbits(127) + 1
        trace_id = f"tr-{number:032x}"
        info = trace_info(
            trace_id,
            experiment,
            trace,
            previews=(str(root.texts["question"]), str(root.texts.get("answer", ""))) if texts else ("", ""),
            tags={"mlflow.traceName": ROOT},
            failed=root.error is not None,
        )
        client.start_trace(info)
        client.log_spans(experiment, stored(steps(root, trace, texts=texts), number))
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


def with_trace_joined(answer: Callable[[], Answer], trace: Trace, question: str, *, texts: bool) -> Answer | None:
    """An answer whose steps stand in the trace that the caller is making, under its active span; None without one."""
    active = active_span()
    if active is None:
        return None
    try:
        answered = answer()
    except BaseException as error:
        join(steps(root_span(trace, question, error), trace, texts=texts), active)
        raise
    join(steps(root_span(trace, question, answered), trace, texts=texts), active)
    import mlflow

    return replace(answered, trace_id=active.trace_id, trace_store=mlflow.get_tracking_uri())


def store_uri(folder: Path) -> str:
    """Where traces of the index in `folder` are kept."""
    return _named_store() or f"sqlite:///{folder.resolve() / 'mlflow.db'}"


def _named_store() -> str:
    return os.environ.get("MLFLOW_TRACKING_URI", "").strip()


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

    uri = store_uri(folder)
    require_writable(uri)
    plain = MlflowClient(tracking_uri=uri)
    found = plain.get_experiment_by_name(EXPERIMENT)
    if found is None:
        artifacts = None if _named_store() else (folder.resolve() / "mlflow-artifacts").as_uri()
        try:
            made = plain.create_experiment(EXPERIMENT, artifact_location=artifacts, tags=_KIND)
            return TracingClient(uri), str(made)
        except MlflowException:  # another question has made it in the meantime
            found = plain.get_experiment_by_name(EXPERIMENT)
            if found is None:
                raise
    return TracingClient(uri), str(found.experiment_id)


def trace_info(
    trace_id: str,
    experiment: str,
    trace: Trace,
    *,
    previews: tuple[str, str],
    tags: Mapping[str, str],
    failed: bool = False,
    metadata: Mapping[str, str] | None = None,
    assessments: Sequence["Assessment"] = (),
) -> "TraceInfo":
    """What MLflow keeps of a whole trace besides its spans.

    Args:
        trace_id: its id.
        experiment: the id of the experiment that it goes into.
        trace: its steps.
        previews: the beginnings of what was asked and answered, which lists of traces show.
        tags: of the trace.
        failed: whether it ended in an error.
        metadata: of the trace, such as the run that it belongs to.
        assessments: what is said of it, and what was expected.
    """
    from mlflow.entities.trace_info import TraceInfo
    from mlflow.entities.trace_location import TraceLocation
    from mlflow.entities.trace_state import TraceState

    taken = tokens(trace)
    ends = [span.end_ns for span in trace.spans]
    return TraceInfo(
        trace_id=trace_id,
        trace_location=TraceLocation.from_experiment_id(experiment),
        request_time=trace.begin_ns // 1_000_000,
        execution_duration=(max(ends, default=trace.begin_ns) - trace.begin_ns) // 1_000_000,
        state=TraceState.ERROR if failed else TraceState.OK,
        request_preview=previews[0][:_PREVIEW],
        response_preview=previews[1][:_PREVIEW],
        trace_metadata={
            "mlflow.trace_schema.version": "3",
            **({"mlflow.trace.tokenUsage": json.dumps(taken)} if taken else {}),
            **(metadata or {}),
        },
        tags=dict(tags),
        assessments=list(assessments),
    )
