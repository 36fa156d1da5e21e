"""`policy-rag eval retrieval`: how well a configuration, or each of a grid, finds what answers the questions."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.output import notice, print_json, progress_bar, working
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.commands.options import (
    AgainstOption,
    CorpusOption,
    DatasetArgument,
    GridOption,
    MeasureOption,
    MeasuringOptions,
)
from policy_rag_eval.commands.repeat import repeat_command
from policy_rag_eval.commands.retrieval_tables import show_plan, show_slices, show_sweep, skipped_lines
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, Measure

if TYPE_CHECKING:
    from policy_rag_eval.sweep.evaluation import Configuration, Evaluation
    from policy_rag_eval.sweep.sweep import Sweep


class BelowGateError(PolicyRagError):
    """A measure is lower than `--fail-under` asks for."""


def retrieval(
    context: typer.Context,
    dataset: DatasetArgument,
    corpus: CorpusOption = None,
    grid: GridOption = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            "--beside",
            metavar="NAME=WHAT",
            help="Another retriever: a run file of trec_eval, an index as it stands, or MODULE:RETRIEVER in Python; "
            "repeatable.",
        ),
    ] = None,
    measure: MeasureOption = None,
    against: AgainstOption = None,
    trec_out: Annotated[
        Path | None, typer.Option("--trec-out", metavar="DIR", help="Write qrels.trec and a .run a configuration.")
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option("--fail-under", metavar="MEASURE=VALUE", help="Fail if its interval begins below; repeatable."),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option(
            "--dry-run", help="Say what would run and about how long, and what LLMs would be asked; ask none."
        ),
    ] = False,
    slices: Annotated[
        bool, typer.Option("--slices", help="Show the best configuration by type, document and length of question.")
    ] = False,
    save_best: Annotated[
        bool, typer.Option("--save-best", help="Write the best configuration's settings into policy_rag.toml.")
    ] = False,
    *,
    common: MeasuringOptions,
) -> None:
    """Measure how well the settings find what answers the questions.

    With a grid, each combination of settings is measured on the data set's questions.
    """
    from policy_rag_eval.reports.retrieval_page import retrieval_page
    from policy_rag_eval.reports.table_files import SweepTable
    from policy_rag_eval.sweep.grids import configurations, read_grids
    from policy_rag_eval.sweep.peers import named_retriever
    from policy_rag_eval.sweep.plan import plan
    from policy_rag_eval.sweep.sweep import sweep
    from policy_rag_eval.tracking import evaluation_record, keep

    gates = read_gates(fail_under or ())
    made = configurations(read_grids(grid or ()), common.given)
    asked = Measure.parse(measure) if measure else None
    peers = dict(map(named_retriever, beside or ()))
    data = common.read(dataset)
    chosen = corpus or (Corpus.FILES if data.documents else Corpus.PASSAGES)
    measures = tuple(dict.fromkeys((*DEFAULT_MEASURES, *((asked,) if asked else ()), *(gate for gate, _ in gates))))
    if dry_run:
        with working("timing the models"):
            planned = plan(data, chosen, made, common.index, measures=measures, peers=peers, against=against)
        print_json(planned.as_json()) if common.json else show_plan(planned)
        return
    with progress_bar() as progress:
        result = sweep(
            data,
            chosen,
            made,
            common.index,
            measures=measures,
            measure=asked,
            against=against,
            margin=common.margin,
            peers=peers,
            progress=progress,
            began=(lambda name: notice(f"running {name}")) if len(made) + len(peers) > 1 else None,
        )
    for line in skipped_lines(result.skipped):
        notice(line)
    for note in dict.fromkeys(note for evaluation in result.evaluations for note in evaluation.notes):
        notice(f"note: {note}")
    scored, told = data.for_corpus(chosen), (result.evaluations, result.verdicts)
    if trec_out is not None:
        write_trec(trec_out, scored, result)
    texts = all(one.settings.run.log_texts for one in made)
    # Kept before they are shown: whoever reads the first lines only, as `head` does, ends this when it has them.
    kept = keep(common.index, scored, evaluation_record(scored, chosen, *told, texts=texts, skipped=result.skipped))
    if save_best:
        _save(result.best, made, common.index)
    if common.json:
        print_json(result.as_json())
    else:
        show_sweep(result, common.margin)
        if slices:
            show_slices(result.best, result.measure)
    command = repeat_command(context)
    page = retrieval_page(result, scored, texts=texts, margin=common.margin, command=command)
    common.finish(kept, page, SweepTable(result.evaluations, result.measure))
    check_gates(gates, result)


def read_gates(texts: Sequence[str]) -> tuple[tuple[Measure, float], ...]:
    """Reads `--fail-under MEASURE=VALUE` options, values from 0 to 1.

    Raises:
        UsageError: one is not of that form.
        MeasureError: there is no such measure.

    >>> [(str(measure), least) for measure, least in read_gates(["recall@10=0.75"])]
    [('recall@10', 0.75)]
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


def _save(best: "Evaluation", made: "Sequence[Configuration]", index: Path) -> None:
    from policy_rag_eval.commands.save_best import save

    configuration = next((one for one in made if one.name == best.name), None)
    if configuration is None:
        notice(f"nothing is saved: the best, {best.name}, is no configuration of ours")
        return
    save(configuration.settings, configuration.chosen, index)
