"""Embedding models: texts to rows of float32 of length 1, through LlamaIndex's `HuggingFaceEmbedding`."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from policy_rag.errors import ModelError
from policy_rag.models.folder_model import FolderModel
from policy_rag.models.folders import modules, quiet_loading

if TYPE_CHECKING:
    import numpy as np
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from numpy.typing import NDArray

DEFAULT_EMBEDDING = "all-MiniLM-L6-v2"
_QUERIES_KEPT = 1024
_PLAIN_MODULES = ("Transformer", "Pooling", "Normalize")


@dataclass(frozen=True, slots=True)
class Instructions:
    """What a model was trained to read before a question, and before a text that may answer it."""

    query: str = ""
    text: str = ""


NO_INSTRUCTIONS = Instructions()


class Embedder(Protocol):
    """What the index and the vector search need of an embedding model.

    Attributes:
        name: as it was asked for.
        fingerprint: sha256 over weights, tokenizer and configuration; two embedders with the same one agree.
        dimension: numbers in a row, at least 1.
        max_tokens: most tokens of a text that are read, the special ones among them; the rest is cut.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def fingerprint(self) -> str: ...  # noqa: D102
    @property
    def dimension(self) -> int: ...  # noqa: D102
    @property
    def max_tokens(self) -> int: ...  # noqa: D102

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Rows of length 1, `(len(texts), dimension)`, in the order of `texts`; equal texts give equal rows."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """The same for questions: with the model's query instruction, where it has one."""
        ...

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text without the special ones, however long it is."""
        ...


class HuggingFaceEmbedder(FolderModel["BaseEmbedding"]):
    """An embedding model in a folder. Weights are loaded when the first text is embedded, not before.

    Identity, dimension, limit and token counts come from the model's files, so that an index is opened and searched
    by keyword without loading PyTorch.
    """

    role, option = "embedding model", "--embedding"

    def __init__(
        self,
        name: str,
        folder: Path,
        *,
        instructions: Instructions = NO_INSTRUCTIONS,
        batch_size: int = 32,
    ) -> None:
        """Describe the model in `folder`; `instructions` are put before each question and each text."""
        super().__init__(name, folder)
        self.instructions = instructions
        self._batch_size = batch_size

    def _unload(self) -> None:
        super()._unload()
        self._tokenizer: Any = None
        self._queries: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def dimension(self) -> int:
        """Numbers in a row."""
        parts = modules(self.folder)
        pooling = [part["path"] for part in parts if part["type"].endswith(".Pooling")]
        if len(pooling) == 1 and all(part["type"].rpartition(".")[2] in _PLAIN_MODULES for part in parts):
            size = _read_json(self.folder / pooling[0] / "config.json").get("word_embedding_dimension")
            if isinstance(size, int):
                return size
        return int(self._sentence_transformer().get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        """Most tokens of a text that are read, the special ones among them (256 for all-MiniLM-L6-v2)."""
        limit = _read_json(self.folder / "sentence_bert_config.json").get("max_seq_length")
        return limit if isinstance(limit, int) else int(self._sentence_transformer().max_seq_length)

    def _load(self) -> "BaseEmbedding":
        from llama_index.embeddings.huggingface import HuggingFaceEmbedding

        return HuggingFaceEmbedding(
            str(self.folder),
            query_instruction=self.instructions.query or None,
            text_instruction=self.instructions.text or None,
            embed_batch_size=self._batch_size,
            cache_folder=str(self.folder),
            local_files_only=True,
        )

    def _sentence_transformer(self) -> Any:
        return self.llama_index._model  # type: ignore[attr-defined]  # noqa: SLF001 - LlamaIndex shows it nowhere else

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Rows of length 1 in the order of `texts`, `(len(texts), dimension)`.

        Equal texts are embedded once and give equal rows. Texts run through the model longest first, so that a batch
        pads little and memory is at its worst at once.

        Raises:
            ModelError: the model cannot be loaded, or gives rows that are not finite.
        """
        before = self.instructions.text
        return self._rows([before + text for text in texts] if before else texts)

    def _rows(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """The rows of texts as the model reads them, with what stands before them."""
        import numpy as np

        places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            places.setdefault(text, []).append(place)
        distinct = list(places)
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for batch, found in self._encoded(distinct) if distinct else ():
            for i, row in zip(batch, self._unit_rows(found), strict=True):
                rows[places[distinct[i]]] = row
        return rows

    def embed_queries(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Rows of length 1 for questions, in order, `(len(texts), dimension)`; the latest ones are remembered."""
        import numpy as np

        with self._lock:
            known = {text: self._queries[text] for text in texts if text in self._queries}
        fresh = list(dict.fromkeys(text for text in texts if text not in known))
        known |= zip(fresh, self._rows([self.instructions.query + text for text in fresh]), strict=True)
        with self._lock:
            for text in texts:
                self._queries[text] = known[text]
                self._queries.move_to_end(text)
            while len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        return np.stack([known[text] for text in texts]) if texts else self._rows([])

    def _encoded(self, texts: Sequence[str]) -> "Iterator[tuple[Sequence[int], NDArray[np.float32]]]":
        """Positions in `texts`, which are distinct, with what the model gives for each, batch by batch."""
        longest_first = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for first in range(0, len(texts), self._batch_size):
            batch = longest_first[first : first + self._batch_size]
            # LlamaIndex's own call puts the instruction for texts before questions too.
            yield (
                batch,
                self._sentence_transformer().encode(
                    [texts[i] for i in batch], batch_size=self._batch_size, prompt="", show_progress_bar=False
                ),
            )

    def _unit_rows(self, rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
        import numpy as np

        array = np.asarray(rows, dtype=np.float32)
        norms = np.linalg.norm(array, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise ModelError(
                f"embedding model {self.name} gives rows that are not numbers or all zero: use another one"
            )
        return np.asarray(array / norms, dtype=np.float32)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text without the special ones, however long it is; in order."""
        if not texts:
            return []
        with self._lock:
            if self._tokenizer is None:
                self._tokenizer = tokenizer_of(self.folder)
        return [len(encoded) for encoded in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


def _read_json(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def tokenizer_of(folder: Path, most: int | None = None) -> Any:
    """The tokenizer of the model in `folder`, without padding, which cuts at `most` tokens; by default it cuts nothing.

    A copy of our own: the model's truncates, and warns of texts longer than its limit. Of a pair the longer text is cut
    first. It is shared by all who ask for the same.
    """
    file = folder / "tokenizer.json"
    if not file.is_file():
        return _made_tokenizer(folder, most)
    stat = file.stat()
    return _kept_tokenizer(folder, most, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=4)
def _kept_tokenizer(folder: Path, most: int | None, size: int, mtime_ns: int) -> Any:  # noqa: ARG001 - the cache's key
    return _made_tokenizer(folder, most)


def _made_tokenizer(folder: Path, most: int | None) -> Any:
    from tokenizers import Tokenizer

    file = folder / "tokenizer.json"
    if file.is_file():
        tokenizer = Tokenizer.from_file(str(file))
    else:
        with quiet_loading():
            from transformers import AutoTokenizer

            slow = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        tokenizer = Tokenizer.from_str(slow.backend_tokenizer.to_str())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if most is not None:
        tokenizer.enable_truncation(most)
    return tokenizer
