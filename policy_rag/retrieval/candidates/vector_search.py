"""The vector search: the nearest chunks, a passage once."""

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.snapshot_files import Derived


def nearest_passages(
    derived: Derived,
    queries: NDArray[np.float32] | None,
    n: int,
    allowed: NDArray[np.bool_] | None,
    count: int,
) -> list[NDArray[np.int64]]:
    """The `n` passages with the nearest chunk, for each query, nearest first.

    Args:
        derived: what to search.
        queries: `(count, dimension)`, or None for no vector search.
        n: passages wanted; fewer come where fewer are allowed.
        allowed: `(passages,)`, True where a passage may be found; None for all.
        count: number of queries.

    Returns:
        A `(<= n,)` array of passage rows for each query.
    """
    of_chunk = np.asarray(derived.chunks[:, 0])
    mask = None if allowed is None else allowed[of_chunk]
    most = len(of_chunk) if mask is None else int(mask.sum())
    found: list[NDArray[np.int64]] = [np.zeros(0, dtype=np.int64)] * count
    if queries is None or not most:
        return found
    todo = list(range(count))
    # A long passage may fill the list with its chunks: ask for more until there are enough passages.
    wanted = min(most, n + n // 4)
    while todo:
        _, chunks = derived.vectors.search(queries[todo], wanted, mask)
        again = []
        for i, row in zip(todo, chunks, strict=True):
            passages = of_chunk[row[row >= 0]]
            distinct = passages[np.sort(np.unique(passages, return_index=True)[1])]
            found[i] = distinct[:n].astype(np.int64)
            if len(distinct) < n and wanted < most:
                again.append(i)
        todo, wanted = again, min(most, wanted * 2)
    return found
