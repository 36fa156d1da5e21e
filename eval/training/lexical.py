"""BM25 over a handful of passages: the next best passage of a document is the negative that teaches."""

from collections.abc import Sequence

import bm25s
import numpy as np

from policy_rag.index.search.terms import terms


class Passages:
    """A few passages that are searched by words (BM25, Lucene's form, k1 1.2, b 0.75)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = tuple(texts)
        words = [terms(text) or ["\0"] for text in self.texts]
        self._index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        self._index.index(words, show_progress=False)

    def best(self, question: str, count: int) -> list[int]:
        """Positions of the best passages, best first; fewer where there are fewer.

        >>> Passages(["leave is paid", "travel by train", "rooms are booked"]).best("Is my leave paid?", 1)
        [0]
        """
        scores = self._index.get_scores(terms(question) or ["\0"])
        return [int(place) for place in np.argsort(-scores, kind="stable")[:count]]
