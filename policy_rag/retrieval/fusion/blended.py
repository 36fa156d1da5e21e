"""A reranker's scores together with those of the search that it reorders."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Scores = Sequence[float] | NDArray[np.float64]


def blended(reranker: Scores, search: Scores, share: float) -> NDArray[np.float64]:
    """Scores to order by, `(texts,)`, higher is better.

    With a share of 1 they are the reranker's own; with less, the weighted mean of both, each scaled to 0 to 1 among
    these texts (1 where all are equal).

    Args:
        reranker: its scores, one a text.
        search: the search's scores of the same texts.
        share: of the reranker, 0 to 1.

    >>> blended([3.0, 1.0, 2.0], [0.5, 0.9, 0.7], 1.0).tolist()
    [3.0, 1.0, 2.0]
    >>> blended([3.0, 1.0, 2.0], [0.5, 1.0, 0.75], 0.25).tolist()
    [0.25, 0.75, 0.5]
    """
    own = np.asarray(reranker, dtype=np.float64)
    return own if share == 1 else share * _scaled(own) + (1 - share) * _scaled(search)


def _scaled(scores: Scores) -> NDArray[np.float64]:
    array = np.asarray(scores, dtype=np.float64)
    spread = float(np.ptp(array)) if len(array) else 0.0
    return (array - array.min()) / spread if spread > 0 else np.ones_like(array)
