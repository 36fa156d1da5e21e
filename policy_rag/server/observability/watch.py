"""What happens in the service, told once and seen in metrics, logs, traces and the audit."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from policy_rag.index.store.store import Index
from policy_rag.records.answer import Answer
from policy_rag.records.search import SearchResult
from policy_rag.server.callers import Caller
from policy_rag.server.observability.audit import Activity, AuditFile, Event, as_ocsf
from policy_rag.server.observability.facts import current_request
from policy_rag.server.observability.logs import event_log
from policy_rag.server.observability.metrics import Metrics
from policy_rag.server.observability.otel_traces import Tracing
from policy_rag.server.service_options import ServerOptions
from policy_rag.tracing import Trace

AUDIT = "audit.jsonl"


class Watch:
    """Who watches one service. Safe for many threads.

    Args:
        index: that is served.
        options: how; with `log_questions`, logs, traces and the audit hold what was asked, else they never do.
        clock: the time, with its zone.
    """

    def __init__(self, index: Index, options: ServerOptions, clock: Callable[[], dt.datetime]) -> None:
        self._index, self._clock, self._texts = index, clock, options.log_questions
        self.metrics = Metrics(index)
        self.tracing = Tracing(texts=options.log_questions)
        self._audit = AuditFile(options.state / AUDIT)
        self._log = event_log()

    def asked(
        self,
        caller: Caller,
        question: str,
        outcome: Answer | str,
        *,
        uid: str,
        took_ms: float,
        traces: Sequence[Trace],
        variant: str = "",
    ) -> None:
        """A question is over, which the log of questions has as `uid`, with an answer or what became of it instead."""
        answer = outcome if isinstance(outcome, Answer) else None
        word = answer.status.value if answer else str(outcome)
        llm, stages = (answer.llm, answer.timings_ms) if answer else ("", {})
        spans = [span for trace in traces for span in trace.spans]
        self.metrics.question(word, llm, variant, stages, took_ms)
        self.metrics.spent(spans)
        self.tracing.steps(traces)
        shown = [citation.file for citation in answer.citations] if answer else []
        came_up = [hit["file"] for span in spans for hit in _hits(span.attributes)]
        facts: dict[str, Any] = {"outcome": word, "llm": llm} | ({"variant": variant} if variant else {})
        facts |= {"question": question} if self._texts else {}
        self._tell(
            Event(
                operation="ask",
                caller=caller,
                shown=shown,
                found=[*(hit.file for hit in (answer.nearest if answer else ())), *came_up],
                failed="" if answer else word,
                uid=uid,
                facts=facts,
            ),
            confidence=answer.confidence if answer else None,
            ms=round(took_ms, 1),
        )

    def searched(self, caller: Caller, question: str, result: SearchResult) -> None:
        """Hits were given to somebody, with their text."""
        facts = {"question": question} if self._texts else None
        self._tell(Event(operation="search", caller=caller, shown=[hit.file for hit in result.hits], facts=facts))

    def touched(
        self, caller: Caller, operation: str, documents: Iterable[str], activity: Activity = Activity.READ
    ) -> None:
        """Text of documents was given to somebody, by `documents` their names, or something is done with them.

        They are files, or folders with all that is in them.
        """
        self._tell(Event(operation=operation, caller=caller, shown=list(documents), activity=activity))

    def fed_back(self, caller: Caller, uid: str, *, helpful: bool) -> None:
        """Somebody said whether an answer helped."""
        self.metrics.feedback(helpful=helpful)
        self._tell(
            Event(operation="feedback", caller=caller, activity=Activity.CREATE, uid=uid, facts={"helpful": helpful})
        )

    def denied(self, caller: Caller | None, operation: str, why: str, *, status: int, document: str = "") -> None:
        """Somebody was denied what was asked for."""
        self.metrics.denied(status)
        self._tell(
            Event(operation=operation, caller=caller, shown=[document] if document else [], denied=why),
            status=status,
        )

    def denied_document(self, caller: Caller, operation: str, name: str) -> None:
        """Somebody asked for a document that is not there, or not for him; only the latter is denied, and told here."""
        for document in self._index.documents():
            if name in {document.doc_id, document.file, document.title} and not document.open_to(caller.groups):
                self.denied(
                    caller, operation, "not open to any of the caller's groups", status=404, document=document.file
                )
                return

    def served(self, *, method: str, route: str, status: int, seconds: float, caller: Caller | None) -> None:
        """A request is over."""
        self.metrics.request(route, method, status, seconds)
        request = current_request()
        self._log.info(
            "request",
            request=request.id if request else None,
            method=method,
            route=route,
            status=status,
            caller=caller.name if caller else None,
            ms=round(seconds * 1000, 1),
        )

    def close(self) -> None:
        """Sends what is left, and takes this process out of the sums of several."""
        self.tracing.close()
        self.metrics.close()

    def _tell(self, event: Event, **more: Any) -> None:
        request = current_request()
        self._audit.write([as_ocsf(event, self._clock(), request)])
        self._log.info(
            event.operation,
            request=request.id if request else None,
            caller=event.caller.name if event.caller else None,
            uid=event.uid,
            shown=len(set(event.shown)),
            denied=event.denied or None,
            **(event.facts or {}),
            **more,
        )


def _hits(attributes: Any) -> Collection[dict[str, Any]]:
    """The hits that a step of a question names."""
    found = attributes.get("hits")
    return found if isinstance(found, list) else ()
