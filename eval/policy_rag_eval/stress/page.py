"""The page of stress tests: what breaks the answerer first, by how much, and questions that broke."""

from collections.abc import Mapping

from policy_rag_eval.reports.decision import (
    FAILURES,
    FIRST,
    DecisionRow,
    Failure,
    cut,
    write_best,
    write_failures,
    write_repeat,
)
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.number_format import with_span
from policy_rag_eval.reports.plots import intervals_plot
from policy_rag_eval.reports.table_files import Cell, FigureTable
from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun, first_alike
from policy_rag_eval.stress.trials import StressOutcome
from policy_rag_eval.sweep.usage import NO_USAGE

USAGE_TOLD = (
    "ms: what an answer takes from the sections given, without the search, an LLM's replies as long as they took. "
    "tokens: of an answer's prompt and reply. cost of 1,000: of these answers, by the setting prices; – where no LLM "
    "answered, or no price is known."
)
_CHANGE = "Change: against the first condition of the same questions, question by question."


def headline(run: StressRun) -> str:
    """The test and condition that cost most, in a sentence; or that none did for certain."""
    falls = [
        (one.change.high, one.change, test, one)
        for test in run.tests
        for one in test.counted
        if one.change is not None and one.change.high < 0
    ]
    by = f"{run.llm} on {run.dataset}"
    if not falls:
        compared = sum(any(one.change is not None for one in test.counted) for test in run.tests)
        alone = next((_told(test) for test in run.tests if test.counted), None)
        if not compared and alone is not None:
            return f"{by}: {alone}"
        return f"{by}: none of {compared} tests lowers the share of right citations for certain"
    _, change, test, one = min(falls, key=lambda fall: fall[1].mean)
    share = f"{one.share.mean:.3f}" if one.share else "–"
    fall = f"{change.mean:+.3f} under {one.name} (share {share})"
    others = "no other costs" if len(falls) == 1 else f"{len(falls)} conditions cost"
    return f"{by}: {test.test.name} costs most, {fall}; {others} something for certain"


def _told(test: StressResult) -> str:
    """A test that has nothing to compare, by its first condition."""
    first = test.counted[0]
    return f"{test.test.name}, {first.name}: share {with_span(first.share)}"


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
                took = run.usage.as_json().values()
                rows.append((name, test.test.name, one.name, len(one.outcomes), *share, change, *counts, *took))
    return FigureTable((*head, *(str(outcome) for outcome in StressOutcome), *NO_USAGE.as_json()), tuple(rows))


def stress_page(run: StressRun, *, texts: bool = True, command: str = "") -> ReportPage:
    """The page of a run.

    `texts` is whether words of questions and answers may stand in it, `command` what repeats it, if anything.
    """
    chosen = ", ".join(f"{name}={value}" for name, value in run.settings.items())
    page = ReportPage(
        headline(run), f"{run.dataset}, answered by {run.llm}, seed {run.seed}{f', {chosen}' if chosen else ''}"
    )
    costly = sorted(
        ((one.change.mean, test, one) for test in run.tests for one in test.counted if one.change is not None),
        key=lambda each: each[0],
    )[:FIRST]
    if costly:
        page.heading("What costs most")
        page.table(
            ("test and condition", "questions", "share", "change"),
            [
                (f"{test.test.name}: {one.name}", str(len(one.outcomes)), with_span(one.share), with_span(one.change))
                for _, test, one in costly
            ],
            chosen=0,
        )
        page.paragraph(_CHANGE)
    conditions = sum(len(one.conditions) for one in run.tests)
    write_best(
        page,
        [DecisionRow(run.llm, (str(conditions),), run.usage)],
        ("conditions",),
        (),
        measure="",
        about=USAGE_TOLD,
        title="What an answer takes",
    )
    write_failures(page, "Questions that break", broken(run), texts=texts)
    page.heading("The rest")
    write_tests(page, run)
    write_repeat(page, command, {**run.settings, "llm": run.llm, "seed": run.seed}, notes=run.notes)
    return page


def write_tests(page: ReportPage, run: StressRun) -> None:
    """Each test with its table and plot, folded."""
    for test in run.tests:
        _test(page, test)


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


def broken(run: StressRun) -> list[Failure]:
    """Questions that were answered rightly and broke under a condition, one a condition, the costliest condition first.

    Each test comes once before any comes twice, and no question does.
    """
    falls = sorted(
        (
            (one.change.mean, test, first, one)
            for test in run.tests
            for one in test.counted
            if one.change is not None and (first := first_alike(test.conditions, one.outcomes.keys())) is not None
        ),
        key=lambda fall: fall[0],
    )
    of_tests = {test.test.name: number for number, (_, test, *_) in reversed(list(enumerate(falls)))}
    order = sorted(range(len(falls)), key=lambda number: (number not in of_tests.values(), number))
    made: dict[str, Failure] = {}
    for _, test, first, one in (falls[number] for number in order):
        lost = (name for name in one.outcomes if name not in made and _broke(test, first, one, name))
        if (question := next(lost, None)) is not None:
            made[question] = _failure(test, first, one, question)
    return list(made.values())[:FAILURES]


def _broke(test: StressResult, first: ConditionResult, one: ConditionResult, question: str) -> bool:
    before, after = first.outcomes.get(question), one.outcomes[question]
    return before in test.test.good and after not in (*test.test.good, StressOutcome.FAILED)


def _failure(test: StressResult, first: ConditionResult, one: ConditionResult, question: str) -> Failure:
    words = one.answered[question][0].question.text if question in one.answered else question
    told = f"{test.test.name}, {one.name}: {one.outcomes[question]}"
    return Failure(question, words, told, _given(first, question), _given(one, question))


def _given(one: ConditionResult, question: str) -> tuple[str, str]:
    """What was answered under a condition, with its outcome and where it was taken from."""
    what = f"{one.name}: {one.outcomes[question]}"
    if question not in one.answered:
        return what, ""
    _, answer = one.answered[question]
    files = ", ".join(dict.fromkeys(citation.file for citation in answer.citations))
    return (f"{what}, from {files}" if files else what), cut(answer.text or "no answer")
