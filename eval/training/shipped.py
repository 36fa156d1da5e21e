"""The networks that ship, to train on: their 8-bit integers as the float32 weights that they stand for."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.network import Branch, ReaderNetwork

_PRODUCTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
_NORMS = ("attention.output.LayerNorm", "output.LayerNorm")


def load_shipped(network: ReaderNetwork, file: Path, branch: Branch) -> None:
    """Puts the weights of a branch of an exported graph into a network of its shape.

    Constants that are equal stand in a graph once, under the name of one of them: so the encoder's are found by the
    nodes that use them, in the order in which they run. Spans are those of the branch that reads, statements those of
    the branch that reads them, the other heads those of the branch itself, or of what ranks.

    Args:
        network: as `make_network` gives it.
        file: `reader.onnx` as `training.export` wrote it.
        branch: whose upper layers.

    Raises:
        RuntimeError, ValueError: the graph has not the weights of such a network.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    graphs = {one.name: one for one in _inside(graph)}
    arrays: dict[str, Any] = {
        one.name: numpy_helper.to_array(one) for own in (graph, *graphs.values()) for one in own.initializer
    }
    nodes = [*graph.node, *graphs[branch.value].node]
    products = _of_kind(nodes, "MatMulIntegerToFloat")
    layers = [f"encoder.encoder.layer.{i}" for i in range(network.encoder.config.num_hidden_layers)]
    of_layers = [f"{layer}.{one}" for layer in layers for one in _PRODUCTS]
    (span,) = _of_kind([*graph.node, *graphs[Branch.READ.value].node], "MatMulIntegerToFloat")[len(of_layers) :]
    state = _products(dict(zip(of_layers, products, strict=False)), nodes, arrays)
    state |= _products({"span": span}, list(graphs[Branch.READ.value].node), arrays)
    normed = ["encoder.embeddings.LayerNorm", *(f"{layer}.{one}" for layer in layers for one in _NORMS)]
    for name, node in zip(normed, _of_kind(nodes, "LayerNormalization"), strict=True):
        state[f"{name}.weight"], state[f"{name}.bias"] = (arrays[one] for one in node.input[1:3])
    state = _rest(network, branch, arrays) | state  # of what branches share, a name tells one of them alone
    network.load_state_dict({name: torch.tensor(np.array(array)) for name, array in state.items()})


def _inside(graph: Any) -> Iterator[Any]:
    """The graphs behind conditions, however deep."""
    for node in graph.node:
        for one in node.attribute:
            if one.HasField("g"):
                yield one.g
                yield from _inside(one.g)


def _of_kind(nodes: Sequence[Any], kind: str) -> list[Any]:
    return [node for node in nodes if node.op_type == kind]


def _products(named: Mapping[str, Any], nodes: Sequence[Any], arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The matrices and biases of nodes that multiply by integers."""
    found = {}
    for name, node in named.items():
        found[f"{name}.weight"] = (arrays[node.input[1]].astype(np.float32) * arrays[node.input[3]]).T
        added = _next(nodes, _next(nodes, node.output[0]).output[0])
        found[f"{name}.bias"] = next(arrays[one] for one in added.input if one in arrays)
    return found


def _rest(network: ReaderNetwork, branch: Branch, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """What a graph keeps under its own name: the heads and the vectors of words, places and texts."""
    found = {}
    for name in network.state_dict():
        own = Branch.STATED if name.startswith(("stated.", "support.")) else branch
        for one in dict.fromkeys((own, Branch.RANKED, Branch.READ)):
            if f"{one}.{name}" in arrays:
                found[name] = arrays[f"{one}.{name}"]
                break
            if f"{one}.{name}_int8" in arrays:
                found[name] = arrays[f"{one}.{name}_int8"] * arrays[f"{one}.{name}_scale"]
                break
    return found


def _next(nodes: Sequence[Any], value: str) -> Any:
    """The node that reads a value."""
    return next(node for node in nodes if value in node.input)
