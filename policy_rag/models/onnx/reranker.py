"""The same rerankers through ONNX Runtime, in float32 or in 8-bit integers."""

from pathlib import Path
from typing import Any

from policy_rag.models.onnx.export import GraphKind
from policy_rag.models.onnx.session import batches, pad_id, padded, reading_tokenizer, session_for
from policy_rag.models.reranker import CrossEncoderReranker


class OnnxReranker(CrossEncoderReranker):
    """A cross-encoder in a folder, run by ONNX Runtime on the CPU. Its graph is made and loaded when first needed.

    In float32 its scores are those of PyTorch but for rounding; with int8 they are near them.
    """

    def __init__(self, name: str, folder: Path, *, cache: Path, int8: bool = False, max_tokens: int = 512) -> None:
        """Describe the model in `folder`; its graphs are kept under `cache`."""
        super().__init__(name, folder, max_tokens=max_tokens)
        self.int8 = int8
        self._cache = cache

    def _unload(self) -> None:
        super()._unload()
        self._session: Any = None
        self._reader: Any = None

    @property
    def fingerprint(self) -> str:
        """That of the model, with its precision behind it for int8, since its scores differ."""
        return f"{super().fingerprint}-int8" if self.int8 else super().fingerprint

    def _predict(self, pairs: list[tuple[str, str]]) -> Any:
        import numpy as np

        with self._lock:
            if self._session is None:
                self._session = session_for(
                    self.name, self.folder, super().fingerprint, self._cache, kind=GraphKind.RERANKER, int8=self.int8
                )
                self._reader = reading_tokenizer(self.folder, self._readable())
        encoded = self._reader.encode_batch(pairs)
        pad = pad_id(self.folder)
        scores: list[Any] = [None] * len(pairs)
        for batch in batches([len(encoding.ids) for encoding in encoded]):
            rows = self._session.run(padded(self._session, [encoded[i] for i in batch], pad))[0]
            for i, row in zip(batch, rows, strict=True):
                scores[i] = row
        found = np.asarray(scores)
        return found[:, 0] if found.ndim == 2 and found.shape[1] == 1 else found
