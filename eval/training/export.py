"""The trained networks as what the product ships: an ONNX graph in 8-bit integers, its vocabulary and description.

    python -m training.export WORK FOLDER [--base FOLDER] [--ranked FILE] [--read FILE] [--stated FILE]

What ranks are the weights `WORK/after-ranked.pt`, what reads whole passages `after-read.pt`, what reads statements
`after-stated.pt`, or other weights or a `reader.onnx` named in their place; the lowest layers, which are the same in
all, stand in the graph once. Products of matrices become integers as
`policy_rag.models.onnx.quantization` does it; word vectors and the heads' matrices become integers with a scale a row.
What the graph gives is compared with PyTorch's float32 before anything is kept.
"""

import argparse
import json
import shutil
import tempfile
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from policy_rag.models.onnx.quantization import quantise
from policy_rag.models.onnx.runtime import onnx_runtime
from training.network import (
    BRANCHES,
    SHARED_LAYERS,
    SHIPPED,
    Branch,
    BranchedNetwork,
    ReaderNetwork,
    base_folder,
    make_network,
)
from training.shipped import load_shipped

DESCRIPTION: dict[str, Any] = {
    "name": "policy-rag-reader",
    "base": "all-MiniLM-L6-v2",
    "outputs": list(SHIPPED),
    "support_labels": ["supported", "contradicted", "neither"],
    "window": 256,
    "asked": 64,
    "overlap": 96,
    "most_tokens": 60,
    "answerability": [1.0, 0.0, 0.0, 0.0],
    "temperature": 1.0,
    "blend": 0.5,
    "ranked": 30,
    "ranked_tokens": 192,
    "ranked_windows": 1,
    "read_windows": 16,
}
MOST_BYTES = 40_000_000
_LARGE = 1 << 17  # weights of a matrix that becomes integers
_PLACES = "position_embeddings.weight"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def export_graph(network: BranchedNetwork, file: Path) -> None:
    """The network as a float32 graph: `(rows, tokens)` int64 inputs, logits as its `forward` gives them."""
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
            output_names=list(SHIPPED),
            dynamic_shapes={name: {0: batch, 1: tokens} for name in _INPUTS},
            dynamo=True,
            external_data=False,
            verbose=False,
        )


def quantise_tables(file: Path) -> None:
    """Puts integers and a scale a row in the place of word vectors and of the heads' large matrices.

    Vectors of places stay as they are: they are few, and stand in every token.
    """
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(file))
    graph = model.graph
    tables = {one.name: one for one in graph.initializer if len(one.dims) == 2}
    made: dict[str, NDArray[Any]] = {}
    nodes: list[Any] = []

    def integers_of(name: str) -> tuple[str, str]:
        found = f"{name}_int8", f"{name}_scale"
        made.update(zip(found, row_scaled(numpy_helper.to_array(tables[name])), strict=True))
        return found

    def multiplied(integers: str, scale: str, name: str) -> list[Any]:
        cast = helper.make_node("Cast", [integers], [f"{name}_float"], to=onnx.TensorProto.FLOAT)
        return [cast, helper.make_node("Mul", [f"{name}_float", scale], [name])]

    for node in graph.node:
        table = str({"Gather": node.input[:1], "Gemm": node.input[1:2]}.get(node.op_type, [""])[0])
        if table not in tables or np.prod(tables[table].dims) < _LARGE or table.endswith(_PLACES):
            nodes.append(node)
        elif node.op_type == "Gather":
            integers, scale = integers_of(table)
            name = node.output[0]
            nodes.append(helper.make_node("Gather", [integers, node.input[1]], [f"{name}_int8"], axis=0))
            nodes.append(helper.make_node("Gather", [scale, node.input[1]], [f"{name}_scale"], axis=0))
            nodes += multiplied(f"{name}_int8", f"{name}_scale", name)
        else:
            name = f"{node.output[0]}_weight"
            nodes += multiplied(*integers_of(table), name)
            node.input[1] = name
            nodes.append(node)
    kept = [one for one in graph.initializer if f"{one.name}_int8" not in made]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend([*kept, *(numpy_helper.from_array(array, name) for name, array in made.items())])
    for node in graph.node:  # what the exporter remembers of where each comes from is most of a megabyte
        node.ClearField("metadata_props")
        node.ClearField("doc_string")
    onnx.save(model, str(file))


def in_branches(file: Path) -> None:
    """Puts what one branch alone needs behind a condition, so that a run takes one of them.

    The graph has two more inputs then, booleans: where `stated` holds the branch of statements runs, else where `read`
    holds that of whole passages, else that which ranks. What the others would give is empty.
    """
    import onnx
    from onnx import TensorProto, helper

    model = onnx.load(str(file))
    graph = model.graph
    needed = {branch: _needed(graph, set(heads.values())) for branch, heads in BRANCHES.items()}
    times = Counter(place for places in needed.values() for place in places)
    shared = [node for place, node in enumerate(graph.node) if times[place] > 1]
    elsewhere = {name for node in shared for name in node.input}

    def outputs_of(suffix: str) -> list[Any]:
        return [helper.make_tensor_value_info(f"{name}{suffix}", TensorProto.FLOAT, None) for name in SHIPPED]

    def graph_of(branch: Branch) -> Any:
        given = set(BRANCHES[branch].values())
        nodes = [node for place, node in enumerate(graph.node) if place in needed[branch] and times[place] == 1]
        for node in nodes:
            node.input[:] = [f"{name}_given" if name in given else name for name in node.input]
            node.output[:] = [f"{name}_given" if name in given else name for name in node.output]
        empty = helper.make_tensor("empty", TensorProto.FLOAT, [0], [])
        nodes += [
            helper.make_node("Constant", [], [f"{name}_given"], value=empty) for name in SHIPPED if name not in given
        ]
        used = {name for node in nodes for name in node.input}
        weights = [one for one in graph.initializer if one.name in used - elsewhere]
        return helper.make_graph(nodes, branch.value, [], outputs_of("_given"), initializer=weights)

    made = {branch: graph_of(branch) for branch in Branch}
    moved = {one.name for own in made.values() for one in own.initializer}
    kept = [one for one in graph.initializer if one.name not in moved]
    asked = [f"{name}_asked" for name in SHIPPED]
    question = helper.make_node(
        "If", [Branch.READ.value], asked, then_branch=made[Branch.READ], else_branch=made[Branch.RANKED]
    )
    questions = helper.make_graph([question], "questions", [], outputs_of("_asked"))
    whole = helper.make_node(
        "If", [Branch.STATED.value], list(SHIPPED), then_branch=made[Branch.STATED], else_branch=questions
    )
    for branch in (Branch.READ, Branch.STATED):
        graph.input.append(helper.make_tensor_value_info(branch.value, TensorProto.BOOL, []))
    del graph.node[:], graph.initializer[:]
    graph.node.extend([*shared, whole])
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
    for branch, heads in BRANCHES.items():
        chosen = {one.value: np.array(one is branch) for one in (Branch.READ, Branch.STATED)}
        found += session.run(list(heads.values()), given | (chosen if len(session.get_inputs()) > len(given) else {}))
    with torch.no_grad():
        wanted = network.float().eval()(*(torch.from_numpy(one) for one in (ids, mask, types * mask)))
    made = {}
    for name, own, other in zip(SHIPPED, found, wanted, strict=True):
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
        quantise_tables(small)
        in_branches(small)
        rounded = differences(network, small)
        if max(exact.values()) > 1e-3 or max(rounded.values()) > tolerance:
            raise ValueError(f"the graph is not the network: float32 {exact}, int8 {rounded}")
        if small.stat().st_size > MOST_BYTES:
            raise ValueError(f"the graph has {small.stat().st_size:,} bytes, more than {MOST_BYTES:,}")
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
    parser.add_argument("--ranked", type=Path, help="weights that rank passages and sentences")
    parser.add_argument("--read", type=Path, help="weights that read whole passages")
    parser.add_argument("--stated", type=Path, help="weights that read statements")
    chosen = parser.parse_args(arguments)
    ranked, read, stated = (
        _loaded(chosen.base, getattr(chosen, branch.value) or chosen.work / f"after-{branch}.pt", branch)
        for branch in (Branch.RANKED, Branch.READ, Branch.STATED)
    )
    network = BranchedNetwork(ranked, read, stated, SHARED_LAYERS)
    named = {} if chosen.base == base_folder() else {"base": chosen.base.name}
    write_weights(network, chosen.base / "tokenizer.json", chosen.folder, DESCRIPTION | named)


def _loaded(base: Path, weights: Path, branch: Branch) -> ReaderNetwork:
    network = make_network(base, attention="eager")
    if weights.suffix == ".onnx":
        load_shipped(network, weights, branch)
    else:
        kept = torch.load(weights, weights_only=True)
        network.load_state_dict(kept.get("network", kept))
    return network


if __name__ == "__main__":
    main()
