"""Options that evaluation commands share, one by one and in groups, beside those of `policy_rag.cli.options`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption, StoreOption
from policy_rag.cli.output import notice
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.measures.measures import MARGIN

if TYPE_CHECKING:
    from policy_rag_eval.data.dataset import Dataset
    from policy_rag_eval.judges.catalogue import JudgeName
    from policy_rag_eval.reports.decision_page import ReportPage
    from policy_rag_eval.reports.table_files import TableFile
    from policy_rag_eval.tracking import Kept, Store

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


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """What a command takes that goes by what is kept beside an index. `debug` is read by `run`."""

    index: StoreOption = Path(".policy_rag")
    offline: OfflineOption = False
    debug: DebugOption = False
    json: JsonOption = False

    def reading(self) -> "Store":
        """The store that holds what was kept; it is said where another takes the place of the one that is named."""
        from policy_rag_eval.tracking import reading_store

        store, away = reading_store(self.index)
        if away:
            notice(away)
        return store


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgingOptions:
    """Who judges answers."""

    judge: Annotated[
        list[str] | None, typer.Option("--judge", metavar="NAME", help="A judge, by default all; repeatable.")
    ] = None
    judge_llm: Annotated[
        list[str] | None, typer.Option("--judge-llm", metavar="NAME", help="An LLM that judges; repeatable.")
    ] = None
    guidelines: Annotated[
        Path | None, typer.Option("--guidelines", metavar="FILE", help="YAML list of your rules for answers.")
    ] = None

    @property
    def names(self) -> "tuple[JudgeName, ...]":
        """The judges that are asked for."""
        from policy_rag_eval.judges.catalogue import judge_names

        return judge_names(self.judge or (), llm=bool(self.judge_llm), guidelines=self.guidelines is not None)

    @property
    def llms(self) -> Sequence[str]:
        """The LLMs that judge."""
        return self.judge_llm or ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOptions:
    """How figures are told, and where they are written."""

    margin: Annotated[
        float,
        typer.Option("--no-worse-than", metavar="SHARE", min=0.0, help="Said to be as good where worse by no more."),
    ] = MARGIN
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write the decision page there, as one HTML file."),
    ] = None
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write all figures as CSV.")] = None
    latex: Annotated[Path | None, typer.Option("--latex", metavar="FILE", help="Write a table for LaTeX.")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuringOptions(FigureOptions):
    """What a command takes that measures on a data set. `debug` is read by `run`."""

    questions: Annotated[
        int, typer.Option("--questions", metavar="N", min=0, help="A fixed sample of so many questions; 0 takes all.")
    ] = 0
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting for all that is run; repeatable."),
    ] = None
    index: IndexOption = Path(".policy_rag")
    offline: OfflineOption = False
    debug: DebugOption = False
    json: JsonOption = False

    @property
    def given(self) -> dict[str, Any]:
        """The settings of this call."""
        from policy_rag_eval.sweep.grids import read_changes

        return {**({"offline": True} if self.offline else {}), **read_changes(self.changes or ())}

    def read(self, dataset: str) -> "Dataset":
        """The data set, or the sample of it that is asked for."""
        from policy_rag_eval.data.samples import sample_of
        from policy_rag_eval.tracking.evaluation_datasets import read_named

        return sample_of(read_named(dataset, self.index), self.questions)

    def finish(self, kept: "Kept", page: "ReportPage", table: "TableFile") -> None:
        """Keeps the decision page with the run, tells where both are, and writes page and table where asked for.

        Raises:
            PolicyRagError: one cannot be written there.
        """
        from policy_rag_eval.commands.tracked import tell_kept
        from policy_rag_eval.reports.decision_page import write_page
        from policy_rag_eval.tracking import keep_page

        text = page.html()
        tell_kept(keep_page(kept, page.headline, text), self.index)
        if self.report is not None:
            notice(f"the page is {write_page(text, self.report)}")
        table.write(self.csv, self.latex)
