"""A report of a sweep, a configuration or a comparison, made from what an MLflow store holds and nothing else."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.reports import plots
from policy_rag_eval.reports.pages import Page
from policy_rag_eval.reports.run_comparison import Difference, QuestionDifference, RunComparison
from policy_rag_eval.statistics.intervals import FEW, Interval, difference_intervals
from policy_rag_eval.sweep.evaluation import Evaluation, deciding_measure, ranked
from policy_rag_eval.tracking import StoredRun, StoredSweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_QUESTIONS = 15
_INTERVALS = (
    "Intervals are 95 % intervals over the questions: by bootstrap, and where questions are few or nearly all have the "
    "same figure, with an imaginary question more that has the least, and one that has the most."
)


def sweep_report(sweep: StoredSweep) -> Page:
    """What a sweep's configurations scored, which is best and how sure that is, and how to repeat it."""
    evaluations = ranked([run.evaluation for run in sweep.runs])
    best = next(run for run in sweep.runs if run.evaluation is evaluations[0])
    measure = deciding_measure(evaluations)
    several = "s" if len(evaluations) > 1 else ""
    page = Page(f"Retrieval on {best.dataset}: {len(evaluations)} configuration{several}")
    _origin(page, best, sweep.run_id, sweep.name)
    page.heading("Verdict")
    first = evaluations[0].measures[measure]
    page.paragraph(f"Best by {measure}: {evaluations[0].name}, {first.mean:.3f} ({_range(first)}).")
    if sweep.verdicts:
        page.paragraph("Against each other one, corrected for the number of pairs compared:")
        page.items(sweep.verdicts)
    if sweep.skipped:
        page.paragraph("Not run:")
        page.items(f"{name}: {reason}" for name, reason in sweep.skipped.items())
    page.heading("Figures")
    page.paragraph(f"Best first by {measure}. {_INTERVALS}")
    others = [one for one in evaluations[0].measures if one != measure]
    page.table(
        ("configuration", str(measure), "95 % interval", *map(str, others)),
        [
            (
                one.name,
                f"{one.measures[measure].mean:.3f}",
                _range(one.measures[measure]),
                *(f"{one.measures[other].mean:.3f}" for other in others),
            )
            for one in evaluations
        ],
    )
    _picture(page, plots.MEASURES_PLOT, "Measures with their intervals", plots.measures_figure(evaluations))
    _differences(page, evaluations)
    combinations = plots.heat_map([run.evaluation for run in sweep.runs])
    if combinations is not None:
        page.heading("Combinations")
        _picture(page, plots.HEAT_MAP, "Every combination of settings", combinations)
    _details(page, best, evaluations)
    return page


def run_report(run: StoredRun) -> Page:
    """What one configuration scored, and how to repeat it."""
    evaluation = run.evaluation
    page = Page(f"Retrieval on {run.dataset}: {evaluation.name}")
    _origin(page, run, run.run_id, evaluation.name)
    page.heading("Figures")
    page.paragraph(_INTERVALS)
    decides = deciding_measure([evaluation])
    in_order = {decides: evaluation.measures[decides], **evaluation.measures}
    rows = [(str(measure), f"{one.mean:.3f}", _range(one)) for measure, one in in_order.items()]
    page.table(("measure", "mean", "95 % interval"), rows)
    _picture(page, plots.MEASURES_PLOT, "Measures with their intervals", plots.measures_figure([evaluation]))
    _details(page, run, [evaluation])
    return page


def comparison_report(found: RunComparison) -> Page:
    """What two runs say of each other, and the questions on which they differ."""
    first, second = found.first, found.second
    names = first.evaluation.name, second.evaluation.name
    page = Page(f"{names[0]} and {names[1]} on {first.dataset}")
    page.paragraph(
        f"Data set {first.dataset}, digest {first.digest[:12]}, --corpus {first.corpus}, {found.questions} "
        f"questions that both were asked. First: run {first.run_id} of {first.started:%Y-%m-%d %H:%M} UTC. "
        f"Second: run {second.run_id} of {second.started:%Y-%m-%d %H:%M} UTC."
    )
    page.heading("Verdict")
    page.paragraph(found.verdict)
    page.items(found.notes)
    page.heading("Figures")
    page.paragraph(
        f"{found.measure} decides. Differences are first minus second on the same questions, with 95 % "
        "intervals; p of the paired randomisation test: alone, and corrected (Holm) over the measures that are "
        "tested without deciding. Measures without p are told, not tested."
    )
    page.table(
        ("measure", "first", "second", "difference", "95 % interval", "p alone", "p, corrected"),
        [(str(one.measure), *difference_cells(one, found.measure)) for one in found.differences],
    )
    drawn = plots.differences_figure(
        [str(one.measure) for one in found.differences],
        [one.difference for one in found.differences],
        f"{names[0]} minus {names[1]}",
    )
    _picture(page, plots.DIFFERENCES_PLOT, "Differences with their intervals", drawn)
    for name, pairs in zip(names, (found.wins, found.losses), strict=True):
        _question_differences(page, f"Questions on which {name} is better", pairs, str(found.measure))
    page.heading("Settings that differ")
    if found.settings:
        page.table(("setting", "first", "second"), [(name, *both) for name, both in found.settings.items()], figures=3)
    else:
        page.paragraph("None.")
    return page


def difference_cells(one: Difference, decides: Measure) -> tuple[str, ...]:
    """Means, difference, interval and p-values (alone, corrected; blank where it was not tested) as they are shown."""
    p_values = ("", "")
    if one.p_value is not None:
        p_values = _p(one.p_value.alone), "decides" if one.measure == decides else _p(one.p_value.corrected)
    interval = one.difference
    return (
        f"{one.first:.3f}",
        f"{one.second:.3f}",
        f"{interval.mean:+.3f}",
        f"{interval.low:+.3f} to {interval.high:+.3f}",
        *p_values,
    )


def _origin(page: Page, run: StoredRun, run_id: str, name: str) -> None:
    page.paragraph(
        f"Data set {run.dataset}, digest {run.digest[:12]}, --corpus {run.corpus}, "
        f"{len(run.evaluation.scores.questions)} questions. MLflow's run {run_id} ({name}) of "
        f"{run.started:%Y-%m-%d %H:%M} UTC."
    )
    page.items(run.evaluation.notes)


def _differences(page: Page, evaluations: Sequence[Evaluation]) -> None:
    """The best minus each other one, where all were asked the same questions."""
    best, *others = evaluations
    measure = deciding_measure(evaluations)
    ours = best.scores.values.get(measure)
    if not others or ours is None or any(one.scores.questions != best.scores.questions for one in others):
        return
    gaps = {
        place: [a - b for a, b in zip(ours, one.scores.values[measure], strict=True)]
        for place, one in enumerate(others)
        if measure in one.scores.values
    }
    intervals = difference_intervals(gaps)
    names = [others[place].name for place in intervals]
    page.heading("The best against each other one", 3)
    page.paragraph(
        "Paired differences on the same questions. The intervals are not corrected for the number of configurations; "
        "the verdicts are."
    )
    drawn = plots.differences_figure(names, list(intervals.values()), f"{measure}: {best.name} minus")
    _picture(page, plots.DIFFERENCES_PLOT, "Differences to the best, with intervals", drawn)


def _details(page: Page, best: StoredRun, evaluations: Sequence[Evaluation]) -> None:
    """What follows the figures: latency, parts of the questions, unanswerable ones, misses, and how to repeat it."""
    _latency(page, evaluations)
    _slices(page, best.evaluation)
    _unanswerable(page, evaluations)
    _missed(page, best)
    page.heading("To repeat it")
    page.paragraph(f"The settings of {best.evaluation.name} and the versions under which it ran:")
    settings = [(name, str(value)) for name, value in best.evaluation.settings.items()]
    page.table(("setting", "value"), settings, figures=2)
    page.table(("library", "version"), list(best.versions.items()), figures=2)


def _latency(page: Page, evaluations: Sequence[Evaluation]) -> None:
    timed = [one for one in evaluations if one.latencies_ms]
    if not timed:
        return
    page.heading("Latency")
    page.paragraph("Milliseconds a question by step: median / 95th percentile of what one question alone takes.")
    steps = tuple(dict.fromkeys(step for one in timed for step in one.latencies_ms))
    rows = []
    for one in timed:
        cells = {step: f"{latency.median:.1f} / {latency.p95:.1f}" for step, latency in one.latencies_ms.items()}
        rows.append((one.name, *(cells.get(step, "") for step in steps)))
    page.table(("configuration", *steps), rows)
    drawn = plots.latency_figure(timed)
    if drawn is not None:
        _picture(page, plots.LATENCY_PLOT, "Precision against latency", drawn)


def _slices(page: Page, evaluation: Evaluation) -> None:
    measure = deciding_measure([evaluation])
    parts = [(part, part.measures[measure]) for part in evaluation.slices if measure in part.measures]
    if not parts:
        return
    page.heading("Parts of the questions")
    few = sum(part.questions < FEW for part in evaluation.slices)
    told = f" {few} of these parts have fewer than {FEW} questions: too few to tell one from another." if few else ""
    page.paragraph(f"{measure} of {evaluation.name}. Where questions are few, intervals are wide and overlap.{told}")
    drawn = plots.slices_figure(evaluation)
    if drawn is not None:
        _picture(page, plots.SLICES_PLOT, "Parts of the questions, with intervals", drawn)
    rows = [(part.by, part.value, str(part.questions), f"{one.mean:.3f}", _range(one)) for part, one in parts]
    page.table(("by", "value", "questions", str(measure), "95 % interval"), rows, figures=2)


def _unanswerable(page: Page, evaluations: Sequence[Evaluation]) -> None:
    rows = [
        (
            one.name,
            str(silent.questions),
            *(f"{figure.mean:.3f} ({_range(figure)})" for figure in (silent.silent, silent.separation)),
            f"{silent.hits:.1f}",
        )
        for one in evaluations
        if (silent := one.unanswerable) is not None
    ]
    if rows:
        page.heading("Questions that the documents do not answer")
        page.paragraph(
            "Silent: the share for which nothing is returned. Separation: the chance that an answerable question's "
            "best score is above an unanswerable one's; 0.5 tells nothing."
        )
        page.table(("configuration", "questions", "silent", "separation", "hits returned"), rows)


def _missed(page: Page, run: StoredRun) -> None:
    """The questions that score nothing."""
    evaluation = run.evaluation
    measure = deciding_measure([evaluation])
    values = evaluation.scores.values.get(measure, ())
    missed = [question for question, value in zip(evaluation.scores.questions, values, strict=False) if value == 0]
    if not missed:
        return
    page.heading("Questions that it misses")
    share = f"{len(missed)} of {len(evaluation.scores.questions)} questions"
    page.paragraph(f"{share} score 0 {measure} with {evaluation.name}{_first_of(missed)}.")
    if run.texts:
        rows = [(question, run.texts.get(question, "")) for question in missed[:_QUESTIONS]]
        page.table(("question", "text"), rows, figures=2)
    else:
        page.items(missed[:_QUESTIONS])


def _question_differences(page: Page, title: str, pairs: Sequence[QuestionDifference], measure: str) -> None:
    page.heading(title, 3)
    page.paragraph(f"{len(pairs)} questions, by {measure}{_first_of(pairs)}.")
    if pairs:
        with_texts = any(pair.text for pair in pairs)
        head = ("question", "text", "first", "second") if with_texts else ("question", "first", "second")
        rows = [
            (pair.question_id, *((pair.text or "",) if with_texts else ()), f"{pair.first:.3f}", f"{pair.second:.3f}")
            for pair in pairs[:_QUESTIONS]
        ]
        page.table(head, rows, figures=len(head) - 2)


def _first_of(questions: Sequence[object]) -> str:
    return f"; the first {_QUESTIONS} of them" if len(questions) > _QUESTIONS else ""


def _picture(page: Page, file: str, text: str, figure: "Figure") -> None:
    page.picture(file, text, plots.png(figure))


def _range(interval: Interval) -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"
