"""Running an ONNX graph of a folder's model: its session, its tokenizer, and what it takes."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import ModelError
from policy_rag.models.embedder import counting_tokenizer
from policy_rag.models.onnx.graph_export import GraphKind, graph_file, is_made
from policy_rag.models.onnx.inference import InferenceSession
from policy_rag.models.onnx.runtime import onnx_runtime

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_log = logging.getLogger(__name__)


def session_for(
    name: str, folder: Path, fingerprint: str, cache: Path, *, kind: GraphKind, int8: bool
) -> InferenceSession:
    """A session for the model in `folder`; its graph is made where it is missing.

    Args:
        name: of the model, as messages call it.
        folder: holds the model.
        fingerprint: of the model in float32.
        cache: where graphs are kept.
        kind: what the model is.
        int8: whether products of matrices are done in 8-bit integers.

    Raises:
        ModelError: the runtime is not installed, or the graph cannot be made or read.
    """
    try:
        onnx_runtime()
    except ImportError as error:
        raise ModelError(kind.missing) from error
    if not is_made(fingerprint, cache, int8=int8):
        _log.warning("making %s ready for ONNX Runtime: once on this machine, about a minute at most", name)
    graph = graph_file(folder, fingerprint, cache, kind=kind, int8=int8)
    try:
        return InferenceSession(str(graph))
    except Exception as error:  # the runtime's errors have no common base
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"the ONNX graph {graph} cannot be loaded ({reason}): remove its folder, it is then made again"
        ) from error


def padded(session: InferenceSession, encodings: Sequence[Any], pad: int) -> dict[str, "NDArray[np.int64]"]:
    """What the graph takes for these encodings of the `tokenizers` library, the longest first.

    Returns:
        `(len(encodings), longest)` arrays for the names that the graph asks for.
    """
    import numpy as np

    shape = (len(encodings), len(encodings[0].ids))
    made = {"input_ids": np.full(shape, pad), "attention_mask": np.zeros(shape), "token_type_ids": np.zeros(shape)}
    for row, encoding in enumerate(encodings):
        n = len(encoding.ids)
        made["input_ids"][row, :n] = encoding.ids
        made["attention_mask"][row, :n] = 1
        made["token_type_ids"][row, :n] = encoding.type_ids
    return {name: made[name].astype(np.int64) for name in session.inputs}


def pad_id(folder: Path) -> int:
    """The token that the model in `folder` takes for none, 0 where it does not say."""
    found = json.loads((folder / "config.json").read_text("utf-8")).get("pad_token_id")
    return found if isinstance(found, int) else 0


def reading_tokenizer(folder: Path, max_tokens: int) -> Any:
    """The model's tokenizer, which cuts what it does not read, of a pair the longer text first."""
    tokenizer = counting_tokenizer(folder)
    tokenizer.enable_truncation(max_tokens)
    return tokenizer
