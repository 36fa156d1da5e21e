"""An HNSW graph over vectors that also stand in a flat index (Malkov and Yashunin 2018).

A graph cannot forget: what is deleted is passed over by the search, and the graph is built anew when a fifth of it is
dead. Its recall against the flat index is measured when it is built.
"""

import json
from collections.abc import Sequence
from typing import Any, Self

import faiss as _untyped_faiss
import numpy as np
from numpy.typing import NDArray

faiss: Any = _untyped_faiss  # its stubs lack selectors and parameters
_SAMPLE = 200
_DEPTH = 10
_NEIGHBOURS = 32
_BUILD_EFFORT = 80
_SEARCH_EFFORT = 128
_MOST_DEAD = 0.2


def allowed_bits(numbers: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """A bit for each number below `size`, lowest bit first, set where it is allowed.

    >>> allowed_bits(np.array([0, 9]), 12).tolist()
    [1, 2]
    """
    mask = np.zeros(size, dtype=np.bool_)
    mask[numbers] = True
    return np.packbits(mask, bitorder="little")


class HnswGraph:
    """A graph whose numbers are the flat index's. Make it with `build`.

    Attributes:
        recall: recall@10 against the flat index, 0 to 1, of the vectors that it was built with.
    """

    def __init__(self, index: Any, *, recall: float = 0.0, dead: Sequence[int] = ()) -> None:
        """Hold a `faiss.IndexIDMap2` over HNSW, of which some numbers are dead."""
        self._index = index
        self._dead = set(dead)
        self.recall = recall

    @classmethod
    def build(cls, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> Self:
        """Builds it and measures it against `flat` with up to 200 of its vectors, spread evenly, as questions."""
        hnsw = faiss.IndexHNSWFlat(vectors.shape[1], _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
        hnsw.hnsw.efConstruction = _BUILD_EFFORT
        graph = cls(faiss.IndexIDMap2(hnsw))
        graph.add(np.ascontiguousarray(vectors), numbers)
        questions = np.ascontiguousarray(vectors[:: max(1, len(vectors) // _SAMPLE)][:_SAMPLE])
        depth = min(_DEPTH, len(vectors))
        _, exact = flat.search(questions, depth)
        _, found = graph.search(questions, depth, allowed_bits(numbers, int(numbers.max()) + 1))
        graph.recall = float(sum(len(np.intersect1d(a, b)) for a, b in zip(exact, found, strict=True)) / exact.size)
        return graph

    @property
    def worn(self) -> bool:
        """Whether so much was deleted that it had better be built anew."""
        return len(self._dead) > _MOST_DEAD * int(self._index.ntotal)

    def add(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64]) -> None:
        """Adds vectors under numbers that it has never had."""
        self._index.add_with_ids(vectors, numbers)

    def remove(self, numbers: Sequence[int]) -> None:
        """Takes these out; a search is not to allow them."""
        self._dead.update(numbers)

    def search(
        self, queries: NDArray[np.float32], n: int, allowed: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The nearest that are allowed: cosines and numbers, `(queries, n)`, -1 where there are fewer.

        Args:
            queries: `(queries, dimension)`, norm 1.
            n: at least 1.
            allowed: from `allowed_bits`; what was removed is not among them.
        """
        selector = faiss.IDSelectorBitmap(allowed)
        params = faiss.SearchParametersHNSW(efSearch=max(_SEARCH_EFFORT, 2 * n), sel=selector)
        scores, numbers = self._index.search(queries, n, params=params)
        return scores, numbers

    def to_bytes(self) -> bytes:
        """All of it; `from_bytes` reads it."""
        head = json.dumps({"recall": self.recall, "dead": sorted(self._dead)}).encode()
        return len(head).to_bytes(8, "little") + head + bytes(faiss.serialize_index(self._index))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """What `to_bytes` gave.

        Raises:
            ValueError: it is something else.
            RuntimeError: FAISS cannot read it.
        """
        size = int.from_bytes(data[:8], "little")
        stored = json.loads(data[8 : 8 + size])
        index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8, offset=8 + size).copy())
        return cls(index, recall=float(stored["recall"]), dead=stored["dead"])
