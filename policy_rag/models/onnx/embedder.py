"""The same embedding models through ONNX Runtime, in float32 or in 8-bit integers."""

import logging
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import ModelError
from policy_rag.models.embedder import NO_INSTRUCTIONS, HuggingFaceEmbedder, Instructions
from policy_rag.models.onnx.folder_graph import FolderGraph
from policy_rag.models.onnx.graph_export import GraphKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)


class OnnxEmbedder(HuggingFaceEmbedder):
    """An embedding model in a folder, run by ONNX Runtime. Graphs are made and loaded when they are first needed.

    In float32 its rows are those of PyTorch but for rounding; with int8 they are near them. A text has the same row
    whatever is embedded with it.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        cache: Path,
        int8: bool = False,
        or_torch: bool = False,
        instructions: Instructions = NO_INSTRUCTIONS,
        batch_size: int = 32,
    ) -> None:
        """Describe the model in `folder`; its graphs are kept under `cache`.

        With `or_torch` a model that cannot be run by ONNX Runtime here is run by PyTorch, `batch_size` texts at once,
        and the log says so; in float32 only, where the rows agree.
        """
        super().__init__(name, folder, instructions=instructions, batch_size=batch_size)
        self._cache = cache
        self._graph = FolderGraph(name, folder, cache=cache, kind=GraphKind.EMBEDDING, int8=int8, or_torch=or_torch)

    @property
    def fingerprint(self) -> str:
        """That of the model in float32; another one with int8, since its rows differ."""
        same = super().fingerprint
        return sha256(f"{same} int8".encode()).hexdigest() if self._graph.int8 else same

    def in_int8(self) -> "OnnxEmbedder":
        """The same model in 8-bit integers, which takes half the time; itself where that cannot be had here.

        Its rows compare with each other, and nearly with those of float32; see `fingerprint`.
        """
        try:
            if self._graph.int8 or not self._graph.runs():
                return self
            made = OnnxEmbedder(self.name, self.folder, cache=self._cache, int8=True, instructions=self.instructions)
            made._graph.runs()
        except ModelError as error:
            _log.info("%s stays in float32: %s", self.name, error)
            return self
        return made

    def _encoded(self, texts: Sequence[str]) -> "Iterator[tuple[Sequence[int], NDArray[np.float32]]]":
        return self._graph.rows(texts, self.max_tokens) if self._graph.runs() else super()._encoded(texts)
