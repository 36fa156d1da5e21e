"""`policy-rag eval questions`: a question set from the documents of an index, by rule or by an LLM, and its review."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.options import AsOfOption, CommonOptions, GroupsOption
from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag.errors import UsageError
from policy_rag.index.store.place import home_of
from policy_rag.retrieval.request import day_of
from policy_rag_eval.questions.drafts import UNUSABLE, QuestionStyle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from policy_rag.llm.reply_cache import ReplyCache
    from policy_rag.settings import Settings
    from policy_rag_eval.questions.generation import GenerationPlan
    from policy_rag_eval.questions.llm_calls import LLMCaller
    from policy_rag_eval.questions.question_set import QuestionSet


def questions(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder of the data set: made, or gone on with.")],
    count: Annotated[int, typer.Option("--count", min=1, help="Questions in the set, reviewed ones included.")] = 100,
    styles: Annotated[
        str | None, typer.Option("--styles", metavar="A,B", help=f"Of {', '.join(QuestionStyle)}; all by default.")
    ] = None,
    per_section: Annotated[int, typer.Option("--per-section", min=1, help="Most questions of one section.")] = 2,
    seed: Annotated[int, typer.Option("--seed", help="Orders what is left to chance, the LLM's sampling too.")] = 0,
    llm: Annotated[
        str, typer.Option("--llm", metavar="NAME", help="extractive (by rule), auto, ollama/NAME or openai/NAME.")
    ] = "extractive",
    found_within: Annotated[
        int | None,
        typer.Option("--found-within", metavar="K", min=1, max=10, help="Drop what the first K hits do not hold."),
    ] = None,
    concurrency: Annotated[int, typer.Option("--concurrency", min=1, max=64, help="Calls at the same time.")] = 2,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how many calls and tokens; write nothing.")] = False,
    review_to: Annotated[
        Path | None, typer.Option("--review-to", metavar="CSV", help="Write the set as a table to be reviewed.")
    ] = None,
    review: Annotated[
        Path | None, typer.Option("--review", metavar="CSV", help="Read a reviewed table back into the set.")
    ] = None,
    groups: GroupsOption = None,
    as_of: AsOfOption = None,
    *,
    common: CommonOptions,
) -> None:
    """Make a question set from the documents of an index.

    Each question comes with the words that answer it. Run again, it goes on where it stopped: answered calls are not
    repeated, and what people reviewed stays. With --review CSV, and with --review-to CSV where OUT is there already,
    nothing is made.
    """
    from policy_rag_eval.judges.evaluation_models import open_replies
    from policy_rag_eval.questions.generation import QuestionSetOptions, make, prepare

    if review is not None:
        _take_review(out, review, json=common.json)
        return
    if review_to is not None and out.is_dir() and not dry_run:
        _write_table(out, review_to)
        return
    options = QuestionSetOptions(
        count, read_styles(styles), per_section, seed, tuple(groups or ()), day_of(as_of), found_within
    )
    home = home_of(common.index)
    with common.open({"llm": llm, "seed": seed}) as assistant, open_replies(home) as cache:
        plan = prepare(assistant, out, options, _caller(assistant.settings, cache, concurrency))
        if plan.caller is None and plan.without_templates:
            notice(f"rules have no words for the language of what is passed over: {', '.join(plan.without_templates)}")
        if dry_run:
            _show_estimate(plan, json=common.json)
            return
        with progress_bar() as progress:
            made = make(plan, progress=lambda done, total: progress("ask", done, total))
    _show(out, made, json=common.json)
    if review_to is not None:
        _write_table(out, review_to)


def read_styles(text: str | None) -> tuple[QuestionStyle, ...]:
    """Reads `--styles`: names between commas, all of them where nothing is given.

    Raises:
        UsageError: a name is unknown, or only `unanswerable` is asked for.

    >>> read_styles("multi, factual")
    (<QuestionStyle.FACTUAL: 'factual'>, <QuestionStyle.MULTI: 'multi'>)
    """
    if text is None:
        return tuple(QuestionStyle)
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(QuestionStyle)]
    if unknown or not names:
        raise UsageError(
            f"--styles {text}: {unknown[0] if unknown else 'nothing'!r} is none of {', '.join(QuestionStyle)}"
        )
    chosen = tuple(style for style in QuestionStyle if style in names)
    if chosen == (QuestionStyle.UNANSWERABLE,):
        raise UsageError("--styles unanswerable: a data set needs questions with an answer too: name another style")
    return chosen


def _caller(settings: "Settings", cache: "ReplyCache", concurrency: int) -> "LLMCaller | None":
    """Who writes the questions, or None for the rules."""
    from policy_rag.llm.addresses import without_password
    from policy_rag.llm.factory import resolve_llm
    from policy_rag.llm.model_options import llm_options
    from policy_rag_eval.judges.evaluation_models import with_cache
    from policy_rag_eval.questions.llm_calls import LLMCaller

    resolved = resolve_llm(settings.llm.llm, llm_options(settings))
    if resolved.model is None:
        if settings.llm.llm != "extractive":
            notice(f"asking by rule: {resolved.notice.partition(': ')[2] or resolved.notice}")
        return None
    notice(resolved.notice.replace("answering", "asking", 1))
    fixed = {
        "temperature": settings.llm.temperature,
        "seed": settings.llm.seed,
        "context": resolved.model.context_window,
        "url": without_password(settings.llm.llm_url or ""),
    }
    return LLMCaller(with_cache(resolved.model, settings, cache), fixed, concurrency)


def _show_estimate(plan: "GenerationPlan", *, json: bool) -> None:
    from policy_rag_eval.questions.by_llm import DraftingEstimate
    from policy_rag_eval.questions.generation import estimate

    expected = estimate(plan)
    if json:
        print_json(asdict(expected) if isinstance(expected, DraftingEstimate) else expected)
    elif isinstance(expected, DraftingEstimate):
        console().print(
            f"{expected.calls} calls ({expected.kept} more are answered already), about {expected.tokens_in:,} tokens "
            f"in and {expected.tokens_out:,} out",
            markup=False,
        )
    else:
        console().print(f"by rule, no calls; drafts to choose from before filtering: {listed(expected)}", markup=False)


def listed(counts: "Mapping[str, int]") -> str:
    """Counts by name on one line.

    >>> listed({"factual": 2, "clause": 1})
    'factual 2, clause 1'
    """
    return ", ".join(f"{name} {number}" for name, number in counts.items())


def _show(out: Path, made: "QuestionSet", *, json: bool) -> None:
    """What was made, and what was dropped by which check."""
    summary = made.summary
    calls = summary.get("calls", {})
    if calls.get("failed"):
        notice(f"{calls['failed']} calls failed ({summary.get('last_error')}): run the same command again to ask them")
    if calls.get("too_long"):
        notice(f"{calls['too_long']} calls were left out, their sections are too long: raise the setting llm_context")
    if summary["set_aside"]:
        notice(
            f"{summary['set_aside']} reviewed questions stand on words that their sections do not hold any more, or "
            "hold twice: they are kept under set_aside in provenance.json"
        )
    if summary["questions"] < summary["wanted"] and not calls.get("failed"):
        unusable = {str(name): number for name, number in summary["dropped"].items() if name in UNUSABLE}
        why = (
            f"replies of the LLM were unusable ({listed(unusable)}): {out}/provenance.json holds examples under "
            "dropped_examples; name another with --llm"
            if unusable
            else f"the documents give no more of these styles at --per-section {summary['per_section']}"
        )
        notice(f"{summary['questions']} of {summary['wanted']} questions wanted: {why}")
    if json:
        print_json({"dataset": str(out), **summary})
        return
    shown = console()
    reviewed = f", {summary['reviewed']} of them reviewed" if summary["reviewed"] else ""
    shown.print(f"{summary['questions']} questions in {out}{reviewed}, by {summary['made_by']}", markup=False)
    for title in ("styles", "dropped", "found_at"):
        shown.print(f"{title.replace('_', ' ')}: {listed(summary[title]) or 'none'}", markup=False)
    shown.print(f"score a configuration on it: policy-rag eval retrieval {out}", markup=False)


def _write_table(out: Path, table: Path) -> None:
    from policy_rag_eval.output_files import write_file
    from policy_rag_eval.questions.review import review_table
    from policy_rag_eval.review.question_source import QuestionSource

    if table.exists():
        raise UsageError(f"{table} exists, and may hold a review: read it with --review {table}, or name another file")
    made, texts, titles = QuestionSource(out).read()
    # With a byte order mark, for without one spreadsheets guess the encoding wrongly.
    write_file(table, "\N{BYTE ORDER MARK}" + review_table(made, texts, titles), "name another file")
    notice(
        f"{len(made.questions)} questions to review are in {table}: write accept, edit or drop into `decision`, then "
        f"run `policy-rag eval questions {out} --review {table}`"
    )


def _take_review(out: Path, table: Path, *, json: bool) -> None:
    from policy_rag_eval.questions.question_set import rewrite_questions
    from policy_rag_eval.questions.review import apply_review, read_review
    from policy_rag_eval.review.question_source import QuestionSource

    if not out.is_dir():
        raise UsageError(f"there is no question set in {out}: make one with `policy-rag eval questions {out}`")
    made, texts, _ = QuestionSource(out).read()
    reviewed, counts = apply_review(made, read_review(table), texts, table)
    rewrite_questions(out, reviewed)
    if json:
        print_json(
            {"dataset": str(out), "questions": len(reviewed.questions), **{k: counts[k] for k in sorted(counts)}}
        )
        return
    told = ", ".join(f"{counts[name]} {label}" for name, label in _COUNTED.items())
    console().print(f"{out}: {told}; {len(reviewed.questions)} questions are left", markup=False)


_COUNTED = {"accept": "accepted", "edit": "edited", "drop": "dropped", "open": "not yet reviewed"}
