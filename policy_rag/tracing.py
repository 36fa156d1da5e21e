"""The steps of one question, each with its time and what is known of it: what `--trace` and MLflow show."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Step:
    """One step.

    Attributes:
        name: what was done.
        begin_ns: when it began, in nanoseconds since 1970.
        ms: how long it took, in milliseconds.
        facts: names and figures.
        texts: words of questions, sections and replies: left out where texts are not to be kept.
        error: what went wrong, in a line, or None.
    """

    name: str
    begin_ns: int
    ms: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    texts: dict[str, Any] = field(default_factory=dict)
    error: str | None = None

    @property
    def end_ns(self) -> int:
        """When it ended."""
        return self.begin_ns + int(self.ms * 1e6)

    def as_mapping(self, *, texts: bool = True) -> Mapping[str, Any]:
        """The step as plain values: `step`, its facts, its texts if they are wanted, `ms`, and `error` if it failed.

        What went wrong is told without texts by its kind alone, for a message may quote what was asked.
        """
        shown: dict[str, Any] = {"step": self.name, **self.facts, **(self.texts if texts else {}), "ms": self.ms}
        if self.error is not None:
            shown["error"] = self.error if texts else self.error.partition(":")[0]
        return shown


class Steps:
    """Takes down the steps of one question. For one thread."""

    def __init__(self) -> None:
        # The clock of the calendar may jump: durations are taken from the other one.
        self._epoch_ns, self._zero = time.time_ns(), time.perf_counter()
        self._steps: list[Step] = []
        self._labels: dict[str, Any] = {}

    @property
    def all(self) -> tuple[Step, ...]:
        """What was taken down, in the order in which it began; what holds other steps comes before them."""
        return tuple(sorted(self._steps, key=lambda step: (step.begin_ns, -step.ms)))

    @property
    def begin_ns(self) -> int:
        """When the question came, in nanoseconds since 1970."""
        return self._epoch_ns

    def now_ns(self) -> int:
        """The time, in nanoseconds since 1970, never earlier than before."""
        return self._epoch_ns + int((time.perf_counter() - self._zero) * 1e9)

    @contextmanager
    def step(self, name: str) -> Iterator[Step]:
        """A step while it is done; it is taken down when it ends, in whatever way, with its time.

        >>> steps = Steps()
        >>> with steps.step("support") as step:
        ...     step.facts["confidence"] = 0.5
        >>> steps.all[0].as_mapping()["confidence"]
        0.5
        """
        step = Step(name, self.now_ns(), facts=dict(self._labels))
        try:
            yield step
        except BaseException as error:
            step.error = f"{type(error).__name__}: {' '.join(str(error).split())}"
            raise
        finally:
            step.ms = (self.now_ns() - step.begin_ns) / 1e6
            self._steps.append(step)

    @contextmanager
    def within(self, **labels: Any) -> Iterator[None]:
        """Steps that are begun inside carry these facts too, such as the part of the question that they are for."""
        before = self._labels
        self._labels = {**before, **labels}
        try:
            yield
        finally:
            self._labels = before

    def add(self, name: str, *, begin_ns: int, ms: float, **facts: Any) -> None:
        """Takes down a step that was timed elsewhere."""
        self._steps.append(Step(name, begin_ns, ms, {**self._labels, **facts}))

    def as_trace(self, *, texts: bool = True) -> tuple[Mapping[str, Any], ...]:
        """All steps as plain values; see `Step.as_mapping`."""
        return tuple(step.as_mapping(texts=texts) for step in self.all)
