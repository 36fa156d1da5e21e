"""`policy-rag eval tune`: search a space of settings instead of trying everything."""

import dataclasses
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag_eval.commands.options import CorpusOption, DatasetArgument, MeasureOption, MeasuringOptions
from policy_rag_eval.commands.repeat import repeat_command
from policy_rag_eval.data.dataset import Corpus

if TYPE_CHECKING:
    from policy_rag_eval.sweep.evaluation import Evaluation
    from policy_rag_eval.sweep.tuning import TrialResult, TuningResult
    from policy_rag_eval.tracking import Kept


def tune(
    context: typer.Context,
    dataset: DatasetArgument,
    corpus: CorpusOption = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(
            "--grid",
            metavar="FILE",
            help="What may be chosen: YAML of settings with lists of values, or ranges; or KEY=A,B; repeatable.",
        ),
    ] = None,
    trials: Annotated[int, typer.Option("--trials", min=1, help="Choices of settings to try in all.")] = 40,
    measure: MeasureOption = None,
    held_out: Annotated[
        float, typer.Option("--held-out", metavar="SHARE", help="Share of the questions kept for the final figure.")
    ] = 0.3,
    seed: Annotated[int, typer.Option("--seed", help="Of the division of the questions, and of the search.")] = 0,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="'KEY=VALUE ...'",
            help="Compare what is found with these settings instead of those as they are.",
        ),
    ] = None,
    save_best: Annotated[
        bool, typer.Option("--save-best", help="Write what was found into policy_rag.toml, where it beats what is set.")
    ] = False,
    *,
    common: MeasuringOptions,
) -> None:
    """Look for the settings that score highest.

    The figures are of questions that were held out.
    """
    from policy_rag.settings import load_settings
    from policy_rag_eval.measures.measures import Measure
    from policy_rag_eval.reports.tuning_page import tuning_page, tuning_table
    from policy_rag_eval.sweep.grids import read_changes
    from policy_rag_eval.sweep.search_space import read_space
    from policy_rag_eval.sweep.tuning import tune as search

    given = common.given
    baseline = read_changes(shlex.split(against or ""))
    asked = Measure.parse(measure) if measure else None
    chosen = read_space(grid or ())
    data = common.read(dataset)
    on = corpus or (Corpus.FILES if data.documents else Corpus.PASSAGES)
    with progress_bar() as progress:
        found = search(
            data,
            on,
            chosen,
            common.index,
            trials=trials,
            measure=asked,
            held_out=held_out,
            seed=seed,
            changes=given,
            against=baseline,
            margin=common.margin,
            progress=progress,
            tried=_Teller(trials),
        )
    if len(found.trials) < trials:
        notice(f"the trials end with {len(found.trials)}: no other choice was found in the grid")
    texts = load_settings(given).run.log_texts
    kept = _kept(common.index, on, found, texts=texts)  # first: see `eval retrieval`
    if save_best:
        _save(found, given, common.index)
    if common.json:
        print_json(as_json(data.name, on, found))
    else:
        _show(data.name, on, found, common.margin)
    page = tuning_page(found, on, texts=texts, margin=common.margin, command=repeat_command(context))
    common.finish(kept, page, tuning_table(found))


class _Teller:
    """Tells each trial in a line."""

    def __init__(self, trials: int) -> None:
        self._trials = trials
        self._best: float | None = None

    def __call__(self, trial: "TrialResult") -> None:
        if trial.value is None:
            notice(f"trial {trial.number + 1} of {self._trials}: skipped, {trial.why}")
            return
        self._best = trial.value if self._best is None else max(self._best, trial.value)
        chosen = " ".join(f"{name}={value}" for name, value in trial.settings.items())
        notice(f"trial {trial.number + 1} of {self._trials}: {trial.value:.4f}, best {self._best:.4f} ({chosen})")


def as_json(dataset: str, corpus: Corpus, found: "TuningResult") -> dict[str, Any]:
    """What `--json` prints."""
    return {
        "dataset": dataset,
        "corpus": str(corpus),
        "measure": str(found.measure),
        "best": dict(found.best),
        "tuned_on": _figures(found.tuned_on),
        "held_out": _figures(found.held_out),
        "baseline": {"name": found.baseline.name, **_figures(found.baseline)},
        "verdict": found.verdict,
        "trials": [
            {"number": t.number, "settings": dict(t.settings), "value": t.value, "why": t.why} for t in found.trials
        ],
    }


def _figures(evaluation: "Evaluation") -> dict[str, Any]:
    from policy_rag_eval.sweep.sweep import measures_json

    return {"questions": len(evaluation.scores.questions), "measures": measures_json(evaluation.measures)}


def _show(dataset: str, corpus: Corpus, found: "TuningResult", margin: float) -> None:
    from rich.table import Table

    from policy_rag_eval.commands.several import show_folded
    from policy_rag_eval.reports.tuning_page import tuning_headline

    out = console()
    tuned, held = len(found.tuned_on.scores.questions), len(found.held_out.scores.questions)
    out.print(
        f"{dataset}, --corpus {corpus}: {len(found.trials)} trials on {tuned} questions, {held} held out", markup=False
    )
    out.print(tuning_headline(found, corpus, margin), markup=False, style="bold")
    table = Table("setting", "best")
    for name, value in found.best.items():
        table.add_row(name, str(value))
    out.print(table)
    figures = Table(str(found.measure), "mean", "95 % interval")
    rows = {
        "best, where it was chosen (too high)": found.tuned_on,
        "best, held out": found.held_out,
        f"{found.baseline.name}, held out": found.baseline,
    }
    for name, evaluation in rows.items():
        interval = evaluation.measures[found.measure]
        figures.add_row(name, f"{interval.mean:.3f}", f"{interval.low:.3f} to {interval.high:.3f}")
    out.print(figures)
    out.print(found.verdict, markup=False)
    show_folded(len(found.evaluations), "not shown: the figures of {} choices")


def _kept(index: Path, corpus: Corpus, found: "TuningResult", *, texts: bool) -> "Kept":
    """Keeps the trials as runs under one of the tuning, and the held-out figures as another beside it."""
    from policy_rag_eval.sweep.tuning import choice_name
    from policy_rag_eval.tracking import evaluation_record, keep

    tags = {"tuned_for": str(found.measure)}
    name = f"{found.tuning_set.name}: tuning of {len(found.evaluations)} choices"
    why = {choice_name(t.settings): t.why for t in found.trials}
    skipped = {choice: reason for choice, reason in why.items() if reason is not None}
    tuning = evaluation_record(
        found.tuning_set, corpus, found.evaluations, texts=texts, skipped=skipped, name=name, tags=tags
    )
    trials = keep(index, found.tuning_set, tuning)
    last = evaluation_record(
        found.held_out_set,
        corpus,
        (found.held_out, found.baseline),
        (found.verdict,),
        texts=texts,
        name=f"{found.held_out_set.name}: held-out questions of a tuning",
        tags={**tags, **({"tuning_run_id": trials.run_id} if trials.run_id else {})},
    )
    beside = keep(index, found.held_out_set, last)
    notices = tuple(dict.fromkeys((*trials.notices, *beside.notices)))
    return dataclasses.replace(trials, notices=notices)


def _save(found: "TuningResult", given: dict[str, Any], index: Path) -> None:
    """Saves what was found, unless the baseline did as well on the questions held out."""
    from policy_rag.settings import load_settings
    from policy_rag_eval.commands.save_best import save

    if found.comparison.first != found.held_out.name:
        notice(f"not saved: on the questions held out {found.baseline.name} did as well")
        return
    save(load_settings({**given, **found.best}), tuple(found.best), index)
