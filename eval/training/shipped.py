"""The network that ships, to train on: its 8-bit integers as the float32 weights that they stand for."""

from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.network import ReaderNetwork

_PRODUCTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def load_shipped(network: ReaderNetwork, file: Path) -> None:
    """Puts the weights of an exported graph into a network of its shape.

    Constants that are equal stand in a graph once, under the name of one of them: so the encoder's are found by the
    nodes that use them, in the order in which they run.

    Args:
        network: as `make_network` gives it.
        file: `reader.onnx` as `training.export` wrote it.

    Raises:
        RuntimeError, ValueError: the graph has not the weights of such a network.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    arrays: dict[str, Any] = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    layers = [f"encoder.encoder.layer.{i}" for i in range(network.encoder.config.num_hidden_layers)]
    state: dict[str, Any] = {}
    products = [node for node in graph.node if node.op_type == "MatMulIntegerToFloat"]
    for name, node in zip(
        [*(f"{layer}.{one}" for layer in layers for one in _PRODUCTS), "span"], products, strict=True
    ):
        state[f"{name}.weight"] = (arrays[node.input[1]].astype(np.float32) * arrays[node.input[3]]).T
        scaled = _next(graph, node.output[0])
        added = _next(graph, scaled.output[0])
        state[f"{name}.bias"] = next(arrays[one] for one in added.input if one in arrays)
    norms = [node for node in graph.node if node.op_type == "LayerNormalization"]
    names = ["encoder.embeddings.LayerNorm", *(f"{layer}.{one}" for layer in layers for one in _NORMS)]
    for name, node in zip(names, norms, strict=True):
        state[f"{name}.weight"], state[f"{name}.bias"] = (arrays[one] for one in node.input[1:3])
    state["encoder.embeddings.word_embeddings.weight"] = arrays["words_int8"] * arrays["words_scale"]
    state |= {name: arrays[name] for name in network.state_dict() if name not in state and name in arrays}
    network.load_state_dict({name: torch.tensor(np.array(array)) for name, array in state.items()})


def _next(graph: Any, value: str) -> Any:
    """The node that reads a value."""
    return next(node for node in graph.node if value in node.input)
