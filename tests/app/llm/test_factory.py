"""Which LLM a name stands for, and that it is said who answers."""

import socket

import pytest
from ollama_server import OllamaStandIn

from policy_rag.errors import ModelError, SettingsError
from policy_rag.llm.factory import LLMOptions, resolve_llm


def nobody() -> LLMOptions:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return LLMOptions(ollama_host=f"127.0.0.1:{probe.getsockname()[1]}")


def test_extractive_needs_nothing() -> None:
    resolved = resolve_llm("extractive", nobody())
    assert resolved.model is None
    assert "extractive" in resolved.notice


def test_auto_takes_ollama_where_it_has_the_model(ollama: OllamaStandIn) -> None:
    ollama.models = ["mistral:7b", "llama3.2:latest"]
    resolved = resolve_llm("auto", LLMOptions(ollama_host=ollama.host, context=2048))
    assert resolved.model is not None
    assert (resolved.model.name, resolved.model.context_window) == ("ollama/llama3.2", 2048)
    assert resolved.notice == f"answering with llama3.2 of Ollama at {ollama.url}"
    assert [path for path, _ in ollama.requests] == ["/api/version", "/api/tags", "/api/show"]


def test_auto_falls_back_to_quotation_and_says_why(ollama: OllamaStandIn) -> None:
    options = LLMOptions(ollama_host=ollama.host)
    ollama.models = ["mistral:7b"]
    resolved = resolve_llm("auto", options)
    assert resolved.model is None
    assert resolved.notice.endswith(f"Ollama at {ollama.url} does not have llama3.2; run `ollama pull llama3.2`")
    ollama.models, ollama.raw = ["llama3.2:latest"], {"/api/tags": b"nonsense"}
    resolved = resolve_llm("auto", options)
    assert resolved.model is None
    assert "is not Ollama's protocol" in resolved.notice
    down = nobody()
    resolved = resolve_llm("auto", down)
    assert resolved.model is None
    assert resolved.notice.endswith(f"no Ollama answers at http://{down.ollama_host}")


def test_a_model_asked_for_by_name_must_be_there(ollama: OllamaStandIn) -> None:
    options = LLMOptions(ollama_host=ollama.host)
    ollama.models = ["hf.co/owner/model:q4"]
    resolved = resolve_llm("ollama/hf.co/owner/model:q4", options)
    assert resolved.model is not None
    assert resolved.model.name == "ollama/hf.co/owner/model:q4"
    with pytest.raises(ModelError, match=r"run `ollama pull llama3\.2`"):
        resolve_llm("ollama/llama3.2", options)
    with pytest.raises(ModelError, match="cannot be reached"):
        resolve_llm("ollama/llama3.2", nobody())


def test_an_openai_server_needs_its_address() -> None:
    options = LLMOptions(url="http://127.0.0.1:9/v1", api_key="sk-secret")
    resolved = resolve_llm("openai/qwen", options)
    assert resolved.model is not None
    assert resolved.model.name == "openai/qwen"
    assert "sk-secret" not in repr(options) + repr(resolved)
    with pytest.raises(SettingsError, match="set llm_url"):
        resolve_llm("openai/qwen")


@pytest.mark.parametrize("name", ["", "llama3.2", "ollama/", "openai/", "gpt/4", "Auto"])
def test_an_unknown_name_is_answered_with_the_valid_ones(name: str) -> None:
    with pytest.raises(SettingsError, match="it can be auto, extractive, ollama/NAME, or openai/NAME with llm_url"):
        resolve_llm(name)
