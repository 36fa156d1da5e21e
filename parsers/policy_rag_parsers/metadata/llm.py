"""The LLM route: each section and kind is one call, answered once, validated, kept."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from policy_rag_parsers.metadata.cache import ReplyCache
from policy_rag_parsers.metadata.outcome import Outcome, Progress
from policy_rag_parsers.metadata.records import Kind
from policy_rag_parsers.metadata.texts import SectionedDocument

if TYPE_CHECKING:
    from llama_index.core.llms import LLM


@dataclass(frozen=True, slots=True)
class LlmOptions:
    """How the LLM is asked.

    Attributes:
        concurrency: calls at the same time.
        timeout: most seconds that one call may take, from the request to the last token.
        max_tokens: most tokens of a reply.
        context_tokens: most tokens of prompt and reply together; None: the LLM's own window.
        attempts: how often at most one text is asked about when replies are not valid.
        patience: seconds for which a server that does not answer is tried again before the run gives up on it.
    """

    concurrency: int = 4
    timeout: float = 120.0
    max_tokens: int = 512
    context_tokens: int | None = None
    attempts: int = 3
    patience: float = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would send: calls, tokens of their prompts and most tokens of their replies, by kind (estimates)."""

    calls: Mapping[Kind, int]
    tokens_in: Mapping[Kind, int]
    tokens_out: Mapping[Kind, int]


def plan_calls(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
) -> Plan:
    """What `extract_with_llm` would send, without what the cache holds; nothing is sent."""
    raise NotImplementedError


def time_one_call(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
) -> float | None:
    """Seconds that the first call of the plan takes; its answer is kept. None where there is nothing to call.

    Raises:
        MetadataError: the server does not answer.
    """
    raise NotImplementedError


def extract_with_llm(
    documents: Sequence[SectionedDocument],
    kinds: Collection[Kind],
    llm: "LLM",
    *,
    cache: ReplyCache,
    options: LlmOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Extract `kinds` from every section of `documents` by asking `llm`.

    A section whose extraction fails is left without that kind, counted and listed in `failures`; nothing raises for it.
    Stopping at any moment loses no answered call: each is in the cache before the next one is sent.

    Args:
        documents: what to extract from.
        kinds: which to extract; summaries of neighbours are those of the sections and cost no calls of their own.
        llm: any LLM of LlamaIndex; Ollama is given the JSON schema of the reply.
        cache: holds the answered calls.
        options: how it is asked.
        on_progress: told after each call, from the thread that called this function.
    """
    raise NotImplementedError
