"""The configured LLM as LlamaIndex's own class, for parts that take any LLM of LlamaIndex."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from policy_rag.errors import SettingsError
from policy_rag.llm.addresses import ollama_url
from policy_rag.llm.factory import LLMOptions

if TYPE_CHECKING:
    from llama_index.core.llms import LLM


@contextmanager
def llama_index_llm(name: str, options: LLMOptions, *, timeout: float) -> Iterator["LLM"]:
    """The LLM `name`, which is there, as `resolve_llm` has found; its connections are closed in the end.

    Args:
        name: `ollama/NAME`, or `openai/NAME` with `options.url`.
        options: how it is asked.
        timeout: most seconds that one request may take.

    Raises:
        SettingsError: the name is neither.
    """
    kind, _, model = name.partition("/")
    if kind == "ollama" and model:
        import ollama
        from llama_index.llms.ollama import Ollama

        url = ollama_url(options.ollama_host)
        with ollama.Client(host=url, timeout=timeout) as client:
            yield Ollama(
                model=model,
                base_url=url,
                client=client,
                request_timeout=timeout,
                context_window=options.context,
                temperature=options.temperature,
                additional_kwargs={"seed": options.seed},
            )
    elif kind == "openai" and model and options.url:
        import httpx
        from llama_index.llms.openai_like import OpenAILike

        with httpx.Client(timeout=timeout) as http:
            llm = OpenAILike(
                model=model,
                api_base=options.url,
                api_key=options.api_key or "none",
                is_chat_model=True,
                context_window=options.context,
                temperature=options.temperature,
                timeout=timeout,
                max_retries=0,
            )
            llm._http_client = http  # noqa: SLF001 - its constructor takes it, its type does not say so
            yield llm
    else:
        raise SettingsError(f"llm={name!r}: it can be ollama/NAME, or openai/NAME with llm_url")
