"""The keyword search: BM25 in each language that the index holds."""

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.terms import terms
from policy_rag.index.store.store import Snapshot


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
