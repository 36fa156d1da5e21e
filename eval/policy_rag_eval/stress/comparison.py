"""Stress tests of several configurations, compared by what one test leaves of right answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag.errors import UsageError
from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.reports.decision import (
    DecisionRow,
    write_all,
    write_best,
    write_failures,
    write_repeat,
    write_verdicts,
)
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.number_format import with_span
from policy_rag_eval.stress.page import USAGE_TOLD, broken, write_tests
from policy_rag_eval.stress.results import StressRun
from policy_rag_eval.sweep.several import Several, compared
from policy_rag_parsers.text.near_names import did_you_mean


@dataclass(frozen=True, slots=True)
class StressComparison:
    """Runs of the same tests on the same questions.

    Attributes:
        dataset: its name.
        runs: name of a configuration to its run.
        several: how they compare by the test that decides.
    """

    dataset: str
    runs: Mapping[str, StressRun]
    several: Several

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        runs = [{"name": name, **run.as_json()} for name, run in self.runs.items()]
        return {"dataset": self.dataset, "configurations": runs, **self.several.as_json()}


def compare_stress(
    runs: Mapping[str, StressRun], measure: str | None = None, *, against: str | None = None, margin: float = MARGIN
) -> StressComparison:
    """Compares runs by one test: a question's figure is the share of its conditions that it was answered rightly under.

    Controls are none of them: see `StressResult.by_question`.

    `measure` names the test that decides, by default the first, `against` a baseline, by default the best; one that is
    worse by no more than the margin is said to be no worse.

    Raises:
        UsageError: there is no such test or baseline.
    """
    first = next(iter(runs.values()))
    by = decides(measure, [one.test.name for one in first.tests])
    figures = {name: run.by_question(by) for name, run in runs.items()}
    return StressComparison(first.dataset, runs, compared(figures, by, against=against, margin=margin))


def decides(measure: str | None, tests: list[str]) -> str:
    """The name of the test that decides: the one that is asked for, else the first.

    Raises:
        UsageError: it is none of the tests.
    """
    if measure is not None and measure not in tests:
        hint = did_you_mean(measure, tests, otherwise=f"there are {', '.join(tests)}")
        raise UsageError(f"--measure {measure}: no such test is run: {hint}")
    return measure or tests[0]


def comparison_page(found: StressComparison, *, texts: bool = True, command: str = "") -> ReportPage:
    """The page of several configurations.

    `texts` is whether words of questions and answers may stand in it, `command` what repeats it, if anything.
    """
    several, best = found.several, found.runs[found.several.best]
    page = ReportPage(
        several.headline,
        f"{found.dataset}, {several.questions} questions; {several.measure}: the mean share of its conditions that a "
        "question is answered rightly under",
    )
    head, rows = comparison_head(found), comparison_rows(found)
    about = f"Each test: the mean share of its conditions that a question is answered rightly under. {USAGE_TOLD}"
    write_best(page, rows, head, several.comparisons, measure=several.measure, about=about, margin=several.margin)
    write_failures(page, f"Where {several.best} breaks", broken(best), texts=texts)
    page.heading("The rest")
    write_all(page, rows, head, measure=several.measure)
    write_verdicts(page, several.verdicts, several.comparisons, best=several.best, measure=several.measure)
    with page.folded("Every condition", f"of {len(rows)} configurations"):
        page.table(
            ("configuration", "test and condition", "questions", "share", "change"),
            [
                (name, f"{test.test.name}: {one.name}", str(len(one.outcomes)), with_span(one.share),
                 with_span(one.change))
                for name in several.means
                for test in found.runs[name].tests
                for one in test.conditions
            ],
            figures=2,
        )  # fmt: skip
    page.heading(f"The tests under {several.best}")
    write_tests(page, best)
    write_repeat(
        page,
        command,
        {**best.settings, "llm": best.llm, "seed": best.seed},
        notes=(note for run in found.runs.values() for note in run.notes),
    )
    return page


def comparison_head(found: StressComparison) -> tuple[str, ...]:
    """The test that decides, then the others."""
    tests = [one.test.name for one in next(iter(found.runs.values())).tests]
    return found.several.measure, *(name for name in tests if name != found.several.measure)


def comparison_rows(found: StressComparison) -> list[DecisionRow]:
    """The configurations under `comparison_head`, best first."""
    return [_row(name, found, comparison_head(found)[1:]) for name in found.several.means]


def _row(name: str, found: StressComparison, others: Sequence[str]) -> DecisionRow:
    run, interval = found.runs[name], found.several.intervals.get(name)
    return DecisionRow(name, (with_span(interval), *(_mean(run, test) for test in others)), run.usage, interval)


def _mean(run: StressRun, test: str) -> str:
    figures = run.by_question(test)
    return f"{sum(figures.values()) / len(figures):.3f}" if figures else "–"
