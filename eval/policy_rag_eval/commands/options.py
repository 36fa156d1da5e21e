"""Options that evaluation commands share, beside those of every command (`policy_rag.cli.options`)."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from policy_rag_eval.data.dataset import Corpus

DatasetArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="DATASET", help="Folder of a data set, or the name of one that is built in.")
]
CorpusOption: TypeAlias = Annotated[
    Corpus | None,
    typer.Option("--corpus", help="Search the documents, or the gold passages; documents where there are any."),
]
ChangesOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="A setting for all that is run; repeatable."),
]
JudgeOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--judge", metavar="NAME", help="A judge, by default all; repeatable."),
]
JudgeLLMOption: TypeAlias = Annotated[
    list[str] | None, typer.Option("--judge-llm", metavar="NAME", help="An LLM that judges; repeatable.")
]
GuidelinesOption: TypeAlias = Annotated[
    Path | None, typer.Option("--guidelines", metavar="FILE", help="YAML list of your rules for answers.")
]
WorkersOption: TypeAlias = Annotated[int, typer.Option("--workers", min=1, max=64, help="Calls to LLMs at a time.")]
