"""What an LLM is asked while questions are searched: their transforms, and the filters that it reads out of them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag.llm.metering import Calls, price_of
from policy_rag.llm.reply_cache import CachedModel
from policy_rag.records.choices import SelfQuery
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.self_query.llm_filters import choice_lines
from policy_rag.retrieval.transforms.aliases import Aliases
from policy_rag.retrieval.transforms.chain import transform
from policy_rag.settings import Settings
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

ASKING = ("transforms", "self_query")
"""The settings by which a search asks an LLM."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What LLMs would be asked, at most; `cost` is in the currency of `prices`, None where a price is not known."""

    calls: int
    tokens: int
    cost: float | None

    def as_json(self) -> dict[str, Any]:
        """What `--json` prints."""
        return {"calls": self.calls, "tokens_at_most": self.tokens, "cost_at_most": self.cost}


NOTHING = Spending(0, 0, 0.0)


def total_spending(spent: Sequence[Spending]) -> Spending:
    """The sum; its cost is known where each is.

    >>> total_spending([Spending(1, 10, 0.5), Spending(2, 20, None)])
    Spending(calls=3, tokens=30, cost=None)
    """
    costs = [one.cost for one in spent]
    return Spending(
        sum(one.calls for one in spent),
        sum(one.tokens for one in spent),
        None if None in costs else sum(cost for cost in costs if cost is not None),
    )


def asks_llm(settings: Settings) -> bool:
    """Whether a search with these settings asks the LLM, where there is one."""
    return bool(settings.query.transforms) or settings.query.self_query is SelfQuery.LLM


def search_spending(
    model: CachedModel, settings: Settings, requests: Sequence[SearchRequest], titles: Sequence[str]
) -> Spending:
    """What searching these questions would ask of the LLM, at most, each reply as long as it may be.

    What the model was asked before counts no second time.

    Args:
        model: one that only counts.
        settings: of the search.
        requests: what is asked, by whom and of which day.
        titles: of the documents, among which the LLM is to choose; the longest stand for those that it is offered.
    """
    calls, tokens = model.calls, model.tokens
    longest = sorted(titles, key=len, reverse=True)
    template, choices = load_template("self_query"), choice_lines([("title", title) for title in longest])
    for request in requests:
        transform(request.question, settings.query.transforms, aliases=lambda: Aliases({}), calls=Calls(model))
        if settings.query.self_query is SelfQuery.LLM:
            # Whoever may read other documents, or asks of another day, is shown other choices.
            asker = " ".join((str(request.as_of or dt.date.min), *request.groups))
            prompt = template.render(question=as_data(request.question), choices=choices, day=asker)
            model.chat(prompt.system, prompt.user)
    return counted(model, settings, model.calls - calls, model.tokens - tokens)


def counted(model: CachedModel, settings: Settings, calls: int, tokens: int) -> Spending:
    """What so many calls cost by the setting `prices`, of whose tokens the longest replies are a part."""
    price = price_of(model.name, settings.llm.prices, url=settings.llm.llm_url)
    tokens_out = min(tokens, calls * model.reply_tokens)
    cost = None if price is None else price.of(tokens - tokens_out, tokens_out)
    return Spending(calls, tokens, cost)
