"""The sections of an index that hold a question's gold, wherever a search would rank them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Dataset, GoldPassage, Question
from policy_rag_eval.measures.gold_matching import shared

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

_WIDE = 1000


def gold_passages(dataset: Dataset, question: Question) -> tuple[GoldPassage, ...]:
    """The gold places of a question, in the order of its labels; none for an unanswerable one."""
    labels = dataset.qrels.get(question.question_id, {}) if question.answerable else {}
    placed = [passage for passage in dataset.passages if passage.placed and passage.gold_id in labels]
    order = list(labels)
    return tuple(sorted(placed, key=lambda passage: order.index(passage.gold_id)))


def gold_sections(assistant: "PolicyAssistant", question: Question, passages: Sequence[GoldPassage]) -> tuple[Hit, ...]:
    """For every place the section that holds most of it, each once, in file order; ranks are from 1.

    Raises:
        IndexingError: the index is empty or damaged.
    """
    if not passages:
        return ()
    request = question.request()
    doc_ids = ",".join(dict.fromkeys(passage.doc_id or passage.file or "" for passage in passages))
    narrow = replace(request, where=(*request.where, f"doc_id={doc_ids}"))
    (found,) = assistant.search_many([narrow], search="vector", reranker="none", candidates=_WIDE, top_k=_WIDE)
    chosen: dict[tuple[str, int, int], Hit] = {}
    for passage in passages:
        best = max(found.hits, key=lambda hit: shared(passage, hit), default=None)
        if best is not None and shared(passage, best):
            chosen[best.file, best.start, best.end] = best
    return tuple(replace(chosen[place], rank=rank) for rank, place in enumerate(sorted(chosen), 1))
