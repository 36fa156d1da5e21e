"""Which LLM answers: the one place where an LLM's name becomes a model."""

import logging
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from policy_rag.errors import ModelError, SettingsError
from policy_rag.llm.addresses import ollama_url, without_password
from policy_rag.llm.language_model import LanguageModel
from policy_rag.llm.limits import Limits
from policy_rag.llm.ollama import DEFAULT_OLLAMA_MODEL, OllamaModel, OllamaServer, find_model
from policy_rag.llm.openai_compatible import OpenAIModel
from policy_rag.llm.server import CallOptions
from policy_rag.settings import SETTINGS_FILE

_log = logging.getLogger(__name__)
EXTRACTIVE = "extractive"
_PROBE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ResolvedLLM:
    """Who answers: `model`, or None for the extractive answerer; `notice` says so to people, one line."""

    model: LanguageModel | None
    notice: str


@dataclass(frozen=True, slots=True)
class LLMOptions:
    """How an LLM is asked.

    Attributes:
        url: address of an OpenAI-compatible server, or None.
        url_in_file: whether a file in the current folder gives that address; it is then told before the first call.
        api_key: its key (`OPENAI_API_KEY`), or None; never shown.
        ollama_host: where Ollama is, as `OLLAMA_HOST` says it, or None for its default.
        limits: what one call may take in all. All else is described at `CallOptions`.
    """

    url: str | None = None
    url_in_file: bool = False
    api_key: str | None = None
    ollama_host: str | None = None
    timeout: float = 120.0
    limits: Limits = field(default_factory=Limits)
    context: int = 8192
    reply_tokens: int | None = None
    temperature: float = 0.0
    seed: int = 0

    def __repr__(self) -> str:
        url = None if self.url is None else without_password(self.url)
        return f"{type(self).__name__}(url={url!r}, ollama_host={self.ollama_host!r})"


def resolve_llm(name: str, options: LLMOptions | None = None) -> ResolvedLLM:
    """The answerer that `name` stands for.

    Args:
        name: `extractive`; `ollama/NAME`; `openai/NAME`, which needs `options.url`; or `auto`: Ollama with llama3.2
            where a server answers and has it, else extractive.
        options: how it is asked.

    Raises:
        SettingsError: the name is none of these, or an address is missing.
        ModelError: a model that was asked for by name is not there. `auto` never raises for that.
    """
    options = options or LLMOptions()
    kind, _, model = name.partition("/")
    if name == EXTRACTIVE:
        return ResolvedLLM(None, "answering by quotation (extractive)")
    if name == "auto":
        return _automatic(options)
    if kind == "ollama" and model:
        return _ollama(model, ollama_url(options.ollama_host), options)
    if kind == "openai" and model:
        if not options.url:
            raise SettingsError(f"llm={name!r} needs the server's address: set llm_url, as in http://127.0.0.1:8000/v1")
        if options.url_in_file:
            _tell_address(options.url)
        llm = OpenAIModel(model, options.url, api_key=options.api_key, limits=options.limits, **_sampling(options))
        return ResolvedLLM(llm, f"answering with {model} of {without_password(options.url)}")
    raise SettingsError(f"llm={name!r}: it can be auto, extractive, ollama/NAME, or openai/NAME with llm_url")


@lru_cache
def _tell_address(url: str) -> None:
    """Once a process."""
    shown = without_password(url).encode("unicode_escape").decode("ascii")
    _log.warning(
        "questions and passages go to the LLM at %s, because %s in this folder says so; OPENAI_API_KEY does not: "
        "where that is meant, set POLICY_RAG_LLM_URL to the address",
        shown,
        SETTINGS_FILE,
    )


def _automatic(options: LLMOptions) -> ResolvedLLM:
    server = OllamaServer(ollama_url(options.ollama_host), timeout=_PROBE_SECONDS)
    try:
        server.version()
    except ModelError:
        return ResolvedLLM(None, f"answering by quotation (extractive): no Ollama answers at {server.url}")
    try:
        model = find_model(DEFAULT_OLLAMA_MODEL, server.models())
        if model is not None:
            return _ollama(model, server.url, options)
    except ModelError as error:
        return ResolvedLLM(None, f"answering by quotation (extractive): {error}")
    return ResolvedLLM(
        None,
        f"answering by quotation (extractive): Ollama at {server.url} does not have {DEFAULT_OLLAMA_MODEL}; "
        f"run `ollama pull {DEFAULT_OLLAMA_MODEL}`",
    )


def _ollama(model: str, url: str, options: LLMOptions) -> ResolvedLLM:
    llm = OllamaModel(model, OllamaServer(url, limits=options.limits), **_sampling(options))
    return ResolvedLLM(llm, f"answering with {model} of Ollama at {without_password(url)}")


def _sampling(options: LLMOptions) -> CallOptions:
    """What both kinds of model take."""
    return cast("CallOptions", {name: getattr(options, name) for name in CallOptions.__annotations__})
