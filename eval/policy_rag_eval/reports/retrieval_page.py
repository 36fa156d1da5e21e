"""The decision page of an evaluation of retrieval: which configuration to take, and what is undecided."""

from collections.abc import Sequence

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.measures.measures import MARGIN, Measure
from policy_rag_eval.reports.decision import (
    FIRST,
    DecisionRow,
    write_best,
    write_failures,
    write_repeat,
    write_verdicts,
)
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.failures import failures
from policy_rag_eval.reports.number_format import span, with_span
from policy_rag_eval.reports.plots import PlottedPoint, intervals_plot, points_plot
from policy_rag_eval.statistics.intervals import FEW
from policy_rag_eval.sweep.choice import choice
from policy_rag_eval.sweep.evaluation import Evaluation, ranked, varied_settings
from policy_rag_eval.sweep.sweep import Sweep
from policy_rag_eval.sweep.usage import QuestionUsage

USAGE_TOLD = (
    "ms: what a question takes that is asked alone. tokens: what an LLM is given of its hits, by our estimate. cost of "
    "1,000: of these tokens, by the setting prices for the LLM of the settings; – where it names no price."
)
MEASURES_TOLD = (
    "Measures with a cut-off are trec_eval's; recall@2000chars is the share of the question's gold characters within "
    "the first 2,000 characters of the hits."
)
_INTERVALS = "Intervals are 95 % intervals: how far the mean would move with other questions of the same kind."


def headline(sweep: Sweep, margin: float = MARGIN) -> str:
    """What to do, in a sentence: the choice, its lead, and what is undecided."""
    best, measure = sweep.best, sweep.measure
    mean = best.measures[measure].mean
    if len(sweep.evaluations) == 1:
        return f"{best.name}: {mean:.3f} {measure} ({span(best.measures[measure])}) on {sweep.questions} questions"
    return choice(best.name, mean, str(measure), sweep.comparisons, margin)


def retrieval_page(
    sweep: Sweep, dataset: Dataset, *, texts: bool = True, margin: float = MARGIN, command: str = ""
) -> ReportPage:
    """The page of one configuration or of many.

    `texts` is whether words of questions and documents may stand in it, `margin` what counts as no worse, `command`
    what repeats it, if anything.
    """
    order, measure = ranked(sweep.evaluations, sweep.measure), sweep.measure
    best = order[0]
    page = ReportPage(headline(sweep, margin), _origin(sweep, dataset))
    write_best(
        page,
        evaluation_rows(order, measure),
        evaluation_head(measure),
        sweep.comparisons,
        measure=str(measure),
        about=USAGE_TOLD,
        margin=margin,
    )
    write_failures(
        page,
        f"Where {best.name} fails" if len(order) > 1 else "Where it fails",
        failures(dataset, sweep.corpus, best, measure),
        texts=texts,
    )
    page.heading("The rest")
    write_measures(page, order, measure)
    write_verdicts(page, sweep.verdicts, sweep.comparisons, best=best.name, measure=str(measure))
    write_settings(page, order, measure)
    write_latencies(page, order, measure)
    _slices(page, best, measure)
    _unanswerable(page, order)
    write_repeat(
        page,
        command,
        best.settings,
        skipped=sweep.skipped,
        notes=(note for one in sweep.evaluations for note in one.notes),
        about=MEASURES_TOLD,
    )
    return page


def evaluation_head(measure: Measure) -> tuple[str, str]:
    """What stands above `evaluation_rows`."""
    return str(measure), "95 % interval"


def evaluation_rows(order: Sequence[Evaluation], measure: Measure) -> list[DecisionRow]:
    """Configurations by the measure that decides."""
    return [
        DecisionRow(
            one.name,
            (f"{one.measures[measure].mean:.3f}", span(one.measures[measure])),
            QuestionUsage(one.latencies_ms.get("total"), one.tokens, one.cost),
            one.measures[measure],
        )
        for one in order
    ]


def _origin(sweep: Sweep, dataset: Dataset) -> str:
    skipped = f", {len(sweep.skipped)} not run" if sweep.skipped else ""
    return (
        f"{dataset.name} ({dataset.digest[:8]}), --corpus {sweep.corpus}: {sweep.questions} questions, "
        f"{len(sweep.evaluations)} configuration{'s' if len(sweep.evaluations) > 1 else ''}{skipped}"
    )


def write_measures(page: ReportPage, order: Sequence[Evaluation], measure: Measure) -> None:
    """Every measure of every configuration, folded."""
    others = [m for m in order[0].measures if m != measure]
    with page.folded("All figures", f"{len(order)} configurations, {1 + len(others)} measures"):
        page.paragraph(_INTERVALS)
        rows = [
            (one.name, *(f"{one.measures[m].mean:.3f}" for m in (measure, *others) if m in one.measures))
            for one in order
        ]
        page.table(("configuration", str(measure), *map(str, others)), rows)
        if len(order) > FIRST:
            figures = [one.measures[measure] for one in order]
            page.plot(
                intervals_plot([one.name for one in order], figures, title=str(measure)),
                f"{measure} of all, with 95 % intervals.",
            )


def write_settings(page: ReportPage, order: Sequence[Evaluation], measure: Measure) -> None:
    """What each value of a setting scores over the configurations that have it, folded."""
    varied = varied_settings(order)
    if len(varied) < 2:
        return
    with page.folded("What each setting does", f"{len(varied)} settings varied"):
        page.paragraph("The mean over the configurations with a value, and the best of them.")
        rows = []
        for name, values in varied.items():
            for value in values:
                having = [one for one in order if str(one.settings.get(name)) == value]
                figures = [one.measures[measure].mean for one in having]
                rows.append(
                    (f"{name} = {value}", str(len(having)), f"{sum(figures) / len(figures):.3f}", f"{max(figures):.3f}")
                )
        page.table(("setting", "configurations", f"mean {measure}", "best"), rows)


def write_latencies(page: ReportPage, order: Sequence[Evaluation], measure: Measure) -> None:
    """The milliseconds of each step, and the measure against them, folded."""
    timed = [one for one in order if one.latencies_ms]
    if not timed:
        return
    steps = tuple(dict.fromkeys(step for one in timed for step in one.latencies_ms))
    with page.folded("Milliseconds, step by step", "median / 95th percentile of a question that is asked alone"):
        rows = []
        for one in timed:
            cells = {step: f"{took.median:.1f} / {took.p95:.1f}" for step, took in one.latencies_ms.items()}
            rows.append((one.name, *(cells.get(step, "") for step in steps)))
        page.table(("configuration", *steps), rows)
        points = [
            PlottedPoint(one.name, took.median, one.measures[measure], str(place) if place <= FIRST else "", place == 1)
            for place, one in enumerate(timed, 1)
            if (took := one.latencies_ms.get("total")) is not None
        ]
        page.plot(
            points_plot(points, across="milliseconds a question", up=str(measure), title="latency", logarithmic=True),
            f"{measure} against latency; numbered are the best {FIRST}, in their order.",
        )


def _slices(page: ReportPage, best: Evaluation, measure: Measure) -> None:
    parts = [(part, part.measures[measure]) for part in best.slices if measure in part.measures]
    if not parts:
        return
    few = sum(part.questions < FEW for part, _ in parts)
    with page.folded("Parts of the questions", f"{measure} of the best; {few} parts have fewer than {FEW} questions"):
        rows = [(part.by, part.value, str(part.questions), f"{one.mean:.3f}", span(one)) for part, one in parts]
        page.table(("by", "value", "questions", str(measure), "95 % interval"), rows, figures=2)


def _unanswerable(page: ReportPage, order: Sequence[Evaluation]) -> None:
    rows = [
        (one.name, with_span(silent.silent), with_span(silent.separation), f"{silent.hits:.1f}")
        for one in order
        if (silent := one.unanswerable) is not None
    ]
    if rows:
        with page.folded("Questions that the documents do not answer"):
            page.paragraph(
                "Silent: the share for which nothing is returned. Separation: the chance that an answerable question's "
                "best score is above an unanswerable one's; 0.5 tells nothing."
            )
            page.table(("configuration", "silent", "separation", "hits returned"), rows)
