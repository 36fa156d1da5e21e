"""Figures for Prometheus: how long, how often, with what outcome; no document, caller or group is named."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from tempfile import TemporaryDirectory
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from policy_rag.index.store.snapshot_files import FOLDER as DERIVED
from policy_rag.index.store.store import Index
from policy_rag.tracing import Span

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Where several processes keep their figures, so that any of them can tell those of all; prometheus-client reads it."""

_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


@contextmanager
def shared_figures() -> Iterator[None]:
    """Has processes that are started meanwhile keep their figures together, from naught; not this one."""
    with TemporaryDirectory(prefix="policy-rag-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        yield


class Metrics:
    """The figures of this process, and where there are several, of all; with the age and size of the index."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._registry = registry = CollectorRegistry()
        live: dict[str, Any] = {"registry": registry, "multiprocess_mode": "livesum"}
        self._requests = Counter(
            "policy_rag_http_requests_total", "Requests served.", ("route", "method", "status"), registry=registry
        )
        self._request_seconds = Histogram(
            "policy_rag_http_request_seconds",
            "From a request to the end of its reply.",
            ("route",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._questions = Counter(
            "policy_rag_questions_total",
            "Questions by what became of them.",
            ("outcome", "llm", "variant"),
            registry=registry,
        )
        self._stage_seconds = Histogram(
            "policy_rag_stage_seconds",
            "Time that a step of a question took; `total` is all of it.",
            ("stage",),
            buckets=_SECONDS,
            registry=registry,
        )
        self._tokens = Counter(
            "policy_rag_llm_tokens_total", "Tokens of LLM calls.", ("llm", "direction"), registry=registry
        )
        self._calls = Counter("policy_rag_llm_calls_total", "LLM calls.", ("llm",), registry=registry)
        self._feedback = Counter("policy_rag_feedback_total", "What askers said.", ("helpful",), registry=registry)
        self._denied = Counter(
            "policy_rag_denied_total", "What callers were denied, by status.", ("status",), registry=registry
        )
        self._waiting = Gauge("policy_rag_questions_waiting", "Questions that wait for a thread.", **live)
        self._working = Gauge("policy_rag_questions_in_progress", "Questions that are being answered.", **live)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts a request that was served; `route` is the pattern of its path."""
        self._requests.labels(route, method, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def question(self, outcome: str, llm: str, variant: str, stages_ms: Mapping[str, float], took_ms: float) -> None:
        """Counts a question and its steps."""
        self._questions.labels(outcome, llm, variant).inc()
        for stage, ms in {**stages_ms, "total": took_ms}.items():
            self._stage_seconds.labels(stage).observe(ms / 1000)

    def spent(self, spans: Sequence[Span]) -> None:
        """Counts the LLM calls among the steps of a question, those of a question that failed too."""
        for span in spans:
            if span.name != "llm":
                continue
            facts = span.attributes
            llm = str(facts.get("model", ""))
            self._calls.labels(llm).inc()
            for direction in ("in", "out"):
                self._tokens.labels(llm, direction).inc(facts.get(f"tokens_{direction}") or 0)

    def feedback(self, *, helpful: bool) -> None:
        """Counts feedback."""
        self._feedback.labels(str(helpful).lower()).inc()

    def denied(self, status: int) -> None:
        """Counts what somebody was denied."""
        self._denied.labels(str(status)).inc()

    def waiting(self) -> AbstractContextManager[object]:
        """While a question waits for a thread."""
        return self._waiting.track_inprogress()

    def working(self) -> AbstractContextManager[object]:
        """While a question is being answered."""
        return self._working.track_inprogress()

    def text(self) -> bytes:
        """All figures in Prometheus's text form."""
        registry, of_index = self._registry, CollectorRegistry()
        if os.environ.get(FOLDER):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        of_index.register(_IndexFigures(self._index))
        return generate_latest(registry) + generate_latest(of_index)

    def close(self) -> None:
        """Takes this process out of the sums, where there are several."""
        if os.environ.get(FOLDER):
            mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


class _IndexFigures(Collector):
    """How old and how large the index is."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def collect(self) -> Iterator[GaugeMetricFamily]:
        # Each ingest writes the files of its searches anew; nothing else does, unless they were lost.
        files = (self._index.folder / DERIVED).glob("*")
        changed = max((path.stat().st_mtime for path in files), default=None)
        if changed is not None:
            yield GaugeMetricFamily(
                "policy_rag_index_age_seconds", "Since the index last changed.", value=max(0.0, time.time() - changed)
            )
        yield GaugeMetricFamily(
            "policy_rag_index_documents", "Documents in the index.", value=len(self._index.documents())
        )
