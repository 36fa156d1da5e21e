"""`policy-rag eval judges`: what judges are worth, measured on answers that people have labelled."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.output import console, notice, print_json
from policy_rag_eval.commands.options import JudgingOptions, StoreOptions, WorkersOption
from policy_rag_eval.commands.progress import counting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from policy_rag.llm.reply_cache import CachedModel
    from policy_rag.settings import Settings
    from policy_rag_eval.judges.accuracy import JudgeAccuracy
    from policy_rag_eval.judges.judge import Judge
    from policy_rag_eval.judges.judge_cases import Case
    from policy_rag_eval.judges.workbench import JudgeResults
    from policy_rag_eval.sweep.plan import RunEstimate


def judges(
    labelled: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="Labelled answers; those that come with the project."),
    ] = None,
    disputed: Annotated[
        Path | None, typer.Option("--disputed", metavar="FILE", help="Write what judges disagree on as CSV.")
    ] = None,
    workers: WorkersOption = 4,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what LLMs would be asked, and ask none.")] = False,
    *,
    judging: JudgingOptions,
    common: StoreOptions,
) -> None:
    """Measure judges against labelled answers.

    Thresholds are fixed on one half, figures come from the other.
    """
    from policy_rag.offline import keep_offline
    from policy_rag.settings import load_settings
    from policy_rag_eval.commands.retrieval_tables import show_estimate
    from policy_rag_eval.judges.accuracy import PASS
    from policy_rag_eval.judges.catalogue import make_judges, named_judges
    from policy_rag_eval.judges.evaluation_models import comparing_embedder, judging_models, open_replies
    from policy_rag_eval.judges.judge import why_unjudged
    from policy_rag_eval.judges.labelled import LabelledHalf, builtin_labelled, read_labelled
    from policy_rag_eval.judges.workbench import measure_judges

    settings = load_settings({"offline": common.offline or None})
    keep_offline(settings)
    folder = labelled or builtin_labelled()
    cases = read_labelled(folder)
    names = judging.names
    if dry_run:
        counting_only = judging_models(judging.llms, settings, None)
        asking = [name for name in names if name.asks_llm]
        made = make_judges(asking, lambda: comparing_embedder(settings), counting_only, judging.guidelines)
        show_estimate(_estimate(made, [one.case for one in cases], counting_only, settings), json=common.json)
        return
    with open_replies(common.index) as store:
        made = named_judges(names, judging.llms, settings, store, guidelines=judging.guidelines)
        found = measure_judges(made, cases, workers=workers, counting=counting)
    for name, reason in found.skipped.items():
        notice(f"skipped {name}: {reason}")
    for note in why_unjudged(found.verdicts):
        notice(f"note: {note}")
    halves = {one.half for one in cases}
    if LabelledHalf.REPORT not in halves:
        notice(f'note: all {len(cases)} answers are in the half "fix": for figures, put some into "report"')
    elif LabelledHalf.FIX not in halves:
        notice(f'note: no answer is in the half "fix": a judge without a threshold of its own passes from {PASS} on')
    report(folder, found, disputed=disputed, json=common.json)


def _estimate(
    judges: "Sequence[Judge]", cases: "Sequence[Case]", models: "Sequence[CachedModel]", settings: "Settings"
) -> "RunEstimate":
    """What the judges would ask; `models` are theirs, and only count."""
    from policy_rag_eval.judges.judge import able_judges, judge_all
    from policy_rag_eval.sweep.plan import RunEstimate
    from policy_rag_eval.sweep.search_calls import counted, total_spending

    for one in able_judges(judges, cases)[0]:
        judge_all(one, cases)
    return RunEstimate(
        {"judging": total_spending([counted(model, settings, model.calls, model.tokens) for model in models])}
    )


def report(folder: Path, found: "JudgeResults", *, disputed: Path | None, json: bool) -> None:
    """Shows and writes."""
    from policy_rag_eval.judges.panel import disputed_csv
    from policy_rag_eval.output_files import write_file

    if disputed is not None and found.panel is not None:
        write_file(disputed, disputed_csv(found.panel, found.verdicts), "give another file")
    if json:
        document = {"labelled": str(folder), "judges": [one.as_json() for one in found.judges]}
        print_json({**document, "panel": found.panel.as_json() if found.panel else None})
    else:
        show(found)


def show(found: "JudgeResults") -> None:
    """What people read: a row a judge, best first, then agreement."""
    from rich import box
    from rich.table import Table

    out = console()
    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    table.add_column("judge", no_wrap=True)
    for name in ("accuracy", "95 %\ninterval", "passes\nright", "fails\nwrong", "kappa", "not\njudged"):
        table.add_column(name)
    for one in found.judges:
        interval = f"{one.accuracy.low:.3f} to {one.accuracy.high:.3f}" if one.accuracy else "-"
        mean = one.accuracy.mean if one.accuracy else None
        figures = [_figure(value) for value in (mean, one.passes_right, one.fails_wrong, one.kappa)]
        table.add_row(one.judge, figures[0], interval, *figures[1:], f"{one.unjudged} of {one.cases}")
    out.print(table)
    if found.judges and found.best.kinds:
        out.print(_weak(found.best))
    both = found.panel
    if both is not None:
        out.print(f"agreement of all: Fleiss' kappa {_figure(both.fleiss)}, Krippendorff's alpha {_figure(both.alpha)}")
        out.print(f"{len(both.disputed)} of {len(both.decisions)} answers are disputed: --disputed FILE writes them")


def _weak(best: "JudgeAccuracy") -> "Table":
    """By kind of answer, what the best judge gets right."""
    from rich.table import Table

    table = Table("kind of answer", "is", f"judged rightly by {best.judge}")
    for name, kind in best.kinds.items():
        table.add_row(name, "right" if kind.right else "wrong", f"{kind.correct} of {kind.judged}")
    return table


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
