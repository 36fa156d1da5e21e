"""Figures as pages and tables write them."""

from typing import TYPE_CHECKING

from policy_rag_eval.statistics.intervals import Interval

if TYPE_CHECKING:
    from policy_rag_eval.sweep.usage import QuestionUsage


def span(interval: Interval) -> str:
    """An interval's ends.

    >>> span(Interval(0.5, 0.25, 0.75))
    '0.250 to 0.750'
    """
    return f"{interval.low:.3f} to {interval.high:.3f}"


def with_span(interval: Interval | None) -> str:
    """A mean with its interval's ends; a dash for none.

    >>> with_span(Interval(0.5, 0.25, 0.75)), with_span(None)
    ('0.500 (0.250 to 0.750)', '–')
    """
    return "–" if interval is None else f"{interval.mean:.3f} ({span(interval)})"


def money(cost: float | None) -> str:
    """What 1,000 questions cost, in the currency of `prices`; a dash where no price is known.

    >>> money(0.0), money(1.234), money(0.00051), money(None)
    ('0', '1.23', '0.00051', '–')
    """
    if cost is None:
        return "–"
    return "0" if cost == 0 else f"{cost:.2f}" if cost >= 0.1 else f"{cost:.2g}"


def usage_cells(usage: "QuestionUsage") -> tuple[str, str, str]:
    """Milliseconds, tokens of a question, and what 1,000 questions cost; dashes where they are not known.

    >>> from policy_rag_eval.sweep.usage import QuestionUsage
    >>> usage_cells(QuestionUsage(tokens=1234.4, cost=0.5)), usage_cells(QuestionUsage())
    (('–', '1,234', '0.50'), ('–', '–', '–'))
    """
    took, tokens = usage.latency, usage.tokens
    return (
        "–" if took is None else f"{took.median:,.0f} / {took.p95:,.0f}",
        "–" if tokens is None else f"{tokens:,.0f}",
        money(usage.cost),
    )
