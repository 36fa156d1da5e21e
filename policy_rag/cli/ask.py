"""`policy-rag ask`: an answer with its citations, or a refusal."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.answering.presentation.wording import headline, likelihood, written_by
from policy_rag.cli import options as opt
from policy_rag.cli.live import LiveAnswer
from policy_rag.cli.output import Notices, console, print_json
from policy_rag.cli.question_input import read_requests
from policy_rag.cli.trace import print_trace
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.locations import place
from policy_rag.records.search import SEARCHED_UNDER

if TYPE_CHECKING:
    from policy_rag.answering.dry_run import QuestionEstimate


def ask(
    question: Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="The question.")] = None,
    questions: opt.FromOption = None,
    *,
    llm: opt.LLMOption = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show every step and every LLM call.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the plan, and the calls and tokens that it would take; ask no LLM.")
    ] = False,
    arguments: opt.SearchArguments,
    common: opt.CommonOptions,
) -> None:
    """Answer a question from the policies, or say that they do not."""
    requests = read_requests(question, questions, arguments)
    notices = Notices(with_answers=not common.json and not dry_run)
    with common.open({**arguments.changes, "llm": llm}) as assistant:
        for request in requests:
            notices.next_question()
            under: dict[str, Any] = {"where": request.where, "groups": request.groups, "as_of": request.as_of}
            if dry_run:
                estimate = assistant.estimate(request.question, **under)
                if common.json:
                    print_json(estimate, one_line=questions is not None)
                else:
                    print_estimate(estimate)
                continue
            with LiveAnswer(request.question, wanted=not common.json) as live:
                answer = assistant.ask(
                    request.question, trace=trace, on_text=live.on_text, on_notice=notices.tell, **under
                )
                if answer.unkept is not None:
                    answer.unkept.remember()
            for line in answer.notices:
                notices.tell(line)
            if common.json:
                print_json(answer, one_line=questions is not None)
            else:
                print_answer(answer, begun=live.begun)


def print_estimate(estimate: "QuestionEstimate") -> None:
    """What a question would take, as people read it: its steps, then the sums."""
    out = console()
    out.print(estimate.question, style="bold")
    print_trace(estimate.steps, totals=False)
    cost = "not known: it has no price" if estimate.cost is None else f"{estimate.cost:.4f}"
    out.print(
        f"  would be answered by {estimate.llm}: about {estimate.calls} LLM calls, {estimate.tokens_in:,} tokens in, "
        f"at most {estimate.tokens_out:,} out, cost {cost}",
    )
    for name in estimate.exceeds:
        out.print(f"  it could exceed {name}, and would then be stopped", style="yellow")
    out.print()


def _is_said(citation: Citation, answer: Answer) -> bool:
    """Whether the answer says all that a citation quotes."""
    left = " ".join((citation.text or citation.quote).split())
    for one in sorted(
        (" ".join(one.text.split()) for one in answer.said if one.n == citation.n), key=len, reverse=True
    ):
        left = left.replace(one, "", 1)
    return not left.strip()


def print_answer(answer: Answer, *, trace: bool = True, begun: bool = False) -> None:
    """An answer as people read it: the text, then the place of each citation with its quotation, then its trace.

    Args:
        answer: the answer.
        trace: whether its trace is printed, where it has one.
        begun: whether the question and the text are there already; see `LiveAnswer`.
    """
    out = console()
    if not begun:
        out.print(answer.question, style="bold")
        out.print(as_shown(answer.answer))  # before it is laid out: codes are longer than characters
    # What belongs to an answer by quotation is read in it, or by `show`.
    leading = {one.n for one in answer.said if one.leads} or {citation.n for citation in answer.citations}
    for citation in answer.citations:
        out.print(f"  [{citation.n}] {place(citation)}", style="cyan")
        if not _is_said(citation, answer) and citation.n in leading:
            out.print(f'      "{" ".join((citation.text or citation.quote).split())}"', style="dim")
    for statement in answer.removed:
        out.print(f"  removed, not borne out by its source: {statement}", style="yellow")
    if answer.status is Status.REFUSED and answer.nearest:
        out.print(f"  {headline(answer)}:")
        for hit in answer.nearest:
            out.print(f"  - {place(hit)}", style="cyan")
    for line in answer.notices:
        if line.startswith(SEARCHED_UNDER):
            out.print(f"  {line}", style="dim")
    out.print(f"  {likelihood(answer)}; {written_by(answer)}", style="dim")
    if answer.trace_id:
        out.print(f"  kept as {answer.trace_id}: `policy-rag feedback --good` or `--bad`", style="dim")
    if trace and answer.trace:
        print_trace(answer.trace)
    out.print()
