"""The same rerankers through ONNX Runtime, in float32 or in 8-bit integers."""

from pathlib import Path
from typing import Any

from policy_rag.models.onnx.folder_graph import FolderGraph
from policy_rag.models.onnx.graph_export import GraphKind
from policy_rag.models.reranker import CrossEncoderReranker


class OnnxReranker(CrossEncoderReranker):
    """A cross-encoder in a folder, run by ONNX Runtime on the CPU. Its graph is made and loaded when first needed.

    In float32 its scores are those of PyTorch but for rounding; with int8 they are near them.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        cache: Path,
        int8: bool = False,
        or_torch: bool = False,
        batch_size: int = 16,
    ) -> None:
        """Describe the model in `folder`; its graphs are kept under `cache`.

        With `or_torch` a model that cannot be run by ONNX Runtime here is run by PyTorch, `batch_size` pairs at once,
        and the log says so; in float32 only, where the scores agree.
        """
        super().__init__(name, folder, batch_size=batch_size)
        self._graph = FolderGraph(name, folder, cache=cache, kind=GraphKind.RERANKER, int8=int8, or_torch=or_torch)

    @property
    def fingerprint(self) -> str:
        """That of the model, with its precision behind it for int8, since its scores differ."""
        return f"{super().fingerprint}-int8" if self._graph.int8 else super().fingerprint

    def _predict(self, pairs: list[tuple[str, str]]) -> Any:
        import numpy as np

        if not self._graph.runs():
            return super()._predict(pairs)
        scores: list[Any] = [None] * len(pairs)
        for batch, rows in self._graph.rows(pairs, self._readable()):
            for i, row in zip(batch, rows, strict=True):
                scores[i] = row
        found = np.asarray(scores)
        return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found
