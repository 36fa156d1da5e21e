"""A model as an ONNX graph, made from its own weights and kept in a cache folder."""

import contextlib
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.folders import quiet_loading, quiet_loggers
from policy_rag.models.onnx.first_token import keep_first_token

if TYPE_CHECKING:
    import torch

_log = logging.getLogger(__name__)

_LAYOUT = 4  # raised when graphs are made in another way: those in the cache are then made again
_GRAPH = "model.onnx"
_IN_ONE_FILE = 1 << 30  # a graph with its weights may have 2 GiB in one file


class GraphKind(StrEnum):
    """What a graph computes."""

    EMBEDDING = "embedding"
    RERANKER = "reranker"

    @property
    def without(self) -> str:
        """What to do where ONNX Runtime cannot be used, for messages."""
        return f"set {self}_backend to torch"

    @property
    def missing(self) -> str:
        """What is said where a package is not installed."""
        return (
            f"the {self} backends onnx and onnx-int8 need packages that are not installed: "
            f"run `pip install onnxruntime onnx onnxscript`, or {self.without}"
        )


def graph_file(folder: Path, fingerprint: str, cache: Path, *, kind: GraphKind, int8: bool) -> Path:
    """The graph of the sentence-transformers model in `folder`, made now where the cache lacks it.

    It takes `input_ids`, `attention_mask` and, where a reranker tells question and text apart by them,
    `token_type_ids`, all `(batch, tokens)` int64. An embedding model gives `(batch, dimension)` float32, what all its
    modules give together; a reranker `(batch, labels)`, what its activation gives.

    With `int8` matrix products are done in 8-bit integers; see `policy_rag.models.onnx.quantization`.

    Raises:
        ModelError: a package is missing, the model cannot be exported, or the cache cannot be written.
    """
    from filelock import FileLock

    place = _place(fingerprint, cache, int8=int8)
    if (place / _GRAPH).is_file():
        return place / _GRAPH
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{place}.lock"):
            if not (place / _GRAPH).is_file():
                for left in cache.glob(f".writing-{place.name}-*"):  # by a process that was killed
                    shutil.rmtree(left, ignore_errors=True)
                beside = Path(tempfile.mkdtemp(prefix=f".writing-{place.name}-", dir=cache))
                try:
                    if int8:
                        _quantise(graph_file(folder, fingerprint, cache, kind=kind, int8=False), beside / _GRAPH, kind)
                    else:
                        _export(folder, beside / _GRAPH, kind)
                    shutil.rmtree(place, ignore_errors=True)
                    beside.rename(place)
                finally:
                    shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise ModelError(
            f"the ONNX graph of the model in {folder} cannot be written to {cache} ({error}): "
            f"set model_cache to a folder with room, or {kind.without}"
        ) from error
    return place / _GRAPH


def _place(fingerprint: str, cache: Path, *, int8: bool) -> Path:
    return cache / f"{fingerprint}-{_LAYOUT}-{'int8' if int8 else 'float32'}"


def _export(folder: Path, file: Path, kind: GraphKind) -> None:
    _log.warning("making the model in %s ready for ONNX Runtime: once on this machine, about a minute at most", folder)
    try:
        import onnx  # noqa: F401 - torch's exporter needs them, and says so less clearly
        import onnxscript  # noqa: F401
        import torch
    except ImportError as error:
        raise ModelError(kind.missing) from error
    try:
        with quiet_loading(), _quiet_export():
            model, inputs = _embedding(folder) if kind is GraphKind.EMBEDDING else _reranker(folder)
            size = sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())
            batch, tokens = torch.export.Dim("batch", min=1, max=65536), torch.export.Dim("tokens", min=1, max=65536)
            # Two rows of different length, so that nothing of the example's shape is taken for a constant.
            example = (torch.ones(2, 7, dtype=torch.long), torch.tensor([[1] * 7, [1] * 4 + [0] * 3]))
            types = (torch.tensor([[0] * 3 + [1] * 4, [0] * 2 + [1] * 2 + [0] * 3]),)
            program: Any = torch.onnx.export(
                model,
                (*example, *types[: len(inputs) - 2]),
                input_names=list(inputs),
                output_names=["rows"],
                dynamic_shapes={name: {0: batch, 1: tokens} for name in inputs},
                dynamo=True,
                verbose=False,
            )
            if kind is GraphKind.RERANKER:
                keep_first_token(program.model)
            program.save(file, external_data=size > _IN_ONE_FILE)
    except OSError:
        raise
    except Exception as error:  # the exporter and the model's own code raise whatever they like
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the model in {folder} cannot be turned into an ONNX graph ({reason}): {kind.without}"
        ) from error


def _embedding(folder: Path) -> "tuple[torch.nn.Module, tuple[str, ...]]":
    """All modules of the model as one, from token ids to rows, and the names of what it takes."""
    import torch
    from sentence_transformers import SentenceTransformer

    # The exporter follows plain attention; a fused kernel would be one opaque step.
    loaded: Any = SentenceTransformer(
        str(folder), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
    )

    class Pipeline(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            first, *rest = loaded
            self.transformer = first.auto_model
            self.rest = torch.nn.ModuleList(rest)

        def forward(self, input_ids: "torch.Tensor", attention_mask: "torch.Tensor") -> "torch.Tensor":
            hidden = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            features = {"token_embeddings": hidden, "attention_mask": attention_mask}
            for module in self.rest:
                features = module(features)
            rows: torch.Tensor = features["sentence_embedding"]
            return rows

    # On the outermost module: the exporter sets all inside to the mode that it finds there.
    return Pipeline().float().eval(), ("input_ids", "attention_mask")


def _reranker(folder: Path) -> "tuple[torch.nn.Module, tuple[str, ...]]":
    """A cross-encoder with its activation, and the names of what it takes."""
    import torch
    from sentence_transformers import CrossEncoder

    loaded: Any = CrossEncoder(
        str(folder), device="cpu", local_files_only=True, model_kwargs={"attn_implementation": "eager"}
    )
    # Models of one kind of token (XLM-RoBERTa and its like) are not told which text a token is of.
    names = ("input_ids", "attention_mask", "token_type_ids")
    inputs = names if (getattr(loaded.config, "type_vocab_size", None) or 0) > 1 else names[:2]

    class Scoring(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = loaded.model
            self.activation = loaded.activation_fn

        def forward(
            self,
            input_ids: "torch.Tensor",
            attention_mask: "torch.Tensor",
            token_type_ids: "torch.Tensor | None" = None,
        ) -> "torch.Tensor":
            types = {} if token_type_ids is None else {"token_type_ids": token_type_ids}
            logits = self.model(input_ids=input_ids, attention_mask=attention_mask, **types).logits
            rows: torch.Tensor = self.activation(logits)
            return rows

    return Scoring().float().eval(), inputs


def _quantise(source: Path, file: Path, kind: GraphKind) -> None:
    from policy_rag.models.onnx.quantization import quantise

    try:
        quantise(source, file, in_one_file=source.stat().st_size + _data_size(source) < _IN_ONE_FILE)
    except ImportError as error:
        raise ModelError(kind.missing) from error


def _data_size(graph: Path) -> int:
    data = graph.with_name(f"{graph.name}.data")
    return data.stat().st_size if data.is_file() else 0


@contextlib.contextmanager
def _quiet_export() -> Iterator[None]:
    """The exporter and the quantiser tell of much that nobody can act on; "" is the root logger."""
    with warnings.catch_warnings(), quiet_loggers("torch.onnx", "onnxscript", "onnx_ir", ""):
        warnings.simplefilter("ignore")
        yield
