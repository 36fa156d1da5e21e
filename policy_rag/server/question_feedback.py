"""What somebody says of an answer: kept with the question, and with its trace in MLflow, as from the command line."""

import logging

from policy_rag.answering.presentation.kept_traces import UnkeptTrace
from policy_rag.errors import MissingError, TraceError
from policy_rag.server.callers import Caller
from policy_rag.server.service import Service

_log = logging.getLogger(__name__)


def give_feedback(service: Service, caller: Caller, question_id: str, *, helpful: bool, comment: str | None) -> None:
    """Keeps whether an answer helped who asked, and why; only who asked may say so.

    Raises:
        MissingError: the caller asked no such question.
    """
    if not service.questions.rate(question_id, caller.name, helpful=helpful, comment=comment):
        raise MissingError("you asked no question of this id: take the `id` that came with the answer")


def feedback_to_mlflow(
    service: Service, caller: Caller, question_id: str, *, helpful: bool, comment: str | None
) -> None:
    """Hands feedback that was given on to MLflow, and the answer's trace where it is not there yet.

    It takes seconds. Where MLflow cannot be written, a warning is logged: the service has the feedback.
    """
    from policy_rag.answering.presentation.mlflow_tracing import keep_feedback

    service.watch.fed_back(caller, question_id, helpful=helpful)
    trace_id, store, record = service.questions.trace_of(question_id, caller.name) or (None, None, None)
    try:
        if record is not None and (trace_id is None or store is None):
            trace_id, store = UnkeptTrace.of(record, service.assistant.index.folder).keep()
            service.questions.note_trace(question_id, trace_id, store)
        if trace_id is not None and store is not None:
            keep_feedback(store, trace_id, name="helpful", value=helpful, why=comment, by=caller.name, human=True)
    except TraceError as error:
        _log.warning("feedback on question %s did not reach MLflow: %s", question_id, error)
