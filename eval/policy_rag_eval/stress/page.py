"""The page of stress tests: what breaks the answerer first, and by how much."""

from collections.abc import Mapping

from policy_rag_eval.reports.figures import with_span
from policy_rag_eval.reports.pages import ReportPage
from policy_rag_eval.reports.plots import intervals_plot
from policy_rag_eval.reports.tables import Cell, FigureTable
from policy_rag_eval.stress.records import StressOutcome
from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun

_OUTCOMES = 3


def headline(run: StressRun) -> str:
    """The test and condition that cost most, in a sentence; or that none did for certain."""
    falls = [
        (one.change.high, one.change, test, one)
        for test in run.tests
        for one in test.conditions
        if one.change is not None and one.change.high < 0
    ]
    by = f"{run.llm} on {run.dataset}"
    if not falls:
        counted = sum(bool(test.conditions) for test in run.tests)
        return f"{by}: none of {counted} tests lowers the share of right citations for certain"
    _, change, test, one = min(falls, key=lambda fall: fall[1].mean)
    share = f"{one.share.mean:.3f}" if one.share else "–"
    fall = f"{change.mean:+.3f} under {one.name} (share {share})"
    others = "no other costs" if len(falls) == 1 else f"{len(falls)} conditions cost"
    return f"{by}: {test.test.name} costs most, {fall}; {others} something for certain"


def stress_table(runs: Mapping[str, StressRun]) -> FigureTable:
    """The figures of every condition of every configuration, in their order."""
    head = ("configuration", "test", "condition", "questions", "share", "share_low", "share_high", "change")
    rows: list[tuple[Cell, ...]] = []
    for name, run in runs.items():
        for test in run.tests:
            for one in test.conditions:
                share = (None,) * 3 if one.share is None else (one.share.mean, one.share.low, one.share.high)
                counts = (one.counts[outcome] for outcome in StressOutcome)
                change = one.change.mean if one.change else None
                rows.append((name, test.test.name, one.name, len(one.outcomes), *share, change, *counts))
    return FigureTable((*head, *(str(outcome) for outcome in StressOutcome)), tuple(rows))


def stress_page(run: StressRun) -> ReportPage:
    """The page of a run. It holds no words of questions or answers."""
    chosen = ", ".join(f"{name}={value}" for name, value in run.settings.items())
    page = ReportPage(
        headline(run), f"{run.dataset}, answered by {run.llm}, seed {run.seed}{f', {chosen}' if chosen else ''}"
    )
    costly = sorted(
        ((one.change.mean, test, one) for test in run.tests for one in test.conditions if one.change is not None),
        key=lambda each: each[0],
    )[:5]
    if costly:
        page.heading("What costs most")
        page.table(
            ("test and condition", "questions", "share", "change"),
            [
                (f"{test.test.name}: {one.name}", str(len(one.outcomes)), with_span(one.share), with_span(one.change))
                for _, test, one in costly
            ],
        )
        page.paragraph("Change: against the first condition of the same questions, question by question.")
    broken = [each for each in (failed_questions(test) for test in run.tests) if each]
    if broken:
        page.heading("Questions that break")
        page.items(broken[:_OUTCOMES])
    page.heading("The tests")
    write_tests(page, run)
    return page


def write_tests(page: ReportPage, run: StressRun) -> None:
    """Each test with its table and plot, folded, and what a reader should know."""
    for test in run.tests:
        _test(page, test)
    if run.notes:
        with page.folded("Notes"):
            page.items(run.notes)


def _test(page: ReportPage, result: StressResult) -> None:
    with page.folded(result.test.title, result.test.share):
        if not result.conditions:
            page.paragraph("No question of this data set can be asked.")
        else:
            kinds = [outcome for outcome in StressOutcome if any(one.counts[outcome] for one in result.conditions)]
            page.table(
                ("condition", "questions", "share", "change", *map(str, kinds)),
                [_row(one, kinds) for one in result.conditions],
            )
            known = [(one.name, one.share) for one in result.conditions if one.share is not None]
            page.plot(
                intervals_plot([name for name, _ in known], [share for _, share in known], title=result.test.share),
                "The share under each condition, with 95 % intervals.",
            )
        page.items(result.notes)
        page.items(dict.fromkeys(f"failed: {why}" for one in result.conditions for why in one.failures))


def _row(one: ConditionResult, kinds: list[StressOutcome]) -> tuple[str, ...]:
    counts = (str(one.counts[kind]) for kind in kinds)
    return (one.name, str(len(one.outcomes)), with_span(one.share), with_span(one.change), *counts)


def failed_questions(result: StressResult) -> str:
    """The first questions that the first condition answers rightly and a later one does not."""
    if len(result.conditions) < 2:
        return ""
    first = result.conditions[0]
    for one in result.conditions[1:]:
        lost = [
            name
            for name, outcome in one.outcomes.items()
            if outcome not in result.test.good and first.outcomes.get(name) in result.test.good
        ]
        if lost:
            return f"{result.test.name}, {one.name}: {', '.join(lost[:3])} ({one.outcomes[lost[0]]})"
    return ""
