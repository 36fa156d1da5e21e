"""The transforms as LlamaIndex parts: a query transform, and a retriever that searches every query and fuses.

This module imports LlamaIndex; nothing else in the package imports this module.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.llms import LLM
from llama_index.core.prompts.mixin import PromptDictType
from llama_index.core.schema import NodeWithScore, QueryBundle

from policy_rag.errors import UsageError
from policy_rag.integrations.llama_index.llm_adapter import LlamaIndexModel
from policy_rag.llm.language_model import LanguageModel
from policy_rag.llm.metering import Calls
from policy_rag.records.choices import Transform
from policy_rag.retrieval.fusion.reciprocal_rank import K
from policy_rag.retrieval.transforms.aliases import Aliases
from policy_rag.retrieval.transforms.chain import TransformedQuestion, transform


class QuestionTransform(BaseQueryTransform):
    """Our transforms as a LlamaIndex query transform.

    The bundle's `query_str` is the question, or its rewriting; `custom_embedding_strs` are all queries: LlamaIndex's
    vector retrievers search by the mean of their vectors.

    Args:
        transforms: which.
        model: an LLM of LlamaIndex, or one of ours (`policy_rag.llm.factory`); None for rules.
        aliases: names that go for each other, for `multi-query` by rules.

    Raises:
        UsageError: `model` is neither.
    """

    def __init__(
        self,
        transforms: Sequence[Transform],
        *,
        model: LLM | LanguageModel | None = None,
        aliases: Aliases | None = None,
    ) -> None:
        super().__init__()
        self._transforms = tuple(transforms)
        self._model = LlamaIndexModel(model) if isinstance(model, LLM) else model
        if model is not None and not hasattr(self._model, "reply_tokens"):
            kind = type(model).__name__
            raise UsageError(
                f"a {kind} is no LLM: give one of LlamaIndex, or policy_rag.llm.factory.resolve_llm(NAME).model"
            )
        self._aliases = aliases or Aliases({})

    def transformed(self, question: str) -> TransformedQuestion:
        """What is searched for a question, and what people should know."""
        calls = None if self._model is None else Calls.of(self._model)
        return transform(question, self._transforms, aliases=lambda: self._aliases, calls=calls)

    def _get_prompts(self) -> PromptDictType:
        return {}  # ours are files of `policy_rag_prompts`, each with a version

    def _update_prompts(self, prompts_dict: PromptDictType) -> None:
        if prompts_dict:
            raise ValueError(f"there is no prompt {next(iter(prompts_dict))!r} here: edit policy_rag_prompts/templates")

    def _run(self, query_bundle: QueryBundle, metadata: dict[str, Any]) -> QueryBundle:
        del metadata
        queries = self.transformed(query_bundle.query_str).queries
        texts = [query.text for query in queries]
        return QueryBundle(query_str=texts[0], custom_embedding_strs=texts)


class TransformingRetriever(BaseRetriever):
    """Searches all queries of a question with another retriever, and fuses the lists by reciprocal rank.

    `score(d) = sum over the queries of 1 / (60 + rank of d)`; equal scores keep the order in which nodes were found.

    Args:
        retriever: any.
        queries: makes the queries.
        top_n: most nodes to give.
    """

    def __init__(self, retriever: BaseRetriever, queries: QuestionTransform, *, top_n: int = 10) -> None:
        super().__init__()
        self._retriever, self._queries, self._top_n = retriever, queries, top_n

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        made = self._queries.transformed(query_bundle.query_str)
        return self._fused([self._retriever.retrieve(query.text) for query in made.queries])

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        made = await asyncio.to_thread(self._queries.transformed, query_bundle.query_str)
        return self._fused(list(await asyncio.gather(*(self._retriever.aretrieve(q.text) for q in made.queries))))

    def _fused(self, lists: Sequence[Sequence[NodeWithScore]]) -> list[NodeWithScore]:
        nodes: dict[str, NodeWithScore] = {}
        scores: dict[str, float] = {}
        for found in lists:
            for rank, node in enumerate(found, 1):
                nodes.setdefault(node.node.node_id, node)
                scores[node.node.node_id] = scores.get(node.node.node_id, 0.0) + 1.0 / (K + rank)
        best = sorted(scores, key=lambda key: -scores[key])[: self._top_n]
        return [NodeWithScore(node=nodes[key].node, score=scores[key]) for key in best]


__all__ = ["QuestionTransform", "TransformingRetriever"]
