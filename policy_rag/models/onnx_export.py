"""An embedding model as an ONNX graph, made from its own weights and kept in a cache folder."""

import contextlib
import logging
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.folders import quiet_loading

if TYPE_CHECKING:
    import torch

INPUTS = ("input_ids", "attention_mask")
_LAYOUT = 2  # raised when graphs are made in another way: those in the cache are then made again
_GRAPH = "model.onnx"
_IN_ONE_FILE = 1 << 30  # a graph with its weights may have 2 GiB in one file
MISSING = (
    "the embedding backends onnx and onnx-int8 need packages that are not installed: "
    "run `pip install 'policy-rag[onnx]'`, or leave the setting embedding_backend out"
)


def graph_file(folder: Path, fingerprint: str, cache: Path, *, int8: bool) -> Path:
    """The graph of the sentence-transformers model in `folder`, made now where the cache lacks it.

    It takes `input_ids` and `attention_mask`, both `(batch, tokens)` int64, and gives `(batch, dimension)` float32:
    what all modules of the model give together.

    With `int8` matrix products are done in 8-bit integers; see `policy_rag.models.onnx_int8`.

    Args:
        folder: holds the model.
        fingerprint: of the model; names the place in the cache.
        cache: where graphs are kept.
        int8: whether to quantise.

    Raises:
        ModelError: a package is missing, the model cannot be exported, or the cache cannot be written.
    """
    from filelock import FileLock

    place = cache / f"{fingerprint}-{_LAYOUT}-{'int8' if int8 else 'float32'}"
    if (place / _GRAPH).is_file():
        return place / _GRAPH
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{place}.lock"):
            if not (place / _GRAPH).is_file():
                beside = Path(tempfile.mkdtemp(prefix=".writing-", dir=cache))
                try:
                    if int8:
                        _quantise(graph_file(folder, fingerprint, cache, int8=False), beside / _GRAPH)
                    else:
                        _export(folder, beside / _GRAPH)
                    shutil.rmtree(place, ignore_errors=True)
                    beside.rename(place)
                finally:
                    shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise ModelError(
            f"the ONNX graph of the model in {folder} cannot be written to {cache} ({error}): "
            "set model_cache to a folder with room, or leave the setting embedding_backend out"
        ) from error
    return place / _GRAPH


def _export(folder: Path, file: Path) -> None:
    try:
        import onnx  # noqa: F401 - torch's exporter needs them, and says so less clearly
        import onnxscript  # noqa: F401
        import torch
    except ImportError as error:
        raise ModelError(MISSING) from error
    try:
        with quiet_loading(), _quiet_export():
            model = _pipeline(folder)
            size = sum(parameter.numel() * parameter.element_size() for parameter in model.parameters())
            batch, tokens = torch.export.Dim("batch", min=1, max=65536), torch.export.Dim("tokens", min=1, max=65536)
            # Two rows of different length, so that nothing of the example's shape is taken for a constant.
            example = (torch.ones(2, 7, dtype=torch.long), torch.tensor([[1] * 7, [1] * 4 + [0] * 3]))
            torch.onnx.export(
                model,
                example,
                str(file),
                input_names=list(INPUTS),
                output_names=["rows_of_texts"],
                dynamic_shapes={name: {0: batch, 1: tokens} for name in INPUTS},
                dynamo=True,
                external_data=size > _IN_ONE_FILE,
                verbose=False,
            )
    except OSError:
        raise
    except Exception as error:  # the exporter and the model's own code raise whatever they like
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the model in {folder} cannot be turned into an ONNX graph ({reason}): "
            "leave the setting embedding_backend out"
        ) from error


def _pipeline(folder: Path) -> "torch.nn.Module":
    """All modules of the model as one, from token ids to rows."""
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
    return Pipeline().float().eval()


def _quantise(source: Path, file: Path) -> None:
    from policy_rag.models.onnx_int8 import quantise

    try:
        quantise(source, file, in_one_file=source.stat().st_size + _data_size(source) < _IN_ONE_FILE)
    except ImportError as error:
        raise ModelError(MISSING) from error


def _data_size(graph: Path) -> int:
    data = graph.with_name(f"{graph.name}.data")
    return data.stat().st_size if data.is_file() else 0


@contextlib.contextmanager
def _quiet_export() -> Iterator[None]:
    """The exporter and the quantiser tell of much that nobody can act on."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "onnx_ir")]
    levels = [logger.level for logger in loggers]
    root = logging.getLogger()
    root_level = root.level
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in (*loggers, root):
            logger.setLevel(logging.ERROR)
        try:
            yield
        finally:
            root.setLevel(root_level)
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)
