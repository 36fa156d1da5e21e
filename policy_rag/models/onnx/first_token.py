"""A cross-encoder's last layer for its first token alone, since its head reads no other.

Of that layer the queries, the product of attention, and all that follows are made for one token instead of all; keys
and values are still made for all. Scores are the same but for rounding.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from onnxscript import ir

_ELEMENTWISE = frozenset({"Add", "Sub", "Mul", "Div", "Pow", "Erf", "Tanh", "Gelu", "Relu"})


class _Narrowed(NamedTuple):
    """A value of which the first row along an axis is enough for some of those that read it."""

    value: "ir.Value"
    axis: int


def keep_first_token(model: "ir.Model") -> bool:
    """Narrows what is made for all tokens where `hidden[:, 0]` is all that is read of it.

    From that choice it goes back through steps that treat each token by itself, to those whose input others read in
    full. There the first token is cut out.

    Returns:
        Whether matrix products became smaller; where not, the model is as it was.
    """
    wanted: dict[_Narrowed, set[tuple[ir.Node, int]]] = {}
    narrowed: list[tuple[ir.Node, _Narrowed]] = []
    cuts: list[tuple[_Narrowed, set[tuple[ir.Node, int]]]] = []
    for node in reversed(model.graph):
        for place in [place for place in wanted if place.value.producer() is node]:
            readers = wanted.pop(place)
            in_full = place.value.is_graph_output() or readers != set(place.value.uses())
            inputs = None if in_full else _inputs(node, place.axis)
            if inputs is None:
                cuts.append((place, readers))
            else:
                narrowed.append((node, place))
                for index, source in inputs.items():
                    wanted.setdefault(source, set()).add((node, index))
        if (hidden := _read_first(node)) is not None:
            wanted.setdefault(_Narrowed(hidden, 1), set()).add((node, 0))
    if not any(node.op_type == "MatMul" for node, _ in narrowed):
        return False
    for node, place in narrowed:
        if node.op_type == "Reshape":
            _reshape_as_it_comes(node, place)
        place.value.shape = None
    for place, readers in [*cuts, *wanted.items()]:
        _cut(model.graph, place, readers)
    return True


def _read_first(node: "ir.Node") -> "ir.Value | None":
    """`hidden` of a node that is `hidden[:, 0]`, where it is of `(texts, tokens, width)`."""
    if node.op_type != "Gather" or node.attributes["axis"].as_int() != 1:
        return None
    hidden, index = node.inputs
    position = index.const_value if index else None
    first = position is not None and position.numpy().tolist() == 0
    return hidden if first and len(_dims(hidden)) == 3 else None


def _dims(value: "ir.Value | None") -> list[int | str | None]:
    """Sizes, or their names; None for one that is not known. None of them where even the number is not known."""
    shape = value.shape if value else None
    return [dim if isinstance(dim, int) else dim.value for dim in shape or ()]


def _inputs(node: "ir.Node", axis: int) -> dict[int, _Narrowed] | None:
    """The inputs, by position, of which the first row is enough for the first row of the output along `axis`.

    None where the output cannot be made from the first rows of inputs.
    """
    made, last = _dims(node.outputs[0]), len(_dims(node.outputs[0])) - 1
    given = {i: value for i, value in enumerate(node.inputs) if value is not None}
    if len(node.outputs) > 1 or axis > last:
        return None
    axes = {0: axis}
    match node.op_type:
        case kind if kind in _ELEMENTWISE:
            fits = all(value.shape is not None for value in given.values())
            behind = {i: axis - last + len(_dims(value)) - 1 for i, value in given.items()}
            axes = {i: own for i, own in behind.items() if own >= 0 and _dims(given[i])[own] != 1}
        case "LayerNormalization" | "Softmax":
            along = node.attributes.get("axis")  # the last one where it is not said
            fits = axis < last and (along is None or along.as_int() in {-1, last})
        case "MatMul":
            fits = axis == last - 1 and len(_dims(given[0])) == len(made)
        case "Reshape":
            before, rest = made[: axis + 1], made[axis + 1 :]
            same = _dims(given[0])[: axis + 1] == before and None not in before
            fits = same and all(isinstance(size, int) for size in rest)
        case "Transpose":
            fits, axes = True, {0: node.attributes["perm"].as_ints()[axis]}
        case _:
            fits = False
    return {i: _Narrowed(given[i], own) for i, own in axes.items()} if fits else None


def _reshape_as_it_comes(node: "ir.Node", place: _Narrowed) -> None:
    """The same split or join behind `axis`, whatever is before it."""
    from onnxscript import ir

    behind = [n for n in _dims(place.value)[place.axis + 1 :] if isinstance(n, int)]
    shape = _constant(node.graph, f"{place.value.name}_first_shape", [0] * (place.axis + 1) + behind)
    node.replace_input_with(1, shape)
    node.attributes["allowzero"] = ir.AttrInt64("allowzero", 0)  # 0 is the size that comes in


def _cut(graph: "ir.Graph", place: _Narrowed, readers: set[tuple["ir.Node", int]]) -> None:
    """Lets the readers have the first row of `value` along `axis`."""
    from onnxscript import ir

    name = f"{place.value.name}_first{place.axis}"
    bounds = [_constant(graph, f"{name}_{which}", [n]) for which, n in (("from", 0), ("to", 1), ("axis", place.axis))]
    node = ir.node("Slice", [place.value, *bounds])
    node.outputs[0].name, node.outputs[0].type = name, place.value.type
    producer = place.value.producer()
    if producer is None:
        graph.insert_before(graph[0], node)
    else:
        graph.insert_after(producer, node)
    for reader, index in readers:
        reader.replace_input_with(index, node.outputs[0])


def _constant(graph: Any, name: str, numbers: list[int]) -> "ir.Value":
    import numpy as np
    from onnxscript import ir

    tensor = ir.tensor(np.array(numbers, dtype=np.int64), name=name)
    value = ir.Value(name=name, type=ir.TensorType(tensor.dtype), const_value=tensor)
    graph.register_initializer(value)
    return value
