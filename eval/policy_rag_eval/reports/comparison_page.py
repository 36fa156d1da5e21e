"""The decision page of two kept runs: which is better, and on which questions."""

from collections.abc import Sequence

from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.reports.decision import write_best, write_repeat
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.plots import intervals_plot
from policy_rag_eval.reports.retrieval_page import USAGE_TOLD, evaluation_head, evaluation_rows
from policy_rag_eval.reports.run_comparison import Difference, QuestionDifference, RunComparison
from policy_rag_eval.reports.table_files import Cell, FigureTable

_QUESTIONS, _FIRST = 15, 3
_FIGURES = ("first", "second", "difference", "95 % interval", "p alone", "p, corrected")


def comparison_page(found: RunComparison, *, command: str = "") -> ReportPage:
    """What two runs say of each other, and the questions on which they differ.

    `command` repeats it; "" where it was not run by one.
    """
    first, second = found.first, found.second
    page = ReportPage(
        found.verdict,
        f"{first.dataset} ({first.digest[:8]}), --corpus {first.corpus}, {found.questions} questions that both were "
        "asked. "
        f"First: run {first.run_id} of {first.started:%Y-%m-%d %H:%M} UTC. Second: run {second.run_id} of "
        f"{second.started:%Y-%m-%d %H:%M} UTC.",
    )
    write_best(
        page,
        evaluation_rows((first.evaluation, second.evaluation), found.measure),
        evaluation_head(found.measure),
        (),
        measure=str(found.measure),
        about=USAGE_TOLD,
        verdicts=False,
    )
    page.heading(f"First minus second, by {found.measure}")
    (decides, *_) = found.differences
    page.table(("", *_FIGURES), [(str(decides.measure), *difference_cells(decides, found.measure))])
    for name, pairs in ((first.name, found.wins), (second.name, found.losses)):
        page.heading(f"{len(pairs)} questions on which {name} is better")
        _questions(page, pairs[:_FIRST])
        if len(pairs) > _FIRST:
            with page.folded("More of them", f"{min(len(pairs), _QUESTIONS) - _FIRST}"):
                _questions(page, pairs[_FIRST:_QUESTIONS])
    page.heading("The rest")
    with page.folded("All measures", "p of the paired randomisation test, corrected (Holm) where it does not decide"):
        rows = [(str(one.measure), *difference_cells(one, found.measure)) for one in found.differences]
        page.table(("measure", *_FIGURES), rows)
        page.plot(
            intervals_plot(
                [str(one.measure) for one in found.differences],
                [one.difference for one in found.differences],
                title="differences",
                zero=True,
            ),
            "First minus second, with 95 % intervals.",
        )
    with page.folded("Settings that differ", str(len(found.settings))):
        page.table(("setting", "first", "second"), [(name, *both) for name, both in found.settings.items()], figures=3)
    write_repeat(page, command, {"first run": first.run_id, "second run": second.run_id}, notes=found.notes)
    return page


def comparison_table(found: RunComparison) -> FigureTable:
    """A row a measure, the one that decides first: both means, the difference with its interval, p-values."""
    head = ("measure", "first", "second", "difference", "low", "high", "p_alone", "p_corrected")
    rows: list[tuple[Cell, ...]] = []
    for one in found.differences:
        gap, p_value = one.difference, one.p_value
        tested = (None, None) if p_value is None else (p_value.alone, p_value.corrected)
        rows.append((str(one.measure), one.first, one.second, gap.mean, gap.low, gap.high, *tested))
    return FigureTable(head, tuple(rows))


def difference_cells(one: Difference, decides: Measure) -> tuple[str, ...]:
    """Means, difference, interval and p-values (alone, corrected; blank where it was not tested) as they are shown."""
    p_values = ("", "")
    if one.p_value is not None:
        p_values = _p(one.p_value.alone), "decides" if one.measure == decides else _p(one.p_value.corrected)
    interval = one.difference
    signed = f"{interval.low:+.3f} to {interval.high:+.3f}"
    return f"{one.first:.3f}", f"{one.second:.3f}", f"{interval.mean:+.3f}", signed, *p_values


def _p(value: float) -> str:
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"


def _questions(page: ReportPage, pairs: Sequence[QuestionDifference]) -> None:
    if pairs:
        rows = [(pair.question_id, pair.text or "", f"{pair.first:.3f}", f"{pair.second:.3f}") for pair in pairs]
        page.table(("question", "text", "first", "second"), rows, figures=2)
