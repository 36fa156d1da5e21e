"""A folder's model as ONNX Runtime runs it: graph, session and tokenizer, made when they are first needed."""

import json
import logging
import threading
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.embedder import tokenizer_of
from policy_rag.models.folders import fingerprint
from policy_rag.models.onnx.batches import batches
from policy_rag.models.onnx.graph_export import GraphKind, graph_file
from policy_rag.models.onnx.inference import InferenceSession
from policy_rag.models.onnx.runtime import onnx_runtime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)


class FolderGraph:
    """Runs the model of a folder. Safe for many threads; copies and pickles carry the description alone.

    Args:
        name: of the model, as messages call it.
        folder: holds the model.
        cache: where graphs are kept.
        kind: what the model is.
        int8: whether products of matrices are done in 8-bit integers.
        or_torch: PyTorch takes its place where the graph cannot be made or loaded here, in float32 only, where both
            agree; the log then says so once.
    """

    def __init__(
        self, name: str, folder: Path, *, cache: Path, kind: GraphKind, int8: bool = False, or_torch: bool = False
    ) -> None:
        self.name, self.folder = name, folder
        self.kind, self.int8 = kind, int8
        self._cache = cache
        self._or_torch = or_torch and not int8
        self._unload()

    def _unload(self) -> None:
        self._lock = threading.Lock()
        self._session: InferenceSession | None = None
        self._reader: Any = None
        self._pad = 0
        self._gave_way = False

    def runs(self) -> bool:
        """Whether ONNX Runtime runs the model; False where PyTorch takes its place.

        Raises:
            ModelError: the graph cannot be made or loaded, and PyTorch may not take its place.
        """
        with self._lock:
            if self._session is None and not self._gave_way:
                try:
                    self._session = self._loaded()
                except ModelError as error:
                    if not self._or_torch:
                        raise
                    self._gave_way = True
                    _log.warning("%s runs on PyTorch, which is slower: %s", self.name, error)
            return not self._gave_way

    def _loaded(self) -> InferenceSession:
        try:
            onnx_runtime()
        except ImportError as error:
            raise ModelError(self.kind.missing) from error
        graph = graph_file(self.folder, fingerprint(self.folder), self._cache, kind=self.kind, int8=self.int8)
        try:
            stat = graph.stat()
            return _session(str(graph), stat.st_size, stat.st_mtime_ns)
        except Exception as error:  # the runtime's errors have no common base
            reason = " ".join(str(error).split())[:200]
            raise ModelError(
                f"the ONNX graph {graph} cannot be loaded ({reason}): remove its folder, it is then made again"
            ) from error

    def rows(
        self, texts: Sequence[str] | Sequence[tuple[str, str]], max_tokens: int
    ) -> Iterator[tuple[list[int], "NDArray[np.float32]"]]:
        """What the graph gives, batch by batch, for texts or for pairs of them; only where it `runs`.

        Args:
            texts: in any order.
            max_tokens: of a text, or of both of a pair, that are read.

        Yields:
            Positions in `texts`, and a row for each.
        """
        with self._lock:
            if self._reader is None:
                said = json.loads((self.folder / "config.json").read_text("utf-8")).get("pad_token_id")
                self._pad = said if isinstance(said, int) else 0
                self._reader = tokenizer_of(self.folder, max_tokens)
            session = self._session
        if session is None:
            raise ModelError(f"{self.name} is not loaded: ask whether it runs first")
        encoded = self._encoded(texts)
        together = batches([len(encoding.ids) for encoding in encoded])
        found = session.run_all(together, lambda batch: _padded(session, [encoded[i] for i in batch], self._pad))
        for batch, (rows,) in zip(together, found, strict=True):
            yield batch, rows

    def _encoded(self, texts: Sequence[Any]) -> list[Any]:
        """Texts, or pairs of them, as the tokenizer has them. What stands in many pairs is tokenized once.

        Where both texts of a pair are longer than all that is read, the cut may differ by a token from the tokenizer's.
        """
        if self.kind is GraphKind.EMBEDDING:
            alone: list[Any] = self._reader.encode_batch_fast(list(texts))
            return alone
        each = list(dict.fromkeys(text for pair in texts for text in pair))
        parts = dict(zip(each, self._reader.encode_batch_fast(each, add_special_tokens=False), strict=True))
        return [self._reader.post_process(parts[first], parts[second]) for first, second in texts]

    def __getstate__(self) -> dict[str, Any]:
        own = ("_lock", "_session", "_reader", "_pad", "_gave_way")
        return {name: value for name, value in vars(self).items() if name not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._unload()


@lru_cache(maxsize=3)
def _session(graph: str, size: int, mtime_ns: int) -> InferenceSession:  # noqa: ARG001 - they are the cache's key
    """A graph as it is in memory: for all indexes that a process opens, at once or one after another."""
    return InferenceSession(graph)


def _padded(session: InferenceSession, encodings: Sequence[Any], pad: int) -> dict[str, "NDArray[np.int64]"]:
    """What the graph asks for of these encodings of the `tokenizers` library, the longest first."""
    import numpy as np

    shape = (len(encodings), len(encodings[0].ids))
    made = {name: np.zeros(shape, dtype=np.int64) for name in ("attention_mask", "token_type_ids")}
    made["input_ids"] = np.full(shape, pad, dtype=np.int64)
    for row, encoding in enumerate(encodings):
        n = len(encoding.ids)
        made["input_ids"][row, :n] = encoding.ids
        made["attention_mask"][row, :n] = 1
        made["token_type_ids"][row, :n] = encoding.type_ids
    return {name: made[name] for name in session.inputs}
