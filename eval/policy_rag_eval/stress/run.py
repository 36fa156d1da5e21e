"""Runs stress tests on the documents of a data set: every trial of every condition once, then the figures."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import ModelError
from policy_rag.llm.language_model import LanguageModel
from policy_rag.settings import Settings
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.parallel import Counting, map_parallel
from policy_rag_eval.statistics.intervals import Interval, bootstrap_interval, difference_interval
from policy_rag_eval.stress.answering import Answerer
from policy_rag_eval.stress.question_sections import QuestionSections, prepare
from policy_rag_eval.stress.results import ConditionResult, StressResult, StressRun, StressTest, first_alike
from policy_rag_eval.stress.trials import StressAnswer, StressCondition, StressOutcome, Trial
from policy_rag_eval.sweep.usage import MeteredModel, asked_alone

if TYPE_CHECKING:
    from policy_rag_eval.data.corpora import Progress

PATIENCE = 20
"""Failures in a row after which an LLM is asked no more."""


def run_stress(
    dataset: Dataset,
    tests: Sequence[StressTest],
    settings: Settings,
    index: Path,
    *,
    model: LanguageModel | None,
    seed: int,
    counting: Counting,
    workers: int = 1,
    progress: "Progress | None" = None,
    chosen: Mapping[str, str] | None = None,
    timed: bool = True,
) -> StressRun:
    """Runs the tests on the documents of a data set.

    Args:
        dataset: with documents.
        tests: which, in order.
        settings: how is searched, and when refused.
        index: the folder under which evaluations keep their indexes.
        model: the LLM, or None for quotations; where it remembers its replies, a run that died costs nothing twice.
        seed: the same gives the same trials.
        counting: makes progress bars.
        workers: how many trials an LLM is asked at a time.
        progress: called with the steps of indexing.
        chosen: settings that were chosen for the run, as text.
        timed: whether some trials are put once more, each alone, to tell their latency; a dry run only counts.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        ModelError: the LLM failed many times in a row.
    """
    from policy_rag.assistant import PolicyAssistant

    fitted = dataset.for_corpus(Corpus.FILES)
    assistant, notes = open_corpus(fitted, Corpus.FILES, settings, index, progress=progress)
    with assistant:
        metered = MeteredModel(model) if model else None
        asking = PolicyAssistant(assistant.index, settings, today=assistant.today(), llm=lambda _: metered)
        sections = prepare(asking, fitted, fitted.questions)
        answer = Answerer(assistant, metered)
        results = tuple(
            run_test(test, sections, answer, seed=seed, counting=counting, workers=workers if model else 1)
            for test in tests
        )
        again = MeteredModel(model) if model else None
        put = [trial for test in results for one in test.conditions for trial, _ in one.answered.values()]
        latency = asked_alone(Answerer(assistant, again), put, again) if timed else None
    return StressRun(
        dataset.name,
        answer.name,
        seed,
        dict(chosen or {}),
        results,
        (*fitted.notes, *notes),
        spent=metered.spent(settings) if metered else None,
        latency=latency,
    )


def run_test(
    test: StressTest,
    questions: Sequence[QuestionSections],
    answer: Callable[[Trial], StressAnswer],
    *,
    seed: int,
    counting: Counting,
    workers: int = 1,
) -> StressResult:
    """All conditions of a test.

    `answer` answers a trial, a failure is part of what it returns; `seed` fixes orders and what is planted.

    Raises:
        ModelError: the LLM failed `PATIENCE` times in a row.
    """
    conditions, notes = test.build(questions, seed)
    total = sum(len(one.trials) for one in conditions)
    results: list[ConditionResult] = []
    with counting(test.name) as progress:
        before = 0
        for condition in conditions:

            def advance(done: int, _: int, before: int = before) -> None:
                progress(before + done, total)

            answers = map_parallel(
                answer, condition.trials, workers=workers, progress=advance, check=_StopAfterFailures()
            )
            asked = {trial.question.question_id for trial in condition.trials}
            results.append(_result(test, condition, answers, first_alike(results, asked)))
            before += len(condition.trials)
    return StressResult(test, tuple(results), notes)


class _StopAfterFailures:
    """Asks no more of an LLM that only fails: thousands of trials would each wait for it."""

    def __init__(self) -> None:
        self._failed = 0

    def __call__(self, answer: StressAnswer) -> None:
        self._failed = self._failed + 1 if answer.failure else 0
        if self._failed >= PATIENCE:
            raise ModelError(
                f"the LLM failed {self._failed} times in a row ({answer.failure}): mend that, then run this again; "
                "what it has replied so far is kept"
            )


def _result(
    test: StressTest, condition: StressCondition, answers: Sequence[StressAnswer], first: ConditionResult | None
) -> ConditionResult:
    judged = [trial.judge(given) for trial, given in zip(condition.trials, answers, strict=True)]
    outcomes = {
        trial.question.question_id: outcome for trial, (outcome, _) in zip(condition.trials, judged, strict=True)
    }
    counts = Counter(outcomes.values())
    good = scored(outcomes, test.good)
    noticed = [seen for _, seen in judged if seen is not None]
    reachable = condition.reachable
    return ConditionResult(
        name=condition.name,
        levels=condition.levels,
        share=bootstrap_interval(list(good.values())) if good else None,
        change=change(scored(first.outcomes, test.good), good) if first is not None else None,
        counts={outcome: counts[outcome] for outcome in StressOutcome},
        reachable=sum(reachable.values()) / len(reachable) if reachable else None,
        noticed=sum(noticed) if noticed else None,
        left_out=sum(given.left_out for given in answers),
        outcomes=outcomes,
        failures=tuple(dict.fromkeys(given.failure for given in answers if given.failure)),
        answered={
            trial.question.question_id: (trial, given) for trial, given in zip(condition.trials, answers, strict=True)
        },
        control=condition.control,
    )


def scored(outcomes: Mapping[str, StressOutcome], good: frozenset[StressOutcome]) -> dict[str, float]:
    """Question id to 1 for a good outcome, else 0; what failed is not there.

    >>> said = {"a": StressOutcome.GOLD, "b": StressOutcome.FAILED, "c": StressOutcome.REFUSED}
    >>> scored(said, frozenset({StressOutcome.GOLD}))
    {'a': 1.0, 'c': 0.0}
    """
    return {name: float(one in good) for name, one in outcomes.items() if one is not StressOutcome.FAILED}


def change(first: Mapping[str, float], other: Mapping[str, float]) -> Interval | None:
    """The mean difference over the questions that both have, with its interval; None without a common one.

    >>> change({"a": 1.0, "b": 1.0}, {"a": 0.0, "c": 1.0}).mean
    -1.0
    """
    both = [other[name] - value for name, value in first.items() if name in other]
    return difference_interval(both) if both else None
