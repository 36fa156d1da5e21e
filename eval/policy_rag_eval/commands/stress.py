"""`policy-rag eval stress`: what becomes of answers when the sections that are given are made harder."""

from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.output import Notices, console, notice, print_json, progress_bar
from policy_rag.errors import ModelError, UsageError
from policy_rag_eval.commands.options import (
    AgainstOption,
    DatasetArgument,
    GridOption,
    MeasuringOptions,
    WorkersOption,
)
from policy_rag_eval.commands.progress import counting
from policy_rag_eval.commands.repeat import repeat_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from policy_rag.llm.reply_cache import CachedModel
    from policy_rag.settings import Settings
    from policy_rag_eval.stress.comparison import StressComparison
    from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun

_SHORT = {
    "gold cited": "gold",
    "part of the gold cited": "part",
    "true and planted cited": "both",
    "planted cited": "planted",
    "other cited": "other",
    "refused": "refused",
    "failed": "failed",
}
"""Outcomes as heads of columns."""


def stress(
    context: typer.Context,
    dataset: DatasetArgument,
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test", metavar="NAME", help="noise, rejection, integration, counterfactual, position, sections."
        ),
    ] = None,
    llm: Annotated[str | None, typer.Option("--llm", metavar="NAME", help="Who answers, as for `ask`.")] = None,
    grid: GridOption = None,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="NAME", help="The test that decides, by default the first.")
    ] = None,
    against: AgainstOption = None,
    seed: Annotated[int, typer.Option("--seed", help="Of what is drawn, ordered and planted.")] = 0,
    workers: WorkersOption = 4,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how much the LLM would be asked; ask nothing.")
    ] = False,
    *,
    common: MeasuringOptions,
) -> None:
    """Stress the answerer with distractors, false clauses and more.

    Tested are distractors, missing gold, two sections, a false clause, position and number of sections.
    """
    from policy_rag_eval.answers.plans import setting_configurations
    from policy_rag_eval.commands.retrieval_tables import spending_line
    from policy_rag_eval.judges.evaluation_models import answering_model, open_replies
    from policy_rag_eval.stress.comparison import compare_stress, comparison_page, decides
    from policy_rag_eval.stress.page import stress_page, stress_table
    from policy_rag_eval.stress.run import run_stress
    from policy_rag_eval.stress.stress_tests import chosen_tests
    from policy_rag_eval.stress.tracking import keep_comparison, keep_stress
    from policy_rag_eval.sweep.grids import read_grids
    from policy_rag_eval.sweep.search_calls import counted, total_spending

    tests = chosen_tests(test or ())
    decides(measure, [one.name for one in tests])
    if llm is not None and "llm" in common.given:
        raise UsageError("the LLM is named with --llm and with --set: leave one out")
    named = {"llm": llm} if llm is not None else {}
    configurations = setting_configurations(read_grids(grid or ()), common.given | named, against=against)
    data = common.read(dataset)
    runs: dict[str, StressRun] = {}
    models: list[tuple[CachedModel, Settings]] = []
    notices = Notices()
    with open_replies(common.index) as store:
        for one in configurations:
            model, which = answering_model(one.settings, None if dry_run else store)
            if which:
                notices.tell(which)
            if dry_run and model is None:  # quotations ask nothing
                continue
            if len(configurations) > 1:
                notice(f"running {one.name}")
            with progress_bar() as progress:
                runs[one.name] = run_stress(
                    data,
                    tests,
                    one.settings,
                    common.index,
                    model=model,
                    seed=seed,
                    counting=counting,
                    workers=workers,
                    progress=progress,
                    chosen={name: value for name, value in one.chosen if name not in ("llm", "offline")},
                    timed=not dry_run,
                )
            if model is not None:
                models.append((model, one.settings))
    if dry_run:
        asked = total_spending([counted(model, settings, model.calls, model.tokens) for model, settings in models])
        print_json(asked.as_json()) if common.json else console().print(spending_line("answering", asked), markup=False)
        return
    for line in _notes(runs.values(), [model for model, _ in models]):
        notice(line)
    texts, command = all(one.settings.run.log_texts for one in configurations), repeat_command(context)
    # Kept first: see `eval retrieval`.
    if len(runs) == 1:
        (run,) = runs.values()
        kept = keep_stress(common.index, run, data, texts=texts)
        print_json(run.as_json()) if common.json else show(run)
        page = stress_page(run, texts=texts, command=command)
    else:
        compared = compare_stress(runs, measure, against=against, margin=common.margin)
        kept = keep_comparison(common.index, compared, data, texts=texts)
        print_json(compared.as_json()) if common.json else _show_several(compared)
        page = comparison_page(compared, texts=texts, command=command)
    common.finish(kept, page, stress_table(runs))
    _check_failures(runs.values())


def _notes(runs: "Iterable[StressRun]", models: "Iterable[CachedModel]") -> "Iterator[str]":
    yield from dict.fromkeys(f"note: {note}" for result in runs for note in result.notes)
    for model in models:
        yield f"{model.calls:,} calls to {model.name}, {model.cached_calls:,} replies were known already"


def _show_several(found: "StressComparison") -> None:
    from policy_rag_eval.commands.several import show_best, show_folded
    from policy_rag_eval.stress.comparison import comparison_head, comparison_rows

    several = found.several
    heads = [head.replace("counterfactual", "counter-\nfactual") for head in comparison_head(found)]
    show_best(several.headline, comparison_rows(found), heads, several.comparisons, several.verdicts)
    console().print(f"\n{several.best}", markup=False, style="bold")
    show(found.runs[several.best])
    show_folded(len(found.runs) - 1, "not shown: the tests under the others ({})")


def _check_failures(runs: "Iterable[StressRun]") -> None:
    """Where every trial of a run failed, the work failed.

    Raises:
        ModelError: with the first reason.
    """
    for result in runs:
        conditions = [one for test in result.tests for one in test.conditions]
        failures = [reason for one in conditions for reason in one.failures]
        if failures and all(one.share is None for one in conditions):
            raise ModelError(f"{result.llm} gave no answer that could be judged: {failures[0]}")


def show(result: "StressRun") -> None:
    """What people read: a table a test, a row a condition."""
    out = console()
    out.print(f"{result.dataset}, answered by {result.llm}", markup=False)
    out.print("low, high: 95 % interval of the share; change: against the first row of the same questions")
    for one in result.tests:
        out.print(f"\n{one.test.title}", markup=False, style="bold")
        out.print(f"share: {one.test.share}", markup=False)
        if one.conditions:
            out.print(_table(one))
        else:
            out.print("no question of this data set can be asked", markup=False)
        noticed = [f"{each.name} {each.noticed}" for each in one.conditions if each.noticed is not None]
        if noticed:
            out.print(f"answers that notice the contradiction: {', '.join(noticed)}", markup=False)
        for note in one.notes:
            out.print(note, markup=False)
        missing = sum(each.left_out for each in one.conditions)
        if missing:
            out.print(f"{missing:,} sections had no room in the LLM's window: raise llm_context", markup=False)
        for reason in dict.fromkeys(reason for each in one.conditions for reason in each.failures):
            out.print(f"failed: {reason}", markup=False)


def _table(result: "StressResult") -> "object":
    from policy_rag_eval.commands.several import figure_table
    from policy_rag_eval.stress.trials import StressOutcome

    shown = [outcome for outcome in StressOutcome if any(one.counts[outcome] for one in result.conditions)]
    reachable = any(one.reachable is not None for one in result.conditions)
    heads = ["asked", "share", "low", "high", "change", *(["gold\ngiven"] if reachable else [])]
    table = figure_table(("condition",), heads + [_SHORT[outcome] for outcome in shown])
    for one in result.conditions:
        cells = [one.name, str(len(one.outcomes)), *_share(one)]
        cells += ["-" if one.reachable is None else f"{one.reachable:.3f}"] if reachable else []
        cells += [str(one.counts[outcome]) for outcome in shown]
        table.add_row(*cells)
    return table


def _share(one: "ConditionResult") -> tuple[str, ...]:
    if one.share is None:
        return "-", "-", "-", "-"
    against = "-" if one.change is None else f"{one.change.mean:+.3f}"
    return *(f"{value:.3f}" for value in (one.share.mean, one.share.low, one.share.high)), against
