"""A float32 ONNX graph with its matrix products in 8-bit integers, each row of the inputs with a scale of its own.

`x W` becomes `(x_q W_q) * r * c`: `W_q = round(W / c)` with `c` the largest magnitude of each column over 127, made
once; `x_q = round(x / r)` with `r` the largest magnitude of each row (token) over 127, made as it runs. A common scale
for all tokens of a batch, as ONNX Runtime's own dynamic quantisation has it, is coarser, since few tokens set it, and
makes a text's vector depend on the texts that are embedded with it. (Per-token and per-channel scales: Yao et al.,
ZeroQuant, NeurIPS 2022.)
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LARGEST = 127
_MIDDLE = 128  # unsigned 8-bit inputs: the fast products of x86 take them
_TINY = 1e-9


def quantise(source: Path, file: Path, *, in_one_file: bool) -> None:
    """Writes the graph `source` with every product by a constant matrix in integers to `file`."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(source))
    graph = model.graph
    weights = {constant.name: constant for constant in graph.initializer}
    new: dict[str, NDArray[Any]] = {
        "int8_middle": np.array(_MIDDLE, dtype=np.uint8),
        "int8_one": np.array(1, dtype=np.float32),
        "int8_largest": np.array(_LARGEST, dtype=np.float32),
        "int8_step": np.array([1 / _LARGEST], dtype=np.float32),
        "int8_tiny": np.array(_TINY, dtype=np.float32),
        "int8_last": np.array([-1], dtype=np.int64),
    }
    nodes: list[Any] = []
    rows: dict[str, str] = {}
    for node in graph.node:
        weight = weights.get(node.input[1]) if node.op_type == "MatMul" else None
        if weight is None or len(weight.dims) != 2:
            nodes.append(node)
            continue
        source_name = node.input[0]
        if source_name not in rows:
            # Queries, keys and values are products of the same rows, which are rounded once.
            rows[source_name] = f"int8_rows{len(rows)}"
            nodes.extend(_rounded_rows(helper, source_name, rows[source_name]))
        name = f"int8_{node.output[0]}"
        integers, scales = column_scaled(numpy_helper.to_array(weight))
        new |= {f"{name}_w": integers, f"{name}_c": scales, f"{name}_0": np.zeros(len(scales), dtype=np.int8)}
        inputs = [rows[source_name], f"{name}_w", "int8_step", f"{name}_c", "int8_middle", f"{name}_0"]
        nodes.append(helper.make_node("MatMulIntegerToFloat", inputs, [f"{name}_y"], domain="com.microsoft"))
        nodes.append(helper.make_node("Mul", [f"{name}_y", f"{rows[source_name]}_max"], [node.output[0]]))
    used = {name for node in nodes for name in node.input}
    constants = [constant for constant in graph.initializer if constant.name in used]
    constants += [numpy_helper.from_array(array, name) for name, array in new.items()]
    del graph.node[:], graph.initializer[:]
    graph.node.extend(nodes)
    graph.initializer.extend(constants)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, str(file), save_as_external_data=not in_one_file, location=f"{file.name}.data")


def column_scaled(weight: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Integers of -127 to 127 and a scale for each column, whose product is nearly `weight`; both along its columns.

    >>> integers, scales = column_scaled(np.array([[1.0, 0.0], [-2.0, 0.0]], dtype=np.float32))
    >>> integers.tolist(), (integers * scales.astype(float)).round(2).tolist()
    ([[64, 0], [-127, 0]], [[1.01, 0.0], [-2.0, 0.0]])
    """
    scales = np.maximum(np.abs(weight).max(axis=0), _TINY) / _LARGEST
    return np.round(weight / scales).astype(np.int8), scales.astype(np.float32)


def _rounded_rows(helper: Any, source: str, name: str) -> list[Any]:
    """Nodes that give `name`, `source` as 8-bit integers, and `name_max`, the largest magnitude of each row."""
    return [
        helper.make_node("Abs", [source], [f"{name}_abs"]),
        helper.make_node("ReduceMax", [f"{name}_abs", "int8_last"], [f"{name}_most"], keepdims=1),
        helper.make_node("Max", [f"{name}_most", "int8_tiny"], [f"{name}_max"]),
        helper.make_node("Div", ["int8_largest", f"{name}_max"], [f"{name}_by"]),
        helper.make_node("Mul", [source, f"{name}_by"], [f"{name}_scaled"]),
        helper.make_node("QuantizeLinear", [f"{name}_scaled", "int8_one", "int8_middle"], [name]),
    ]
