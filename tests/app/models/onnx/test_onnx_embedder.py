"""ONNX Runtime behind the same name: the rows of PyTorch, and an index that knows what made its vectors."""

import sys
from collections import Counter

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pickled import pickled, unpickled

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import IndexingError, ModelError
from policy_rag.models.factory import load_embedder
from policy_rag.models.folders import default_cache
from policy_rag.models.onnx import graph_export
from policy_rag.models.onnx.batches import batches
from policy_rag.models.onnx.graph_export import GraphKind, graph_file
from policy_rag.models.onnx.inference import InferenceSession
from policy_rag.models.onnx.quantization import quantise
from policy_rag.records.choices import Backend

TEXTS = [
    "Employees may work from home two days a week.",
    "A hotel room costs 120 euros at most. " * 60,
    "Who approves a trip abroad?",
    "",
    "Die Beschäftigten erfassen ihre Zeiten täglich (§ 4 Abs. 2).",
    "Who approves a trip abroad?",
]


@pytest.fixture(scope="module")
def cache():
    """Where other tests keep their graphs too: to make one takes ten seconds."""
    return default_cache()


@pytest.fixture(scope="module")
def float32(cache):
    return load_embedder(backend=Backend.ONNX, cache=cache)


@pytest.fixture(scope="module")
def int8(cache):
    return load_embedder(backend=Backend.ONNX_INT8, cache=cache)


@pytest.fixture(scope="module")
def torch():
    return load_embedder()


@pytest.mark.slow
def test_one_that_was_pickled_embeds_the_same_and_the_first_goes_on(int8):
    rows = int8.embed(TEXTS)
    state = pickled(int8)
    assert len(state) < 1000, "weights or tokenizer went along"
    again = unpickled(state)
    assert (again.name, again.fingerprint) == (int8.name, int8.fingerprint)
    assert np.array_equal(again.embed(TEXTS), rows)
    assert np.array_equal(int8.embed(TEXTS), rows)


@pytest.mark.slow
def test_float32_gives_the_rows_of_pytorch(float32, torch):
    rows = float32.embed(TEXTS)
    np.testing.assert_allclose(rows, torch.embed(TEXTS), atol=2e-6)
    assert np.array_equal(rows[2], rows[5])
    assert float32.embed([]).shape == (0, 384)
    assert float32.fingerprint == torch.fingerprint


@pytest.mark.slow
def test_int8_comes_near_and_gives_a_text_the_same_row_in_any_company(int8, torch):
    rows = int8.embed(TEXTS)
    cosines = (rows * torch.embed(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.98
    assert not np.allclose(cosines, 1, atol=1e-5)
    alone = np.concatenate([int8.embed([text]) for text in TEXTS])
    assert (rows * alone).sum(axis=1).min() > 0.9999
    assert int8.fingerprint != torch.fingerprint


@pytest.mark.slow
def test_what_runs_in_float32_can_be_had_in_int8(float32, int8):
    made = float32.in_int8()
    assert (made.fingerprint, made.instructions) == (int8.fingerprint, float32.instructions)
    assert np.array_equal(made.embed(TEXTS), int8.embed(TEXTS))
    assert int8.in_int8() is int8


@pytest.mark.slow
def test_where_no_graph_in_int8_can_be_made_float32_stays(tmp_path, cache, float32):
    rows = float32.embed(TEXTS)
    place = graph_export._place(float32.fingerprint, tmp_path, int8=False)
    place.symlink_to(graph_export._place(float32.fingerprint, cache, int8=False))
    graph_export._place(float32.fingerprint, tmp_path, int8=True).with_suffix(".lock").mkdir()
    embedder = load_embedder(backend=Backend.ONNX, cache=tmp_path)
    assert embedder.in_int8() is embedder
    assert np.array_equal(embedder.embed(TEXTS), rows)


def test_products_in_integers_are_near_those_in_float(tmp_path):
    chance = np.random.default_rng(1)
    weight = chance.normal(size=(16, 8)).astype(np.float32)
    made = onnx.parser.parse_model("""
        <ir_version: 10, opset_import: ["" : 20]>
        product (float[rows, 16] x) => (float[rows, 8] y) { y = MatMul(x, w) }""")
    made.graph.initializer.append(onnx.numpy_helper.from_array(weight, "w"))
    onnx.save(made, tmp_path / "float.onnx")
    quantise(tmp_path / "float.onnx", tmp_path / "int8.onnx", in_one_file=True)
    session = InferenceSession(str(tmp_path / "int8.onnx"))
    # Rows of very different size: each keeps its own precision, and a row of zeros stays one.
    x = chance.normal(size=(4, 16)).astype(np.float32) * np.array([[1], [1000], [0.001], [0]], dtype=np.float32)
    (found,) = session.run({"x": x})
    exact = x @ weight
    assert (np.abs(found - exact).max(axis=1) <= 0.03 * np.abs(exact).max(axis=1) + 1e-12).all()
    assert not np.array_equal(found, exact)
    assert "MatMul" not in {node.op_type for node in onnx.load(tmp_path / "int8.onnx").graph.node}


@pytest.mark.slow
def test_an_index_is_searched_with_vectors_of_its_own_precision(tmp_path, cache, int8):
    (tmp_path / "travel.md").write_text("# Travel\n\n## 1 Hotels\n\nA hotel room costs 120 euros at most.\n")
    made = {"embedding_backend": "torch", "model_cache": cache}
    with PolicyAssistant.open(tmp_path / "index", create=True, **made) as assistant:
        assistant.ingest([tmp_path / "travel.md"])
    with PolicyAssistant.open(tmp_path / "index", embedding_backend="onnx", model_cache=cache) as assistant:
        assert assistant.search("hotel").hits[0].title == "Hotels"
    with (
        PolicyAssistant.open(tmp_path / "index", embedding_backend="onnx-int8", model_cache=cache) as assistant,
        pytest.raises(IndexingError, match="holds float32 vectors, not int8: leave the setting embedding_backend out"),
    ):
        assistant.search("hotel")
    with PolicyAssistant.open(
        tmp_path / "small", create=True, embedding_backend="onnx-int8", model_cache=cache
    ) as assistant:
        assistant.ingest([tmp_path / "travel.md"])
    with PolicyAssistant.open(tmp_path / "small", model_cache=cache) as assistant:
        assert assistant.embedder().fingerprint == int8.fingerprint
        assert assistant.search("hotel").hits[0].title == "Hotels"


def test_a_missing_package_is_named_with_the_way_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelError, match="pip install onnxruntime onnx onnxscript"):
        load_embedder(backend=Backend.ONNX, cache=tmp_path).embed(["x"])


def test_a_broken_graph_is_named(tmp_path):
    embedder = load_embedder(backend=Backend.ONNX, cache=tmp_path)
    place = graph_export._place(embedder.fingerprint, tmp_path, int8=False)
    place.mkdir()
    (place / "model.onnx").write_bytes(b"half a file")
    with pytest.raises(ModelError, match=r"cannot be loaded .* remove its folder"):
        embedder.embed(["x"])


def test_a_cache_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="set model_cache to a folder with room"):
        graph_file(tmp_path, "0" * 64, tmp_path / "file", kind=GraphKind.EMBEDDING, int8=False)


@given(st.lists(st.integers(1, 3000), max_size=300))
def test_batches_hold_each_text_once_and_keep_to_their_budget(lengths):
    made = batches(lengths)
    assert Counter(i for batch in made for i in batch) == Counter(range(len(lengths)))
    for batch in made:
        assert max(lengths[i] for i in batch) == lengths[batch[0]]
        assert len(batch) == 1 or (len(batch) <= 64 and len(batch) * lengths[batch[0]] <= 2048)
        assert min(lengths[i] for i in batch) >= 0.85 * lengths[batch[0]]


def test_pytorch_takes_the_place_of_a_runtime_that_is_missing_where_that_is_allowed(
    monkeypatch, tmp_path, torch, caplog
):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    embedder = load_embedder(backend=Backend.ONNX, cache=tmp_path, or_torch=True)
    assert embedder.in_int8() is embedder
    assert np.array_equal(embedder.embed(["x"]), torch.embed(["x"]))
    assert "runs on PyTorch, which is slower" in caplog.text


def test_the_application_takes_onnx_unless_told_otherwise(tmp_path, float32, int8, cache):
    with PolicyAssistant.open(tmp_path / "index", create=True, model_cache=cache) as assistant:
        assert repr(assistant.embedder()) == "OnnxEmbedder('all-MiniLM-L6-v2')"
        assert assistant.embedder().fingerprint == float32.fingerprint != int8.fingerprint
