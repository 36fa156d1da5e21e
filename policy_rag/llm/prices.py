"""What an LLM's tokens cost, by a table that the user gives; a model on one's own machine costs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from policy_rag.llm.addresses import is_loopback

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency the table is in.

    >>> Price(2.0, 8.0).of(1_000, 500)
    0.006
    """

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What a call of so many tokens costs."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / _MILLION


FREE = Price(0.0, 0.0)


def price_of(name: str, table: Mapping[str, tuple[float, float]], *, url: str | None = None) -> Price | None:
    """The price of a model.

    Args:
        name: as it is asked for in settings (`ollama/llama3.2`, `openai/NAME`).
        table: name to what a million tokens of the prompt and of the reply cost.
        url: where an OpenAI-compatible server is.

    Returns:
        What the table says; nothing to pay for Ollama's models and for a server on this machine; else None: unknown.

    >>> price_of("openai/m", {"openai/m": (2.0, 8.0)})
    Price(tokens_in=2.0, tokens_out=8.0)
    >>> price_of("openai/m", {}, url="http://127.0.0.1:8000/v1")
    Price(tokens_in=0.0, tokens_out=0.0)
    """
    if name in table:
        return Price(*table[name])
    if name.startswith("ollama/") or (url and is_loopback(urlsplit(url).hostname or "")):
        return FREE
    return None
