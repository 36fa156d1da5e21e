"""Who reads filters out of questions, by name."""

from collections.abc import Callable

from policy_rag.llm.language_model import LanguageModel
from policy_rag.records.choices import SelfQuery
from policy_rag.retrieval.self_query.question_filters import FilterReader


def filter_reader(chosen: SelfQuery, model: Callable[[], LanguageModel | None]) -> FilterReader | None:
    """What reads filters out of questions: nobody, rules, or an LLM; rules where there is no LLM.

    The LLM is asked for only where it is to read.
    """
    if chosen is SelfQuery.OFF:
        return None
    found = model() if chosen is SelfQuery.LLM else None
    if found is None:
        from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule

        return read_filters_by_rule
    from policy_rag.retrieval.self_query.llm_filters import llm_filter_reader

    return llm_filter_reader(found)
