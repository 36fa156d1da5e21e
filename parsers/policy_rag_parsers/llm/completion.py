"""What the extraction of metadata needs of an LLM; the application gives it."""

from collections.abc import Mapping
from typing import Any, Protocol


class LLMReply(Protocol):
    """A reply: its text without the model's thinking, and the milliseconds from the request to the last token."""

    @property
    def text(self) -> str: ...  # noqa: D102
    @property
    def ms(self) -> float: ...  # noqa: D102


class CachingLLM(Protocol):
    """An LLM whose replies are kept: each is on disk before `chat` gives it. Safe for many threads.

    Attributes:
        context_window: tokens that prompt and reply may have together.
        reply_tokens: most tokens of a reply.
    """

    @property
    def context_window(self) -> int: ...  # noqa: D102
    @property
    def reply_tokens(self) -> int: ...  # noqa: D102

    def cached(self, system: str, user: str, *, json_schema: Mapping[str, Any] | None = None) -> LLMReply | None:
        """The reply to exactly this that is kept, or None."""
        ...

    def chat(self, system: str, user: str, *, json_schema: Mapping[str, Any] | None = None) -> LLMReply:
        """The reply to one message under one system prompt, as JSON of the schema; kept or new.

        Raises:
            UnansweredError: the server is not there, fell silent or failed: asking again may help.
            PromptSizeError: the prompt does not fit, or the server cut it.
            ModelError: the server refuses for good, or the replies cannot be kept.
        """
        ...
