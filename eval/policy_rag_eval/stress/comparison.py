"""Stress tests of several configurations, compared by what one test leaves of right answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy_rag.errors import UsageError
from policy_rag_eval.reports.figures import with_span
from policy_rag_eval.reports.pages import ReportPage
from policy_rag_eval.stress.page import failed_questions, write_tests
from policy_rag_eval.stress.records import StressOutcome
from policy_rag_eval.stress.results import StressResult, StressRun
from policy_rag_eval.sweep.several import Several, compared
from policy_rag_eval.sweep.verdicts import MARGIN
from policy_rag_parsers.text.near_names import did_you_mean

_FIRST = 5


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

    Args:
        runs: name of a configuration to its run; at least one, all of the same tests.
        measure: the name of the test that decides; by default the first.
        against: the name of a baseline; by default the best.
        margin: a configuration that is worse by no more is said to be no worse.

    Raises:
        UsageError: there is no such test or baseline.
    """
    first = next(iter(runs.values()))
    by = decides(measure, [one.test.name for one in first.tests])
    figures = {name: by_question(next(one for one in run.tests if one.test.name == by)) for name, run in runs.items()}
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


def by_question(result: StressResult) -> dict[str, float]:
    """Question id to the share of a test's conditions under which it had a good outcome; what failed does not count."""
    good: dict[str, list[bool]] = {}
    for condition in result.conditions:
        for question, outcome in condition.outcomes.items():
            if outcome is not StressOutcome.FAILED:
                good.setdefault(question, []).append(outcome in result.test.good)
    return {question: sum(of) / len(of) for question, of in good.items()}


def comparison_page(found: StressComparison) -> ReportPage:
    """The page of several configurations. It holds no words of questions or answers."""
    several = found.several
    page = ReportPage(
        several.headline,
        f"{found.dataset}, {several.questions} questions; {several.measure}: the mean share of its conditions that a "
        "question is answered rightly under",
    )
    page.heading(f"The best {min(_FIRST, len(several.means))} of {len(several.means)}")
    names = list(several.means)
    tests = [one.test.name for one in next(iter(found.runs.values())).tests]
    rows = [(name, *(_mean(found.runs[name], test) for test in tests)) for name in names]
    page.table(("configuration", *tests), rows[:_FIRST], chosen=0)
    broken = [each for each in map(failed_questions, found.runs[several.best].tests) if each]
    if broken:
        page.heading(f"Where {several.best} breaks")
        page.items(broken[:3])
    page.heading("The rest")
    if len(rows) > _FIRST:
        with page.folded("All configurations", str(len(rows))):
            page.table(("configuration", *tests), rows)
    with page.folded("All verdicts", str(len(several.verdicts))):
        page.items(several.verdicts)
    for name in names:
        with page.folded(name, f"answered by {found.runs[name].llm}"):
            page.table(
                ("test and condition", "questions", "share", "change"),
                [
                    (
                        f"{test.test.name}: {one.name}",
                        str(len(one.outcomes)),
                        with_span(one.share),
                        with_span(one.change),
                    )
                    for test in found.runs[name].tests
                    for one in test.conditions
                ],
            )
    with page.folded(f"The tests under {several.best}"):
        write_tests(page, found.runs[several.best])
    return page


def _mean(run: StressRun, test: str) -> str:
    figures = by_question(next(one for one in run.tests if one.test.name == test))
    return f"{sum(figures.values()) / len(figures):.3f}" if figures else "–"
