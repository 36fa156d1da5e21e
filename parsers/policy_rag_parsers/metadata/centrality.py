"""How central each sentence is among the sentences of its group: continuous LexRank, for all groups at once.

Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization", JAIR 22 (2004): the
stationary distribution of a walk that goes from sentence to sentence in proportion to their cosine, and with
probability `1 - DAMPING` to any sentence of the group. The matrix of cosines `S = X X'` is never formed: `S v` is two
products with the sparse `X`, so that time and memory grow with the number of words.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

DAMPING = 0.85
_ROUNDS = 50
_CLOSE_ENOUGH = 1e-6

Floats = NDArray[np.float64]


def word_centrality(groups: Sequence[Sequence[dict[str, float]]]) -> list[Floats]:
    """Centrality by shared words.

    Args:
        groups: for each group its sentences, each as term to weight (any positive number).

    Returns:
        For each group one number a sentence; they sum to 1. A sentence without terms gets the least.

    >>> [[round(float(x), 2) for x in g] for g in word_centrality([[{"a": 1}, {"a": 1, "b": 1}, {"b": 1}]])]
    [[0.3, 0.4, 0.3]]
    """
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    sizes: list[int] = []
    row = column = 0
    for group in groups:
        known: dict[str, int] = {}
        for sentence in group:
            length = sum(weight * weight for weight in sentence.values()) ** 0.5
            for term, weight in sentence.items():
                rows.append(row)
                columns.append(column + known.setdefault(term, len(known)))
                values.append(weight / length)
            row += 1
        column += len(known)
        sizes.append(len(group))
    if not row:
        return [np.zeros(0) for _ in groups]
    at, of, value = np.asarray(rows, np.int64), np.asarray(columns, np.int64), np.asarray(values)

    def similar(vector: Floats) -> Floats:
        by_term = np.bincount(of, weights=value * vector[at], minlength=column)
        return np.bincount(at, weights=value * by_term[of], minlength=row).astype(np.float64)

    sizes_of_rows = np.repeat(np.asarray(sizes, np.float64), sizes)
    group_of = np.repeat(np.arange(len(sizes)), sizes)

    def spread(vector: Floats) -> Floats:
        # What a sentence without words cannot pass on is spread over its group.
        return vector + (1.0 - np.bincount(group_of, weights=vector, minlength=len(sizes))[group_of]) / sizes_of_rows

    return np.split(_stationary(similar, sizes_of_rows, spread), np.cumsum(sizes)[:-1])


def vector_centrality(vectors: NDArray[np.float32]) -> Floats:
    """Centrality by embeddings of one group: as by words, with `(1 + cosine) / 2` for the cosine of words.

    Args:
        vectors: `(sentences, dimension)`, of length one.

    Returns:
        `(sentences,)`, summing to 1.
    """
    count = len(vectors)
    wide = np.asarray(vectors, dtype=np.float64)

    def similar(vector: Floats) -> Floats:
        return np.asarray((wide @ (wide.T @ vector) + vector.sum()) / 2)

    if not count:
        return np.zeros(0)
    return _stationary(similar, np.full(count, float(count)))


def _stationary(
    similar: Callable[[Floats], Floats], sizes: Floats, spread: Callable[[Floats], Floats] | None = None
) -> Floats:
    """The walk's stationary distribution: `similar` multiplies by the cosines, `sizes` are those of the groups."""
    degree = similar(np.ones(len(sizes)))
    vector = 1.0 / sizes
    for _ in range(_ROUNDS):
        passed = similar(np.divide(vector, degree, out=np.zeros(len(sizes)), where=degree > 0))
        following = (1 - DAMPING) / sizes + DAMPING * passed
        following = spread(following) if spread else following
        moved = float(np.abs(following - vector).max())
        vector = following
        if moved < _CLOSE_ENOUGH:
            break
    return vector
