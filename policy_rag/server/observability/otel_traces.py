"""Traces for OpenTelemetry: a span for each request, and inside it one for each step of a question."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from policy_rag import __version__
from policy_rag.tracing import Trace

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


def exporter_configured(environment: Mapping[str, str]) -> bool:
    """Whether OpenTelemetry's variables name a collector, and do not switch traces off.

    >>> exporter_configured({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    True
    >>> exporter_configured({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER": "none"})
    False
    """
    off = (
        environment.get("OTEL_SDK_DISABLED", "").lower() == "true" or environment.get("OTEL_TRACES_EXPORTER") == "none"
    )
    return not off and any(environment.get(name, "").strip() for name in _ENDPOINTS)


class Tracing:
    """Sends traces to a collector by OTLP over HTTP where one is configured; else it does nothing.

    Args:
        texts: whether words of questions, sections and replies are sent.
    """

    def __init__(self, *, texts: bool) -> None:
        self._texts = texts
        self._provider: TracerProvider | None = None
        self._tracer: Tracer = trace.NoOpTracer()
        if exporter_configured(os.environ):
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            resource = Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", "policy_rag")})
            self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
            self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
            self._tracer = self._provider.get_tracer("policy_rag", __version__)

    @contextmanager
    def request(self, method: str, path: str, headers: Mapping[str, str]) -> Iterator["Span"]:
        """The span of a request, under that of who sent it where the headers name one."""
        parent = TraceContextTextMapPropagator().extract(headers)
        facts = {"http.request.method": method, "url.path": path}
        with self._tracer.start_as_current_span(
            method, context=parent, kind=trace.SpanKind.SERVER, attributes=facts
        ) as span:
            yield span

    def steps(self, traces: Iterable[Trace]) -> None:
        """Spans for the steps of questions that are over, inside of the request that is being served."""
        if self._provider is None:
            return
        for one in traces:
            open_ones: list[tuple[int, Span]] = []
            for step in one.spans:
                while open_ones and open_ones[-1][0] < step.end_ns:
                    open_ones.pop()
                inside = trace.set_span_in_context(open_ones[-1][1]) if open_ones else contexts.get_current()
                span = self._tracer.start_span(step.name, inside, start_time=step.begin_ns)
                for name, value in step.as_record(texts=self._texts).items():
                    if name not in {"step", "ms", "error"}:
                        span.set_attribute(f"policy_rag.{name}", _plain(value))
                if step.error is not None:
                    told = step.error if self._texts else step.error.partition(":")[0]
                    span.set_status(trace.StatusCode.ERROR, told)
                open_ones.append((step.end_ns, span))
                span.end(step.end_ns)

    def close(self) -> None:
        """Sends what is left."""
        if self._provider is not None:
            self._provider.shutdown()


def _plain(value: Any) -> str | bool | int | float:
    """A value as an attribute may be."""
    return value if isinstance(value, str | bool | int | float) else json.dumps(value, ensure_ascii=False, default=str)
