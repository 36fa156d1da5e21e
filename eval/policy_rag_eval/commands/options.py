"""Options that evaluation commands share, beside those of every command (`policy_rag.cli.options`)."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from policy_rag_eval.data.dataset import Corpus

DatasetArgument: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="DATASET", help="A data set: a folder or file, the name of one that is built in, or mlflow:NAME."
    ),
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
GridOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--grid", metavar="FILE", help="YAML of settings and their values, `standard`, or KEY=A,B; repeatable."
    ),
]
MeasureOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--measure", help="What decides, by default ndcg@10, or recall@2000chars where hits are cut in other ways."
    ),
]
AgainstOption: TypeAlias = Annotated[
    str | None, typer.Option("--against", metavar="NAME", help="Compare with this configuration instead of the best.")
]
MarginOption: TypeAlias = Annotated[
    float, typer.Option("--no-worse-than", metavar="SHARE", min=0.0, help="Said to be as good where worse by no more.")
]
ReportOption: TypeAlias = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write the decision page there, as one HTML file.")
]
CsvOption: TypeAlias = Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write all figures as CSV.")]
LatexOption: TypeAlias = Annotated[
    Path | None, typer.Option("--latex", metavar="FILE", help="Write a table for LaTeX.")
]
QuestionsOption: TypeAlias = Annotated[
    int, typer.Option("--questions", metavar="N", min=0, help="A fixed sample of so many questions; 0 takes all.")
]
BesideOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--beside",
        metavar="NAME=WHAT",
        help="Another retriever: a run file of trec_eval, an index as it stands, or MODULE:RETRIEVER in Python; "
        "repeatable.",
    ),
]
