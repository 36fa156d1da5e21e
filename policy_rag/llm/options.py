"""Settings to what the model makers take: components read neither settings nor environment themselves."""

import os

from policy_rag.llm.factory import LLMOptions
from policy_rag.llm.metering import Budget
from policy_rag.settings import Settings


def llm_options(settings: Settings) -> LLMOptions:
    """How an LLM is asked; addresses and keys that live in the environment are read here."""
    return LLMOptions(
        url=settings.llm.llm_url,
        api_key=os.environ.get("OPENAI_API_KEY"),
        ollama_host=os.environ.get("OLLAMA_HOST"),
        timeout=settings.llm.llm_timeout,
        context=settings.llm.llm_context,
        temperature=settings.llm.temperature,
        seed=settings.llm.seed,
    )


def budget_of(settings: Settings) -> Budget:
    """What one question may take."""
    return Budget(settings.llm.budget_calls, settings.llm.budget_tokens, settings.llm.budget_cost)
