"""An HNSW graph over vectors that also stand in a flat index, its recall measured when it is built.

HNSW: Malkov and Yashunin 2018, as FAISS implements it. A graph cannot forget: what is deleted is passed over by the
search, and the graph is built anew when a fifth of it is dead.
"""

import json
from collections.abc import Sequence
from typing import Any

import faiss as _untyped_faiss
import numpy as np
from numpy.typing import NDArray

faiss: Any = _untyped_faiss  # its stubs lack selectors and parameters
_NEIGHBOURS = 32
_BUILD_EFFORT = 80
_SEARCH_EFFORT = 128
_SAMPLE = 200
_DEPTH = 10
_MOST_DEAD = 0.2


def allowed_bits(numbers: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """A bit for each number below `size`, lowest bit first, set where it is allowed.

    >>> allowed_bits(np.array([0, 9]), 12).tolist()
    [1, 2]
    """
    mask = np.zeros(size, dtype=np.bool_)
    mask[numbers] = True
    return np.packbits(mask, bitorder="little")


class Graph:
    """Make it with `build`.

    Args:
        index: a `faiss.IndexIDMap2` over HNSW.
        recall: recall@10 against the flat index, 0 to 1.
        dead: numbers that were deleted since it was built.
    """

    def __init__(self, index: Any, recall: float, dead: set[int]) -> None:
        self._index = index
        self.recall = recall
        self._dead = dead

    @classmethod
    def build(cls, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> "Graph":
        """Builds the graph and measures it with up to 200 of its vectors, spread evenly, as questions."""
        hnsw = faiss.IndexHNSWFlat(vectors.shape[1], _NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
        hnsw.hnsw.efConstruction = _BUILD_EFFORT
        index = faiss.IndexIDMap2(hnsw)
        index.add_with_ids(np.ascontiguousarray(vectors), numbers)
        graph = cls(index, 0.0, set())
        step = max(1, len(vectors) // _SAMPLE)
        questions = np.ascontiguousarray(vectors[::step][:_SAMPLE])
        depth = min(_DEPTH, len(vectors))
        _, exact = flat.search(questions, depth)
        _, found = graph.search(questions, depth, allowed_bits(numbers, int(numbers.max()) + 1))
        shared = sum(len(np.intersect1d(a, b)) for a, b in zip(exact, found, strict=True))
        graph.recall = shared / exact.size
        return graph

    @property
    def worn(self) -> bool:
        """Whether so much of it is dead that it had better be built anew."""
        return len(self._dead) > _MOST_DEAD * int(self._index.ntotal)

    def add(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64]) -> None:
        """Adds vectors under numbers that it has never had."""
        self._index.add_with_ids(vectors, numbers)

    def remove(self, numbers: Sequence[int]) -> None:
        """Counts these as dead; a search is not to allow them."""
        self._dead.update(numbers)

    def search(
        self, queries: NDArray[np.float32], n: int, allowed: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The nearest that are allowed: cosines and numbers, `(queries, n)`, -1 where there are fewer.

        Args:
            queries: `(queries, dimension)`, norm 1.
            n: at least 1.
            allowed: from `allowed_bits`; what is dead is not among them.
        """
        selector = faiss.IDSelectorBitmap(allowed)
        params = faiss.SearchParametersHNSW(efSearch=max(_SEARCH_EFFORT, 2 * n), sel=selector)
        scores, numbers = self._index.search(queries, n, params=params)
        return scores, numbers

    def to_bytes(self) -> bytes:
        """The graph with its recall and its dead, to be kept."""
        head = json.dumps({"recall": self.recall, "dead": sorted(self._dead)}).encode()
        return len(head).to_bytes(8, "little") + head + bytes(faiss.serialize_index(self._index))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Graph":
        """What `to_bytes` gave."""
        size = int.from_bytes(data[:8], "little")
        said = json.loads(data[8 : 8 + size])
        index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8, offset=8 + size).copy())
        return cls(index, float(said["recall"]), set(said["dead"]))
