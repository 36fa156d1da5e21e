"""`policy-rag eval answers`: what answers are worth, between the gold sections given and nothing given."""

from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.output import Notices, console, notice, print_json, progress_bar
from policy_rag_eval.commands.options import (
    AgainstOption,
    DatasetArgument,
    JudgingOptions,
    MeasuringOptions,
    WorkersOption,
)
from policy_rag_eval.commands.progress import counting
from policy_rag_eval.commands.repeat import repeat_command

if TYPE_CHECKING:
    from collections.abc import Callable

    from policy_rag.llm.reply_cache import CachedModel, ReplyCache
    from policy_rag_eval.answers.plans import AnswerConfiguration
    from policy_rag_eval.answers.run import AnswerRun
    from policy_rag_eval.statistics.intervals import Interval


def answers(
    context: typer.Context,
    dataset: DatasetArgument,
    grid: Annotated[
        list[str] | None,
        typer.Option("--grid", metavar="FILE", help="YAML of settings and `sections`, or KEY=A,B; repeatable."),
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            "--beside",
            metavar="NAME=WHAT",
            help="Another way of answering: an index as it stands, or MODULE:FUNCTION in Python; repeatable.",
        ),
    ] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", metavar="JUDGE", help="The judge that decides, as tables name it.")
    ] = None,
    against: AgainstOption = None,
    workers: WorkersOption = 4,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what LLMs would be asked, and ask none.")] = False,
    *,
    judging: JudgingOptions,
    common: MeasuringOptions,
) -> None:
    """Measure what answers are worth, and what retrieval costs them."""
    from policy_rag.settings import load_settings
    from policy_rag_eval.answers.estimate import estimate
    from policy_rag_eval.answers.page import answers_page, answers_table
    from policy_rag_eval.answers.peers import named_answerer
    from policy_rag_eval.answers.plans import SECTIONS, answer_configurations
    from policy_rag_eval.answers.run import run_answers
    from policy_rag_eval.answers.tracking import keep_answers
    from policy_rag_eval.commands.retrieval_tables import show_estimate
    from policy_rag_eval.judges.catalogue import check_deciding, judging_names, make_judges
    from policy_rag_eval.judges.evaluation_models import comparing_embedder, judging_models, open_replies
    from policy_rag_eval.sweep.grids import read_grids

    given = common.given
    configurations = answer_configurations(read_grids(grid or ()), given)
    peers = dict(map(named_answerer, beside or ()))
    data = common.read(dataset)
    names = judging.names
    settings = load_settings({key: value for key, value in given.items() if key != SECTIONS})
    answering: list[CachedModel] = []
    with open_replies(common.index) as store:
        asked = judging_models(judging.llms, settings, None if dry_run else store)
        check_deciding(measure, judging_names(names, asked))
        wanted = [name for name in names if name.asks_llm or not dry_run]
        judges = make_judges(wanted, lambda: comparing_embedder(settings), asked, judging.guidelines)
        models = _models(None if dry_run else store, answering)
        if dry_run:
            found = estimate(
                data,
                configurations,
                judges,
                common.index,
                models=models,
                judging=asked,
                settings=settings,
                against=against,
                peers=peers,
            )
            show_estimate(found, json=common.json)
            return
        with progress_bar() as progress:
            result = run_answers(
                data,
                configurations,
                judges,
                common.index,
                models=models,
                counting=counting,
                workers=workers,
                progress=progress,
                measure=measure,
                against=against,
                margin=common.margin,
                peers=peers,
            )
    for name, reason in result.skipped.items():
        notice(f"skipped {name}: {reason}")
    for note in result.notes:
        notice(f"note: {note}")
    if answering or asked:
        spent = sum(one.calls for one in (*answering, *asked))
        known = sum(one.cached_calls for one in (*answering, *asked))
        notice(f"{spent:,} calls to LLMs, {known:,} replies were known already")
    texts = all(one.settings.run.log_texts for one in configurations)
    kept = keep_answers(common.index, result, data, texts=texts)  # first: see `eval retrieval`
    if common.json:
        print_json(result.as_json())
    else:
        show(result)
    page = answers_page(result, texts=texts, command=repeat_command(context))
    common.finish(kept, page, answers_table(result))


def _models(
    store: "ReplyCache | None", made: "list[CachedModel]"
) -> "Callable[[AnswerConfiguration], CachedModel | None]":
    """The LLM of a configuration, which remembers; in a dry run one that only counts."""
    from policy_rag_eval.judges.evaluation_models import answering_model

    notices = Notices()

    def model(configuration: "AnswerConfiguration") -> "CachedModel | None":
        llm, which = answering_model(configuration.settings, store)
        if which:
            notices.tell(which)
        if llm is not None:
            made.append(llm)
        return llm

    return model


def show(result: "AnswerRun") -> None:
    """What people read: the best five with what they lose, then every judge of the best under every condition."""
    from rich import box
    from rich.table import Table

    from policy_rag_eval.answers.page import ANSWERS_HEAD, answer_rows, headline
    from policy_rag_eval.commands.several import show_best, show_folded

    out = console()
    losses = f", losses over {result.scored}" if result.decides else ""
    out.print(f"{result.dataset}: {result.questions} questions{losses}", markup=False)
    best, *others = result.ranked
    if result.decides:
        heads = [head.replace(" ", "\n", 1) for head in ANSWERS_HEAD]
        show_best(headline(result), answer_rows(result), heads, result.comparisons, result.verdicts)
        _warn_of_few(result)
    each = Table(box=box.SIMPLE, padding=0, collapse_padding=True, title=f"{best.name}, answered by {best.llm}")
    for name in ("judge", *(f"{condition}\n95 % interval" for condition in best.scores), "not\njudged"):
        each.add_column(name)
    for judge in result.judges:
        scores = [of[judge] for of in best.scores.values()]
        means = [_with_range(score.score, f" of {score.judged}") if score.score else "-" for score in scores]
        each.add_row(judge, *means, "/".join(str(score.unjudged) for score in scores))
    out.print(each)
    show_folded(len(others), "not shown: what each judge says of the others ({})", where=("--report FILE", "--json"))


def _warn_of_few(result: "AnswerRun") -> None:
    """Says where the first table rests on so few questions that it tells little."""
    from policy_rag_eval.statistics.intervals import FEW

    counted = [one.loss.questions for one in result.evaluations if one.loss is not None]
    if counted and min(counted) < FEW:
        only = str(min(counted)) if min(counted) == max(counted) else f"{min(counted)} to {max(counted)}"
        notice(
            f"warning: {result.decides} could judge only {only} of {result.questions} questions, and fewer than "
            f"{FEW} tell little: the losses above are theirs alone"
        )


def _with_range(interval: "Interval", of: str = "") -> str:
    """The mean, and its interval below."""
    return f"{interval.mean:.3f}{of}\n{interval.low:.3f} to {interval.high:.3f}"
