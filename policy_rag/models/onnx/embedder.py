"""The same embedding models through ONNX Runtime, in float32 or in 8-bit integers."""

import logging
import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.embedder import NO_INSTRUCTIONS, HuggingFaceEmbedder, Instructions
from policy_rag.models.onnx.export import GraphKind
from policy_rag.models.onnx.session import batches, pad_id, padded, reading_tokenizer, session_for

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
        self.int8 = int8
        self._or_torch = or_torch and not int8
        self._cache = cache

    def _unload(self) -> None:
        super()._unload()
        self._session: Any = None
        self._gave_way = False
        self._reader: Any = None
        self._loading = threading.Lock()

    @property
    def fingerprint(self) -> str:
        """That of the model in float32; another one with int8, since its rows differ."""
        same = super().fingerprint
        return sha256(f"{same} int8".encode()).hexdigest() if self.int8 else same

    def _rows(self, texts: Sequence[str], progress: Callable[[int], None] | None = None) -> "NDArray[np.float32]":
        """The rows of texts as the model reads them.

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
        if session is None:
            return super()._rows(texts, progress)
        encoded, pad = self._tokens(distinct), pad_id(self.folder)
        for batch in batches([len(encoding.ids) for encoding in encoded]):
            found = self._unit_rows(session.run(padded(session, [encoded[i] for i in batch], pad))[0])
            for i, row in zip(batch, found, strict=True):
                rows[places[distinct[i]]] = row
            if progress is not None:
                progress(sum(len(places[distinct[i]]) for i in batch))
        return rows

    def _loaded(self) -> Any:
        """The session; None where PyTorch takes its place."""
        with self._loading:
            if self._session is None and not self._gave_way:
                try:
                    self._session = self._load_session()
                except ModelError as error:
                    if not self._or_torch:
                        raise
                    self._gave_way = True
                    _log.warning("%s runs on PyTorch, which is slower: %s", self.name, error)
            return self._session

    def _load_session(self) -> Any:
        same = super().fingerprint
        return session_for(self.name, self.folder, same, self._cache, kind=GraphKind.EMBEDDING, int8=self.int8)

    def _tokens(self, texts: list[str]) -> list[Any]:
        with self._loading:
            if self._reader is None:
                self._reader = reading_tokenizer(self.folder, self.max_tokens)
        return list(self._reader.encode_batch_fast(texts))
