"""`policy-rag eval compare`: two kept runs, question by question."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.output import console, notice, print_json
from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace, index_place
from policy_rag_eval.commands.options import FigureOptions, StoreOptions
from policy_rag_eval.commands.repeat import repeat_command
from policy_rag_eval.commands.tracked import tell_kept

if TYPE_CHECKING:
    from policy_rag_eval.reports.run_comparison import RunComparison
    from policy_rag_eval.tracking import StoredRun

_SHOWN = 5


def compare(
    context: typer.Context,
    first: Annotated[str, typer.Argument(metavar="RUN", help="A configuration's run, by id or name.")],
    second: Annotated[str, typer.Argument(metavar="RUN", help="Another one of the same data set and corpus.")],
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            metavar="MEASURE",
            help="What decides; given again, what is tested besides, corrected for its number.",
        ),
    ] = None,
    served: Annotated[
        str | None,
        typer.Option(
            "--served",
            metavar="STATE",
            help="Compare two variants that a service served: the folder of its state, or the address of its index.",
        ),
    ] = None,
    *,
    figures: FigureOptions,
    common: StoreOptions,
) -> None:
    """Compare two kept runs on the questions that both were asked.

    Shown are difference, interval, test, wins and losses.
    """
    if served is not None:
        if any((figures.report, figures.csv, figures.latex)):
            raise UsageError("--served has no page and no table: leave --report, --csv and --latex out, or use --json")
        _compare_served(index_place(served), first, second, common.index, as_json=common.json)
        return
    from policy_rag_eval.measures.measures import Measure
    from policy_rag_eval.reports.comparison_page import comparison_page, comparison_table
    from policy_rag_eval.reports.decision_page import write_page
    from policy_rag_eval.reports.run_comparison import compare_runs, keep_comparison
    from policy_rag_eval.tracking import Runs, keep_page

    tested = [Measure.parse(one) for one in measure or ()]
    runs = Runs(common.reading())
    found = compare_runs(runs.configuration(first), runs.configuration(second), tested, margin=figures.margin)
    if common.json:
        print_json(_as_json(found))
    else:
        _show(found)
    page = comparison_page(found, command=repeat_command(context, first=found.first.run_id, second=found.second.run_id))
    text = page.html()
    tell_kept(keep_page(keep_comparison(common.index, found), page.headline, text), common.index)
    if figures.report is not None:
        notice(f"the page is {write_page(text, figures.report)}")
    comparison_table(found).write(figures.csv, figures.latex)


def _compare_served(state: IndexPlace, first: str, second: str, index: Path, *, as_json: bool) -> None:
    try:
        from policy_rag_eval.reports.served_comparison import compare_served, keep_served
    except ImportError as error:
        raise UsageError(f"{error.name} is not installed: run `pip install 'policy-rag[serve]'`") from error
    from rich import box
    from rich.table import Table

    found = compare_served(state, first, second)
    tell_kept(keep_served(index, found), index)
    if as_json:
        print_json(found)
        return
    table = Table(box=box.SIMPLE, show_edge=False)
    for title in ("", first, second, "difference", "95 % interval", "p"):
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    for figure, gap in found.differences.items():
        means = (found.first.mean(figure), found.second.mean(figure))
        cells = ["" if value is None else f"{value:.3f}" for value in means]
        if gap is not None:
            ends = f"{gap.difference.low:+.3f} to {gap.difference.high:+.3f}"
            cells += [f"{gap.difference.mean:+.3f}", ends, f"{found.corrected[figure]:.3f}"]
        table.add_row(figure, *cells)
    out = console()
    for one in (found.first, found.second):
        out.print(f"{one.variant}: {one.questions} questions of {len(one.users['answered'])} users", markup=False)
    out.print(table)
    out.print(found.verdict, markup=False)


def _show(found: "RunComparison") -> None:
    from rich import box
    from rich.table import Table

    from policy_rag_eval.reports.comparison_page import difference_cells

    out = console()
    for word, run in (("first ", found.first), ("second", found.second)):
        out.print(f"{word}: {run.name} (run {run.run_id}, {run.started:%Y-%m-%d %H:%M} UTC)", markup=False)
    out.print(f"{found.first.dataset}, --corpus {found.first.corpus}: {found.questions} questions", markup=False)
    table = Table(box=box.SIMPLE, padding=(0, 1), collapse_padding=True, show_edge=False)
    table.add_column("measure", no_wrap=True)
    for title in ("first", "second", "difference", "95 % interval", "p\nalone", "p, cor-\nrected"):
        table.add_column(title, justify="right", no_wrap=True)
    for one in found.differences:
        table.add_row(str(one.measure), *difference_cells(one, found.measure))
    out.print(table)
    if any(one.p_value is None for one in found.differences):
        out.print("measures without p were not tested: --measure, once for each, says which are", markup=False)
    out.print(found.verdict, markup=False)
    for note in found.notes:
        out.print(f"note: {note}", markup=False)
    for word, pairs in (("wins", found.wins), ("losses", found.losses)):
        out.print(f"{word} of the first, by {found.measure}: {len(pairs)}", markup=False)
        for pair in pairs[:_SHOWN]:
            out.print(f"  {pair.first:.3f} to {pair.second:.3f}  {pair.question_id} {pair.text or ''}", markup=False)


def _as_json(found: "RunComparison") -> dict[str, Any]:
    return {
        "first": _run_json(found.first),
        "second": _run_json(found.second),
        "dataset": found.first.dataset,
        "corpus": found.first.corpus,
        "questions": found.questions,
        "left_out": found.left_out,
        "measure": str(found.measure),
        "verdict": found.verdict,
        "decided": found.decided,
        "differences": {
            str(one.measure): {
                "first": one.first,
                "second": one.second,
                **asdict(one.difference),
                "p_alone": one.p_value.alone if one.p_value else None,
                "p_value": one.p_value.corrected if one.p_value else None,
            }
            for one in found.differences
        },
        "wins": found.wins,
        "losses": found.losses,
        "settings": {name: list(both) for name, both in found.settings.items()},
        "notes": list(found.notes),
    }


def _run_json(run: "StoredRun") -> dict[str, Any]:
    return {"run_id": run.run_id, "name": run.name, "started": run.started.isoformat()}
