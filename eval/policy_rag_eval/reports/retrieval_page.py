"""The decision page of an evaluation of retrieval: which configuration to take, and what is undecided."""

from collections.abc import Sequence

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.reports.failures import failures
from policy_rag_eval.reports.figures import money, span, with_span
from policy_rag_eval.reports.pages import ReportPage
from policy_rag_eval.reports.plots import PlottedPoint, intervals_plot, points_plot
from policy_rag_eval.statistics.intervals import FEW
from policy_rag_eval.sweep.choice import choice, compared_with, standing
from policy_rag_eval.sweep.evaluation import Evaluation, ranked, varied_settings
from policy_rag_eval.sweep.sweep import Sweep
from policy_rag_eval.sweep.verdicts import MARGIN

FIRST = 5
_INTERVALS = "Intervals are 95 % intervals: how far the mean would move with other questions of the same kind."


def headline(sweep: Sweep, margin: float = MARGIN) -> str:
    """What to do, in a sentence: the choice, its lead, and what is undecided."""
    best, measure = sweep.best, sweep.measure
    figure = f"{best.measures[measure].mean:.3f} {measure}"
    if len(sweep.evaluations) == 1:
        return f"{best.name}: {figure} ({span(best.measures[measure])}) on {sweep.questions} questions"
    return choice(best.name, figure, sweep.comparisons, margin)


def retrieval_page(sweep: Sweep, dataset: Dataset, *, texts: bool = True, margin: float = MARGIN) -> ReportPage:
    """The page of one configuration or of many.

    Args:
        sweep: what was measured.
        dataset: as it was scored.
        texts: whether words of questions and documents may stand in it.
        margin: what counts as no worse.
    """
    order, measure = ranked(sweep.evaluations, sweep.measure), sweep.measure
    best = order[0]
    page = ReportPage(headline(sweep, margin), _origin(sweep, dataset))
    base = compared_with(best.name, sweep.comparisons)
    standings = [standing(one.name, base, sweep.comparisons, margin) for one in order[:FIRST]]
    if len(order) > 1:
        page.heading(f"The best {min(FIRST, len(order))} of {len(order)}" if len(order) > FIRST else "Side by side")
    _summary(page, order[:FIRST], measure, "the best" if base == best.name else base, standings)
    first = order[:FIRST]
    page.plot(
        intervals_plot([one.name for one in first], [one.measures[measure] for one in first], title=str(measure)),
        f"{measure}, with 95 % intervals.",
    )
    if texts:
        _failures(page, dataset, sweep, best)
    page.heading("The rest")
    _all(page, order, sweep)
    _verdicts(page, sweep, order)
    _settings(page, order, measure)
    _latencies(page, order, measure)
    _slices(page, best, measure)
    _unanswerable(page, order)
    _repeat(page, sweep, best)
    return page


def _origin(sweep: Sweep, dataset: Dataset) -> str:
    skipped = f", {len(sweep.skipped)} not run" if sweep.skipped else ""
    return (
        f"{dataset.name} ({dataset.digest[:8]}), --corpus {sweep.corpus}: {sweep.questions} questions, "
        f"{len(sweep.evaluations)} configuration{'s' if len(sweep.evaluations) > 1 else ''}{skipped}"
    )


def _summary(
    page: ReportPage, first: Sequence[Evaluation], measure: Measure, base: str, standings: Sequence[str]
) -> None:
    rows = [
        (
            one.name,
            f"{one.measures[measure].mean:.3f}",
            span(one.measures[measure]),
            stands,
            _milliseconds(one),
            "–" if one.tokens is None else f"{one.tokens:,.0f}",
            money(one.cost),
        )
        for one, stands in zip(first, standings, strict=True)
    ]
    head = (
        "configuration",
        str(measure),
        "95 % interval",
        f"against {base}",
        "ms, median / p95",
        "tokens",
        "cost of 1,000",
    )
    page.table(head, rows, chosen=0 if len(first) > 1 else None)
    page.paragraph(
        "ms: what a question takes that is asked alone. tokens: what an LLM is given of its hits, by our estimate. "
        "cost of "
        "1,000: of these tokens, by the setting prices for the LLM of the settings; – where it names no price."
    )


def _milliseconds(one: Evaluation) -> str:
    whole = one.latencies_ms.get("total")
    return "–" if whole is None else f"{whole.median:.0f} / {whole.p95:.0f}"


def _failures(page: ReportPage, dataset: Dataset, sweep: Sweep, best: Evaluation) -> None:
    found = failures(dataset, sweep.corpus, best, sweep.measure)
    if not found:
        return
    page.heading(f"Where {best.name} fails" if len(sweep.evaluations) > 1 else "Where it fails")
    for one in found:
        (gold, text), (hit, shown) = one.gold, one.hit
        page.pair(
            f"{one.question} ({sweep.measure} {one.figure:.2f})",
            (f"gold: {gold}", text),
            (f"found first: {hit}", shown),
        )


def _all(page: ReportPage, order: Sequence[Evaluation], sweep: Sweep) -> None:
    others = [m for m in order[0].measures if m != sweep.measure]
    with page.folded("All figures", f"{len(order)} configurations, {1 + len(others)} measures"):
        page.paragraph(_INTERVALS)
        rows = [
            (one.name, *(f"{one.measures[m].mean:.3f}" for m in (sweep.measure, *others) if m in one.measures))
            for one in order
        ]
        page.table(("configuration", str(sweep.measure), *map(str, others)), rows)
        if len(order) > FIRST:
            figures = [one.measures[sweep.measure] for one in order]
            page.plot(
                intervals_plot([one.name for one in order], figures, title=str(sweep.measure)),
                f"{sweep.measure} of all, with 95 % intervals.",
            )


def _verdicts(page: ReportPage, sweep: Sweep, order: Sequence[Evaluation]) -> None:
    if not sweep.comparisons:
        return
    decided = sum(one.decided for one in sweep.comparisons)
    with page.folded("All verdicts", f"{decided} decided, {len(sweep.comparisons) - decided} not"):
        page.paragraph(
            "A paired randomisation test over the questions, corrected for all configurations together (max-T with "
            "shared signs, step by step). It assumes that differences spread alike to both sides; where they do not, "
            "the "
            "p-value of a bootstrap stands beside."
        )
        page.items(sweep.verdicts)
        shown = [one for one in sweep.comparisons if order[0].name in (one.first, one.second)]
        page.plot(
            intervals_plot(
                [one.second if one.first == order[0].name else one.first for one in shown],
                [one.difference for one in shown],
                title="differences",
                zero=True,
            ),
            f"{sweep.measure}: the best minus each other one; each interval is for its pair alone.",
        )


def _settings(page: ReportPage, order: Sequence[Evaluation], measure: Measure) -> None:
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


def _latencies(page: ReportPage, order: Sequence[Evaluation], measure: Measure) -> None:
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


def _repeat(page: ReportPage, sweep: Sweep, best: Evaluation) -> None:
    with page.folded("How to repeat it", "settings of the best, what was not run, notes"):
        page.table(("setting", "value"), [(name, str(value)) for name, value in best.settings.items()], figures=2)
        page.items(f"not run: {name}: {reason}" for name, reason in sweep.skipped.items())
        page.items(dict.fromkeys(note for one in sweep.evaluations for note in one.notes))
        page.paragraph(
            "Measures with a cut-off are trec_eval's; recall@2000chars is the share of the question's gold characters "
            "within the first 2,000 characters of the hits."
        )
