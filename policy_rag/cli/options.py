"""Options that commands share."""

import datetime as dt
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from policy_rag.errors import UsageError
from policy_rag.records.options import Search, SelfQuery, Transform

IndexOption: TypeAlias = Annotated[Path, typer.Option("--index", metavar="DIR", help="Folder of the index.")]
OfflineOption: TypeAlias = Annotated[
    bool, typer.Option("--offline", help="Refuse to leave the machine, but for a configured LLM server.")
]
DebugOption: TypeAlias = Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
SearchOption: TypeAlias = Annotated[
    Search | None, typer.Option("--search", help="How the vector and the keyword search are used together.")
]
CandidatesOption: TypeAlias = Annotated[int | None, typer.Option("--candidates", help="Hits that each search brings.")]
TopKOption: TypeAlias = Annotated[int | None, typer.Option("--top-k", help="Hits that are returned.")]
RerankerOption: TypeAlias = Annotated[
    str | None, typer.Option("--reranker", metavar="NAME", help="none, a model's name or a folder.")
]
WhereOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--where", metavar="FILTER", help="KEY=A, KEY=A,B, KEY>=VALUE or KEY<=VALUE; all given must hold."),
]
GroupsOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--as", metavar="GROUP", help="Access group of the asker; may be repeated.")
]
AsOfOption: TypeAlias = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="Ask for the rules of that day, YYYY-MM-DD.")
]
SelfQueryOption: TypeAlias = Annotated[
    SelfQuery | None, typer.Option("--self-query", help="Who reads filters out of the question: nobody, rules, an LLM.")
]
TransformsOption: TypeAlias = Annotated[
    list[Transform] | None,
    typer.Option("--transform", help="What is done to the question before it is searched; may be repeated."),
]
FromOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--from", metavar="FILE", help="Questions, one a line, or a data set's queries.jsonl."),
]


def day(text: str | None) -> dt.date | None:
    """Reads `--as-of`.

    Raises:
        UsageError: it is no date.
    """
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write --as-of YYYY-MM-DD") from error
