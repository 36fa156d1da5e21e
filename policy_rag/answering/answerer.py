"""From a question and its hits to an answer that can be signed, or a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.clarification import clarify
from policy_rag.answering.confidence.llm_feature import llm_view
from policy_rag.answering.confidence.model import Features, Weights, confidence, features
from policy_rag.answering.confidence.question_terms import Idf
from policy_rag.answering.extraction import extractor as extractive
from policy_rag.answering.generation import generator as generated
from policy_rag.answering.presentation.wording import REFUSED, refusal
from policy_rag.llm.protocol import LanguageModel, Listener
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag.records.options import ContextOrder, Unverified
from policy_rag.records.search import SearchResult
from policy_rag.tracing import Steps

EXTRACTIVE = "extractive"
_NEAREST = 3


class Embed(Protocol):
    """What quoting needs of an embedding model."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The same for questions."""
        ...


@dataclass(frozen=True, slots=True)
class Answering:
    """What a question is answered with.

    Attributes:
        embedder: the index's embedding model.
        idf: of the keyword index that was searched.
        languages: those of the index's documents.
        weights: the support model.
        threshold: least confidence for an answer, 0 to 1.
        model: the LLM, or None to answer by quotation.
        order: in which order the LLM is given sections.
        unverified: what becomes of an LLM's sentences that do not hold.
        on_text: hears the answer's text while an LLM writes it; see `generated.generate`.
    """

    embedder: Embed
    idf: Idf
    languages: tuple[str, ...]
    weights: Weights
    threshold: float
    model: LanguageModel | None = None
    order: ContextOrder = ContextOrder.RANKED
    unverified: Unverified = Unverified.REMOVE
    on_text: Listener | None = None

    @property
    def name(self) -> str:
        """Who answers."""
        return self.model.name if self.model else EXTRACTIVE


def answer_question(
    result: SearchResult, answering: Answering, *, steps: Steps | None = None, asks_back: bool = True
) -> Answer:
    """Answers from the hits of a search, asks back, or refuses.

    A question that names no subject is answered with a question back; no LLM is asked for that.
    A question whose support is below the threshold is refused before an LLM is asked to answer; where the support was
    fitted with the LLM's own view, it is asked for that. What an LLM writes is kept only
    as far as its citations bear it out; if nothing is left, the answer is a refusal.

    Args:
        result: the hits, and the question.
        answering: with what.
        steps: where the steps are taken down.
        asks_back: whether a question that names no subject is asked back.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    steps = Steps() if steps is None else steps
    asked_back = ask_back(result, answering, steps) if asks_back else None
    if asked_back is not None:
        return asked_back
    with steps.step("support") as weighed:
        support = confidence(_viewed(_features(result, answering), result, answering), answering.weights)
        weighed.facts |= {"confidence": support, "threshold": answering.threshold}
    timings = {**result.timings_ms, "support": weighed.ms}
    answer = Answer(
        question=result.question,
        status=Status.REFUSED,
        answer=REFUSED,
        citations=(),
        confidence=support,
        llm=answering.name,
        nearest=result.hits[:_NEAREST],
        notices=result.notices,
        filters=result.filters,
    )
    begin = steps.now_ns()
    if result.hits and support >= answering.threshold:
        text, citations, removed = _written(result, answering, steps)
        answer = replace(answer, answer=refusal(removed), removed=removed)
        if citations:
            answer = replace(answer, status=Status.ANSWERED, answer=text, citations=citations, nearest=())
    return replace(answer, timings_ms={**timings, "answer": (steps.now_ns() - begin) / 1e6})


def ask_back(result: SearchResult, answering: Answering, steps: Steps) -> Answer | None:
    """The question back to one that names no subject, or None; see `policy_rag.answering.clarification`."""
    asked_back = clarify(result.matter, result.hits, answering.languages)
    if asked_back is None:
        return None
    with steps.step("clarify") as step:
        step.facts["candidates"] = [hit.doc_id for hit in asked_back.candidates]
    return Answer(
        question=result.question,
        status=Status.CLARIFY,
        answer=asked_back.question,
        citations=(),
        confidence=confidence(_features(result, answering), answering.weights),
        llm=answering.name,
        nearest=asked_back.candidates,
        clarification=asked_back.question,
        timings_ms=result.timings_ms,
        notices=result.notices,
        filters=result.filters,
    )


def _features(result: SearchResult, answering: Answering) -> Features:
    hits = result.evidence if result.hits and result.evidence else result.hits
    return features(result.matter, hits, idf=answering.idf, languages=answering.languages, reranked=result.hits)


def _viewed(found: Features, result: SearchResult, answering: Answering) -> Features:
    """The features with the LLM's own view, where that counts."""
    if answering.model is None or not answering.weights.asks_llm or not result.hits:
        return found
    return replace(found, llm=llm_view(result.matter, result.hits, answering.model))


def _written(
    result: SearchResult, answering: Answering, steps: Steps
) -> tuple[str, tuple[Citation, ...], tuple[str, ...]]:
    """The answer's text, its citations, and what was removed of an LLM's."""
    if answering.model is not None:
        draft = generated.generate(
            result.question,
            result.hits,
            answering.model,
            brought=result.brought,
            order=answering.order,
            on_text=answering.on_text,
            unverified=answering.unverified,
        )
        return *generated.compose(draft), draft.removed
    with steps.step("quote") as step:
        vector = answering.embedder.embed_queries([result.matter])[0]
        statements = extractive.extract(
            result.matter,
            result.hits,
            embed=answering.embedder.embed,
            question_vector=vector,
            languages=answering.languages,
            brought=result.brought,
        )
        step.facts["statements"] = len(statements)
    return *extractive.compose(statements), ()
