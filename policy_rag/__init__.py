"""Answers questions about an organisation's policies from the policies themselves, with citations to check."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.records.answer import Answer, Citation
    from policy_rag.records.search import Hit, SearchRequest, SearchResult
    from policy_rag.settings import Settings

__version__ = "0.1.0"

__all__ = ["Answer", "Citation", "Hit", "PolicyAssistant", "SearchRequest", "SearchResult", "Settings", "__version__"]

_HOMES = {
    "PolicyAssistant": "policy_rag.assistant",
    "Settings": "policy_rag.settings",
    **dict.fromkeys(("Answer", "Citation"), "policy_rag.records.answer"),
    **dict.fromkeys(("Hit", "SearchRequest", "SearchResult"), "policy_rag.records.search"),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
