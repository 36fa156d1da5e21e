"""What the answerers need of an LLM, whoever serves it: one call, its reply, and how long a text is in tokens."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_PIECE = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]")
_THINKING = re.compile(r"<(think|thinking|thought)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(think|thinking|thought)>.*\Z", re.DOTALL | re.IGNORECASE)
_CLOSED_THINKING = re.compile(r"\A.*</(think|thinking|thought)>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an LLM replied.

    Attributes:
        text: without the model's thinking.
        tokens_in: tokens of the prompt as the server counted them, or our estimate where it does not say.
        tokens_out: tokens of the reply, thinking included, counted likewise.
        ms: milliseconds from the request to the last token.
        done_reason: `stop` when the model ended by itself, `length` when it was cut at the most tokens of a reply.
    """

    text: str
    tokens_in: int
    tokens_out: int
    ms: float
    done_reason: str


class LanguageModel(Protocol):
    """An LLM behind a server.

    Attributes:
        name: as it is asked for in settings (`ollama/llama3.2`).
        context_window: tokens that prompt and reply may have together.
        reply_tokens: most tokens of a reply; they are kept free in the window.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def context_window(self) -> int: ...  # noqa: D102
    @property
    def reply_tokens(self) -> int: ...  # noqa: D102

    def chat(self, system: str, user: str, *, json_schema: Mapping[str, Any] | None = None) -> Reply:
        """The model's reply to one message under one system prompt.

        Args:
            system: the system prompt.
            user: the message.
            json_schema: the reply must be JSON of this schema.

        Raises:
            ModelError: the prompt does not fit, was cut by the server, or the server fails; names the server.
        """
        ...


def reply_budget(context_window: int) -> int:
    """Most tokens of a reply: a quarter of the window, 1,024 at most.

    >>> reply_budget(8192), reply_budget(2048)
    (1024, 512)
    """
    return min(1024, context_window // 4)


def estimate_tokens(text: str) -> int:
    """Tokens that an English text has at most with the usual tokenizers, counted without one.

    A run of ASCII letters counts one for every four begun, a digit one, any other visible character one. Byte-pair
    tokenizers of current models need about 1.3 tokens for an English word; this gives about 1.7. A language that the
    tokenizer hardly knows may need more: that the server read the whole prompt is checked against its own count.

    >>> estimate_tokens("Leave of 25 days, at most.")
    10
    """
    total = 0
    for piece in _PIECE.findall(text):
        total += -(-len(piece) // 4) if piece[0].isascii() and piece[0].isalpha() else len(piece)
    return total


def fewest_tokens(text: str) -> int:
    """Tokens that a text has at least: one a word, since the usual tokenizers split at blanks.

    >>> fewest_tokens("Leave of 25 days.")
    4
    """
    return len(text.split())


def without_thinking(text: str) -> str:
    """A reply without what a model writes between `<think>` and `</think>`, closed or not, opened or not.

    >>> without_thinking("<think>Section 2 says so.</think> 25 days [2].")
    '25 days [2].'
    >>> without_thinking("so it is section 2.</think>25 days [2].")
    '25 days [2].'
    """
    text = _THINKING.sub("", text)
    text = _CLOSED_THINKING.sub("", text)
    return _OPEN_THINKING.sub("", text).strip()
