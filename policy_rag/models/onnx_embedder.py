"""The same embedding models through ONNX Runtime, in float32 or in 8-bit integers."""

import json
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.embeddings import HuggingFaceEmbedder
from policy_rag.models.onnx_export import INPUTS, MISSING, graph_file

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TOKENS_AT_ONCE = 2048  # padding included: a batch then stays in the processor's cache
_TEXTS_AT_ONCE = 64


class OnnxEmbedder(HuggingFaceEmbedder):
    """An embedding model in a folder, run by ONNX Runtime. Graphs are made and loaded when they are first needed.

    In float32 its rows are those of PyTorch but for rounding; with int8 they are near them. A text has the same row
    whatever is embedded with it.
    """

    def __init__(
        self, name: str, folder: Path, *, cache: Path, int8: bool = False, query_instruction: str = ""
    ) -> None:
        """Describe the model in `folder`; its graphs are kept under `cache`."""
        super().__init__(name, folder, query_instruction=query_instruction)
        self.int8 = int8
        self._cache = cache
        self._session: Any = None
        self._reader: Any = None
        self._loading = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """That of the model in float32; another one with int8, since its rows differ."""
        same = super().fingerprint
        return sha256(f"{same} int8".encode()).hexdigest() if self.int8 else same

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> "NDArray[np.float32]":
        """Rows of length 1 in the order of `texts`, `(len(texts), dimension)`; equal texts give equal rows.

        Raises:
            ModelError: the graph cannot be made or loaded, or gives rows that are not finite.
        """
        import numpy as np

        places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            places.setdefault(text, []).append(place)
        distinct = list(places)
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not distinct:
            return rows
        session = self._loaded()
        encoded, pad = self._tokens(distinct), self._pad_id()
        for batch in batches([len(ids) for ids in encoded]):
            width = len(encoded[batch[0]])
            ids = np.full((len(batch), width), pad, dtype=np.int64)
            mask = np.zeros((len(batch), width), dtype=np.int64)
            for row, i in enumerate(batch):
                ids[row, : len(encoded[i])] = encoded[i]
                mask[row, : len(encoded[i])] = 1
            found = self._unit_rows(session.run(None, dict(zip(INPUTS, (ids, mask), strict=True)))[0])
            for i, row in zip(batch, found, strict=True):
                rows[places[distinct[i]]] = row
            if progress is not None:
                progress(sum(len(places[distinct[i]]) for i in batch))
        return rows

    def _loaded(self) -> Any:
        with self._loading:
            if self._session is None:
                self._session = self._load_session()
            return self._session

    def _load_session(self) -> Any:
        try:
            import onnxruntime
        except ImportError as error:
            raise ModelError(MISSING) from error
        file = graph_file(self.folder, super().fingerprint, self._cache, int8=self.int8)
        options = onnxruntime.SessionOptions()
        # Threads that wait do not spin: that would take the processor from whatever else runs on it.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            return onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's errors have no common base
            reason = " ".join(str(error).split())[:200]
            raise ModelError(
                f"the ONNX graph {file} cannot be loaded ({reason}): remove its folder, it is then made again"
            ) from error

    def _tokens(self, texts: list[str]) -> list[list[int]]:
        with self._loading:
            if self._reader is None:
                self._reader = _reading_tokenizer(self.folder, self.max_tokens)
        return [encoding.ids for encoding in self._reader.encode_batch_fast(texts)]

    def _pad_id(self) -> int:
        found = json.loads((self.folder / "config.json").read_text("utf-8")).get("pad_token_id")
        return found if isinstance(found, int) else 0


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """Positions put together by length, longest first, each batch padded to its first.

    A batch has at most 64 texts and 2,048 tokens with its padding, or is one text. Equal lengths keep their order.

    >>> batches([3, 1500, 4, 1000])
    [[1], [3, 2], [0]]
    """
    made: list[list[int]] = []
    batch: list[int] = []
    for i in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        width = lengths[batch[0]] if batch else 0
        if batch and (len(batch) == _TEXTS_AT_ONCE or (len(batch) + 1) * width > _TOKENS_AT_ONCE):
            made.append(batch)
            batch = []
        batch.append(i)
    return [*made, batch] if batch else made


def _reading_tokenizer(folder: Path, max_tokens: int) -> Any:
    """The model's tokenizer, which cuts what it does not read; padding is done by the caller."""
    from policy_rag.models.embeddings import counting_tokenizer

    tokenizer = counting_tokenizer(folder)
    tokenizer.enable_truncation(max_tokens)
    return tokenizer
