"""What people and judges say of an answer, kept with its trace in MLflow: there a question is seen to its verdict."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError
from policy_rag_eval.tracking.stores import Store, open_client, wrapped

if TYPE_CHECKING:
    from mlflow.entities import Assessment
    from mlflow.tracing.client import TracingClient

QUESTIONS = "questions"
"""The experiment that the traces of questions are in."""

HELPFUL = "helpful"
"""What people's feedback is called unless it is given another name."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """Something said of an answer.

    `name` is what is judged, such as `helpful` or a judge's name; there is no value where a judge could not tell. `by`
    names a person, or a judge.
    """

    name: str
    value: bool | float | str | None
    why: str | None
    by: str
    human: bool = True


def log_feedback(store: Store, trace_id: str, feedback: Feedback) -> None:
    """Keeps what is said with the trace. What was said before stays.

    The trace is named by `answer.trace_id` or `latest_trace`.

    Raises:
        UsageError: there is no such trace, or no value is given.
        TrackingError: the store cannot be read.
        TraceError: it cannot be written.
    """
    from policy_rag.answering.presentation.mlflow_tracing import keep_feedback

    if feedback.value is None:
        raise UsageError(f"nothing is said of {feedback.name}: give a value")
    _require(_client(store), store, trace_id)
    keep_feedback(
        store.uri,
        trace_id,
        name=feedback.name,
        value=feedback.value,
        why=feedback.why,
        by=feedback.by,
        human=feedback.human,
    )


def feedback_of(store: Store, trace_id: str) -> tuple[Feedback, ...]:
    """What was said of an answer, in the order in which it was kept; of one millisecond by name.

    Raises:
        UsageError: there is no such trace.
        TrackingError: the store cannot be read.
    """
    client = _client(store)
    _require(client, store, trace_id)
    with wrapped(store):
        found = client.get_trace_info(trace_id).assessments
    said = [one for one in found if one.feedback is not None]  # what was expected is nobody's word on the answer
    return tuple(_read(one) for one in sorted(said, key=lambda one: (one.create_time_ms or 0, one.name)))


def question_of(store: Store, trace_id: str) -> str:
    """The question that a trace is of, by its beginning; empty where words of questions are not kept.

    Raises:
        UsageError: there is no such trace.
        TrackingError: the store cannot be read.
    """
    client = _client(store)
    _require(client, store, trace_id)
    with wrapped(store):
        return str(client.get_trace_info(trace_id).request_preview or "")


def latest_trace(store: Store) -> str:
    """The id of the newest trace of a question.

    Raises:
        UsageError: no trace was kept.
        TrackingError: the store cannot be read.
    """
    plain, client = open_client(store), _client(store)
    with wrapped(store):
        experiment = plain.get_experiment_by_name(QUESTIONS)
        newest = (
            client.search_traces(
                locations=[experiment.experiment_id],
                max_results=1,
                order_by=["timestamp_ms DESC"],
                include_spans=False,
            )
            if experiment
            else []
        )
    if not newest:
        raise UsageError("no question was asked of this index yet: `policy-rag ask QUESTION` first")
    return str(newest[0].info.trace_id)


def _client(store: Store) -> "TracingClient":
    open_client(store)
    from mlflow.tracing.client import TracingClient

    return TracingClient(store.uri)


def _require(client: "TracingClient", store: Store, trace_id: str) -> None:
    from mlflow.exceptions import MlflowException

    try:
        with wrapped(store):
            client.get_trace_info(trace_id)
    except Exception as error:
        if isinstance(error.__cause__, MlflowException) and error.__cause__.error_code == "RESOURCE_DOES_NOT_EXIST":
            raise UsageError(
                f"there is no trace {trace_id} in {store.shown}: leave it out for the last question"
            ) from error
        raise


def _read(kept: "Assessment") -> Feedback:
    value = kept.feedback.value if kept.feedback else None
    return Feedback(
        name=kept.name,
        value=value if value is None or isinstance(value, bool | int | float) else str(value),
        why=kept.rationale,
        by=kept.source.source_id or "",
        human=kept.source.source_type == "HUMAN",
    )
