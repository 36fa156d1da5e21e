"""From a question and its hits to an answer that can be signed, or a refusal."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering import extractive, generated
from policy_rag.answering.clarify import Clarification, clarify
from policy_rag.answering.generated import Draft
from policy_rag.answering.question_terms import Idf
from policy_rag.answering.support import Weights, confidence, features
from policy_rag.models.language_model import LanguageModel
from policy_rag.records import Answer, Citation, SearchResult, Status

EXTRACTIVE = "extractive"
REFUSED = "The policies found do not answer this question."
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
    """

    embedder: Embed
    idf: Idf
    languages: tuple[str, ...]
    weights: Weights
    threshold: float
    model: LanguageModel | None = None


def answer_question(result: SearchResult, answering: Answering, *, trace: bool = False) -> Answer:
    """Answers from the hits of a search, asks back, or refuses.

    A question that names no subject is answered with a question back; no LLM is asked for that.
    A question whose support is below the threshold is refused before an LLM is asked. What an LLM writes is kept only
    as far as its citations bear it out; if nothing is left, the answer is a refusal.

    Raises:
        ModelError: the LLM fails.
    """
    steps: list[Mapping[str, Any]] = [_searched(result)]
    started = time.perf_counter()
    found = features(result.question, result.hits, idf=answering.idf, languages=answering.languages)
    support = confidence(found, answering.weights)
    weighed = time.perf_counter()
    steps.append(
        {
            "step": "support",
            "confidence": support,
            "threshold": answering.threshold,
            "ms": (weighed - started) * 1000,
        }
    )
    asked_back = clarify(result.question, result.hits, answering.languages)
    if asked_back is not None:
        steps.append({"step": "clarify", "candidates": [hit.doc_id for hit in asked_back.candidates]})
        return _asked_back(result, asked_back, answering, support, tuple(steps) if trace else None)
    text = ""
    removed: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    if result.hits and support >= answering.threshold:
        if answering.model is None:
            text, citations = _quoted(result, answering)
            ms = (time.perf_counter() - weighed) * 1000
            steps.append({"step": "quote", "statements": len(citations), "ms": ms})
        else:
            draft = generated.generate(result.question, result.hits, answering.model)
            text, citations = generated.compose(draft)
            removed = draft.removed
            steps.append(_generated(draft, answering.model))
    done = time.perf_counter()
    status = Status.ANSWERED if citations else Status.REFUSED
    return Answer(
        question=result.question,
        status=status,
        answer=text if citations else REFUSED,
        citations=citations,
        confidence=support,
        llm=answering.model.name if answering.model else EXTRACTIVE,
        removed=removed,
        nearest=() if citations else result.hits[:_NEAREST],
        trace=tuple(steps) if trace else None,
        timings_ms={
            **result.timings_ms,
            "support": (weighed - started) * 1000,
            "answer": (done - weighed) * 1000,
        },
        notices=result.notices,
    )


def _asked_back(
    result: SearchResult,
    asked_back: Clarification,
    answering: Answering,
    support: float,
    trace: tuple[Mapping[str, Any], ...] | None,
) -> Answer:
    return Answer(
        question=result.question,
        status=Status.CLARIFY,
        answer=asked_back.question,
        citations=(),
        confidence=support,
        llm=answering.model.name if answering.model else EXTRACTIVE,
        nearest=asked_back.candidates,
        clarification=asked_back.question,
        trace=trace,
        timings_ms=result.timings_ms,
        notices=result.notices,
    )


def _quoted(result: SearchResult, answering: Answering) -> tuple[str, tuple[Citation, ...]]:
    vector = answering.embedder.embed_queries([result.question])[0]
    return extractive.compose(
        extractive.extract(
            result.question,
            result.hits,
            embed=answering.embedder.embed,
            question_vector=vector,
            languages=answering.languages,
        )
    )


def _searched(result: SearchResult) -> Mapping[str, Any]:
    return {
        "step": "search",
        "hits": [{"file": h.file, "section_id": h.section_id, "score": h.score} for h in result.hits],
        "ms": sum(result.timings_ms.values()),
    }


def _generated(draft: Draft, model: LanguageModel) -> Mapping[str, Any]:
    reply = draft.reply
    return {
        "step": "llm",
        "model": model.name,
        "template": draft.template,
        "sections": [f"{h.file} {h.section_id}" for h in draft.given],
        "left_out": draft.left_out,
        "reply": reply.text if reply else None,
        "tokens_in": reply.tokens_in if reply else 0,
        "tokens_out": reply.tokens_out if reply else 0,
        "ms": reply.ms if reply else 0.0,
        "removed": [{"statement": s, "reason": r} for s, r in zip(draft.removed, draft.reasons, strict=True)],
    }
