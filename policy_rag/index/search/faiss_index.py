"""The vector search: inner product on normalised vectors, exact, filtered before the search."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.vector_search import AllowedRows

FILE = "vectors.faiss"


class VectorIndex:
    """A flat FAISS index; row `i` is chunk `i` of the derived files.

    Args:
        index: a `faiss.IndexFlatIP`.
    """

    def __init__(self, index: Any) -> None:
        self._index = index

    @classmethod
    def build(cls, vectors: NDArray[np.float32]) -> "VectorIndex":
        """From `(n, dimension)` rows of norm 1."""
        import faiss

        index = faiss.IndexFlatIP(vectors.shape[1])
        index.add(np.ascontiguousarray(vectors, dtype=np.float32))
        return cls(index)

    @classmethod
    def load(cls, folder: Path) -> "VectorIndex":
        """Memory-mapped from `folder`.

        Raises:
            RuntimeError: FAISS cannot read the file.
        """
        import faiss

        return cls(faiss.read_index(str(folder / FILE), faiss.IO_FLAG_MMAP_IFC))

    def save(self, folder: Path) -> None:
        """Writes the file; the caller renames the folder into place.

        Raises:
            OSError: the disk is full or cannot be written.
        """
        import faiss

        library: Any = faiss  # its stubs lack the writer
        # Through Python's own file: FAISS's does not say so when the last bytes find no room.
        with (folder / FILE).open("wb") as file:
            try:
                library.write_index(self._index, library.PyCallbackIOWriter(file.write))
            except RuntimeError as error:
                raise OSError(f"{FILE}: {error}") from error

    def __len__(self) -> int:
        return int(self._index.ntotal)

    def search(
        self,
        queries: NDArray[np.float32],
        n: int,
        allowed: AllowedRows | None,
        documents: Sequence[int] | None = None,  # noqa: ARG002 - the bitmap says it all
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """The `n` nearest rows of each query; see `vector_search.VectorSearch`.

        Returns:
            Cosines and rows, both `(q, n)`, falling; row -1 where there are fewer.
        """
        import faiss

        wrapped: Any = faiss  # its Python layer takes arrays and keywords that its generated signatures do not show
        params: Any = None
        if allowed is not None:
            if allowed.selector is None:
                allowed.selector = wrapped.SearchParameters(sel=wrapped.IDSelectorBitmap(allowed.bits))
            params = allowed.selector
        elif len(queries) == 1:
            # Without a selector FAISS shares one query out over all processors, which wait for each other: where others
            # use them too that takes ten times as long.
            params = wrapped.SearchParameters(sel=wrapped.IDSelectorAll())
        scores, rows = self._index.search(queries, n, params=params)
        return scores, rows

    def vectors(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The stored vectors of `rows`, `(len(rows), dimension)`."""
        return np.asarray(self._index.reconstruct_batch(np.ascontiguousarray(rows, dtype=np.int64)), dtype=np.float32)
