"""A report of a sweep, a configuration or a comparison, made from what an MLflow store holds and nothing else."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from policy_rag_eval.measures.measures import Measure
from policy_rag_eval.reports import plots
from policy_rag_eval.reports.pages import Block, Heading, Items, Paragraph, Picture, Table
from policy_rag_eval.reports.run_comparison import Difference, QuestionDifference, RunComparison
from policy_rag_eval.statistics.intervals import FEW, Interval, difference_intervals
from policy_rag_eval.tracking import StoredRun, StoredSweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_QUESTIONS = 15
_INTERVALS = (
    "Intervals are 95 % intervals over the questions: by bootstrap, and where questions are few or nearly all have the "
    "same figure, with an imaginary question more that has the least, and one that has the most."
)


def sweep_report(sweep: StoredSweep) -> tuple[Block, ...]:
    """What a sweep's configurations scored, which is best and how sure that is, and how to repeat it."""
    ranked = plots.ranked(sweep.runs)
    best = ranked[0]
    return (
        Heading(f"Retrieval on {best.dataset}: {len(ranked)} configuration{'s' if len(ranked) > 1 else ''}", 1),
        *_origin(best, sweep.run_id, sweep.name),
        *_verdicts(sweep, best),
        Heading("Figures"),
        Paragraph(f"Best first by {plots.deciding(ranked)}. {_INTERVALS}"),
        _figures(ranked),
        _picture(plots.MEASURES_PLOT, "Measures with their intervals", plots.measures_figure(ranked)),
        *_differences(ranked),
        *_combinations(sweep.runs),
        *_latency(ranked),
        *_slices(best),
        *_unanswerable(ranked),
        *_missed(best),
        *_repeat(best),
    )


def run_report(run: StoredRun) -> tuple[Block, ...]:
    """What one configuration scored, and how to repeat it."""
    return (
        Heading(f"Retrieval on {run.dataset}: {run.name}", 1),
        *_origin(run, run.run_id, run.name),
        Heading("Figures"),
        Paragraph(_INTERVALS),
        Table(
            ("measure", "mean", "95 % interval"),
            tuple((str(measure), f"{one.mean:.3f}", _range(one)) for measure, one in _in_order(run).items()),
        ),
        _picture(plots.MEASURES_PLOT, "Measures with their intervals", plots.measures_figure([run])),
        *_latency([run]),
        *_slices(run),
        *_unanswerable([run]),
        *_missed(run),
        *_repeat(run),
    )


def comparison_report(found: RunComparison) -> tuple[Block, ...]:
    """What two runs say of each other, and the questions on which they differ."""
    first, second = found.first, found.second
    names = [str(one.measure) for one in found.differences]
    drawn = plots.differences_figure(
        names, [one.difference for one in found.differences], f"{first.name} minus {second.name}"
    )
    return (
        Heading(f"{first.name} and {second.name} on {first.dataset}", 1),
        Paragraph(
            f"Data set {first.dataset}, digest {first.digest[:12]}, --corpus {first.corpus}, {found.questions} "
            f"questions that both were asked. First: run {first.run_id} of {first.started:%Y-%m-%d %H:%M} UTC. "
            f"Second: run {second.run_id} of {second.started:%Y-%m-%d %H:%M} UTC."
        ),
        Heading("Verdict"),
        Paragraph(found.verdict),
        *([Items(found.notes)] if found.notes else []),
        Heading("Figures"),
        Paragraph(
            f"{found.measure} decides. Differences are first minus second on the same questions, with 95 % "
            "intervals; p of the paired randomisation test: alone, and corrected (Holm) over the measures that are "
            "tested without deciding. Measures without p are told, not tested."
        ),
        Table(
            ("measure", "first", "second", "difference", "95 % interval", "p alone", "p, corrected"),
            tuple(
                (
                    str(one.measure),
                    f"{one.first:.3f}",
                    f"{one.second:.3f}",
                    f"{one.difference.mean:+.3f}",
                    _range(one.difference, sign="+"),
                    *p_shown(one, found.measure),
                )
                for one in found.differences
            ),
        ),
        _picture("differences.png", "Differences with their intervals", drawn),
        *_questions(f"Questions on which {first.name} is better", found.wins, str(found.measure)),
        *_questions(f"Questions on which {second.name} is better", found.losses, str(found.measure)),
        Heading("Settings that differ"),
        Table(("setting", "first", "second"), tuple((name, *both) for name, both in found.settings.items()), figures=3)
        if found.settings
        else Paragraph("None."),
    )


def _origin(run: StoredRun, run_id: str, name: str) -> Iterator[Block]:
    yield Paragraph(
        f"Data set {run.dataset}, digest {run.digest[:12]}, --corpus {run.corpus}, {len(run.scores.questions)} "
        f"questions. MLflow's run {run_id} ({name}) of {run.started:%Y-%m-%d %H:%M} UTC."
    )
    if run.notes:
        yield Items(run.notes)


def _verdicts(sweep: StoredSweep, best: StoredRun) -> Iterator[Block]:
    measure = plots.deciding(sweep.runs)
    yield Heading("Verdict")
    yield Paragraph(f"Best by {measure}: {best.name}, {best.measures[measure].mean:.3f} ({_of(best, measure)}).")
    if sweep.verdicts:
        yield Paragraph("Against each other one, corrected for the number of pairs compared:")
        yield Items(sweep.verdicts)
    if sweep.skipped:
        yield Paragraph("Not run:")
        yield Items(tuple(f"{name}: {reason}" for name, reason in sweep.skipped.items()))


def _figures(ranked: Sequence[StoredRun]) -> Table:
    decides, *others = _in_order(ranked[0])
    return Table(
        ("configuration", str(decides), "95 % interval", *map(str, others)),
        tuple(
            (
                run.name,
                f"{run.measures[decides].mean:.3f}",
                _of(run, decides),
                *(f"{run.measures[measure].mean:.3f}" for measure in others),
            )
            for run in ranked
        ),
    )


def _differences(ranked: Sequence[StoredRun]) -> Iterator[Block]:
    """The best minus each other one, where all were asked the same questions."""
    best, *others = ranked
    measure = plots.deciding(ranked)
    ours = best.scores.values.get(measure)
    theirs = {run.run_id: run.scores.values.get(measure) for run in others}
    if not others or ours is None or any(run.scores.questions != best.scores.questions for run in others):
        return
    gaps = {key: [a - b for a, b in zip(ours, values, strict=True)] for key, values in theirs.items() if values}
    intervals = difference_intervals(gaps)
    names = [run.name for run in others if run.run_id in intervals]
    drawn = plots.differences_figure(names, list(intervals.values()), f"{measure}: {best.name} minus")
    yield Heading("The best against each other one", 3)
    yield Paragraph(
        "Paired differences on the same questions. The intervals are not corrected for the number of configurations; "
        "the verdicts are."
    )
    yield _picture("differences.png", "Differences to the best, with intervals", drawn)


def _combinations(runs: Sequence[StoredRun]) -> Iterator[Block]:
    drawn = plots.heat_map(runs)
    if drawn is not None:
        yield Heading("Combinations")
        yield _picture(plots.HEAT_MAP, "Every combination of settings", drawn)


def _latency(runs: Sequence[StoredRun]) -> Iterator[Block]:
    timed = [run for run in runs if run.latencies_ms or run.timings_ms]
    if not timed:
        return
    yield Heading("Latency")
    times = _medians if all(run.latencies_ms for run in timed) else _means
    found = [times(run) for run in timed]
    steps = tuple(dict.fromkeys(step for one in found for step in one))
    yield Paragraph(
        "Milliseconds a question by step: median / 95th percentile of what one question alone takes."
        if times is _medians
        else "Milliseconds a question by step, means over a batch of questions."
    )
    rows = tuple((run.name, *(one.get(step, "") for step in steps)) for run, one in zip(timed, found, strict=True))
    yield Table(("configuration", *steps), rows)
    drawn = plots.latency_figure(timed)
    if drawn is not None:
        yield _picture(plots.LATENCY_PLOT, "Precision against latency", drawn)


def _medians(run: StoredRun) -> dict[str, str]:
    return {step: f"{latency.median:.1f} / {latency.p95:.1f}" for step, latency in run.latencies_ms.items()}


def _means(run: StoredRun) -> dict[str, str]:
    return {step: f"{milliseconds:.2f}" for step, milliseconds in run.timings_ms.items()}


def _slices(run: StoredRun) -> Iterator[Block]:
    measure = plots.deciding([run])
    rows = tuple(
        (part.by, part.value, str(part.questions), f"{part.measures[measure].mean:.3f}", _range(part.measures[measure]))
        for part in run.slices
        if measure in part.measures
    )
    if not rows:
        return
    yield Heading("Parts of the questions")
    few = sum(part.questions < FEW for part in run.slices)
    told = f" {few} of these parts have fewer than {FEW} questions: too few to tell one from another." if few else ""
    yield Paragraph(f"{measure} of {run.name}. Where questions are few, intervals are wide and overlap.{told}")
    drawn = plots.slices_figure(run)
    if drawn is not None:
        yield _picture(plots.SLICES_PLOT, "Parts of the questions, with intervals", drawn)
    yield Table(("by", "value", "questions", str(measure), "95 % interval"), rows, figures=2)


def _unanswerable(runs: Sequence[StoredRun]) -> Iterator[Block]:
    rows = tuple(
        (
            run.name,
            f"{run.figures['unanswerable_questions']:.0f}",
            *(_figure_of(run, f"unanswerable_{name}") for name in ("silent", "separation")),
            f"{run.figures['unanswerable_hits']:.1f}",
        )
        for run in runs
        if "unanswerable_questions" in run.figures
    )
    if rows:
        yield Heading("Questions that the documents do not answer")
        yield Paragraph(
            "Silent: the share for which nothing is returned. Separation: the chance that an answerable question's "
            "best score is above an unanswerable one's; 0.5 tells nothing."
        )
        yield Table(("configuration", "questions", "silent", "separation", "hits returned"), rows)


def _figure_of(run: StoredRun, key: str) -> str:
    return f"{run.figures[key]:.3f} ({run.figures[f'{key}_low']:.3f} to {run.figures[f'{key}_high']:.3f})"


def _missed(run: StoredRun) -> Iterator[Block]:
    """The questions that score nothing."""
    measure = plots.deciding([run])
    values = run.scores.values.get(measure, ())
    missed = [question for question, value in zip(run.scores.questions, values, strict=False) if value == 0]
    if not missed:
        return
    yield Heading("Questions that it misses")
    share = f"{len(missed)} of {len(run.scores.questions)} questions"
    yield Paragraph(f"{share} score 0 {measure} with {run.name}{_cut(missed)}.")
    shown = missed[:_QUESTIONS]
    if run.texts:
        rows = tuple((question, run.texts.get(question, "")) for question in shown)
        yield Table(("question", "text"), rows, figures=2)
    else:
        yield Items(tuple(shown))


def _questions(title: str, pairs: Sequence[QuestionDifference], measure: str) -> Iterator[Block]:
    yield Heading(title, 3)
    yield Paragraph(f"{len(pairs)} questions, by {measure}{_cut(pairs)}.")
    if pairs:
        with_texts = any(pair.text for pair in pairs)
        head = ("question", "text", "first", "second") if with_texts else ("question", "first", "second")
        rows = tuple(
            (pair.question_id, *((pair.text or "",) if with_texts else ()), f"{pair.first:.3f}", f"{pair.second:.3f}")
            for pair in pairs[:_QUESTIONS]
        )
        yield Table(head, rows, figures=len(head) - 2)


def _cut(found: Sequence[object]) -> str:
    return f"; the first {_QUESTIONS} of them" if len(found) > _QUESTIONS else ""


def _repeat(run: StoredRun) -> Iterator[Block]:
    yield Heading("To repeat it")
    yield Paragraph(f"The settings of {run.name} and the versions under which it ran:")
    yield Table(("setting", "value"), tuple(run.settings.items()), figures=2)
    yield Table(("library", "version"), tuple(run.versions.items()), figures=2)


def _in_order(run: StoredRun) -> dict[Measure, Interval]:
    """The measure that decides first."""
    decides = plots.deciding([run])
    return {decides: run.measures[decides], **run.measures}


def _picture(file: str, text: str, figure: "Figure") -> Picture:
    return Picture(file, text, plots.png(figure))


def _of(run: StoredRun, measure: Measure) -> str:
    return _range(run.measures[measure])


def _range(interval: Interval, sign: str = "") -> str:
    return f"{interval.low:{sign}.3f} to {interval.high:{sign}.3f}"


def p_shown(one: Difference, decides: Measure) -> tuple[str, str]:
    """A difference's p-value alone and corrected; blank where it was not tested."""
    if one.p_value is None:
        return "", ""
    return _p(one.p_value.alone), "decides" if one.measure == decides else _p(one.p_value.corrected)


def _p(value: float) -> str:
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"
