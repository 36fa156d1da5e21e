"""`policy-rag feedback`: what a reader says of an answer, kept with its trace."""

import getpass
import textwrap
from dataclasses import replace
from typing import Annotated

import typer

from policy_rag.cli.output import console, print_json
from policy_rag.errors import UsageError
from policy_rag_eval.commands.options import StoreOptions

_SHOWN = 80  # most characters of the question


def feedback(
    trace: Annotated[
        str | None, typer.Argument(metavar="[TRACE]", help="A trace's id; the last question's when it is left out.")
    ] = None,
    helped: Annotated[bool, typer.Option("--good", help="The answer helped.")] = False,
    failed: Annotated[bool, typer.Option("--bad", help="The answer did not help.")] = False,
    comment: Annotated[str | None, typer.Option("--comment", help="Why, in words.")] = None,
    by: Annotated[str | None, typer.Option("--by", help="Who says so; by default the user of this machine.")] = None,
    *,
    common: StoreOptions,
) -> None:
    """Say whether an answer helped, or show what was said of it.

    Without --good or --bad it shows what was said, comments to who made them.
    """
    from policy_rag.answering.presentation.kept_traces import last_question
    from policy_rag_eval.tracking.trace_feedback import (
        HELPFUL,
        Feedback,
        feedback_of,
        latest_trace,
        log_feedback,
        question_of,
    )

    if helped and failed:
        raise UsageError("--good and --bad contradict each other: leave one out")
    good = helped if helped or failed else None
    if good is None and comment is not None:
        raise UsageError("--comment needs --good or --bad beside it")
    unkept = last_question(common.index) if trace is None else None
    if unkept is not None and good is None:
        raise UsageError("nothing was said of the last question: say --good or --bad, or name the TRACE of another")
    kept = unkept.keep()[0] if unkept is not None else trace
    store = common.reading()
    trace_id = kept or latest_trace(store)
    if good is not None:
        log_feedback(store, trace_id, Feedback(HELPFUL, good, comment, by or getpass.getuser()))
    # A comment may quote what its reader was shown: it is shown to who made it, and in the store's own UI.
    own = by or getpass.getuser()
    said = [one if one.by == own else replace(one, why=None) for one in feedback_of(store, trace_id)]
    if common.json:
        print_json({"trace_id": trace_id, "feedback": said})
        return
    out = console()
    out.print(f"{trace_id}: {len(said) or 'nothing'} said{_of(question_of(store, trace_id))}", markup=False)
    for one in said:
        why = f": {one.why}" if one.why else ""
        out.print(f"  {one.name} = {one.value}, {one.by}{why}", markup=False)


def _of(question: str) -> str:
    """The question by its beginning; nothing where its words were not kept."""
    return f" of {textwrap.shorten(question, _SHOWN, placeholder=' ...')!r}" if question else ""
