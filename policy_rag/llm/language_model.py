"""What the answerers need of an LLM, whoever serves it: one call, its reply, and how long a text is in tokens."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypedDict, Unpack

from policy_rag_parsers.llm.tokens import estimate_tokens

_ROLE_TOKENS = 32
_BILLIONS = re.compile(r"(?<![\d.])(\d{1,4}(?:\.\d{1,4})?) ?([bm])(?![a-z0-9])", re.IGNORECASE)

BRIEF_TOKENS = 8
"""Most tokens of a reply of which only the first is wanted."""

TextCallback = Callable[[str], None]
"""Called while a text is being written, each time with all of it so far."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What an LLM replied.

    Attributes:
        text: without the model's thinking.
        tokens_in: tokens of the prompt as the server counted them, or our estimate where it does not say.
        tokens_out: tokens of the reply, thinking included, counted likewise.
        ms: milliseconds from the request to the last token.
        done_reason: `stop` when the model ended by itself, `length` when it was cut at the most tokens of a reply.
        first: the likeliest first tokens with their probabilities, likeliest first; empty unless they were asked for
            and the server gives them.
    """

    text: str
    tokens_in: int
    tokens_out: int
    ms: float
    done_reason: str
    first: tuple[tuple[str, float], ...] = ()


class ReplyOptions(TypedDict, total=False):
    """What is wanted of a reply; nothing of it unless it is given.

    Attributes:
        json_schema: the reply must be JSON of this schema.
        on_partial: called while the reply is being written, without the model's thinking; see
            `policy_rag.llm.streaming.text_so_far`. A model that cannot stream does not call it. What it raises ends the
            call.
        first_tokens: whether the likeliest first tokens are wanted (`Reply.first`). The reply is then cut after
            `BRIEF_TOKENS`, and neither shaped by a schema nor streamed.
    """

    json_schema: Mapping[str, Any] | None
    on_partial: TextCallback | None
    first_tokens: bool


class LanguageModel(Protocol):
    """An LLM behind a server.

    Attributes:
        name: as it is asked for in settings (`ollama/llama3.2`).
        context_window: tokens that prompt and reply may have together.
        reply_tokens: most tokens of a reply; they are kept free in the window.
        billions: of weights that it has, or None where nobody says.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def context_window(self) -> int: ...  # noqa: D102
    @property
    def reply_tokens(self) -> int: ...  # noqa: D102
    @property
    def billions(self) -> float | None: ...  # noqa: D102

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The model's reply to one message under one system prompt; `how` is described at `ReplyOptions`.

        Raises:
            ModelError: the prompt does not fit, was cut by the server, or the server fails; names the server.
        """
        ...


def read_billions(text: str) -> float | None:
    """The billions of weights that a model's name or its server names, or None.

    >>> read_billions("ollama/llama3.1:8b-instruct-q4"), read_billions("3.2B"), read_billions("999.89M")
    (8.0, 3.2, 0.99989)
    >>> read_billions("gpt-4o") is None
    True
    """
    found = _BILLIONS.search(text)
    return None if found is None else float(found[1]) / (1 if found[2] in "bB" else 1000)


class ModelWrapper:
    """What stands before a model and has its name and limits; `chat` is the wrapper's own."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = model.name
        self.context_window = model.context_window
        self.reply_tokens = model.reply_tokens
        self.billions = model.billions


def prompt_tokens(system: str, user: str) -> int:
    """Tokens of a prompt at most, with what a chat template adds around its two messages."""
    return estimate_tokens(system) + estimate_tokens(user) + _ROLE_TOKENS


def reply_budget(context_window: int) -> int:
    """Most tokens of a reply: a quarter of the window, 1,024 at most.

    >>> reply_budget(8192), reply_budget(2048)
    (1024, 512)
    """
    return min(1024, context_window // 4)
