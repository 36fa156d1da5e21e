"""Measures how well policies are found and answered: data sets, measures, statistics, runs in MLflow."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from policy_rag_eval.sweep.existing_index import ExistingIndex
    from policy_rag_eval.sweep.peers import Found, Retriever
    from policy_rag_eval.workbench import Results, Verdict, compare, evaluate, load_dataset

__all__ = ["ExistingIndex", "Found", "Results", "Retriever", "Verdict", "compare", "evaluate", "load_dataset"]

_HOMES = {
    "ExistingIndex": "policy_rag_eval.sweep.existing_index",
    **dict.fromkeys(("Found", "Retriever"), "policy_rag_eval.sweep.peers"),
    **dict.fromkeys(("Results", "Verdict", "compare", "evaluate", "load_dataset"), "policy_rag_eval.workbench"),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
