"""The models of an index: each loaded once, `auto` looked for each time, and refused where they do not fit."""

from dataclasses import replace

import pytest

from policy_rag.errors import IndexingError, ModelError
from policy_rag.index.ingest.target_manifest import target_manifest
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Backend
from policy_rag.settings import load_settings


def test_each_model_is_loaded_once(index, ollama):
    settings = load_settings({"llm": "ollama/llama3.2"})
    models = LoadedModels(index, settings)
    assert models.embedder() is models.embedder("all-MiniLM-L6-v2")
    assert models.reranker("none") is None
    assert models.llm(settings) is models.llm(settings)
    assert models.llm(settings) is not models.llm(load_settings({"llm": "ollama/llama3.2", "seed": 7}))
    assert [path for path, _ in ollama.requests].count("/api/show") == 2


def test_auto_looks_each_time(index, ollama):
    settings = load_settings({"llm": "auto"})
    models = LoadedModels(index, settings)
    assert models.llm(settings).model is not None
    ollama.models = []
    assert models.llm(settings).model is None
    ollama.models = ["llama3.2:latest"]
    assert models.llm(settings).model is not None


def test_an_empty_index_has_no_model_to_fit(index):
    with pytest.raises(IndexingError, match=r"is empty: run `policy-rag ingest PATH` first"):
        LoadedModels(index, load_settings()).manifest()


def test_what_runs_the_model_fits_the_vectors_unless_it_is_asked_for(index, manifest, monkeypatch):
    asked = load_settings({"embedding_backend": "torch"})
    assert LoadedModels(index, load_settings()).backend is Backend.ONNX
    for precision, backend in (("int8", Backend.ONNX_INT8), ("float32", Backend.ONNX)):
        monkeypatch.setattr(Index, "manifest", replace(manifest, precision=precision))
        assert LoadedModels(index, load_settings()).backend is backend
        assert LoadedModels(index, asked).backend is Backend.TORCH


def test_what_is_quick_is_the_same_model_in_int8_by_default(index, manifest, monkeypatch):
    fingerprint = LoadedModels(index, load_settings()).embedder().fingerprint
    monkeypatch.setattr(Index, "manifest", replace(manifest, embedding="all-MiniLM-L6-v2", fingerprint=fingerprint))
    by_default, asked = (LoadedModels(index, load_settings(one)) for one in ({}, {"embedding_backend": "torch"}))
    assert by_default.quick_embedder() is by_default.quick_embedder() is not by_default.embedder()
    assert by_default.quick_embedder().fingerprint != fingerprint
    assert asked.quick_embedder() is asked.embedder()


def test_the_next_ingest_is_made_as_the_index_was_but_for_what_is_asked(manifest):
    class Model:
        name, fingerprint, dimension, max_tokens = "bag-of-words", "bag-of-words-1", 64, 150

    model = Model()
    fresh = target_manifest(load_settings({"chunk_tokens": 9999}), None, model, Backend.ONNX)
    assert (fresh.chunk_tokens, fresh.precision, fresh.judge) == (150, "float32", None)
    again = target_manifest(load_settings({"hit_chars": 777}), manifest, model, Backend.ONNX)
    assert (again.chunk_tokens, again.hit_chars) == (manifest.chunk_tokens, 777)


def test_a_model_that_only_the_index_names_is_not_fetched(index, manifest, monkeypatch, tmp_path):
    asked = []

    def model_info(_, name, **__):
        asked.append(name)
        raise OSError("no network")

    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", model_info)
    monkeypatch.setattr(Index, "manifest", replace(manifest, embedding="someone/model"))
    with pytest.raises(IndexingError, match=r"someone/model, which is not on this machine: .* `hf download someone/m"):
        LoadedModels(index, load_settings()).manifest()
    assert asked == []
    with pytest.raises(ModelError, match="cannot be fetched"):
        LoadedModels(index, load_settings({"embedding": "someone/model"})).manifest()
    assert asked == ["someone/model"]
    monkeypatch.setattr(Index, "manifest", replace(manifest, embedding="sentence-transformers/all-MiniLM-L6-v2"))
    assert LoadedModels(index, load_settings()).embedder().dimension == 384
