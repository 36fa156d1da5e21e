"""What supports the questions of a data set, as `policy-rag ask` would see it, without answering them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from policy_rag.answering.confidence.llm_feature import llm_view
from policy_rag.answering.confidence.model import EVIDENCE, Features, features
from policy_rag.llm.language_model import LanguageModel
from policy_rag.models.reranker import NO_RERANKER
from policy_rag.records.search import Hit, SearchRequest, SearchResult
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.support_evidence import with_evidence
from policy_rag.retrieval.transforms.rewriting import rewrite
from policy_rag_eval.data.dataset import Dataset, Question

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

_BATCH = 256  # questions whose hits are held at once


def searched(assistant: "PolicyAssistant", requests: Sequence[SearchRequest]) -> Iterator[SearchResult]:
    """What `ask` would search for each request, in order, with what it would weigh support by.

    As many hits are looked at as `ask` looks at: `EVIDENCE`, or the setting `top_k` where that is more; and as there,
    greetings, thanks and politeness are no part of a question, and it is measured by what is left.

    Raises:
        UsageError: a question or a filter cannot be used.
        IndexingError: the index is empty or damaged.
    """
    settings = assistant.settings
    options = settings.search.changed({"top_k": max(EVIDENCE, settings.search.top_k)})
    searcher = Searcher(assistant.index, assistant.embedder())
    for first in range(0, len(requests), _BATCH):
        some = requests[first : first + _BATCH]
        asked = [replace(request, question=rewrite(request.question)) for request in some]
        found = assistant.search_many(asked, top_k=options.top_k)
        results = [_as_asked(*one) for one in zip(some, asked, found, strict=True)]
        reranked = settings.ranking.reranker != NO_RERANKER
        yield from with_evidence(searcher, asked, results, options, today=assistant.today(), reranked=reranked)


def _as_asked(request: SearchRequest, stripped: SearchRequest, found: SearchResult) -> SearchResult:
    """What was found for the stripped question, under the question as it was asked."""
    if stripped.question == request.question:
        return found
    return replace(found, question=request.question, asked=found.asked or stripped.question)


def calibrated_on(data: Dataset) -> list[Question]:
    """The questions that tell something: unanswerable ones, and answerable ones that have gold."""
    return [question for question in data.questions if not question.answerable or question.question_id in data.qrels]


@dataclass(frozen=True, slots=True)
class WeighedQuestion:
    """A question with the features by which it would be answered or refused, and what was found first, if anything."""

    features: Features
    first: Hit | None


def weighed(
    assistant: "PolicyAssistant",
    requests: Sequence[SearchRequest],
    *,
    model: LanguageModel | None = None,
    done: Callable[[int, int], None] | None = None,
) -> tuple[WeighedQuestion, ...]:
    """What each question would be answered or refused by, in order of the requests.

    A `model` is asked for its view; `done` is told after each question how many are done, and of how many.

    Raises:
        UsageError: a question or a filter cannot be used.
        IndexingError: the index is empty or damaged.
        ModelError: the LLM fails.
    """
    with assistant.index.snapshot() as snapshot:
        idf, languages = snapshot.derived.keywords.idf, snapshot.derived.languages
    found: list[WeighedQuestion] = []
    for result in searched(assistant, requests):
        hits = result.evidence or result.hits
        one = features(result.matter, hits, idf=idf, languages=languages, reranked=result.hits)
        if model is not None and result.hits:
            one = replace(one, llm=llm_view(result.matter, result.hits, model))
        found.append(WeighedQuestion(one, next(iter(result.hits), None)))
        if done is not None:
            done(len(found), len(requests))
    return tuple(found)


def roc_area(positive: Sequence[float], negative: Sequence[float]) -> float:
    """Area under the ROC curve: the chance that a positive scores above a negative, ties half (Mann and Whitney 1947).

    Raises:
        ValueError: there are none of one kind.

    >>> roc_area([0.9, 0.4], [0.1, 0.4])
    0.875
    """
    if not len(positive) or not len(negative):
        raise ValueError("an ROC curve needs scores of both kinds")
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score([1] * len(positive) + [0] * len(negative), [*positive, *negative]))
