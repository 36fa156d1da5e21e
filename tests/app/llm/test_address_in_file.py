"""An address that a file in the folder gives is told before anything is sent there, and gets no key."""

import logging
from pathlib import Path

import pytest
from openai_server import OpenAIStandIn

from policy_rag.errors import ModelError
from policy_rag.llm import factory
from policy_rag.llm.factory import resolve_llm
from policy_rag.llm.model_options import llm_options
from policy_rag.settings import Settings, load_settings

KEY = "sk-very-secret-0123456789"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    factory._tell_address.cache_clear()
    return tmp_path


def write(folder: Path, url: str) -> None:
    (folder / "policy_rag.toml").write_text(f'llm = "openai/m"\nllm_url = "{url}"\n')


def key_that_was_sent(settings: Settings, server: OpenAIStandIn) -> str | None:
    model = resolve_llm(settings.llm.llm, llm_options(settings)).model
    assert model is not None
    model.chat("Be brief.", "Leave?")
    return server.requests[-1][0].get("Authorization")


def test_a_file_is_named_with_its_address_and_the_key_stays_here(
    here: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIStandIn() as server:
        write(here, server.url.replace("http://", "http://me:hunter2@"))
        settings = load_settings()
        for chosen in (settings, settings.changed({"top_k": 3}), load_settings({"offline": True})):
            resolve_llm("openai/m", llm_options(chosen))
            assert server.requests == []
            (told,) = caplog.messages  # once
            assert f"go to the LLM at {server.url}, because policy_rag.toml in this folder says so" in told
            assert "hunter2" not in told
        sent = key_that_was_sent(settings, server)
        assert sent is None or KEY not in sent
        caplog.clear()
        write(here, server.url)
        assert key_that_was_sent(load_settings(), server) is None
        assert len(caplog.messages) == 1


@pytest.mark.parametrize("way", ["variable", "option", "changed"])
def test_an_address_of_the_environment_or_the_call_gets_the_key(
    way: str, here: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIStandIn() as server:
        write(here, "http://192.0.2.1/v1")
        if way == "variable":
            monkeypatch.setenv("POLICY_RAG_LLM_URL", server.url)
        settings = load_settings({"llm_url": server.url} if way == "option" else {})
        if way == "changed":
            settings = settings.changed({"llm_url": server.url})
        assert key_that_was_sent(settings, server) == f"Bearer {KEY}"
    assert caplog.messages == []


def test_a_server_that_wants_a_key_is_told_where_to_put_the_address(here: Path) -> None:
    with OpenAIStandIn(status=401, error="no key") as server:
        write(here, server.url)
        with pytest.raises(ModelError, match="wants a key: set OPENAI_API_KEY, and POLICY_RAG_LLM_URL"):
            key_that_was_sent(load_settings(), server)


def test_an_address_cannot_steer_the_terminal(here: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    write(here, "http://127.0.0.1:9/\\u001b[2J\\u202e")
    resolve_llm("openai/m", llm_options(load_settings()))
    (told,) = caplog.messages
    assert told.isprintable()
    assert "\\u202e" in told
