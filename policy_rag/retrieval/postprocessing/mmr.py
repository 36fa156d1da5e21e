"""Maximal marginal relevance: hits that are relevant and do not repeat each other.

`value(d) = t * relevance(d) - (1 - t) * max over the chosen s of cosine(d, s)`, taken greedily (Carbonell and
Goldstein, SIGIR 1998). `relevance` is the score, scaled so that the list's best has 1 and its last 0: only then does
it compare with a cosine.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def marginal_relevance(
    scores: Sequence[float], vectors: NDArray[np.float32], *, trade: float, n: int
) -> list[tuple[int, float]]:
    """The `n` positions chosen, in the order of choice, each with its value; values never rise.

    The scores fall; vectors are `(len(scores), dimension)`, of norm 1; `trade` is `t`, of which 1 keeps the order.

    >>> same, other = [1.0, 0.0], [0.0, 1.0]
    >>> chosen = marginal_relevance([9, 8, 1], np.array([same, same, other], dtype=np.float32), trade=0.5, n=2)
    >>> [position for position, _ in chosen]
    [0, 2]
    """
    if not len(scores):
        return []
    raw = np.asarray(scores, dtype=np.float64)
    spread = raw[0] - raw[-1]
    relevance = (raw - raw[-1]) / spread if spread > 0 else np.ones(len(raw))
    # A text unlike all others is no gain over an unrelated one: cosines below 0 count as 0.
    nearest = np.zeros(len(raw))
    left = np.ones(len(raw), dtype=np.bool_)
    chosen: list[tuple[int, float]] = []
    for _ in range(min(n, len(raw))):
        values = np.where(left, trade * relevance - (1 - trade) * nearest, -np.inf)
        best = int(np.argmax(values))
        chosen.append((best, float(values[best])))
        left[best] = False
        nearest = np.maximum(nearest, (vectors @ vectors[best]).astype(np.float64))
    return chosen
