"""`policy-rag eval answers`: what answers are worth, between the gold sections given and nothing given."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag_eval.commands.options import (
    ChangesOption,
    DatasetArgument,
    GuidelinesOption,
    JudgeLLMOption,
    JudgeOption,
    WorkersOption,
)
from policy_rag_eval.commands.progress import counting
from policy_rag_eval.commands.tracked import tell_kept, write_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from policy_rag.llm.protocol import LanguageModel
    from policy_rag.llm.reply_cache import CachedModel, ReplyCache
    from policy_rag_eval.answers.plans import AnswerConfiguration
    from policy_rag_eval.answers.run import AnswerRun
    from policy_rag_eval.judges.protocol import Judge
    from policy_rag_eval.statistics.intervals import Interval


def answers(
    dataset: DatasetArgument,
    index: IndexOption = Path(".policy_rag"),
    grid: Annotated[
        str | None, typer.Option("--grid", metavar="FILE", help="YAML of settings, `sections` and `prompt`.")
    ] = None,
    changes: ChangesOption = None,
    judge: JudgeOption = None,
    judge_llm: JudgeLLMOption = None,
    guidelines: GuidelinesOption = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Write retrieval against answers as PNG.")
    ] = None,
    workers: WorkersOption = 4,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what LLMs would be asked, and ask none.")] = False,
    offline: OfflineOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Measure what answers are worth, and how much of what they lose is retrieval's."""
    from policy_rag.settings import load_settings
    from policy_rag_eval.answers.plans import answer_configurations
    from policy_rag_eval.answers.run import run_answers
    from policy_rag_eval.answers.scatter import scatter_plot
    from policy_rag_eval.answers.tracking import keep_answers
    from policy_rag_eval.data.reader import read_dataset
    from policy_rag_eval.judges.catalogue import judge_names, make_judges
    from policy_rag_eval.judges.models import comparing_embedder, judging_models, open_replies
    from policy_rag_eval.sweep.grids import read_changes, read_grid

    given = {**({"offline": True} if offline else {}), **read_changes(changes or ())}
    configurations = answer_configurations(read_grid(grid) if grid else {}, given)
    data = read_dataset(dataset)
    names = judge_names(judge or (), llm=bool(judge_llm), guidelines=guidelines is not None)
    settings = load_settings({"offline": offline or None})
    answering: list[CachedModel] = []
    with open_replies(index) as store:
        judging = judging_models(judge_llm or (), settings, store, dry_run=dry_run)
        judges = make_judges(names, lambda: comparing_embedder(settings), judging, guidelines)
        models = _models(store, answering, dry_run=dry_run)
        with progress_bar() as progress:
            result = run_answers(
                data,
                configurations,
                [] if dry_run else judges,
                index,
                models=models,
                counting=counting,
                workers=workers,
                progress=progress,
            )
        if dry_run:
            _judge_dry(result, judges, answered=not answering)
            _show_cost(answering, judging, json=json)
            return
    for name, reason in result.skipped.items():
        notice(f"skipped {name}: {reason}")
    for note in result.notes:
        notice(f"note: {note}")
    spent = sum(one.calls for one in (*answering, *judging))
    if answering or judging:
        known = sum(one.cached_calls for one in (*answering, *judging))
        notice(f"{spent:,} calls to LLMs, {known:,} replies were known already")
    picture = scatter_plot(result.evaluations, title=f"{result.dataset}: {result.scored} questions")
    texts = all(one.settings.run.log_texts for one in configurations)
    kept = keep_answers(index, result, data.digest, picture, texts=texts)  # first: see `eval retrieval`
    if json:
        print_json(result.as_json())
    else:
        show(result)
    tell_kept(kept, index)
    if plot is not None:
        write_picture(plot, picture)


def _models(
    store: "ReplyCache", made: "list[CachedModel]", *, dry_run: bool
) -> "Callable[[AnswerConfiguration], LanguageModel | None]":
    """The LLM of a configuration, which remembers; in a dry run one that only counts."""
    from policy_rag_eval.judges.models import answering_model

    def model(configuration: "AnswerConfiguration") -> "LanguageModel | None":
        llm, which = answering_model(configuration.settings, store, dry_run=dry_run)
        if which:
            notice(which)
        if llm is not None:
            made.append(llm)
        return llm

    return model


def _judge_dry(result: "AnswerRun", judges: "Sequence[Judge]", *, answered: bool) -> None:
    """Puts every answer to the judges.

    One that nobody has given yet is taken to be the reference, no refusal, and another one under each condition.
    """
    from dataclasses import replace

    from policy_rag_eval.judges.protocol import judge_all

    cases = [
        case
        if answered
        else replace(case, answer=f"{case.reference or case.question} ({one.name}, {condition})", refused=False)
        for one in result.evaluations
        for condition, of in one.cases.items()
        for case in of
    ]
    for judge in judges:
        if ":" in judge.name:
            judge_all(judge, cases)


def _show_cost(answering: "Sequence[CachedModel]", judging: "Sequence[CachedModel]", *, json: bool) -> None:
    """Calls, and tokens with the longest replies."""
    models = {"answering": answering, "judging": judging}
    calls = {name: sum(one.calls for one in of) for name, of in models.items()}
    tokens = {name: sum(one.tokens for one in of) for name, of in models.items()}
    if json:
        print_json({"calls": calls, "tokens_at_most": tokens})
        return
    for name in models:
        console().print(f"{name}: {calls[name]:,} calls, at most {tokens[name]:,} tokens with their replies")


def show(result: "AnswerRun") -> None:
    """What people read: a row a configuration with its loss, then every judge under every condition."""
    from rich import box
    from rich.table import Table

    out = console()
    out.print(f"{result.dataset}: {result.questions} questions", markup=False)
    if result.decides:
        table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
        table.add_column("configuration", overflow="fold", min_width=len("configuration"))
        heads = (
            f"{result.decides}\n95 % interval".replace(":", ":\n", 1),
            "floor",
            "ceiling",
            "lost,\n%",
            "lost by\nretrieval",
            "lost by\nanswerer",
        )
        for name in ("n", "recall\ngiven", *heads):
            table.add_column(name, no_wrap=True)
        for one in sorted(result.evaluations, key=lambda each: -(each.loss.found.mean if each.loss else -1)):
            loss = one.loss
            if loss is None:
                continue
            percent = "-" if loss.lost_percent is None else f"{loss.lost_percent:.1f}"
            recall = "-" if one.recall is None else f"{one.recall.mean:.3f}"
            levels = (f"{loss.floor.mean:.3f}", f"{loss.ceiling.mean:.3f}", percent)
            shares = (f"{loss.by_retrieval.mean:.3f}", f"{loss.by_generation:.3f}")
            table.add_row(one.name, str(loss.questions), recall, _with_range(loss.found), *levels, *shares)
        out.print(table)
        _warn_of_few(result)
    for one in result.evaluations:
        each = Table(box=box.SIMPLE, padding=0, collapse_padding=True, title=f"{one.name}, answered by {one.llm}")
        for name in ("judge", *(f"{condition}\n95 % interval" for condition in one.scores), "not\njudged"):
            each.add_column(name)
        for judge in result.judges:
            scores = [of[judge] for of in one.scores.values()]
            means = [_with_range(score.score, f" of {score.judged}") if score.score else "-" for score in scores]
            each.add_row(judge, *means, "/".join(str(score.unjudged) for score in scores))
        out.print(each)


def _warn_of_few(result: "AnswerRun") -> None:
    """Says where the first table rests on so few questions that it tells little."""
    from policy_rag_eval.statistics.intervals import FEW

    counted = [one.loss.questions for one in result.evaluations if one.loss is not None]
    if counted and min(counted) < FEW:
        only = str(min(counted)) if min(counted) == max(counted) else f"{min(counted)} to {max(counted)}"
        notice(
            f"warning: {result.decides} could judge only {only} of {result.questions} questions (n), and fewer than "
            f"{FEW} tell little: the losses above are theirs alone"
        )


def _with_range(interval: "Interval", of: str = "") -> str:
    """The mean, and its interval below."""
    return f"{interval.mean:.3f}{of}\n{interval.low:.3f} to {interval.high:.3f}"
