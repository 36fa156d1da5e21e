"""A run of stress tests on a data set: its index, its questions, one test after the other."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.llm.protocol import LanguageModel
from policy_rag.settings import Settings
from policy_rag_eval.data.corpora import open_corpus
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.stress.answering import Answerer
from policy_rag_eval.stress.question_sections import prepare
from policy_rag_eval.stress.records import StressRun, StressTest
from policy_rag_eval.stress.run import Counting, run_test

if TYPE_CHECKING:
    from policy_rag_eval.data.corpora import Progress


def run_stress(
    dataset: Dataset,
    tests: Sequence[StressTest],
    settings: Settings,
    index: Path,
    *,
    model: LanguageModel | None,
    seed: int,
    counting: Counting,
    most: int = 0,
    workers: int = 1,
    progress: "Progress | None" = None,
    chosen: Mapping[str, str] | None = None,
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
        most: so many questions are drawn; 0 takes all.
        workers: how many trials an LLM is asked at a time.
        progress: told the steps of indexing.
        chosen: settings that were chosen for the run, as text.

    Raises:
        DatasetError: the data set has no documents, or nothing that can be scored.
        ModelError: the LLM failed many times in a row.
    """
    fitted = dataset.for_corpus(Corpus.FILES)
    assistant, notes = open_corpus(fitted, Corpus.FILES, settings, index, progress=progress)
    with assistant:
        material = prepare(assistant, fitted, drawn(fitted.questions, most, seed))
        answer = Answerer(assistant, model)
        results = tuple(
            run_test(test, material, answer, seed=seed, counting=counting, workers=workers if model else 1)
            for test in tests
        )
    return StressRun(dataset.name, answer.name, seed, dict(chosen or {}), results, (*fitted.notes, *notes))


def drawn(questions: Sequence[Question], most: int, seed: int) -> tuple[Question, ...]:
    """`most` of the questions by chance, in their own order; all of them for 0 or where there are no more."""
    if not most or most >= len(questions):
        return tuple(questions)
    kept = set(random.Random(seed).sample(range(len(questions)), most))
    return tuple(question for place, question in enumerate(questions) if place in kept)
