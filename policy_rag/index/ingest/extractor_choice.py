"""Who extracts metadata: the LLM of the settings where there is one, else rules."""

from functools import partial
from pathlib import Path

from policy_rag.index.ingest.metadata_extraction import LLMRoute, OfflineRoute, Route
from policy_rag.llm.protocol import LanguageModel
from policy_rag.settings import Settings


def replies_file(settings: Settings, folder: Path) -> Path:
    """Where an LLM's answered calls are kept, for the index in `folder`."""
    return settings.index.metadata_cache or folder / "metadata.cache"


def forget_replies(file: Path) -> None:
    """Deletes the file with all that SQLite keeps beside it: it may hold what an LLM said of removed documents."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


def route_of(settings: Settings, model: LanguageModel | None, folder: Path) -> Route:
    """The route of an ingest.

    Args:
        settings: how the LLM is asked.
        model: the LLM that they stand for, or None.
        folder: the index.
    """
    if model is None:
        return OfflineRoute()
    from policy_rag.llm.llama_index import llama_index_llm
    from policy_rag.llm.options import llm_options
    from policy_rag_parsers.metadata.llm_extractor import LlmOptions

    options = LlmOptions(
        concurrency=settings.index.metadata_concurrency,
        timeout=settings.index.metadata_timeout,
        max_tokens=settings.index.metadata_tokens,
        context_tokens=model.context_window,
        patience=settings.index.metadata_patience,
    )
    llm = partial(llama_index_llm, model.name, llm_options(settings), timeout=settings.index.metadata_timeout)
    return LLMRoute(model.name, llm, replies_file(settings, folder), options)
