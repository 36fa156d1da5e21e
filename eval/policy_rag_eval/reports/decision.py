"""What every decision page has: the best five with what they take, three failures side by side, and how to repeat it.

What is measured differs from page to page; where it stands does not.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.number_format import usage_cells
from policy_rag_eval.reports.plots import intervals_plot
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.choice import compared_with, standing
from policy_rag_eval.sweep.usage import QuestionUsage
from policy_rag_eval.sweep.verdicts import Comparison

FIRST, FAILURES = 5, 3
USAGE = ("ms, median / p95", "tokens", "cost of 1,000")

_CHARACTERS = 700
_WRAPPED = re.compile(r" *\n(?=[^\W\d_A-ZÄÖÜ])")


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """A configuration on a decision page.

    Attributes:
        name: the configuration's.
        figures: as they are shown, one for each head of the page's own.
        usage: what a question takes.
        score: by the measure that decides, for the plot; None where it could not be measured.
    """

    name: str
    figures: tuple[str, ...]
    usage: QuestionUsage
    score: Interval | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that a configuration fails on, to be read side by side.

    Attributes:
        question_id: the data set's.
        question: its words.
        told: what became of it, in a few words.
        left: what is right: where it stands or what it is, and its text.
        right: what was given, likewise.
    """

    question_id: str
    question: str
    told: str
    left: tuple[str, str]
    right: tuple[str, str]


def write_best(
    page: ReportPage,
    rows: Sequence[DecisionRow],
    head: Sequence[str],
    comparisons: Sequence[Comparison],
    *,
    measure: str,
    about: str,
    margin: float = MARGIN,
    title: str = "",
    verdicts: bool = True,
) -> None:
    """The best five: the page's own figures, how each stands to the one that all are compared with, and what it takes.

    Args:
        page: to which it is written.
        rows: all configurations, best first.
        head: of the page's own figures.
        comparisons: of the best, or of a baseline, with each other one.
        measure: what the scores are, for the plot.
        about: what the page's own figures, the milliseconds, tokens and costs are of.
        margin: what counts as no worse.
        title: of the part; by default how many of how many it shows.
        verdicts: whether the column of comparisons is there.
    """
    first, many = rows[:FIRST], len(rows) > 1
    shown = f"The best {len(first)} of {len(rows)}" if len(rows) > FIRST else "Side by side"
    page.heading(title or (shown if many else "What it is worth"))
    base = compared_with(rows[0].name, comparisons)
    against = (f"against {'the best' if base == rows[0].name else base}",) if many and verdicts else ()
    page.table(
        ("configuration", *head, *against, *USAGE),
        [
            (
                one.name,
                *map(_stacked, one.figures),
                *([_stacked(standing(one.name, base, comparisons, margin))] if against else []),
                *usage_cells(one.usage),
            )
            for one in first
        ],
        chosen=0 if many else None,
    )
    page.paragraph(about)
    _plot(page, first, measure)


def _plot(page: ReportPage, rows: Sequence[DecisionRow], measure: str) -> None:
    plotted = [(one.name, one.score) for one in rows if one.score is not None]
    names, scores = [name for name, _ in plotted], [score for _, score in plotted]
    page.plot(intervals_plot(names, scores, title=measure), f"{measure}, with 95 % intervals.")


def _stacked(cell: str) -> str:
    """An interval below its mean, a p-value or a margin below what it is of: many columns then fit side by side."""
    return cell.replace(" (", "\n(").replace(", p ", ",\np ").replace(" than ", "\nthan ")


def write_failures(page: ReportPage, title: str, failures: Sequence[Failure], *, texts: bool = True) -> None:
    """Three failures, what is right beside what was given; without texts their ids alone.

    The worst are first; `texts` is whether words of questions, documents and answers may stand in it.
    """
    if not failures:
        return
    page.heading(title)
    if not texts:
        page.items(f"{one.question_id}: {one.told}" for one in failures[:FAILURES])
        return
    for one in failures[:FAILURES]:
        page.pair(f"{one.question} ({one.told})", one.left, one.right)


def write_all(page: ReportPage, rows: Sequence[DecisionRow], head: Sequence[str], *, measure: str) -> None:
    """Every configuration with its figures and what it takes, folded, where there are more than the best five."""
    if len(rows) <= FIRST:
        return
    with page.folded("All configurations", f"{len(rows)}, best first"):
        page.table(
            ("configuration", *head, *USAGE),
            [(one.name, *map(_stacked, one.figures), *usage_cells(one.usage)) for one in rows],
        )
        _plot(page, rows, measure)


def write_verdicts(
    page: ReportPage, verdicts: Sequence[str], comparisons: Sequence[Comparison], *, best: str, measure: str
) -> None:
    """All comparisons in words and as a plot, folded, with the test that they rest on."""
    if not comparisons:
        return
    decided = sum(one.decided for one in comparisons)
    with page.folded("All verdicts", f"{decided} decided, {len(comparisons) - decided} not"):
        page.paragraph(
            "A paired randomisation test over the questions, corrected for all configurations together (max-T with "
            "shared signs, step by step). It assumes that differences spread alike to both sides; where they do not, "
            "the p-value of a bootstrap stands beside."
        )
        page.items(verdicts)
        shown = [one for one in comparisons if best in (one.first, one.second)]
        page.plot(
            intervals_plot(
                [one.second if one.first == best else one.first for one in shown],
                [one.difference for one in shown],
                title="differences",
                zero=True,
            ),
            f"{measure}: the best minus each other one; each interval is for its pair alone.",
        )


def write_repeat(
    page: ReportPage,
    command: str,
    settings: Mapping[str, Any],
    *,
    skipped: Mapping[str, str] | None = None,
    notes: Iterable[str] = (),
    about: str = "",
) -> None:
    """The command that gives the same page, with settings, what was not run, and what a reader should know, folded.

    The command is as it is typed, "" where there was none; settings are of the best; `skipped` has the reason of what
    was not run, `about` how the measures are defined.
    """
    with page.folded("How to repeat it", "the command, settings of the best, what was not run, notes"):
        if command:
            page.code(command)
        page.table(("setting", "value"), [(name, str(value)) for name, value in settings.items()], figures=2)
        page.items(f"not run: {name}: {reason}" for name, reason in (skipped or {}).items())
        page.items(dict.fromkeys(notes))
        if about:
            page.paragraph(about)


def cut(text: str) -> str:
    r"""The first words of a text that is too long; lines that only a file's width broke are joined.

    >>> cut("Costs are paid\nup to EUR 70.\n(b) Tips too.")
    'Costs are paid up to EUR 70.\n(b) Tips too.'
    """
    text = _WRAPPED.sub(" ", text)
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS].rstrip()} …"
