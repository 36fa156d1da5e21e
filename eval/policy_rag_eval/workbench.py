"""The workbench in one call each: `load_dataset`, `evaluate`, `compare`; `evaluate_answers` stands beside.

```python
from policy_rag_eval import Found, compare, evaluate, load_dataset

data = load_dataset("brannholt")
found = evaluate(data, {
    "weighted": {"search": "weighted"},             # settings of ours
    "bm25": some_llama_index_retriever,             # anything with `retrieve`
    "mine": lambda question: [Found(text="...")],   # a callable
    "theirs": Path("theirs.run"),                   # a run file of trec_eval
})
print(found.headline)
for verdict in compare(found, against="bm25"):
    print(verdict)
```
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from policy_rag.errors import UsageError
from policy_rag.index.store.place import answering_home, home_of, index_place
from policy_rag_eval.answers.run import compare_answers
from policy_rag_eval.answers.workbench import AnswerResults
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.samples import sample_of
from policy_rag_eval.measures.measures import DEFAULT_MEASURES, MARGIN, Measure
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.page_results import PageResults
from policy_rag_eval.reports.retrieval_page import headline, retrieval_page
from policy_rag_eval.sweep.evaluation import Configuration, Evaluation, ranked
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.peers import Retriever
from policy_rag_eval.sweep.save_best import save_settings
from policy_rag_eval.sweep.sweep import Sweep, sweep
from policy_rag_eval.sweep.verdicts import Verdict, verdict
from policy_rag_eval.sweep.verdicts import compare as compare_evaluations
from policy_rag_eval.tracking import evaluation_record, keep, keep_page
from policy_rag_eval.tracking.evaluation_datasets import read_named

Candidate: TypeAlias = Retriever | Mapping[str, Any]
"""What is evaluated: settings of ours by name, or a retriever."""


@dataclass(frozen=True, slots=True)
class Results(PageResults):
    """What some configurations scored on a data set; a notebook shows the decision page.

    Attributes:
        sweep: all figures.
        dataset: as it was scored.
        margin: what counts as no worse.
        configurations: those that are ours.
    """

    sweep: Sweep
    dataset: Dataset
    margin: float = MARGIN
    configurations: tuple[Configuration, ...] = ()

    @property
    def best(self) -> Evaluation:
        """The configuration with the highest mean of the measure that decides."""
        return self.sweep.best

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The best, or the baseline, against each other one."""
        return tuple(map(Verdict, self.sweep.verdicts, self.sweep.comparisons))

    @property
    def headline(self) -> str:
        """What to do, in a sentence: the choice, its lead, and what is undecided."""
        return headline(self.sweep, self.margin)

    def page(self) -> ReportPage:
        """The decision page, as `policy-rag eval retrieval --report` writes it."""
        return retrieval_page(self.sweep, self.dataset, margin=self.margin)

    def save_best(self, file: str | Path = "policy_rag.toml") -> Path:
        """Writes the settings of the best into a file that `ingest` and `ask` read, and leaves the rest of it.

        Raises:
            UsageError: the best is somebody else's retriever.
            PolicyRagError: the file cannot be read or written.
        """
        ours = next((one for one in self.configurations if one.name == self.best.name), None)
        if ours is None:
            raise UsageError(f"the best, {self.best.name}, is no configuration of ours: there are no settings to save")
        return save_settings(Path(file), ours.settings, ours.chosen).file

    def keep(self, index: str | Path = ".policy_rag") -> str | None:
        """Keeps figures and page in MLflow, beside an index or on the server that `MLFLOW_TRACKING_URI` names.

        Returns:
            The run's id; None where no store could be written.
        """
        found, page = self.sweep, self.page()
        texts = all(one.settings.run.log_texts for one in self.configurations)
        told = (found.evaluations, found.verdicts)
        run = evaluation_record(self.dataset, found.corpus, *told, texts=texts, skipped=found.skipped)
        kept = keep(home_of(index_place(index)), self.dataset, run)
        return keep_page(kept, page.headline, page.html()).run_id

    def table(self) -> list[dict[str, Any]]:
        """A row a configuration, best first: its name, the measure that decides with its interval, other means.

        `pandas.DataFrame(results.table())` makes a frame of it.
        """
        return list(_rows(ranked(self.sweep.evaluations, self.sweep.measure), self.sweep.measure))

    def scores(self, name: str, measure: str | None = None) -> dict[str, float]:
        """Each question's figure of a configuration, by question id.

        Args:
            name: of the configuration.
            measure: which; by default the one that decides.

        Raises:
            UsageError: there is no such configuration, or it has no such measure.
            MeasureError: there is no such measure.
        """
        one = next((each for each in self.sweep.evaluations if each.name == name), None)
        wanted = Measure.parse(measure) if measure else self.sweep.measure
        if one is None or wanted not in one.scores.values:
            known = ", ".join(each.name for each in self.sweep.evaluations)
            raise UsageError(f"there is no {wanted} of {name}: there are {known}")
        return dict(zip(one.scores.questions, one.scores.values[wanted], strict=True))


def load_dataset(name: str | Path, index: str | Path = ".policy_rag") -> Dataset:
    """Reads and checks a data set: a folder or file, the name of one that comes with the project, or `mlflow:NAME`.

    Args:
        name: of the data set.
        index: the folder beside which evaluation datasets of MLflow are kept, where no server is named.

    Raises:
        DatasetError: something is missing or does not fit; the message names the file and the line.

    >>> data = load_dataset("brannholt")
    >>> data.name, len(data.documents)
    ('brannholt', 17)
    """
    return read_named(name, Path(index))


def evaluate(
    dataset: Dataset | str | Path,
    candidates: Mapping[str, Candidate] | None = None,
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    settings: Mapping[str, Any] | None = None,
    index: str | Path = ".policy_rag",
    corpus: str | None = None,
    measure: str | None = None,
    against: str | None = None,
    no_worse_than: float = MARGIN,
    questions: int = 0,
) -> Results:
    """Scores retrievers on a data set's questions, and says which is best.

    What ours compute is kept under `index`: the same call again reads it back.

    Args:
        dataset: a data set, or what `load_dataset` takes.
        candidates: name to settings of ours, a LlamaIndex retriever, a callable that takes a question and gives
            `Found`s (or nodes, or labels), or the path of a run file. None and no grid: the settings as they stand.
        grid: a setting's name to its values: every combination is a candidate too.
        settings: settings that hold for all of ours.
        index: the folder under which evaluations keep their indexes.
        corpus: `files` or `passages`; documents where there are any.
        measure: what decides, `ndcg@10` say; by default that, or `recall@2000chars` where hits are cut otherwise.
        against: the name of a baseline; by default the best is compared with each other one.
        no_worse_than: a candidate that is worse by no more is said to be no worse.
        questions: a fixed sample of so many questions; 0 takes all.

    Raises:
        DatasetError: the data set cannot be scored.
        UsageError: names or settings do not go together, or a retriever fails.
        PolicyRagError: what indexing and searching raise.
    """
    data = sample_of(dataset if isinstance(dataset, Dataset) else load_dataset(dataset, index), questions)
    on = Corpus(corpus) if corpus else Corpus.FILES if data.documents else Corpus.PASSAGES
    given = dict(candidates or {})
    ours = {name: one for name, one in given.items() if isinstance(one, Mapping)}
    peers: dict[str, Retriever] = {name: one for name, one in given.items() if not isinstance(one, Mapping)}
    common = dict(settings or {})
    made = [
        dataclasses.replace(configurations({}, {**common, **chosen})[0], name=name) for name, chosen in ours.items()
    ]
    if grid or not given:
        made += configurations(grid or {}, common)
    decides = Measure.parse(measure) if measure else None
    found = sweep(
        data,
        on,
        made,
        answering_home(index_place(index)),
        measures=tuple(dict.fromkeys((*DEFAULT_MEASURES, *((decides,) if decides else ())))),
        measure=decides,
        against=against,
        margin=no_worse_than,
        peers=peers,
    )
    return Results(found, data.for_corpus(on), no_worse_than, tuple(made))


def compare(
    results: Results | AnswerResults,
    *,
    against: str | None = None,
    measure: str | None = None,
    no_worse_than: float | None = None,
) -> tuple[Verdict, ...]:
    """Compares what was evaluated once more: against a baseline, or by another measure.

    Args:
        results: what `evaluate` or `evaluate_answers` gave; the measure of answers is a judge.
        against: the name of a baseline; by default the best is compared with each other one.
        measure: what decides; by default what decided.
        no_worse_than: what counts as no worse; by default what counted.

    Returns:
        A verdict for each other configuration, in order of their means.

    Raises:
        UsageError: there is no such configuration, or no such measure of them.
        MeasureError: there is no such measure.
    """
    if isinstance(results, AnswerResults):
        return _compare_answers(results, against, measure, no_worse_than)
    by = Measure.parse(measure) if measure else results.sweep.measure
    evaluations = results.sweep.evaluations
    if any(by not in one.scores.values for one in evaluations):
        known = ", ".join(map(str, evaluations[0].scores.values))
        raise UsageError(f"{by} was not measured: evaluate with measure={str(by)!r}, or take one of {known}")
    margin = results.margin if no_worse_than is None else no_worse_than
    found = compare_evaluations(evaluations, by, against=against)
    return tuple(Verdict(verdict(one, results.sweep.questions, by, margin=margin), one) for one in found)


def _compare_answers(
    results: AnswerResults, against: str | None, measure: str | None, no_worse_than: float | None
) -> tuple[Verdict, ...]:
    by, run = measure or results.run.decides, results.run
    if by is None or by not in run.judges:
        known = ", ".join(run.judges)
        raise UsageError(f"{by} did not judge: evaluate_answers with judges=[{by!r}], or take one of {known}")
    margin = results.margin if no_worse_than is None else no_worse_than
    found, questions = compare_answers(run.evaluations, by, against)
    return tuple(Verdict(verdict(one, questions, by, margin=margin), one) for one in found)


def _rows(evaluations: Sequence[Evaluation], decides: Measure) -> Iterator[dict[str, Any]]:
    for one in evaluations:
        interval = one.measures[decides]
        yield {
            "configuration": one.name,
            str(decides): round(interval.mean, 3),
            "95 % interval": f"{interval.low:.3f} to {interval.high:.3f}",
            **{str(other): round(mean.mean, 3) for other, mean in one.measures.items() if other != decides},
        }
