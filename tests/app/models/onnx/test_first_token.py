"""A layer of which one token is read: what is made for that one alone, and graphs that stay as they are."""

import numpy as np
import onnx
import pytest
from onnxscript import ir

from policy_rag.models.onnx.first_token import keep_first_token
from policy_rag.models.onnx.runtime import onnx_runtime

# Attention of two heads of width 2, as PyTorch's exporter writes it, and what comes behind it in a layer.
LAYER = """
    sizes = Shape<start = 0, end = 2>(hidden)
    apart = Concat<axis = 0>(sizes, heads)
    together = Concat<axis = 0>(sizes, width)
    query = MatMul(hidden, q)
    query_apart = Reshape<allowzero = 1>(query, apart)
    query_heads = Transpose<perm = [0, 2, 1, 3]>(query_apart)
    key = MatMul(hidden, k)
    key_apart = Reshape<allowzero = 1>(key, apart)
    key_heads = Transpose<perm = [0, 2, 3, 1]>(key_apart)
    value = MatMul(hidden, v)
    value_apart = Reshape<allowzero = 1>(value, apart)
    value_heads = Transpose<perm = [0, 2, 1, 3]>(value_apart)
    match = MatMul(query_heads, key_heads)
    share = Softmax<axis = -1>(match)
    read = MatMul(share, value_heads)
    read_apart = Transpose<perm = [0, 2, 1, 3]>(read)
    read_all = Reshape<allowzero = 1>(read_apart, together)
    sum = Add(read_all, hidden)
    even = LayerNormalization<axis = -1>(sum, scale)
    wide = MatMul(even, up)
    bent = Gelu(wide)
"""
WEIGHTS = {"q": (4, 4), "k": (4, 4), "v": (4, 4), "up": (4, 2), "scale": (4,)}
RANDOM = np.random.default_rng(3)
INPUTS = {name: RANDOM.normal(size=shape).astype(np.float32) for name, shape in WEIGHTS.items()}
INPUTS["hidden"] = RANDOM.normal(size=(3, 5, 4)).astype(np.float32)


def model_of(steps: str) -> ir.Model:
    """A model of these steps with the sizes that follow from them."""
    weights = ", ".join(f"float[{', '.join(map(str, shape))}] {name}" for name, shape in WEIGHTS.items())
    proto = onnx.parser.parse_model(f"""
        <ir_version: 10, opset_import: ["" : 20]>
        layer (float[batch, tokens, 4] hidden, {weights}) => (float[batch, N] rows)
        <int64 first = {{0}}, int64 second = {{1}}, int64[1] tokens = {{1}}, int64[2] heads = {{2, 2}},
         int64[1] width = {{4}}> {{ {steps} }}""")
    return ir.from_proto(onnx.shape_inference.infer_shapes(proto, strict_mode=True, data_prop=True))


def run(model: ir.Model) -> tuple[np.ndarray, dict[str, tuple[int, ...]]]:
    """What the model gives for three texts of five tokens, and the sizes of all that it makes on the way."""
    proto = ir.to_proto(model)
    made = [name for node in proto.graph.node for name in node.output]
    proto.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in made if name != "rows")
    session = onnx_runtime().InferenceSession(proto.SerializeToString(), providers=["CPUExecutionProvider"])
    inputs = {one.name: INPUTS[one.name] for one in session.get_inputs()}
    arrays = dict(zip(made, session.run(made, inputs), strict=True))
    return arrays["rows"], {name: array.shape for name, array in arrays.items()}


def test_only_keys_and_values_are_made_for_all_tokens_of_a_layer_whose_first_is_read():
    steps = f"before = Gelu(hidden) {LAYER.replace('hidden', 'before')} rows = Gather<axis = 1>(bent, first)"
    whole, sizes = run(model_of(steps))
    assert sizes["match"] == (3, 2, 5, 5)
    model = model_of(steps)
    assert keep_first_token(model)
    rows, sizes = run(model)
    np.testing.assert_allclose(rows, whole, atol=1e-6)
    of_one = {"query": (3, 1, 4), "match": (3, 2, 1, 5), "read": (3, 2, 1, 2), "even": (3, 1, 4), "bent": (3, 1, 2)}
    of_all = {"before": (3, 5, 4), "key": (3, 5, 4), "value_heads": (3, 2, 5, 2)}
    assert {name: sizes[name] for name in of_one | of_all} == of_one | of_all


@pytest.mark.parametrize(
    "steps",
    [
        "wide = MatMul(hidden, up) rows = ReduceMean<keepdims = 0>(wide, tokens)",
        "wide = MatMul(hidden, up) rows = Gather<axis = 1>(wide, second)",
        "wide = MatMul(hidden, up) one = Gather<axis = 1>(wide, first) all = ReduceMax<keepdims = 0>(wide, tokens) rows = Add(one, all)",
        "wide = MatMul(hidden, up) share = Softmax<axis = 1>(wide) rows = Gather<axis = 1>(share, first)",
        "bent = Gelu(hidden) rows = Gather<axis = 1>(bent, first)",
    ],
    ids=["all tokens", "another token", "the first and all", "each depends on all", "no product"],
)
def test_a_graph_that_needs_all_tokens_stays_as_it_is(steps):
    model = model_of(steps)
    before = ir.to_proto(model).SerializeToString()
    assert not keep_first_token(model)
    assert ir.to_proto(model).SerializeToString() == before
