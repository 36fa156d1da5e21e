"""The chunkers by name."""

from enum import StrEnum

from policy_rag_parsers.errors import UsageError
from policy_rag_parsers.text.near_names import did_you_mean


class Chunker(StrEnum):
    """How a document is cut into passages. `cut` takes each; an unknown name is answered with these.

    >>> Chunker("sentence-window")
    <Chunker.SENTENCE_WINDOW: 'sentence-window'>
    """

    SECTION = "section"
    SENTENCE = "sentence"
    TOKEN = "token"  # noqa: S105 - a unit of text
    MARKDOWN = "markdown"
    SEMANTIC = "semantic"
    SENTENCE_WINDOW = "sentence-window"
    RECURSIVE = "recursive"
    LLM_CONTEXT = "llm-context"

    @classmethod
    def _missing_(cls, value: object) -> "Chunker":
        hint = did_you_mean(str(value), cls, otherwise=f"use one of {', '.join(cls)}")
        raise UsageError(f"unknown chunker {value!r}: {hint}")
