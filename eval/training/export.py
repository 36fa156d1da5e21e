"""The trained networks as what the product ships: an ONNX graph in 8-bit integers, its vocabulary and description.

    python -m training.export WORK FOLDER [--base FOLDER] [--asked FILE] [--stated FILE] [--frozen N]

Questions are read by `WORK/after-sentences.pt`, statements by `WORK/after-support.pt`, or by other weights or a
`reader.onnx` named in their place; the lowest layers, which training left as they were, stand in the graph once.
Products of matrices become integers as `policy_rag.models.onnx_int8` does it; word vectors, half of the network, become
integers with a scale a word. What the graph gives is compared with PyTorch's float32 before anything is kept.
"""

import argparse
import json
import shutil
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from policy_rag.models.onnx.quantization import quantise
from policy_rag.models.onnx.runtime import onnx_runtime
from training.network import OUTPUTS, BranchedNetwork, ReaderNetwork, base_folder, make_network
from training.shipped import load_shipped

DESCRIPTION: dict[str, Any] = {
    "name": "policy-rag-reader",
    "base": "all-MiniLM-L6-v2",
    "outputs": list(OUTPUTS),
    "support_labels": ["supported", "contradicted", "neither"],
    "window": 256,
    "asked": 64,
    "overlap": 96,
    "most_tokens": 60,
    "answerability": [1.0, 0.0, 0.0, 0.0],
    "temperature": 1.0,
    "blend": 0.4,
    "ranked": 30,
    "ranked_windows": 1,
    "read_windows": 16,
}
MOST_BYTES = 40 << 20
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_graph(network: BranchedNetwork, file: Path) -> None:
    """The network as a float32 graph: `(rows, tokens)` int64 inputs, logits as `ReaderNetwork.forward` gives them."""
    batch, tokens = torch.export.Dim("batch", min=1, max=65536), torch.export.Dim("tokens", min=2, max=512)
    example = (
        torch.ones(2, 7, dtype=torch.long),
        torch.tensor([[1] * 7, [1] * 4 + [0] * 3]),
        torch.tensor([[0] * 3 + [1] * 4, [0] * 2 + [1] * 2 + [0] * 3]),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network.float().eval(),
            example,
            str(file),
            input_names=list(_INPUTS),
            output_names=list(OUTPUTS),
            dynamic_shapes={name: {0: batch, 1: tokens} for name in _INPUTS},
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def quantise_words(file: Path) -> None:
    """Puts integers and a scale a row in the place of the graph's table of word vectors."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(file))
    graph = model.graph
    tables = {one.name: one for one in graph.initializer if len(one.dims) == 2}
    nodes: list[Any] = []
    for node in graph.node:
        looked_up = node.op_type == "Gather" and node.input[1] == "input_ids"
        table = tables.get(node.input[0]) if looked_up else None
        if table is None:
            nodes.append(node)
            continue
        integers, scales = row_scaled(numpy_helper.to_array(table))
        graph.initializer.remove(table)
        graph.initializer.extend(
            [numpy_helper.from_array(integers, "words_int8"), numpy_helper.from_array(scales, "words_scale")]
        )
        name = node.output[0]
        nodes += [
            helper.make_node("Gather", ["words_int8", node.input[1]], [f"{name}_int8"], axis=0),
            helper.make_node("Cast", [f"{name}_int8"], [f"{name}_float"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Gather", ["words_scale", node.input[1]], [f"{name}_scale"], axis=0),
            helper.make_node("Mul", [f"{name}_float", f"{name}_scale"], [name]),
        ]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.save(model, str(file))


def in_branches(file: Path) -> None:
    """Puts what questions alone and what statements alone need behind a condition, so that a run takes one of them.

    The graph has one more input then, `statement`, a boolean: where it holds `support` is given, else the rest; what
    is not given is empty.
    """
    import onnx
    from onnx import TensorProto, helper

    model = onnx.load(str(file))
    graph = model.graph
    stated = _needed(graph, {"support"})
    asked = _needed(graph, set(OUTPUTS) - {"support"})
    shared = [node for i, node in enumerate(graph.node) if i in stated & asked]
    branches = {}
    for attribute, own, given in (
        ("then_branch", stated - asked, {"support"}),
        ("else_branch", asked - stated, set(OUTPUTS) - {"support"}),
    ):
        nodes = [node for i, node in enumerate(graph.node) if i in own]
        for node in nodes:
            node.input[:] = [f"{name}_given" if name in given else name for name in node.input]
            node.output[:] = [f"{name}_given" if name in given else name for name in node.output]
        empty = helper.make_tensor("empty", TensorProto.FLOAT, [0], [])
        nodes += [
            helper.make_node("Constant", [], [f"{name}_given"], value=empty) for name in OUTPUTS if name not in given
        ]
        used = {name for node in nodes for name in node.input}
        elsewhere = {name for node in shared for name in node.input}
        weights = [one for one in graph.initializer if one.name in used - elsewhere]
        outputs = [helper.make_tensor_value_info(f"{name}_given", TensorProto.FLOAT, None) for name in OUTPUTS]
        branches[attribute] = helper.make_graph(nodes, attribute, [], outputs, initializer=weights)
    moved = {one.name for branch in branches.values() for one in branch.initializer}
    kept = [one for one in graph.initializer if one.name not in moved]
    graph.input.append(helper.make_tensor_value_info("statement", TensorProto.BOOL, []))
    del graph.node[:], graph.initializer[:]
    graph.node.extend([*shared, helper.make_node("If", ["statement"], list(OUTPUTS), **branches)])
    graph.initializer.extend(kept)
    onnx.save(model, str(file))


def _needed(graph: Any, outputs: set[str]) -> set[int]:
    """The places of the nodes that some outputs are made by."""
    wanted, found = set(outputs), set()
    for i in range(len(graph.node) - 1, -1, -1):
        if wanted & set(graph.node[i].output):
            found.add(i)
            wanted |= set(graph.node[i].input)
    return found


def row_scaled(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers of -127 to 127 and a scale for each row, `(rows, 1)`, whose product is nearly the table.

    >>> integers, scales = row_scaled(np.array([[1.0, -2.0]], dtype=np.float32))
    >>> integers.tolist(), scales.shape
    ([[64, -127]], (1, 1))
    """
    scales = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-9) / 127
    return np.round(table / scales).astype(np.int8), scales.astype(np.float32)


def differences(network: BranchedNetwork, file: Path, rows: int = 24, seed: int = 0) -> dict[str, float]:
    """The mean distance between the graph's logits and PyTorch's, over their spread, a name each.

    Made-up rows of random words: a graph that is wrong somewhere is far off on any row.
    """
    rng = np.random.default_rng(seed)
    words = network.encoder.config.vocab_size
    ids = rng.integers(min(1000, words // 2), words, size=(rows, 60))
    mask, types = np.ones_like(ids), np.zeros_like(ids)
    types[:, 12:] = 1
    for row in range(rows):
        mask[row, 60 - row :] = 0
    session = onnx_runtime().InferenceSession(str(file), providers=["CPUExecutionProvider"])
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types * mask}
    found: Any = []
    for name in OUTPUTS:
        branch = {"statement": np.array(name == "support")} if len(session.get_inputs()) > len(given) else {}
        found += session.run([name], given | branch)
    with torch.no_grad():
        wanted = network.float().eval()(*(torch.from_numpy(one) for one in (ids, mask, types * mask)))
    made = {}
    for name, own, other in zip(OUTPUTS, found, wanted, strict=True):
        other_array = other.numpy()
        inside = mask.astype(bool) if own.shape == mask.shape else np.ones_like(own, dtype=bool)
        spread = float(other_array[inside].std()) or 1.0
        made[name] = float(np.abs(own - other_array)[inside].mean()) / spread
    return made


def write_weights(
    network: BranchedNetwork, vocabulary: Path, folder: Path, description: Mapping[str, Any], *, tolerance: float = 0.25
) -> dict[str, Any]:
    """Writes the folder that `Reader.load` reads, and returns its description.

    Raises:
        ValueError: the graph is too large, or too far from PyTorch's figures.
    """
    with tempfile.TemporaryDirectory() as beside:
        plain, small = Path(beside) / "plain.onnx", Path(beside) / "reader.onnx"
        export_graph(network, plain)
        exact = differences(network, plain)
        quantise(plain, small, in_one_file=True)
        quantise_words(small)
        in_branches(small)
        rounded = differences(network, small)
        if max(exact.values()) > 1e-3 or max(rounded.values()) > tolerance:
            raise ValueError(f"the graph is not the network: float32 {exact}, int8 {rounded}")
        if small.stat().st_size > MOST_BYTES:
            raise ValueError(f"the graph has {small.stat().st_size >> 20} MiB")
        (folder / "vocab").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(small, folder / "reader.onnx")
    shutil.copyfile(vocabulary, folder / "vocab" / "tokenizer.json")
    made = {
        **description,
        "sha256": sha256((folder / "reader.onnx").read_bytes()).hexdigest(),
        "tokenizer_sha256": sha256((folder / "vocab" / "tokenizer.json").read_bytes()).hexdigest(),
        "int8_difference": {name: round(value, 4) for name, value in rounded.items()},
    }
    (folder / "reader.json").write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    return made


def ship(weights: Path, calibration: Mapping[str, Any], folder: Path) -> None:
    """Copies exported weights to the folder that the product loads, with the calibration in their description."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(weights, folder)
    said = json.loads((folder / "reader.json").read_text(encoding="utf-8")) | calibration
    (folder / "reader.json").write_text(json.dumps(said, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Exports a trained network."""
    parser = argparse.ArgumentParser(description="Export the reader.")
    parser.add_argument("work", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", type=Path, default=base_folder(), help="the encoder that it was trained from")
    parser.add_argument("--asked", type=Path, help="weights for questions")
    parser.add_argument("--stated", type=Path, help="weights for statements")
    parser.add_argument("--frozen", type=int, default=2, help="lowest layers that were not trained")
    chosen = parser.parse_args(arguments)
    network = BranchedNetwork(
        _loaded(chosen.base, chosen.asked or chosen.work / "after-sentences.pt", stated=False),
        _loaded(chosen.base, chosen.stated or chosen.work / "after-support.pt", stated=True),
        chosen.frozen,
    )
    named = {} if chosen.base == base_folder() else {"base": chosen.base.name}
    write_weights(network, chosen.base / "tokenizer.json", chosen.folder, DESCRIPTION | named)


def _loaded(base: Path, weights: Path, *, stated: bool) -> ReaderNetwork:
    network = make_network(base, attention="eager")
    if weights.suffix == ".onnx":
        load_shipped(network, weights, stated=stated)
    else:
        kept = torch.load(weights, weights_only=True)
        network.load_state_dict(kept.get("network", kept))
    return network


if __name__ == "__main__":
    main()
