"""`policy-rag chat`: questions with history, from a terminal or a pipe."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.cli import options as opt
from policy_rag.cli.ask import print_answer
from policy_rag.cli.live import LiveAnswer
from policy_rag.cli.output import Notices, console, error_line, notice, print_json, working
from policy_rag.cli.trace import print_trace
from policy_rag.errors import PolicyRagError
from policy_rag.records.answer import Answer
from policy_rag.records.locations import place

if TYPE_CHECKING:
    from policy_rag.answering.conversation import ChatSession

HELP = "/sources: the passages of the last answer; /why: how it came about; /new: forget what was asked; /quit"


def chat(
    *,
    llm: opt.LLMOption = None,
    arguments: opt.SearchArguments,
    common: opt.CommonOptions,
) -> None:
    """Ask questions that may lean on the ones before. With --json all that is printed is JSON, a line each."""
    failed = False
    with common.open({**arguments.changes, "llm": llm}) as assistant:
        session = assistant.chat(where=arguments.where or (), groups=arguments.groups or (), as_of=arguments.as_of)
        notices = Notices(with_answers=not common.json)
        if sys.stdin.isatty():
            notice(f"Ask a question, or {HELP}.")
        for line in _lines():
            if line == "/quit":
                break
            try:
                _turn(session, line, notices, json=common.json)
            except PolicyRagError as error:
                if common.debug:
                    raise
                error_line(str(error))
                failed = True
    if failed and not sys.stdin.isatty():
        raise typer.Exit(1)


def _lines() -> Iterator[str]:
    """What is typed or piped, without blank lines, to its end."""
    while True:
        if sys.stdin.isatty():
            sys.stderr.write("> ")
            sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()


def _turn(session: "ChatSession", line: str, notices: Notices, *, json: bool) -> None:
    if line.startswith("/"):
        _command(session, line, json=json)
        return
    notices.next_question()
    with (
        working("Searching, answering and checking citations") as stop,
        LiveAnswer(line, wanted=not json, before=stop) as live,
    ):

        def tell(text: str) -> None:
            stop()
            notices.tell(text)

        answer = session.ask(line, on_text=live.on_text, on_notice=tell)
        if answer.unkept is not None:
            answer.unkept.remember()
    for text in answer.notices:
        notices.tell(text)
    if json:
        print_json(answer, one_line=True)
    else:
        print_answer(answer, trace=False, begun=live.begun)


def _command(session: "ChatSession", line: str, *, json: bool) -> None:
    last = session.turns[-1].answer if session.turns else None
    if line == "/new":
        session.new()
        notice("what was asked is forgotten")
    elif line not in {"/sources", "/why"}:
        notice(f"there is no {line.split(maxsplit=1)[0]}: {HELP}")
    elif last is None:
        notice("nothing was asked yet")
    elif line == "/why":
        if json:
            print_json({"trace": last.trace or ()}, one_line=True)
        else:
            print_trace(last.trace or ())
    else:
        _sources(last, json=json)


def _sources(answer: Answer, *, json: bool) -> None:
    if not answer.citations:
        notice("the last answer cites nothing")
    if json:
        print_json({"citations": answer.citations}, one_line=True)
        return
    out = console()
    for citation in answer.citations:
        out.print(f"[{citation.n}] {place(citation)}", style="cyan")
        out.print(as_shown(citation.text or citation.quote))
