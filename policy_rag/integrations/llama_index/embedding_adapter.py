"""Any embedding model of LlamaIndex where one of ours gives the rows of texts."""

from collections.abc import Sequence

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray


class LlamaIndexEmbedder:
    """An embedding model of LlamaIndex behind `embed`.

    Args:
        model: the model.
    """

    def __init__(self, model: BaseEmbedding) -> None:
        self._model = model

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of length 1, `(len(texts), dimension)`, in the order of `texts`, of which there is at least one."""
        return unit_rows(np.array(self._model.get_text_embedding_batch(list(texts)), dtype=np.float32))


def unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays one."""
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.ascontiguousarray(matrix / np.where(norms > 0, norms, 1), dtype=np.float32)
