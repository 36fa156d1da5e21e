"""Rerankers with a tiny cross-encoder that the test makes itself and loads from disk."""

import sys
from pathlib import Path

import numpy as np
import pytest
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from pickled import pickled, unpickled

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import ModelError
from policy_rag.index.loaded_models import reranker_of
from policy_rag.integrations.llama_index.retriever import RerankPostprocessor
from policy_rag.models.accelerator import has_accelerator
from policy_rag.models.factory import load_reranker
from policy_rag.models.onnx.reranker import OnnxReranker
from policy_rag.models.reranker import CrossEncoderReranker
from policy_rag.records.choices import Backend, Precision
from policy_rag.settings import load_settings

QUESTION = "how many days of leave"
TEXTS = ["leave is 25 days", "travel is paid", "", "leave is 25 days", "many days of travel and leave " * 40]


def save_cross_encoder(folder: Path, *, labels: int = 1, like_bge: bool = False) -> Path:
    """A BERT of random weights from a fixed seed, over the words of this module.

    Or, as the bge rerankers, an XLM-RoBERTa: one kind of token, and positions that begin behind the padding.
    """
    import torch
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        BertTokenizer,
        XLMRobertaConfig,
        XLMRobertaForSequenceClassification,
    )

    words = sorted({*QUESTION.split(), *" ".join(TEXTS).split()})
    folder.mkdir()
    vocabulary = {token: number for number, token in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words])}
    names = ["input_ids", "token_type_ids", "attention_mask"]
    BertTokenizer(vocab=vocabulary, model_input_names=names[::2] if like_bge else names).save_pretrained(folder)
    sizes = {
        "vocab_size": len(vocabulary),
        "hidden_size": 16,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "num_labels": labels,
        "initializer_range": 0.5,
    }
    with torch.random.fork_rng():
        torch.manual_seed(7)
        if like_bge:
            only = {"num_hidden_layers": 1, "max_position_embeddings": 66, "type_vocab_size": 1, "pad_token_id": 0}
            XLMRobertaForSequenceClassification(XLMRobertaConfig(**sizes, **only)).save_pretrained(folder)
        else:
            only = {"num_hidden_layers": 2, "max_position_embeddings": 64}
            BertForSequenceClassification(BertConfig(**sizes, **only)).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where graphs of models are kept: one is made in seconds."""
    return tmp_path_factory.mktemp("graphs")


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> CrossEncoderReranker:
    folder = save_cross_encoder(tmp_path_factory.mktemp("reranker") / "tiny")
    loaded = load_reranker(str(folder), batch_size=2, offline=True)
    assert loaded is not None
    return loaded


def test_one_that_was_pickled_scores_the_same_and_the_first_goes_on(reranker: CrossEncoderReranker) -> None:
    scores = reranker.score(QUESTION, TEXTS)
    postprocessor = RerankPostprocessor(reranker=reranker, top_n=2)
    again = unpickled(pickled(postprocessor))
    assert again.top_n == 2
    assert again.reranker.score(QUESTION, TEXTS) == scores
    assert postprocessor.reranker.score(QUESTION, TEXTS) == scores
    assert '"top_n": 2' in postprocessor.to_json()


def test_scores_equal_those_of_the_model_one_pair_at_a_time(reranker: CrossEncoderReranker) -> None:
    scores = reranker.score(QUESTION, TEXTS)
    oracle = [float(reranker.llama_index._model.predict([(QUESTION, text)])[0]) for text in TEXTS]  # type: ignore[attr-defined]
    np.testing.assert_allclose(scores, oracle, atol=1e-5)
    assert scores[0] == scores[3]
    assert len({round(score, 6) for score in scores}) == 4


def test_many_questions_at_once_score_as_one_by_one(reranker: CrossEncoderReranker) -> None:
    many = reranker.score_many([(QUESTION, TEXTS), ("travel", []), ("travel", TEXTS[:2])])
    assert [len(scores) for scores in many] == [5, 0, 2]
    np.testing.assert_allclose(many[0], reranker.score(QUESTION, TEXTS), atol=1e-6)
    np.testing.assert_allclose(many[2], reranker.score("travel", TEXTS[:2]), atol=1e-6)
    assert reranker.score(QUESTION, []) == []


def test_as_a_llama_index_postprocessor_it_orders_by_the_same_scores(reranker: CrossEncoderReranker) -> None:
    nodes = [NodeWithScore(node=TextNode(text=text), score=0.0) for text in TEXTS[:2]]
    ordered = reranker.llama_index.postprocess_nodes(nodes, QueryBundle(QUESTION))
    expected = sorted(zip(reranker.score(QUESTION, TEXTS[:2]), TEXTS[:2], strict=True), reverse=True)
    assert [node.node.get_content() for node in ordered] == [text for _, text in expected]


def test_loading_says_nothing(reranker: CrossEncoderReranker, capfd: pytest.CaptureFixture[str]) -> None:
    loaded = load_reranker(str(reranker.folder))
    assert loaded is not None
    loaded.score(QUESTION, TEXTS)
    assert capfd.readouterr() == ("", "")
    assert len(loaded.fingerprint) == 64


def test_a_reranker_that_is_not_on_disk_while_offline_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    for name in ("BAAI/bge-reranker-base", "BAAI/bge-reranker-large", "BAAI/bge-reranker-v2-m3"):
        with pytest.raises(ModelError, match=rf"reranker {name} is not on disk .* run `hf download {name}`"):
            load_reranker(name, offline=True)


def test_what_is_no_reranker_is_said_so(tmp_path: Path) -> None:
    assert load_reranker("none") is None
    with pytest.raises(ModelError, match="reranker bge: no such folder"):
        load_reranker("bge")
    three = load_reranker(str(save_cross_encoder(tmp_path / "three", labels=3)))
    assert three is not None
    with pytest.raises(ModelError, match="gives 3 scores a pair: use a model with one label"):
        three.score(QUESTION, TEXTS)
    (tmp_path / "three" / "model.safetensors").write_bytes(b"half")
    broken = load_reranker(str(tmp_path / "three"))
    assert broken is not None
    with pytest.raises(ModelError, match=r"cannot be loaded .*--reranker"):
        broken.score(QUESTION, TEXTS)


def test_scores_that_are_no_numbers_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reranker = CrossEncoderReranker("x", tmp_path)
    monkeypatch.setattr(reranker, "_predict", lambda pairs: [float("nan")] * len(pairs))
    with pytest.raises(ModelError, match="not numbers"):
        reranker.score(QUESTION, TEXTS)


def tokens_that_attend(graph: Path) -> list[int]:
    """For each layer of a graph, how many tokens of a text of five look at the others."""
    import onnx

    from policy_rag.models.onnx.inference import InferenceSession

    model = onnx.load(str(graph))
    layers = [node.output[0] for node in model.graph.node if node.op_type == "Softmax"]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in layers)
    session = InferenceSession(model.SerializeToString())
    shares = session.run({name: np.ones((1, 5), dtype=np.int64) for name in session.inputs}, layers)
    return [share.shape[-2] for share in shares]


@pytest.mark.slow
@pytest.mark.parametrize(("like_bge", "attending"), [(False, [5, 1]), (True, [1])])
def test_onnx_runtime_gives_the_scores_of_pytorch(
    like_bge: bool, attending: list[int], cache: Path, tmp_path: Path
) -> None:
    folder = save_cross_encoder(tmp_path / "tiny", like_bge=like_bge)
    texts = [*TEXTS, "days of leave " * 5]  # a pair with the longest is cut
    expected = load_reranker(str(folder)).score(QUESTION, texts)
    onnx = load_reranker(str(folder), backend=Backend.ONNX, cache=cache)
    int8 = load_reranker(str(folder), backend=Backend.ONNX_INT8, cache=cache)
    np.testing.assert_allclose(onnx.score(QUESTION, texts), expected, atol=1e-5)
    assert np.ptp(expected) > 0.01
    rough = int8.score(QUESTION, texts)
    np.testing.assert_allclose(rough, expected, atol=0.05)
    assert rough != expected
    assert len({onnx.fingerprint, int8.fingerprint}) == 2
    assert onnx.score(QUESTION, []) == []
    graphs = list(cache.glob(f"{onnx.fingerprint}-*/model.onnx"))
    assert len(graphs) == 2
    for graph in graphs:
        assert tokens_that_attend(graph) == attending, graph  # the last layer's head reads the first token alone


def test_pytorch_takes_the_place_of_a_runtime_that_is_missing_where_that_is_allowed(
    reranker: CrossEncoderReranker, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    folder = str(reranker.folder)
    allowed = load_reranker(folder, backend=Backend.ONNX, cache=tmp_path, or_torch=True)
    np.testing.assert_allclose(allowed.score(QUESTION, TEXTS), reranker.score(QUESTION, TEXTS), atol=1e-6)
    assert allowed.fingerprint == reranker.fingerprint
    assert "runs on PyTorch, which is slower" in caplog.text
    for backend, or_torch in ((Backend.ONNX, False), (Backend.ONNX_INT8, True)):
        with pytest.raises(ModelError, match=r"reranker backends .* or set reranker_backend to torch"):
            load_reranker(folder, backend=backend, cache=tmp_path, or_torch=or_torch).score(QUESTION, TEXTS)


def test_the_halves_give_nearly_the_same_scores(reranker: CrossEncoderReranker) -> None:
    half = load_reranker(str(reranker.folder), precision=Precision.BFLOAT16, device="cpu")
    np.testing.assert_allclose(half.score(QUESTION, TEXTS), reranker.score(QUESTION, TEXTS), atol=0.05)
    assert half.score(QUESTION, TEXTS) != reranker.score(QUESTION, TEXTS)


def test_a_device_that_is_not_there_is_named(reranker: CrossEncoderReranker) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_reranker(str(reranker.folder), device="cuda:7").score(QUESTION, TEXTS)


@pytest.mark.parametrize(
    ("gpu", "asked", "made"),
    [
        (False, {}, OnnxReranker),
        (True, {}, CrossEncoderReranker),
        (False, {"reranker_device": "cpu"}, CrossEncoderReranker),
        (False, {"reranker_precision": "bfloat16"}, CrossEncoderReranker),
        (False, {"reranker_backend": "torch"}, CrossEncoderReranker),
        (True, {"reranker_backend": "onnx"}, OnnxReranker),
    ],
)
def test_onnx_runtime_is_the_way_on_a_processor_unless_something_asks_for_pytorch(
    reranker: CrossEncoderReranker, monkeypatch: pytest.MonkeyPatch, gpu: bool, asked: dict[str, str], made: type
) -> None:
    monkeypatch.setattr("policy_rag.models.accelerator.has_accelerator", lambda: gpu)
    assert type(reranker_of(load_settings(asked), str(reranker.folder))) is made


def test_pytorch_is_not_loaded_to_learn_that_there_is_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("policy_rag.models.accelerator.sys.platform", "linux")
    monkeypatch.setattr("policy_rag.models.accelerator.Path.exists", lambda _: False)
    monkeypatch.setitem(sys.modules, "torch", None)
    has_accelerator.cache_clear()
    assert not has_accelerator()
    monkeypatch.setattr("policy_rag.models.accelerator.Path.exists", lambda _: True)
    has_accelerator.cache_clear()
    assert not has_accelerator(), "PyTorch is not installed"
    has_accelerator.cache_clear()


@pytest.mark.slow
def test_settings_choose_what_runs_the_reranker(reranker: CrossEncoderReranker, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "leave.md").write_text("# Leave\n\n## 1 Days\n\nLeave is 25 days.\n\n## 2 Travel\n\nTravel is paid.\n")
    made = {"embedding_backend": "torch", "model_cache": cache, "reranker": str(reranker.folder)}
    with PolicyAssistant.open(tmp_path / "index", create=True, reranker_backend="torch", **made) as assistant:
        assistant.ingest([tmp_path / "leave.md"])
        plain = assistant.search(QUESTION)
    with PolicyAssistant.open(tmp_path / "index", reranker_backend="onnx", **made) as assistant:
        onnx = assistant.search(QUESTION)
    assert [hit.section_id for hit in onnx.hits] == [hit.section_id for hit in plain.hits]
    scores = [[hit.found_by["reranker"].score for hit in result.hits] for result in (plain, onnx)]
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-5)
