"""The seam of the keyword search: what scores the passages of a snapshot by the words of a question."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class KeywordSearch(Protocol):
    """BM25 over the terms of `terms.terms`; text `i` is passage `i` of the derived files.

    A score counts each term of a question once, over all passages, whoever may read them: who asks only decides which
    of them are listed.
    """

    def scores(self, terms: Sequence[str], *, pair_weight: float) -> NDArray[np.float32]:
        """The score of every passage for a question's terms in their order, `(passages,)`; 0 where no term is found.

        Args:
            terms: stems, as `terms.terms` gives them.
            pair_weight: how much neighbouring terms count that a passage has side by side too; 0 for not at all.
        """
        ...

    def weight(self, terms: Sequence[str]) -> float:
        """The sum of the idf of the distinct terms that are in any passage: what a question could score at best."""
        ...

    def idf(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Inverse document frequency of each term, `(len(terms),)`; an unknown one has that of a term in no passage."""
        ...
