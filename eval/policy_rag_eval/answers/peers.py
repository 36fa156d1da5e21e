"""Anybody's way of answering beside ours: a callable that takes a question and gives its answer, or an index.

It is judged by what it says: what it read is not known, nor what its ceiling is. A callable is asked the question's
words alone, an index with filters, groups and day.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from policy_rag.errors import UsageError
from policy_rag.records.answer import Answer
from policy_rag.settings import Settings
from policy_rag_eval.answers.answer_set import Answered, Condition, case_of, judged_text
from policy_rag_eval.answers.plans import AnswerConfiguration
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.judges.judge_cases import Case
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.existing_index import ExistingIndex
from policy_rag_eval.sweep.peers import named_retriever, untold

Answerer: TypeAlias = Callable[[str], str | Answer] | ExistingIndex
"""A callable that takes a question and gives a text, or an answer of ours; or an index as it stands."""


def named_answerer(text: str) -> tuple[str, Answerer]:
    """Reads `NAME=INDEX` or `NAME=MODULE:FUNCTION`, as `named_retriever` does.

    Raises:
        UsageError: it is neither, or there is no such thing.
    """
    name, found = named_retriever(text)
    if isinstance(found, ExistingIndex):
        return name, found
    if isinstance(found, Path) or not callable(found):
        raise UsageError(f"--beside {text}: that gives no answers; write NAME=INDEX, or NAME=MODULE:FUNCTION")
    answerer: Any = found  # what a module's function gives is seen when it is asked
    return name, answerer


def answered_by(
    name: str, answerer: Answerer, dataset: Dataset, *, done: Callable[[int, int], None] | None = None
) -> Answered:
    """What a callable answers to all questions of a data set with documents, each asked alone.

    Of an index it is not measured how long that takes, see `ExistingIndex`. `done` is told how many answers are there,
    and of how many.

    Raises:
        UsageError: it gives neither a text nor an answer, or it fails.
        DatasetError: the data set has no documents, or nothing that can be scored.
    """
    fitted = dataset.for_corpus(Corpus.FILES)
    cases: list[Case] = []
    took: list[float] = []
    with _asking(answerer, name, fitted) as (ask, llm, notes):
        for question in fitted.questions:
            started = time.perf_counter()
            try:
                said = ask(question)
            except Exception as error:
                raise UsageError(f"{name} fails on the question {question.question_id}: {error!r}") from error
            took.append((time.perf_counter() - started) * 1000)
            cases.append(_case(name, fitted, question, said))
            if done is not None:
                done(len(cases), len(fitted.questions))
    kind = getattr(answerer, "__name__", type(answerer).__name__)
    timed = not isinstance(answerer, ExistingIndex)
    return Answered(
        AnswerConfiguration(name, Settings(), chosen=(("answerer", kind),)),
        llm or kind,
        {Condition.FOUND: tuple(cases)},
        traces=(),
        recall=(),
        notes=notes,
        latency=Latency(*np.quantile(took, (0.5, 0.95)).tolist()) if timed else None,
    )


@contextmanager
def _asking(
    answerer: Answerer, name: str, dataset: Dataset
) -> Iterator[tuple[Callable[[Question], str | Answer], str, tuple[str, ...]]]:
    """How a question is put, who answers ("" where that is not known), and what a reader of the figures should know."""
    if isinstance(answerer, ExistingIndex):
        with answerer.opened(dataset) as opened:
            yield opened.answer, opened.assistant.answerer(), opened.notes
    else:
        yield lambda question: answerer(question.text), "", untold(name, dataset.questions)


def _case(name: str, dataset: Dataset, question: Question, said: str | Answer) -> Case:
    if not isinstance(said, str | Answer):
        raise UsageError(
            f"{name} answers {question.question_id} with {type(said).__name__}: give a text, or what "
            "`PolicyAssistant.ask` gives"
        )
    if isinstance(said, str):
        return case_of(dataset, question, said, refused=None)
    return case_of(dataset, question, judged_text(said), refused=not said.shown)
