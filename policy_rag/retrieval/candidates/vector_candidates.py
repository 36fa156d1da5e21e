"""The vector search: the nearest chunks, a passage once."""

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search import vector_search
from policy_rag.retrieval.visibility import Visibility

# Share of the chunks up to which a database is told their documents by key where groups and day alone decide what may
# be found: reading more by key takes longer than reading all.
_TOLD_SHARE = 1 / 8


def nearest_passages(
    view: Visibility, queries: NDArray[np.float32] | None, n: int, count: int
) -> list[NDArray[np.int64]]:
    """The `n` passages with the nearest chunk, for each query, nearest first.

    The queries are `(count, dimension)`, None for no vector search; fewer passages come where fewer are allowed.

    Returns:
        A `(<= n,)` array of passage rows for each query.
    """
    of_chunk = view.snapshot.derived.chunks[:, 0]
    allowed = view.chunks
    most = len(of_chunk) if allowed is None else allowed.count
    if queries is None or not most:
        return [np.zeros(0, dtype=np.int64)] * count
    few = most <= min(vector_search.EXACT_MOST, _TOLD_SHARE * len(of_chunk))
    documents = list(view.documents) if allowed is not None and (view.filtered or few) else None
    found: dict[int, NDArray[np.int64]] = {}
    todo, asked = list(range(count)), queries
    # A long passage may fill the list with its chunks: ask for more until there are enough passages.
    wanted = min(most, n + n // 4)
    while todo:
        _, chunks = view.snapshot.vectors.search(asked, wanted, allowed, documents)
        again = []
        for i, row in zip(todo, chunks, strict=True):
            nearest = row if row[-1] >= 0 else row[row >= 0]
            distinct = list(dict.fromkeys(of_chunk[nearest].tolist()))
            found[i] = np.array(distinct[:n], dtype=np.int64)
            if len(distinct) < n and wanted < most:
                again.append(i)
        if again:
            asked = queries[again]
        todo, wanted = again, min(most, wanted * 2)
    return [found[i] for i in range(count)]
