"""The trace of one question: a span for each step, with its time and what is known of it, as `--trace` shows it."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Span:
    """One step of a question.

    Attributes:
        name: what was done.
        begin_ns: when it began, in nanoseconds since 1970.
        ms: how long it took, in milliseconds.
        attributes: names and figures.
        texts: words of questions, sections and replies: left out where texts are not to be kept.
        details: longer ones, in MLflow's form, for a trace that is kept: `documents` that were found, an LLM's
            `messages`. They are left out with the texts, and are no part of `as_record`.
        error: what went wrong, in a line, or None.
    """

    name: str
    begin_ns: int
    ms: float = 0.0
    attributes: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    @property
    def end_ns(self) -> int:
        """When it ended."""
        return self.begin_ns + int(self.ms * 1e6)

    def as_record(self, *, texts: bool = True) -> Mapping[str, Any]:
        """The span as plain values: `step`, its attributes, its texts if they are wanted, `ms`, and `error` if any.

        What went wrong is told without texts by its kind alone, for a message may quote what was asked.
        """
        shown: dict[str, Any] = {"step": self.name, **self.attributes, **(self.texts if texts else {}), "ms": self.ms}
        if self.error is not None:
            shown["error"] = self.error if texts else self.error.partition(":")[0]
        return shown


_begun: ContextVar[list["Trace"] | None] = ContextVar("traces_begun", default=None)
_check: ContextVar[Callable[[], None] | None] = ContextVar("before_each_step", default=None)


class Trace:
    """The spans of one question. For one thread."""

    def __init__(self) -> None:
        if (begun := _begun.get()) is not None:
            begun.append(self)
        # The clock of the calendar may jump: durations are taken from the other one.
        self.begin_ns, self._zero = time.time_ns(), time.perf_counter()
        self._spans: list[Span] = []
        self._labels: dict[str, Any] = {}

    @classmethod
    def of(cls, begin_ns: int, spans: Iterable[Span]) -> "Trace":
        """A trace of spans that were taken down before."""
        trace = cls()
        trace.begin_ns = begin_ns
        trace._spans = list(spans)
        return trace

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans that ended, in the order in which they began; one that holds others comes before them."""
        return tuple(sorted(self._spans, key=lambda span: (span.begin_ns, -span.ms)))

    def now_ns(self) -> int:
        """The time, in nanoseconds since 1970, never earlier than before."""
        return self.begin_ns + int((time.perf_counter() - self._zero) * 1e9)

    @contextmanager
    def span(self, name: str) -> Iterator[Span]:
        """A span while its step is done; it is kept when that ends, in whatever way, with its time.

        Whatever a check raises that was set by `before_each_step` is raised before it begins.

        >>> trace = Trace()
        >>> with trace.span("support") as span:
        ...     span.attributes["confidence"] = 0.5
        >>> trace.spans[0].as_record()["confidence"]
        0.5
        """
        if (check := _check.get()) is not None:
            check()
        span = Span(name, self.now_ns(), attributes=dict(self._labels))
        try:
            yield span
        except BaseException as error:
            span.error = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise
        finally:
            span.ms = (self.now_ns() - span.begin_ns) / 1e6
            self._spans.append(span)

    @contextmanager
    def within(self, **labels: Any) -> Iterator[None]:
        """Spans that begin inside carry these attributes too, such as the part of the question that they are for."""
        before = self._labels
        self._labels = {**before, **labels}
        try:
            yield
        finally:
            self._labels = before

    def add(self, name: str, *, begin_ns: int, ms: float, **attributes: Any) -> None:
        """Adds a span that was timed elsewhere."""
        self._spans.append(Span(name, begin_ns, ms, {**self._labels, **attributes}))

    def as_records(self, *, texts: bool = True) -> tuple[Mapping[str, Any], ...]:
        """All spans as plain values; see `Span.as_record`."""
        return tuple(span.as_record(texts=texts) for span in self.spans)


@contextmanager
def traces_begun() -> Iterator[list[Trace]]:
    """The traces that begin inside, in this thread: also of a question that fails, whose answer carries none.

    >>> with traces_begun() as begun:
    ...     trace = Trace()
    >>> begun == [trace]
    True
    """
    begun: list[Trace] = []
    before = _begun.set(begun)
    try:
        yield begun
    finally:
        _begun.reset(before)


@contextmanager
def before_each_step(check: Callable[[], None]) -> Iterator[None]:
    """Calls `check` before each step that begins inside, in this thread: by raising it ends the question there.

    >>> steps = []
    >>> with before_each_step(lambda: steps.append("checked")), Trace().span("support"):
    ...     steps.append("support")
    >>> steps
    ['checked', 'support']
    """
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)
