"""What two searches found for one question, and a ranking of it."""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Candidates:
    """The passages that at least one search listed, in order of `rows`; all arrays are `(n,)`.

    Attributes:
        rows: passage rows, rising, distinct.
        vector: cosine of the question and the passage's best chunk, also where the vector search did not list it.
        keyword: keyword score, also where the keyword search did not list it; 0 where no term is found.
        centred: the same with three tenths of the mean vector taken from the question, which lowers what is like
            everything else.
        asked: sum of the idf of the question's words that the index knows; what `keyword` could be at best.
        vector_rank: rank from 1 in the vector search's list, 0 where it is not listed.
        keyword_rank: the same for the keyword search.
        chunks: row of the best chunk.
    """

    rows: NDArray[np.int64]
    vector: NDArray[np.float32]
    keyword: NDArray[np.float32]
    centred: NDArray[np.float32]
    asked: float
    vector_rank: NDArray[np.int64]
    keyword_rank: NDArray[np.int64]
    chunks: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Positions in `Candidates`, best first, with falling scores; both `(m,)`."""

    order: NDArray[np.int64]
    scores: NDArray[np.float64]

    @classmethod
    def of(cls, scores: NDArray[np.floating], listed: NDArray[np.bool_]) -> Self:
        """The listed positions by falling score; equal scores keep the order of the candidates."""
        positions = np.flatnonzero(listed)
        order = positions[np.argsort(-scores[positions].astype(np.float64), kind="stable")]
        return cls(order.astype(np.int64), scores[order].astype(np.float64))
