"""Answers in one call: `evaluate_answers`, as `evaluate` for retrieval.

```python
from policy_rag_eval import evaluate_answers

found = evaluate_answers("brannholt", {
    "weighted": {"search": "weighted"},           # settings of ours
    "mine": lambda question: "Thirty days.",      # a callable
}, settings={"llm": "extractive"})
print(found.headline)
```
"""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from policy_rag.errors import UsageError
from policy_rag.index.store.place import answering_home, home_of, index_place
from policy_rag.settings import load_settings
from policy_rag_eval.answers.answer_scores import AnswerEvaluation
from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.page import answers_page, headline
from policy_rag_eval.answers.peers import Answerer
from policy_rag_eval.answers.plans import SECTIONS, AnswerConfiguration, answer_configurations
from policy_rag_eval.answers.run import AnswerRun, run_answers
from policy_rag_eval.answers.tracking import keep_answers
from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.data.samples import sample_of
from policy_rag_eval.judges.catalogue import named_judges
from policy_rag_eval.judges.evaluation_models import answering_model, open_replies
from policy_rag_eval.measures.measures import MARGIN
from policy_rag_eval.parallel import uncounted
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.page_results import PageResults
from policy_rag_eval.sweep.save_best import save_settings
from policy_rag_eval.sweep.verdicts import Verdict
from policy_rag_eval.tracking import keep_page
from policy_rag_eval.tracking.evaluation_datasets import read_named

if TYPE_CHECKING:
    from policy_rag.llm.language_model import LanguageModel

AnswerCandidate: TypeAlias = Answerer | Mapping[str, Any]
"""What is evaluated: settings of ours by name, or a callable that takes a question and gives its answer."""


@dataclass(frozen=True, slots=True)
class AnswerResults(PageResults):
    """What the answers of some configurations are worth; a notebook shows the decision page.

    Attributes:
        run: all figures.
        dataset: whose questions were asked.
        margin: what counts as no worse.
        configurations: those that are ours.
    """

    run: AnswerRun
    dataset: Dataset
    margin: float = MARGIN
    configurations: tuple[AnswerConfiguration, ...] = ()

    @property
    def best(self) -> AnswerEvaluation:
        """The configuration with the highest mean of the judge that decides, over what it could judge for all."""
        return self.run.ranked[0]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The best, or the baseline, against each other one."""
        return tuple(map(Verdict, self.run.verdicts, self.run.comparisons))

    @property
    def headline(self) -> str:
        """What to do, in a sentence: the choice, its lead, what is undecided, and what it loses to retrieval."""
        return headline(self.run)

    def page(self) -> ReportPage:
        """The decision page, as `policy-rag eval answers --report` writes it."""
        return answers_page(self.run, texts=self._texts)

    def save_best(self, file: str | Path = "policy_rag.toml") -> Path:
        """Writes the settings of the best into a file that `ingest` and `ask` read, and leaves the rest of it.

        `sections` is no setting and is not written: `ask` gives as many as its answerer takes.

        Raises:
            UsageError: the best is somebody else's.
            PolicyRagError: the file cannot be read or written.
        """
        ours = next((one for one in self.configurations if one.name == self.best.name), None)
        if ours is None:
            raise UsageError(f"the best, {self.best.name}, is no configuration of ours: there are no settings to save")
        return save_settings(Path(file), ours.settings, [key for key, _ in ours.chosen if key != SECTIONS]).file

    def keep(self, index: str | Path = ".policy_rag") -> str | None:
        """Keeps figures, traces and page in MLflow, beside an index or on the server that `MLFLOW_TRACKING_URI` names.

        Returns:
            The run's id; None where no store could be written.
        """
        page = self.page()
        kept = keep_answers(home_of(index_place(index)), self.run, self.dataset, texts=self._texts)
        return keep_page(kept, page.headline, page.html()).run_id

    def table(self) -> list[dict[str, Any]]:
        """A row a configuration, best first: the judge that decides with its interval, what is lost, other judges.

        `pandas.DataFrame(results.table())` makes a frame of it.
        """
        return list(_rows(self.run.ranked, self.run.decides))

    def scores(self, name: str, measure: str | None = None) -> dict[str, float]:
        """What a judge says of each answer of a configuration, by question id; without those that it could not judge.

        `measure` is the judge, by default the one that decides.

        Raises:
            UsageError: there is no such configuration, or no such judge.
        """
        return {row["id"]: row["score"] for row in self.answers(name, measure) if row["score"] is not None}

    def answers(self, name: str, measure: str | None = None) -> list[dict[str, Any]]:
        """A row a question: what was asked and answered, what is right, and what a judge says of it; as for `scores`.

        Raises:
            UsageError: there is no such configuration, or no such judge.
        """
        one = next((each for each in self.run.evaluations if each.name == name), None)
        judge = measure or self.run.decides
        if one is None:
            raise UsageError(f"there is no {name}: there are {', '.join(each.name for each in self.run.evaluations)}")
        if judge not in self.run.judges:
            raise UsageError(f"no judge {judge} judged: there are {', '.join(self.run.judges)}")
        cases, said = one.cases[Condition.FOUND], one.verdicts[Condition.FOUND][judge]
        return [
            {
                "id": case.case_id,
                "question": case.question,
                "answer": case.answer,
                "right": case.reference if case.answerable else "the policies do not answer it",
                "score": each.score,
                "why": each.reason,
            }
            for case, each in zip(cases, said, strict=True)
        ]

    @property
    def _texts(self) -> bool:
        return all(one.settings.run.log_texts for one in self.configurations)


def evaluate_answers(
    dataset: Dataset | str | Path,
    candidates: Mapping[str, AnswerCandidate] | None = None,
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    settings: Mapping[str, Any] | None = None,
    index: str | Path = ".policy_rag",
    judges: Sequence[str] = (),
    judge_llm: str | Sequence[str] = (),
    guidelines: str | Path | None = None,
    measure: str | None = None,
    against: str | None = None,
    no_worse_than: float = MARGIN,
    questions: int = 0,
    workers: int = 4,
) -> AnswerResults:
    """Answers a data set's questions, has judges say what the answers are worth, and says which way is best.

    Ours answer three ways: from what is found, from the sections that hold the answer, and from nothing, so that what
    is lost is told apart into what the search loses and what the answerer does. What ours compute and LLMs reply is
    kept under `index`: the same call again reads it back.

    Args:
        dataset: a data set, or what `load_dataset` takes.
        candidates: name to settings of ours, which may have `sections` (how many are given), a callable that takes a
            question and gives a text (or what `PolicyAssistant.ask` gives), or an `ExistingIndex`. None and no grid:
            the settings as they stand.
        grid: a setting's name to its values: every combination is a candidate too.
        settings: settings that hold for all of ours.
        index: the folder under which evaluations keep their indexes.
        judges: names, as `policy-rag eval judges` lists them; by default all that need nothing that is not given.
        judge_llm: the LLM of judges that ask one, `ollama/NAME` or `openai/NAME`, or several.
        guidelines: a YAML file of rules for the judge `guidelines`.
        measure: the judge that decides; by default `correctness`, else `accepted_span`, else `token_f1`.
        against: the name of a baseline; by default the best is compared with each other one.
        no_worse_than: a candidate that is worse by no more is said to be no worse.
        questions: a fixed sample of so many questions; 0 takes all.
        workers: how many questions an LLM is asked at a time.

    Raises:
        DatasetError: the data set cannot be scored.
        UsageError: names or settings do not go together, or a callable fails.
        PolicyRagError: what indexing, searching and answering raise.
    """
    data = sample_of(dataset if isinstance(dataset, Dataset) else read_named(dataset, Path(index)), questions)
    given, common, place = dict(candidates or {}), dict(settings or {}), answering_home(index_place(index))
    made = tuple(
        dataclasses.replace(answer_configurations({}, {**common, **one})[0], name=name)
        for name, one in given.items()
        if isinstance(one, Mapping)
    )
    if grid or not given:
        made += answer_configurations(grid or {}, common)
    of_judges = load_settings({key: value for key, value in common.items() if key != SECTIONS})
    with open_replies(place) as store:

        def answering(one: AnswerConfiguration) -> "LanguageModel | None":
            return answering_model(one.settings, store)[0]

        run = run_answers(
            data,
            made,
            named_judges(judges, judge_llm, of_judges, store, guidelines=guidelines),
            place,
            models=answering,
            counting=uncounted,
            workers=workers,
            measure=measure,
            against=against,
            margin=no_worse_than,
            peers={name: one for name, one in given.items() if not isinstance(one, Mapping)},
        )
    return AnswerResults(run, data, no_worse_than, made)


def _rows(evaluations: Sequence[AnswerEvaluation], decides: str | None) -> Iterator[dict[str, Any]]:
    for one in evaluations:
        row: dict[str, Any] = {"configuration": one.name}
        if decides is not None:
            row[decides] = None if one.found is None else round(one.found.mean, 3)
            row["95 % interval"] = None if one.found is None else f"{one.found.low:.3f} to {one.found.high:.3f}"
        heads = ("floor", "ceiling", "lost by retrieval", "lost by answerer", "gold given")
        given = one.recall.mean if one.recall else None
        figures: dict[str, float | None] = dict(zip(heads, (*one.levels, given), strict=True))
        means = {judge: of.score.mean if of.score else None for judge, of in one.scores[Condition.FOUND].items()}
        figures |= {judge: mean for judge, mean in means.items() if judge != decides}
        yield row | {name: None if value is None else round(value, 3) for name, value in figures.items()}
