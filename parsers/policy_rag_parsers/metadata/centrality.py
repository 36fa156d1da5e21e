"""How central each sentence is among the sentences of its group: continuous LexRank, for all groups at once.

Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization", JAIR 22 (2004): the
stationary distribution of a walk that goes from sentence to sentence in proportion to their cosine, and with
probability `1 - DAMPING` to any sentence of the group. The matrix of cosines `S = X X'` is never formed: `S v` is two
products with the sparse `X`, so that time and memory grow with the number of words.
"""

from collections.abc import Sequence

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
    from scipy.sparse import csr_array

    sizes = [len(group) for group in groups]
    sentences = [(of, sentence) for of, group in enumerate(groups) for sentence in group]
    if not sentences:
        return [np.zeros(0) for _ in groups]
    known: dict[tuple[int, str], int] = {}  # a group's terms are its own
    rows: list[int] = []
    columns: list[int] = []
    values: list[float] = []
    for row, (of, sentence) in enumerate(sentences):
        length = sum(weight * weight for weight in sentence.values()) ** 0.5
        for term, weight in sentence.items():
            rows.append(row)
            columns.append(known.setdefault((of, term), len(known)))
            values.append(weight / length)
    words = csr_array((values, (rows, columns)), shape=(len(sentences), len(known) + 1))
    group_of, size = np.repeat(np.arange(len(sizes)), sizes), np.repeat(np.asarray(sizes, np.float64), sizes)
    degree = words @ (words.T @ np.ones(len(sentences)))
    vector: Floats = 1.0 / size
    for _ in range(_ROUNDS):
        passed = words @ (words.T @ np.divide(vector, degree, out=np.zeros(len(sentences)), where=degree > 0))
        following = (1 - DAMPING) / size + DAMPING * passed
        # What a sentence without words cannot pass on is spread over its group.
        following += (1.0 - np.bincount(group_of, weights=following, minlength=len(sizes))[group_of]) / size
        moved = float(np.abs(following - vector).max())
        vector = following
        if moved < _CLOSE_ENOUGH:
            break
    return np.split(vector, np.cumsum(sizes)[:-1])
