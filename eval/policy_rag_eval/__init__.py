"""Measures how well policies are found and answered: data sets, measures, statistics, runs in MLflow."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from policy_rag_eval.answers.peers import Answerer
    from policy_rag_eval.answers.workbench import AnswerResults, evaluate_answers
    from policy_rag_eval.judges.workbench import JudgeResults, evaluate_judges
    from policy_rag_eval.sweep.existing_index import ExistingIndex
    from policy_rag_eval.sweep.peers import Found, Retriever
    from policy_rag_eval.sweep.verdicts import Verdict
    from policy_rag_eval.workbench import Results, compare, evaluate, load_dataset

__all__ = [
    "AnswerResults",
    "Answerer",
    "ExistingIndex",
    "Found",
    "JudgeResults",
    "Results",
    "Retriever",
    "Verdict",
    "compare",
    "evaluate",
    "evaluate_answers",
    "evaluate_judges",
    "load_dataset",
]

_HOMES = {
    "Answerer": "policy_rag_eval.answers.peers",
    "ExistingIndex": "policy_rag_eval.sweep.existing_index",
    "Verdict": "policy_rag_eval.sweep.verdicts",
    **dict.fromkeys(("AnswerResults", "evaluate_answers"), "policy_rag_eval.answers.workbench"),
    **dict.fromkeys(("JudgeResults", "evaluate_judges"), "policy_rag_eval.judges.workbench"),
    **dict.fromkeys(("Found", "Retriever"), "policy_rag_eval.sweep.peers"),
    **dict.fromkeys(("Results", "compare", "evaluate", "load_dataset"), "policy_rag_eval.workbench"),
}


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that the command line starts quickly."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
