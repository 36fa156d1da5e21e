"""`policy-rag search`: the hits for a question."""

from typing import Annotated

import typer

from policy_rag.answering.presentation.readable import readable_line
from policy_rag.cli import options as opt
from policy_rag.cli.output import Notices, console, print_json, print_metadata
from policy_rag.cli.question_input import read_requests
from policy_rag.records.locations import place
from policy_rag.records.search import SearchResult

_SHOWN = 400  # characters of a hit that people see


def search(
    question: Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="The question.")] = None,
    questions: opt.FromOption = None,
    *,
    arguments: opt.SearchArguments,
    common: opt.CommonOptions,
) -> None:
    """Show the sections that a search finds."""
    requests = read_requests(question, questions, arguments)
    with common.open(arguments.changes) as assistant:
        results = assistant.search_many(requests)
    notices = Notices()
    for result in results:
        notices.next_question()
        for line in result.notices:
            notices.tell(line)
        if common.json:
            print_json(result, one_line=questions is not None)
        else:
            print_hits(result)


def print_hits(result: SearchResult) -> None:
    """The hits as people read them."""
    out = console()
    out.print(result.question, style="bold")
    for hit in result.hits:
        out.print(f"{hit.rank}. {place(hit)}  ({hit.score:.3f})", style="cyan")
        text = readable_line(hit.text, hit.file)
        out.print(f"   {text[:_SHOWN]}{' ...' if len(text) > _SHOWN else ''}")
        print_metadata(hit.metadata, indent="   ", most=_SHOWN)
