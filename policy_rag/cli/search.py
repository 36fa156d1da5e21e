"""`policy-rag search`: the hits for a question."""

from pathlib import Path
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, notice, print_json, print_metadata
from policy_rag.cli.questions import read_requests
from policy_rag.records.locations import place
from policy_rag.records.search import SearchResult

_SHOWN = 400  # characters of a hit that people see


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("search")(search)


def search(
    question: Annotated[str | None, typer.Argument(metavar="[QUESTION]", help="The question.")] = None,
    questions: opt.FromOption = None,
    search: opt.SearchOption = None,
    candidates: opt.CandidatesOption = None,
    top_k: opt.TopKOption = None,
    reranker: opt.RerankerOption = None,
    where: opt.WhereOption = None,
    groups: opt.GroupsOption = None,
    as_of: opt.AsOfOption = None,
    self_query: opt.SelfQueryOption = None,
    transforms: opt.TransformsOption = None,
    index: opt.IndexOption = Path(".policy_rag"),
    offline: opt.OfflineOption = False,
    debug: opt.DebugOption = False,  # noqa: ARG001 - read by `run`
    json: opt.JsonOption = False,
) -> None:
    """Show the sections that a search finds."""
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.settings import load_settings

    requests = read_requests(question, questions, where=where, groups=groups, as_of=as_of)
    settings = load_settings(
        {
            "search": search,
            "candidates": candidates,
            "top_k": top_k,
            "reranker": reranker,
            "self_query": self_query,
            "transforms": transforms or None,
            "offline": offline or None,
        }
    )
    with PolicyAssistant.open(index, settings=settings) as assistant:
        results = assistant.search_many(requests)
    for result in results:
        for line in result.notices:
            notice(line)
        if json:
            print_json(result, one_line=questions is not None)
        else:
            print_hits(result)


def print_hits(result: SearchResult) -> None:
    """The hits as people read them."""
    out = console()
    out.print(result.question, style="bold", markup=False)
    for hit in result.hits:
        out.print(f"{hit.rank}. {place(hit)}  ({hit.score:.3f})", style="cyan", markup=False)
        text = " ".join(hit.text.split())
        out.print(f"   {text[:_SHOWN]}{' ...' if len(text) > _SHOWN else ''}", markup=False)
        print_metadata(hit.metadata, indent="   ", most=_SHOWN)
