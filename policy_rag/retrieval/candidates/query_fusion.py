"""Several queries for one question: the ranking of each, fused by reciprocal rank."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from policy_rag.records.choices import Search
from policy_rag.records.search import Query, SearchRank
from policy_rag.retrieval.candidates.collector import merged_lists
from policy_rag.retrieval.fusion import Candidates, Ranking, fuse
from policy_rag.retrieval.fusion.reciprocal_rank import K
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions

FoundBy = Mapping[int, Mapping[str, SearchRank]]


def fuse_queries(
    view: Visibility,
    queries: Sequence[Query],
    candidates: Sequence[Candidates],
    vector: NDArray[np.float32] | None,
    options: SearchOptions,
) -> tuple[Candidates, Ranking, FoundBy]:
    """What all queries of one question found, in one order.

    Each query's candidates are ranked as `options` say, a passage's by their vectors alone; then
    `score(d) = sum over the queries of 1 / (60 + rank of d)`, over those that list `d`. Scores and ranks in the
    candidates that are given are those of the first query, whatever found a passage: what supports an answer is
    measured against the question.

    Args:
        view: what may be found.
        queries: at least one; the question (or its rewriting) first.
        candidates: of each query.
        vector: the first query's, `(dimension,)`, or None for no vector search.
        options: how the two searches are used together.

    Returns:
        The candidates, their ranking (with one query its own), and for what later queries listed, by row: what made
        the query, to the best rank there and its score.
    """
    own = fuse(candidates[0], options.search, vector_weight=options.vector_weight)
    if len(queries) == 1:
        return candidates[0], own, {}
    lists = [candidates[0].rows[own.order]]
    found: dict[int, dict[str, SearchRank]] = {}
    for query, one in zip(queries[1:], candidates[1:], strict=True):
        how = Search.VECTOR if query.passage and vector is not None else options.search
        ranking = fuse(one, how, vector_weight=options.vector_weight)
        lists.append(one.rows[ranking.order])
        _note(found, query, lists[-1], ranking)
    first = candidates[0]
    near = first.rows[np.argsort(first.vector_rank, kind="stable")][np.count_nonzero(first.vector_rank == 0) :]
    together = merged_lists(view, queries[0].text, near, vector, options, also=np.concatenate(lists))
    scores = np.zeros(len(together), dtype=np.float64)
    for listed in lists:
        scores[np.searchsorted(together.rows, listed)] += 1.0 / (K + np.arange(1, len(listed) + 1))
    return together, Ranking.of(scores, scores > 0), found


def _note(found: dict[int, dict[str, SearchRank]], query: Query, listed: NDArray[np.int64], ranking: Ranking) -> None:
    """Takes down where a query listed what."""
    if query.by is None:
        return
    for rank, (row, score) in enumerate(zip(listed.tolist(), ranking.scores.tolist(), strict=True), 1):
        seen = found.setdefault(row, {}).get(query.by.value)
        if seen is None or rank < seen.rank:
            found[row][query.by.value] = SearchRank(rank, score)
