"""Sends traces that were kept locally on to an MLflow server, with what was said of their answers."""

import copy
import dataclasses
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from policy_rag_eval.tracking.stores import Store, all_pages, open_client, wrapped

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Assessment
    from mlflow.entities.trace_info import TraceInfo

SOURCE_RUN = "mlflow.sourceRun"
_JUDGED_IN = "mlflow.assessment.sourceRunId"
_NAME = "mlflow.traceName"
_PAGE = 200
_ENDED = frozenset({"OK", "ERROR"})

RunThere = Callable[[str], str | None]
"""The id on the server of a run here, or None where it was not sent."""


@dataclasses.dataclass(frozen=True, slots=True)
class SentTraces:
    """What became of the traces of one experiment.

    Attributes:
        sent: how many were sent, or had got new verdicts or feedback since they were.
        left_out: how many stay here because they may hold texts.
    """

    sent: int
    left_out: int


def send_traces(
    stores: tuple[Store, Store], here: str, there: str, *, mark: str, texts: bool, run_there: RunThere
) -> SentTraces:
    """Copies the ended traces of an experiment under their own ids: spans, tags and everything said of them.

    A trace is marked in the local store with how much was said of it, so that feedback that comes later is sent by
    another call. One that belongs to a run goes only where the run has gone.

    From the first store to the other, `here` and `there` are the experiment's ids. Without `texts` only traces that
    were kept without words are sent; `run_there` knows the runs that were.

    Raises:
        TrackingError: a store cannot be used.
    """
    from mlflow.tracing.client import TracingClient

    local, server = stores
    plain, target = open_client(local), TracingClient(server.uri)
    sent = left_out = 0
    for info in _ended(plain, local, here):
        known = info.tags.get(mark)
        source = info.trace_metadata.get(SOURCE_RUN)
        run_id = None if source is None else run_there(source)
        if known == str(len(info.assessments)) or (source is not None and run_id is None):
            continue
        if not texts and not _without_words(info):
            left_out += 1
            continue
        with wrapped(local):
            spans = plain.get_trace(info.trace_id, display=False).data.spans
        with wrapped(server):
            target.start_trace(_copied(info, there, mark, run_id))
            if known is None and spans:
                target.log_spans(there, spans)
        with wrapped(local):
            plain.set_trace_tag(info.trace_id, mark, str(len(info.assessments)))
        sent += 1
    return SentTraces(sent, left_out)


def _ended(client: "MlflowClient", store: Store, experiment: str) -> "list[TraceInfo]":
    """All pages; what is still in progress is not there yet."""
    search = partial(client.search_traces, locations=[experiment], include_spans=False)
    with wrapped(store):
        found = all_pages(lambda most, token: search(max_results=most, page_token=token), _PAGE)
    return [trace.info for trace in found if trace.info.state.value in _ENDED]


def _without_words(info: "TraceInfo") -> bool:
    """Whether a trace was kept without words: it shows none of an answer, and of a question its id at most."""
    asked = info.request_preview or ""
    return not info.response_preview and asked in {"", info.tags.get("question_id", "")}


def _copied(info: "TraceInfo", experiment: str, mark: str, run_id: str | None) -> "TraceInfo":
    """The trace as the server is to have it; what MLflow notes of its own store stays here."""
    from mlflow.entities.trace_location import TraceLocation

    tags = {name: value for name, value in info.tags.items() if name == _NAME or not name.startswith("mlflow.")}
    metadata = dict(info.trace_metadata)
    if run_id is not None:
        metadata[SOURCE_RUN] = run_id
    return dataclasses.replace(
        info,
        trace_location=TraceLocation.from_experiment_id(experiment),
        tags={name: value for name, value in tags.items() if not name.startswith(mark.rpartition(".")[0])},
        trace_metadata=metadata,
        assessments=[_said(one, run_id) for one in info.assessments],
    )


def _said(one: "Assessment", run_id: str | None) -> "Assessment":
    """What was said of an answer, by the run that the server knows."""
    if run_id is None or _JUDGED_IN not in (one.metadata or {}):
        return one
    made = copy.copy(one)  # its class takes other names than its fields have
    made.metadata = {**(one.metadata or {}), _JUDGED_IN: run_id}
    return made
