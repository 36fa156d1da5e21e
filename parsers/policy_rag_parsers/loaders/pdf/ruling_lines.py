"""The straight lines that are drawn on a page of a PDF."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: horizontal at `at` from `low` to `high` in x, or vertical at `at` from `low` to `high` in y."""

    at: float
    low: float
    high: float
