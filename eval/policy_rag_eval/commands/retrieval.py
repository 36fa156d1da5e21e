"""`policy-rag eval retrieval`: how well a configuration, or each of a grid, finds what answers the questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.measures import DEFAULT_MEASURES, Measure

if TYPE_CHECKING:
    from rich.table import Table

    from policy_rag_eval.runs import Evaluation
    from policy_rag_eval.statistics import Interval
    from policy_rag_eval.sweeps import Sweep


class BelowGateError(PolicyRagError):
    """A measure is lower than `--fail-under` asks for."""


def retrieval(
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="Folder of a data set, or the name of one that is built in.")
    ],
    index: IndexOption = Path(".policy_rag"),
    corpus: Annotated[
        Corpus | None,
        typer.Option("--corpus", help="Search the documents, or the gold passages; documents where there are any."),
    ] = None,
    grid: Annotated[
        str | None, typer.Option("--grid", metavar="FILE", help="YAML of settings and their values, or `standard`.")
    ] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting for this run; may be repeated.")
    ] = None,
    trec_out: Annotated[
        Path | None, typer.Option("--trec-out", metavar="DIR", help="Write qrels.trec and a .run a configuration.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="MEASURE=VALUE", help="Fail if its interval begins below; repeatable."),
    ] = None,
    offline: OfflineOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Measure how well the settings, or each combination of a grid, find what answers a data set's questions."""
    from policy_rag_eval.grids import configurations, read_changes, read_grid
    from policy_rag_eval.reading import read_dataset
    from policy_rag_eval.sweeps import sweep

    gates = read_gates(fail_under or ())
    given = {**({"offline": True} if offline else {}), **read_changes(changes or ())}
    made = configurations(read_grid(grid) if grid else {}, given)
    data = read_dataset(dataset)
    chosen = corpus or (Corpus.FILES if data.documents else Corpus.PASSAGES)
    with progress_bar() as progress:
        result = sweep(
            data,
            chosen,
            made,
            index,
            measures=tuple(dict.fromkeys((*DEFAULT_MEASURES, *(measure for measure, _ in gates)))),
            progress=progress,
            began=(lambda name: notice(f"running {name}")) if len(made) > 1 else None,
        )
    for name, reason in result.skipped.items():
        notice(f"skipped {name}: {reason}")
    for note in dict.fromkeys(note for evaluation in result.evaluations for note in evaluation.notes):
        notice(f"note: {note}")
    if trec_out is not None:
        write_trec(trec_out, data.for_corpus(chosen), result)
    if json:
        print_json(result.as_json())
    else:
        _show(result)
    _track(index, data.for_corpus(chosen), result, texts=all(one.settings.log_texts for one in made))
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
    from policy_rag_eval.trec import QRELS_FILE, run_file, write_qrels, write_run

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
        steps = ", ".join(f"{step} {milliseconds:.1f}" for step, milliseconds in evaluation.timings_ms.items())
        out.print(f"milliseconds a question, {evaluation.name}: {steps}", markup=False)


def _one(evaluation: "Evaluation") -> "Table":
    from rich.table import Table

    table = Table("measure", "mean", "95 % interval")
    for measure, interval in evaluation.measures.items():
        table.add_row(str(measure), f"{interval.mean:.3f}", _range(interval))
    return table


def _many(evaluations: Sequence["Evaluation"]) -> "Table":
    """Means side by side, best first by the measure that decides, which has its interval; the rest is in --json."""
    from rich import box
    from rich.table import Table

    from policy_rag_eval.verdicts import DECIDED_BY

    others = [measure for measure in evaluations[0].measures if measure != DECIDED_BY]
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


def _track(index: Path, dataset: Dataset, result: "Sweep", *, texts: bool) -> None:
    """Keeps the figures in MLflow. They are already shown: a store that fails is told, and costs nothing else."""
    from policy_rag_eval.tracking import keep

    kept = keep(index, dataset, result.corpus, result.evaluations, result.verdicts, texts=texts, skipped=result.skipped)
    for told in kept.notices:
        notice(told)
    if kept.run_id is not None:
        here = f" --index {index}" if index != Path(".policy_rag") else ""
        notice(f"kept in MLflow as run {kept.run_id}: `policy-rag ui{here}` shows it")
