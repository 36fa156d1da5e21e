"""`policy-rag eval retrieval`: how well a configuration, or each of a grid, finds what answers the questions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import console, notice, print_json, progress_bar, working
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.commands.options import ChangesOption, CorpusOption, DatasetArgument
from policy_rag_eval.commands.tracked import tell_kept
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure

if TYPE_CHECKING:
    from rich.table import Table

    from policy_rag_eval.measures.unanswerable import Unanswerable
    from policy_rag_eval.statistics.intervals import Interval
    from policy_rag_eval.sweep.evaluation import Configuration, Evaluation
    from policy_rag_eval.sweep.plan import Plan
    from policy_rag_eval.sweep.sweep import Sweep
    from policy_rag_eval.tracking import Kept


class BelowGateError(PolicyRagError):
    """A measure is lower than `--fail-under` asks for."""


def retrieval(
    dataset: DatasetArgument,
    index: IndexOption = Path(".policy_rag"),
    corpus: CorpusOption = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(
            "--grid", metavar="FILE", help="YAML of settings and their values, `standard`, or KEY=A,B; repeatable."
        ),
    ] = None,
    changes: ChangesOption = None,
    trec_out: Annotated[
        Path | None, typer.Option("--trec-out", metavar="DIR", help="Write qrels.trec and a .run a configuration.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="MEASURE=VALUE", help="Fail if its interval begins below; repeatable."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run, what is done already, and about how long it takes.")
    ] = False,
    slices: Annotated[
        bool, typer.Option("--slices", help="Show the best configuration by type, document and length of question.")
    ] = False,
    save_best: Annotated[
        bool, typer.Option("--save-best", help="Write the best configuration's settings into policy_rag.toml.")
    ] = False,
    offline: OfflineOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Measure how well the settings, or each combination of a grid, find what answers a data set's questions."""
    from policy_rag_eval.data.reader import read_dataset
    from policy_rag_eval.sweep.grids import configurations, read_changes, read_grids
    from policy_rag_eval.sweep.plan import plan
    from policy_rag_eval.sweep.sweep import sweep

    gates = read_gates(fail_under or ())
    given = {**({"offline": True} if offline else {}), **read_changes(changes or ())}
    made = configurations(read_grids(grid or ()), given)
    data = read_dataset(dataset)
    chosen = corpus or (Corpus.FILES if data.documents else Corpus.PASSAGES)
    measures = tuple(dict.fromkeys((*DEFAULT_MEASURES, *(measure for measure, _ in gates))))
    if dry_run:
        with working("timing the models"):
            planned = plan(data, chosen, made, index, measures=measures)
        print_json(planned.as_json()) if json else _show_plan(planned)
        return
    with progress_bar() as progress:
        result = sweep(
            data,
            chosen,
            made,
            index,
            measures=measures,
            progress=progress,
            began=(lambda name: notice(f"running {name}")) if len(made) > 1 else None,
        )
    for line in skipped_lines(result.skipped):
        notice(line)
    for note in dict.fromkeys(note for evaluation in result.evaluations for note in evaluation.notes):
        notice(f"note: {note}")
    if trec_out is not None:
        write_trec(trec_out, data.for_corpus(chosen), result)
    # Kept before they are shown: whoever reads the first lines only, as `head` does, ends this when it has them.
    kept = _kept(index, data.for_corpus(chosen), result, texts=all(one.settings.run.log_texts for one in made))
    if save_best:
        _save(result.best, made, index)
    if json:
        print_json(result.as_json())
    else:
        _show(result)
        if slices:
            best = result.best
            console().print(f"{best.name}, part by part:", markup=False)
            console().print(_sliced(best))
    tell_kept(kept, index)
    check_gates(gates, result)


def read_gates(texts: Sequence[str]) -> tuple[tuple[Measure, float], ...]:
    """Reads `--fail-under MEASURE=VALUE` options, values from 0 to 1.

    Raises:
        UsageError: one is not of that form.
        MeasureError: there is no such measure.

    >>> read_gates(["recall@10=0.75"])
    ((Measure(name=<MeasureName.RECALL: 'recall'>, cutoff=10), 0.75),)
    """
    gates = []
    for text in texts:
        name, _, value = text.partition("=")
        measure = Measure.parse(name)
        try:
            least = float(value)
        except ValueError as error:
            raise UsageError(f"--fail-under {text}: write MEASURE=VALUE, for example recall@10=0.75") from error
        if not 0 <= least <= 1:
            raise UsageError(f"--fail-under {text}: the value must lie between 0 and 1")
        gates.append((measure, least))
    return tuple(gates)


def check_gates(gates: Sequence[tuple[Measure, float]], result: "Sweep") -> None:
    """Compares the lower ends of intervals with what is asked for; of a sweep, those of its best by that measure.

    Raises:
        BelowGateError: one is lower.
    """
    for measure, least in gates:
        best = max(result.evaluations, key=lambda evaluation: evaluation.measures[measure].mean)
        interval = best.measures[measure]
        if interval.low < least:
            raise BelowGateError(
                f"{measure} of {best.name} is {interval.mean:.3f} and its interval begins at {interval.low:.3f}, "
                f"below {least:g}: improve the settings, or ask for less with --fail-under"
            )


def write_trec(folder: Path, dataset: Dataset, result: "Sweep") -> None:
    """Writes the judgements of the scored questions and a run a configuration.

    Raises:
        PolicyRagError: a file cannot be written, or two configurations would share one.
    """
    from policy_rag_eval.measures.trec import QRELS_FILE, run_file, write_qrels, write_run

    names = [run_file(evaluation.name) for evaluation in result.evaluations]
    if len(set(names)) < len(names):
        raise UsageError("two configurations would be written to one run file: give them values that differ in letters")
    scored = {question.question_id: dataset.qrels[question.question_id] for question in dataset.scored}
    write_qrels(folder / QRELS_FILE, scored)
    for evaluation, name in zip(result.evaluations, names, strict=True):
        write_run(folder / name, evaluation.rankings, evaluation.name)


def _show(result: "Sweep") -> None:
    """What people read: the measures of one configuration, or a row for each of a sweep, and the verdicts."""
    out = console()
    out.print(f"{result.dataset}, --corpus {result.corpus}: {result.questions} questions", markup=False)
    out.print(_one(result.evaluations[0]) if len(result.evaluations) == 1 else _many(result.evaluations))
    for verdict in result.verdicts:
        out.print(verdict, markup=False)
    for evaluation in result.evaluations:
        out.print(_waited(evaluation), markup=False)
    for evaluation in result.evaluations:
        if evaluation.unanswerable is not None:
            out.print(_claimed(evaluation.name, evaluation.unanswerable), markup=False)


def _waited(evaluation: "Evaluation") -> str:
    """How long a question takes that is asked alone."""
    from policy_rag_eval.sweep.runner import TOTAL

    latencies = evaluation.latencies_ms
    steps = ", ".join(f"{step} {latency.median:.1f}" for step, latency in latencies.items() if step != TOTAL)
    whole = latencies[TOTAL]
    return (
        f"milliseconds a question, {evaluation.name}: median {whole.median:.1f}, "
        f"95th percentile {whole.p95:.1f} (medians: {steps})"
    )


def _claimed(name: str, found: "Unanswerable") -> str:
    """What was returned where nothing is relevant."""
    return (
        f"{found.questions} unanswerable questions, {name}: nothing returned for {found.silent.mean:.0%}, "
        f"{found.hits:.1f} hits on average; their best score is below an answerable question's "
        f"in {found.separation.mean:.0%} of pairs ({found.separation.low:.0%} to {found.separation.high:.0%})"
    )


def _one(evaluation: "Evaluation") -> "Table":
    from rich.table import Table

    table = Table("measure", "mean", "95 % interval")
    for measure, interval in evaluation.measures.items():
        table.add_row(str(measure), f"{interval.mean:.3f}", _range(interval))
    return table


def _many(evaluations: Sequence["Evaluation"]) -> "Table":
    """Means at cut-offs, best first by the measure that decides, which has its interval; the rest is in --json."""
    from rich import box
    from rich.table import Table

    from policy_rag_eval.measures.measures import DECIDED_BY

    others = [measure for measure in evaluations[0].measures if measure.cutoff and measure != DECIDED_BY]
    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    table.add_column("configuration", overflow="fold")
    table.add_column(f"{DECIDED_BY}\n95 % interval", no_wrap=True)
    for measure in others:
        table.add_column(str(measure).replace("@", "\n@"), justify="right")
    for evaluation in sorted(evaluations, key=lambda e: -e.measures[DECIDED_BY].mean):
        decides = evaluation.measures[DECIDED_BY]
        means = (f"{evaluation.measures[measure].mean:.3f}" for measure in others)
        table.add_row(evaluation.name, f"{decides.mean:.3f}\n{_range(decides)}", *means)
    return table


def _range(interval: "Interval") -> str:
    return f"{interval.low:.3f} to {interval.high:.3f}"


def skipped_lines(skipped: Mapping[str, str]) -> list[str]:
    """The configurations that cannot be run, a line for each reason.

    >>> skipped_lines({"a": "no model", "b": "no model"})
    ['skipped a; b: no model']
    """
    by_reason: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        by_reason.setdefault(reason, []).append(name)
    return [f"skipped {'; '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _sliced(evaluation: "Evaluation") -> "Table":
    """The figures of each slice: how many questions, and the mean and interval of the measures that say most."""
    from rich import box
    from rich.table import Table

    from policy_rag_eval.measures.measures import DECIDED_BY
    from policy_rag_eval.measures.slices import SHOWN

    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    table.add_column("slice", overflow="fold")
    for name in ("questions", str(DECIDED_BY), "95 % interval", *map(str, SHOWN)):
        table.add_column(name, justify="right", no_wrap=True)
    for part in evaluation.slices:
        decides = part.measures.get(DECIDED_BY)
        mean, interval = (f"{decides.mean:.3f}", _range(decides)) if decides else ("", "")
        others = (part.measures.get(measure) for measure in SHOWN)
        figures = (f"{figure.mean:.3f}" if figure else "" for figure in others)
        table.add_row(f"{part.by}: {part.value}", str(part.questions), mean, interval, *figures)
    return table


def _show_plan(planned: "Plan") -> None:
    """What would run, one line a stage."""
    from rich import box
    from rich.table import Table

    out = console()
    out.print(f"{planned.configurations} configurations, {len(planned.done)} of them done already", markup=False)
    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    for name in ("stage", "for"):
        table.add_column(name, overflow="fold")
    for name in ("to do", "about"):
        table.add_column(name, justify="right", no_wrap=True)
    for stage in planned.stages:
        table.add_row(stage.name, stage.what, f"{stage.todo:,} {stage.unit}", _duration(stage.seconds))
    out.print(table)
    for line in skipped_lines(planned.skipped):
        out.print(line, markup=False)
    out.print(f"about {_duration(planned.seconds)} in all, on this machine as busy as it is now", markup=False)


def _duration(seconds: float) -> str:
    """A time as people say it.

    >>> _duration(0.2), _duration(75), _duration(7300)
    ('1 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _save(best: "Evaluation", made: "Sequence[Configuration]", index: Path) -> None:
    from policy_rag_eval.commands.save_best import save

    configuration = next(one for one in made if one.name == best.name)
    save(configuration.settings, configuration.chosen, index)


def _kept(index: Path, dataset: Dataset, result: "Sweep", *, texts: bool) -> "Kept":
    """Keeps the figures in MLflow; a store that fails is told, and costs nothing else."""
    from policy_rag_eval.reports.plots import plots
    from policy_rag_eval.tracking import keep

    return keep(
        index,
        dataset,
        result.corpus,
        result.evaluations,
        result.verdicts,
        texts=texts,
        skipped=result.skipped,
        plots=plots(result.evaluations),
    )
