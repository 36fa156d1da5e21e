"""The networks that ship, to train on: their 8-bit integers as the float32 weights that they stand for."""

from collections.abc import Sequence
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


def load_shipped(network: ReaderNetwork, file: Path, *, stated: bool = False) -> None:
    """Puts the weights of an exported graph into a network of its shape.

    Constants that are equal stand in a graph once, under the name of one of them: so the encoder's are found by the
    nodes that use them, in the order in which they run: the shared layers, those for questions, those for statements.

    Args:
        network: as `make_network` gives it.
        file: `reader.onnx` as `training.export` wrote it.
        stated: the upper layers that statements are read with; else those for questions. The heads are the same.

    Raises:
        RuntimeError, ValueError: the graph has not the weights of such a network.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    branches = {one.name: one.g for node in graph.node if node.op_type == "If" for one in node.attribute}
    graphs = [graph, branches["else_branch"], branches["then_branch"]]
    arrays: dict[str, Any] = {one.name: numpy_helper.to_array(one) for own in graphs for one in own.initializer}
    nodes = [node for own in graphs for node in own.node]
    layers = network.encoder.config.num_hidden_layers
    products = [node for node in nodes if node.op_type == "MatMulIntegerToFloat"]
    norms = [node for node in nodes if node.op_type == "LayerNormalization"]
    of_layer = len(_PRODUCTS)
    upper = len(products) // of_layer - layers  # layers for statements alone
    first = (layers if stated else layers - upper) * of_layer + stated  # behind the questions' stands the span head
    span = products[layers * of_layer]
    chosen = [*products[: (layers - upper) * of_layer], *products[first : first + upper * of_layer], span]
    own = [*norms[: 1 + 2 * (layers - upper)], *norms[1 + 2 * (layers if stated else layers - upper) :][: 2 * upper]]
    names = [f"encoder.encoder.layer.{i}" for i in range(layers)]
    state: dict[str, Any] = {}
    for name, node in zip([*(f"{layer}.{one}" for layer in names for one in _PRODUCTS), "span"], chosen, strict=True):
        state[f"{name}.weight"] = (arrays[node.input[1]].astype(np.float32) * arrays[node.input[3]]).T
        scaled = _next(nodes, node.output[0])
        added = _next(nodes, scaled.output[0])
        state[f"{name}.bias"] = next(arrays[one] for one in added.input if one in arrays)
    normed = ["encoder.embeddings.LayerNorm", *(f"{layer}.{one}" for layer in names for one in _NORMS)]
    for name, node in zip(normed, own, strict=True):
        state[f"{name}.weight"], state[f"{name}.bias"] = (arrays[one] for one in node.input[1:3])
    state["encoder.embeddings.word_embeddings.weight"] = arrays["words_int8"] * arrays["words_scale"]
    state |= _rest(network, arrays)
    network.load_state_dict({name: torch.tensor(np.array(array)) for name, array in state.items()})


def _rest(network: ReaderNetwork, arrays: dict[str, Any]) -> dict[str, Any]:
    """What a graph keeps under its own name: the heads and the vectors of places and texts."""
    found = {}
    for name in network.state_dict():
        for branch in ("stated.", "asked.") if name.startswith(("stated.", "support.")) else ("asked.",):
            if f"{branch}{name}" in arrays:
                found[name] = arrays[f"{branch}{name}"]
    return found


def _next(nodes: Sequence[Any], value: str) -> Any:
    """The node that reads a value."""
    return next(node for node in nodes if value in node.input)
