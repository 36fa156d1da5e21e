"""Approximate indexes over vectors that also stand in a flat one, their recall measured when they are built.

HNSW (Malkov and Yashunin 2018): a graph. It is the faster of the two on many vectors, and cannot forget: what is
deleted is passed over by the search, and the graph is built anew when a fifth of it is dead.

IVF (Jégou, Douze and Schmid 2011): vectors in cells round centres that k-means finds, of which a search opens the
nearest. It is built faster, is smaller, and forgets at once. How many cells are opened is chosen when it is built: as
few as give the recall wanted.
"""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, ClassVar, Self

import faiss as _untyped_faiss
import numpy as np
from numpy.typing import NDArray

faiss: Any = _untyped_faiss  # its stubs lack selectors and parameters
_SAMPLE = 200
_DEPTH = 10


class Approximation(StrEnum):
    """The kinds of approximate index."""

    HNSW = "hnsw"
    IVF = "ivf"


def allowed_bits(numbers: NDArray[np.int64], size: int) -> NDArray[np.uint8]:
    """A bit for each number below `size`, lowest bit first, set where it is allowed.

    >>> allowed_bits(np.array([0, 9]), 12).tolist()
    [1, 2]
    """
    mask = np.zeros(size, dtype=np.bool_)
    mask[numbers] = True
    return np.packbits(mask, bitorder="little")


class Approximate(ABC):
    """An approximate index. Make it with `build`.

    Attributes:
        kind: which one it is.
        recall: recall@10 against the flat index, 0 to 1, of the vectors that it was built with.
    """

    kind: ClassVar[Approximation]

    def __init__(self, index: Any, recall: float = 0.0) -> None:
        """Hold a FAISS index whose numbers are the flat one's."""
        self._index = index
        self.recall = recall

    @classmethod
    @abstractmethod
    def build(cls, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> Self:
        """Builds it and measures it against `flat` with up to 200 of its vectors, spread evenly, as questions."""

    @property
    @abstractmethod
    def worn(self) -> bool:
        """Whether so much was deleted or added that it had better be built anew."""

    @abstractmethod
    def remove(self, numbers: Sequence[int]) -> None:
        """Takes these out; a search is not to allow them."""

    @abstractmethod
    def _parameters(self, n: int, selector: Any) -> Any:
        """FAISS's search parameters."""

    @abstractmethod
    def _state(self) -> dict[str, Any]:
        """What besides the index and its recall is to be kept."""

    @abstractmethod
    def _restore(self, said: dict[str, Any]) -> None:
        """Takes back what `_state` gave."""

    def add(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64]) -> None:
        """Adds vectors under numbers that it has never had."""
        self._index.add_with_ids(vectors, numbers)

    def search(
        self, queries: NDArray[np.float32], n: int, allowed: NDArray[np.uint8]
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The nearest that are allowed: cosines and numbers, `(queries, n)`, -1 where there are fewer.

        Args:
            queries: `(queries, dimension)`, norm 1.
            n: at least 1.
            allowed: from `allowed_bits`; what was removed is not among them.
        """
        params = self._parameters(n, faiss.IDSelectorBitmap(allowed))
        scores, numbers = self._index.search(queries, n, params=params)
        return scores, numbers

    def measured(self, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> float:
        """Recall@10 against the flat index, 0 to 1."""
        step = max(1, len(vectors) // _SAMPLE)
        questions = np.ascontiguousarray(vectors[::step][:_SAMPLE])
        depth = min(_DEPTH, len(vectors))
        _, exact = flat.search(questions, depth)
        _, found = self.search(questions, depth, allowed_bits(numbers, int(numbers.max()) + 1))
        shared = sum(len(np.intersect1d(a, b)) for a, b in zip(exact, found, strict=True))
        return float(shared / exact.size)

    def to_bytes(self) -> bytes:
        """All of it, to be kept; `approximate_from_bytes` reads it."""
        head = json.dumps({"kind": self.kind, "recall": self.recall, **self._state()}).encode()
        return len(head).to_bytes(8, "little") + head + bytes(faiss.serialize_index(self._index))

    @classmethod
    def kept(cls, said: dict[str, Any], index: Any) -> Self:
        """From what was kept."""
        made = cls(index, float(said["recall"]))
        made._restore(said)
        return made


class Graph(Approximate):
    """An HNSW graph."""

    kind = Approximation.HNSW
    _NEIGHBOURS = 32
    _BUILD_EFFORT = 80
    _SEARCH_EFFORT = 128
    _MOST_DEAD = 0.2

    def __init__(self, index: Any, recall: float = 0.0) -> None:
        """Hold a `faiss.IndexIDMap2` over HNSW."""
        super().__init__(index, recall)
        self._dead: set[int] = set()

    @classmethod
    def build(cls, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> Self:  # noqa: D102
        hnsw = faiss.IndexHNSWFlat(vectors.shape[1], cls._NEIGHBOURS, faiss.METRIC_INNER_PRODUCT)
        hnsw.hnsw.efConstruction = cls._BUILD_EFFORT
        index = faiss.IndexIDMap2(hnsw)
        index.add_with_ids(np.ascontiguousarray(vectors), numbers)
        graph = cls(index)
        graph.recall = graph.measured(vectors, numbers, flat)
        return graph

    @property
    def worn(self) -> bool:  # noqa: D102
        return len(self._dead) > self._MOST_DEAD * int(self._index.ntotal)

    def remove(self, numbers: Sequence[int]) -> None:  # noqa: D102
        self._dead.update(numbers)

    def _parameters(self, n: int, selector: Any) -> Any:
        return faiss.SearchParametersHNSW(efSearch=max(self._SEARCH_EFFORT, 2 * n), sel=selector)

    def _state(self) -> dict[str, Any]:
        return {"dead": sorted(self._dead)}

    def _restore(self, said: dict[str, Any]) -> None:
        self._dead = set(said["dead"])


class Cells(Approximate):
    """An IVF index with whole vectors in its cells."""

    kind = Approximation.IVF
    _WANTED = 0.95
    _LEAST_PER_CELL = 39  # below it FAISS warns that k-means has too little to learn from
    _MOST_CHANGED = 0.5

    def __init__(self, index: Any, recall: float = 0.0) -> None:
        """Hold a `faiss.IndexIVFFlat`."""
        super().__init__(index, recall)
        self._opened = 1
        self._built_with = int(index.ntotal)

    @classmethod
    def build(cls, vectors: NDArray[np.float32], numbers: NDArray[np.int64], flat: Any) -> Self:  # noqa: D102
        count, dimension = vectors.shape
        cells = max(1, min(int(4 * math.sqrt(count)), count // cls._LEAST_PER_CELL))
        index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dimension), dimension, cells, faiss.METRIC_INNER_PRODUCT)
        rows = np.ascontiguousarray(vectors)
        index.train(rows)
        index.add_with_ids(rows, numbers)
        made = cls(index)
        while True:
            made.recall = made.measured(vectors, numbers, flat)
            if made.recall >= cls._WANTED or made._opened >= cells:
                return made
            made._opened = min(2 * made._opened, cells)

    @property
    def worn(self) -> bool:
        """Centres fit what they were learnt from; half as many again, or half gone, and they no longer do."""
        return abs(int(self._index.ntotal) - self._built_with) > self._MOST_CHANGED * self._built_with

    def remove(self, numbers: Sequence[int]) -> None:  # noqa: D102
        self._index.remove_ids(np.array(numbers, dtype=np.int64))

    def _parameters(self, n: int, selector: Any) -> Any:  # noqa: ARG002 - the graph's depends on it
        return faiss.SearchParametersIVF(nprobe=self._opened, sel=selector)

    def _state(self) -> dict[str, Any]:
        return {"opened": self._opened, "built_with": self._built_with}

    def _restore(self, said: dict[str, Any]) -> None:
        self._opened, self._built_with = int(said["opened"]), int(said["built_with"])


KINDS: dict[Approximation, type[Approximate]] = {Approximation.HNSW: Graph, Approximation.IVF: Cells}


def approximate_from_bytes(data: bytes) -> Approximate:
    """What `Approximate.to_bytes` gave.

    Raises:
        ValueError: it is something else.
        RuntimeError: FAISS cannot read it.
    """
    size = int.from_bytes(data[:8], "little")
    said = json.loads(data[8 : 8 + size])
    index = faiss.deserialize_index(np.frombuffer(data, dtype=np.uint8, offset=8 + size).copy())
    return KINDS[Approximation(said["kind"])].kept(said, index)
