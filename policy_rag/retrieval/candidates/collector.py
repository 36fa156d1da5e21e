"""Both lists of one question put together, with both scores of everything on either."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.bm25_index import best_rows
from policy_rag.index.search.terms import terms
from policy_rag.index.store.store import Snapshot
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.candidates.vector_candidates import nearest_passages
from policy_rag.retrieval.fusion import Candidates
from policy_rag.retrieval.fusion.weighted import MEAN_SHARE
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions


@dataclass(frozen=True, slots=True)
class CandidateList:
    """What either search found for one question, and the milliseconds of both; those of merging count as keyword's."""

    candidates: Candidates
    vector_ms: float
    keyword_ms: float


def collect_candidates(
    view: Visibility, requests: Sequence[SearchRequest], queries: NDArray[np.float32] | None, options: SearchOptions
) -> list[CandidateList]:
    """The candidates of each request, in order; the vector search's time is shared evenly.

    There is at least one request; `queries` are `(len(requests), dimension)`, None for no vector search.
    """
    started = time.perf_counter()
    near = nearest_passages(view, queries, options.candidates, len(requests))
    vector_ms = (time.perf_counter() - started) * 1000 / len(requests)
    lists = []
    for i, request in enumerate(requests):
        started = time.perf_counter()
        query = None if queries is None else queries[i]
        candidates = merged_lists(view, request.question, near[i], query, options)
        lists.append(CandidateList(candidates, vector_ms, (time.perf_counter() - started) * 1000))
    return lists


def keyword_scores(snapshot: Snapshot, question: str, *, pair_weight: float) -> tuple[NDArray[np.float32], float]:
    """The keyword score of every passage, `(passages,)`, and what it could be at best.

    A question is stemmed in each language that the index holds; a passage takes the best of these.
    """
    stemmed = dict.fromkeys(tuple(terms(question, language)) for language in snapshot.derived.languages)
    scores: NDArray[np.float32] | None = None
    for asked in stemmed:
        found = snapshot.keywords.scores(asked, pair_weight=pair_weight)
        scores = found if scores is None else np.maximum(scores, found)
    if scores is None:
        scores = np.zeros(len(snapshot.derived.passages), dtype=np.float32)
    return scores, max((snapshot.keywords.weight(asked) for asked in stemmed), default=0.0)


def listed_by_keyword(
    view: Visibility, question: str, options: SearchOptions
) -> tuple[NDArray[np.float32], float, NDArray[np.int64]]:
    """The keyword scores of all passages, 0 where hidden, what a score could be at best, and the best rows in order."""
    scores, asked = keyword_scores(view.snapshot, question, pair_weight=options.pair_weight)
    if view.rows is not None:
        scores = np.where(view.rows, scores, np.float32(0))
    return scores, asked, best_rows(scores, options.candidates)


def merged_lists(
    view: Visibility,
    question: str,
    near: NDArray[np.int64],
    query: NDArray[np.float32] | None,
    options: SearchOptions,
    *,
    also: NDArray[np.int64] | None = None,
) -> Candidates:
    """The candidates of one question.

    Args:
        view: what may be found.
        question: for the keyword search, where that is asked for.
        near: rows of the vector search's passages, nearest first.
        query: `(dimension,)`, or None for no vector search.
        options: which searches.
        also: further rows, which neither search listed.
    """
    scores: NDArray[np.float32] | None = None
    asked, listed = 0.0, near[:0]
    if options.search is not Search.VECTOR:
        scores, asked, listed = listed_by_keyword(view, question, options)
    rows = np.unique(np.concatenate([near, listed, near[:0] if also is None else also])).astype(np.int64)
    vector, centred, chunks = _best_chunks(view.snapshot, rows, query)
    return Candidates(
        rows=rows,
        vector=vector,
        keyword=np.zeros(len(rows), dtype=np.float32) if scores is None else scores[rows],
        centred=centred,
        asked=asked,
        vector_rank=_ranks(rows, near),
        keyword_rank=_ranks(rows, listed),
        chunks=chunks,
    )


def _best_chunks(
    snapshot: Snapshot, rows: NDArray[np.int64], query: NDArray[np.float32] | None
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
    """The highest cosine over each passage's chunks, the same centred, and that chunk's row; of equals the first."""
    nothing = np.zeros(len(rows), dtype=np.float32)
    derived = snapshot.derived
    of_chunk = derived.chunks[:, 0]
    first = np.searchsorted(of_chunk, rows, "left")
    if query is None or not len(rows):
        return nothing, nothing, first.astype(np.int64)
    counts = np.searchsorted(of_chunk, rows, "right") - first
    offsets = np.concatenate([[0], np.cumsum(counts)[:-1]])
    chunks = np.arange(counts.sum()) - np.repeat(offsets, counts) + np.repeat(first, counts)
    vectors = snapshot.vectors.vectors(chunks)
    cosines = vectors @ query
    best = np.maximum.reduceat(cosines, offsets)
    position = np.arange(len(chunks))
    winners = np.minimum.reduceat(np.where(cosines == np.repeat(best, counts), position, len(chunks)), offsets)
    centred = best - np.float32(MEAN_SHARE) * (vectors[winners] @ derived.mean)
    return best.astype(np.float32), centred.astype(np.float32), chunks[winners].astype(np.int64)


def _ranks(rows: NDArray[np.int64], listed: NDArray[np.int64]) -> NDArray[np.int64]:
    ranks = np.zeros(len(rows), dtype=np.int64)
    ranks[np.searchsorted(rows, listed)] = np.arange(1, len(listed) + 1)
    return ranks
