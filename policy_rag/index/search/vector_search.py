"""The seam of the vector search: what finds the nearest chunks of a snapshot, wherever their vectors lie."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

EXACT_MOST = 100_000
"""Chunks up to which all that may be found are compared; where there are more a graph is asked, if there is one."""


class AllowedRows:
    """The rows that may be found, with what every search among them needs worked out once.

    Args:
        mask: `(rows,)`, True where a row may be found.

    Attributes:
        mask: the same.
        count: of the rows that may be found.
        bits: the mask as a bitmap, the lowest bit first, as FAISS takes it.
        selector: what FAISS made of the bitmap, once it has searched among these rows.
    """

    __slots__ = ("bits", "count", "mask", "selector")

    def __init__(self, mask: NDArray[np.bool_]) -> None:
        self.mask = mask
        self.count = int(np.count_nonzero(mask))
        self.bits = np.packbits(mask, bitorder="little")
        self.selector: Any = None


class VectorSearch(Protocol):
    """Inner product on vectors of norm 1; row `i` is chunk `i` of the derived files."""

    def search(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: AllowedRows | None,
        documents: Sequence[int] | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The `n` nearest rows of each query, of those that are allowed alone.

        Args:
            queries: `(q, dimension)`, norm 1.
            n: at least 1.
            allowed: the rows that may be found; None for all.
            documents: keys of the documents that hold all allowed rows, where a database is better told them.

        Returns:
            Cosines and rows, both `(q, n)`, falling; row -1 where there are fewer.
        """
        ...

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The stored vectors of `rows`, `(len(rows), dimension)`."""
        ...
