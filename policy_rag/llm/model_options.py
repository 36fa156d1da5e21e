"""Settings to what the model makers take: components read neither settings nor environment themselves."""

import os

from policy_rag.llm.factory import LLMOptions
from policy_rag.llm.language_model import LanguageModel
from policy_rag.llm.limits import Limits
from policy_rag.llm.metering import NO_LIMIT, Budget, Calls, EstimatingModel, price_of
from policy_rag.settings import Settings
from policy_rag.tracing import Trace


def llm_options(settings: Settings) -> LLMOptions:
    """How an LLM is asked; addresses and keys that live in the environment are read here.

    A key goes to an address that the environment or the call gives: a file in the folder could send it anywhere.
    """
    in_file = settings.is_in_file("llm_url")
    return LLMOptions(
        url=settings.llm.llm_url,
        url_in_file=in_file,
        api_key=None if in_file else os.environ.get("OPENAI_API_KEY"),
        ollama_host=os.environ.get("OLLAMA_HOST"),
        timeout=settings.llm.llm_timeout,
        limits=Limits(settings.llm.llm_deadline, settings.llm.llm_reply_bytes),
        context=settings.llm.llm_context,
        temperature=settings.llm.temperature,
        seed=settings.llm.seed,
    )


def budget_of(settings: Settings) -> Budget:
    """What one question may take."""
    return Budget(settings.llm.budget_calls, settings.llm.budget_tokens, settings.llm.budget_cost)


def metered(model: LanguageModel | None, settings: Settings, trace: Trace, *, dry: bool = False) -> Calls | None:
    """A model under the budget of one question, its calls kept in `trace`; None where there is none.

    Args:
        model: who replies.
        settings: the budget and the prices.
        trace: of the question.
        dry: whether a stand-in takes the model's place; there is no budget then.

    Raises:
        SettingsError: the budget limits the cost, and the price is not known.
    """
    if model is None:
        return None
    price = price_of(model.name, settings.llm.prices, url=settings.llm.llm_url)
    if dry:
        return Calls(EstimatingModel(model), trace=trace, budget=NO_LIMIT, price=price)
    return Calls(model, trace=trace, budget=budget_of(settings), price=price)
