"""The searches as LlamaIndex parts: a retriever, and postprocessors for any other retriever's nodes.

This module imports LlamaIndex; nothing else in the package imports this module.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.callbacks import CBEventType, EventPayload
from llama_index.core.instrumentation import get_dispatcher  # type: ignore[attr-defined]
from llama_index.core.instrumentation.events.rerank import ReRankEndEvent, ReRankStartEvent
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import (
    MetadataMode,
    NodeRelationship,
    NodeWithScore,
    QueryBundle,
    RelatedNodeInfo,
    TextNode,
)
from pydantic import ConfigDict, Field, field_validator

from policy_rag.errors import UsageError
from policy_rag.integrations.llama_index.embedding_adapter import LlamaIndexEmbedder
from policy_rag.records.locations import STEP
from policy_rag.records.search import Hit, SearchRequest, SearchResult
from policy_rag.records.serialization import to_json
from policy_rag.retrieval.fusion.blended import blended
from policy_rag.retrieval.postprocessing.mmr import marginal_relevance
from policy_rag.retrieval.postprocessing.near_duplicates import merged
from policy_rag.retrieval.postprocessing.reorder import ends_first
from policy_rag.retrieval.postprocessing.score_cutoff import above, before_gap
from policy_rag.retrieval.request import check_question, request_of

if TYPE_CHECKING:
    from policy_rag.retrieval.searcher import Reranker

_dispatcher = get_dispatcher(__name__)
_FOR_THE_MODEL = ("title", "path", "version", "file", "page")
_OF_THE_QUERY = frozenset({"found_by", "filters", "chunk_start", "chunk_end"})


class HitNode(TextNode):
    """A hit's text and metadata, with the same `hash` whatever query found it: LlamaIndex's fusion merges by that."""

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)

    @property
    def hash(self) -> str:
        """Of the text and the metadata, but for where and under what the query found it."""
        of_the_hit = {name: value for name, value in self.metadata.items() if name not in _OF_THE_QUERY}
        return TextNode(text=self.text, metadata=of_the_hit).hash


class PolicyRetriever(BaseRetriever):
    """Our search as a LlamaIndex retriever. Safe for many threads on one open index.

    `PolicyAssistant.retriever` makes one that searches as the assistant's settings say, transforms, filters read out of
    the question and reranker included. What was read out stands in the nodes' metadata as `filters`.

    Args:
        search: gives the hits of a request, such as `SearchPipeline.search`.
        where: filters as typed.
        groups: the caller's access groups.
        as_of: the day whose rules are asked for; the day of the search when None.
    """

    def __init__(
        self,
        search: Callable[[SearchRequest], SearchResult],
        *,
        where: str | Sequence[str] = (),
        groups: str | Sequence[str] = (),
        as_of: dt.date | str | None = None,
    ) -> None:
        super().__init__()
        self._request = request_of("", where, groups, as_of)
        self._search = search

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        check_question(query_bundle.query_str)
        result = self._search(replace(self._request, question=query_bundle.query_str))
        return [as_node(hit, result.filters) for hit in (*result.hits, *result.related)]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        # The search is computing, not waiting: in a thread it does not hold up the event loop.
        return await asyncio.to_thread(self._retrieve, query_bundle)


def as_node(hit: Hit, filters: Sequence[str] = ()) -> NodeWithScore:
    """A hit as LlamaIndex's node: the text exactly, all else as metadata.

    Id and hash are the same for the same place of the same version of a document, whatever the query; `ref_doc_id` is
    the document's. A language model is shown title, path, version, file and page, those of them that there are; an
    embedder nothing but the text.

    Args:
        hit: the hit; its path is joined by " > ", as `SectionNodeParser` has it.
        filters: what the question asked under.
    """
    metadata = {name: value for name, value in to_json(hit).items() if name not in {"text", "score", "rank"}}
    metadata |= {"path": STEP.join(hit.path)} | ({"filters": list(filters)} if filters else {})
    shown = {name for name in _FOR_THE_MODEL if metadata.get(name) not in {None, ""}}
    node = HitNode(
        id_=f"{hit.doc_id}:{hit.start}-{hit.end}",
        text=hit.text,
        metadata=metadata,
        start_char_idx=hit.start,
        end_char_idx=hit.end,
        excluded_llm_metadata_keys=[name for name in metadata if name not in shown],
        excluded_embed_metadata_keys=list(metadata),
        relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=hit.doc_id)},
    )
    return NodeWithScore(node=node, score=hit.score)


def _text(node: NodeWithScore) -> str:
    return node.node.get_content(metadata_mode=MetadataMode.NONE)


def _by_score(nodes: Sequence[NodeWithScore]) -> list[NodeWithScore]:
    return sorted(nodes, key=lambda node: -(node.score or 0.0))


class _Postprocessor(BaseNodePostprocessor):
    """Makes other nodes of nodes, best first."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex writes it down."""
        return f"Policy{cls.__name__}"

    def _postprocess_nodes(
        self,
        nodes: list[NodeWithScore],
        query_bundle: QueryBundle | None = None,  # noqa: ARG002 - LlamaIndex's signature
    ) -> list[NodeWithScore]:
        return self._made(_by_score(nodes))

    def _made(self, ranked: list[NodeWithScore]) -> list[NodeWithScore]:
        raise NotImplementedError


class RerankPostprocessor(_Postprocessor):
    """Orders nodes by a reranker's scores and keeps the first `top_n`; it tells LlamaIndex's callbacks and events.

    Scores compare within one list only. Those of `policy-rag-reader` are scaled to 0 to 1 among the nodes given (all 1
    where there is one node): no value of them says that a node answers the query.
    """

    reranker: Any = Field(description="a policy_rag reranker", exclude=True)
    top_n: int = Field(5, ge=1)

    @field_validator("reranker")
    @classmethod
    def _scores_texts(cls, given: Any) -> Any:
        if not hasattr(given, "score_many"):
            kind = type(given).__name__
            raise UsageError(f"a {kind} is no reranker: give what policy_rag.models.factory.load_reranker(NAME) makes")
        return given

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        """The nodes in their new order.

        Raises:
            UsageError: there is no query to rerank by.
        """
        reranker: Reranker = self.reranker
        name = str(getattr(reranker, "name", type(reranker).__name__))
        _dispatcher.event(ReRankStartEvent(query=query_bundle, nodes=nodes, top_n=self.top_n, model_name=name))
        if query_bundle is None:
            raise UsageError("a reranker needs the query: give query_str or query_bundle to postprocess_nodes")
        if not nodes:
            return []
        query = query_bundle.query_str
        payload: dict[str, Any] = {
            EventPayload.NODES: nodes,
            EventPayload.MODEL_NAME: name,
            EventPayload.QUERY_STR: query,
            EventPayload.TOP_K: self.top_n,
        }
        with self.callback_manager.event(CBEventType.RERANKING, payload=payload) as event:
            (scores,) = reranker.score_many([(query, [_text(node) for node in nodes])])
            found = blended(scores, [node.score or 0.0 for node in nodes], reranker.blend).tolist()
            scored = [NodeWithScore(node=node.node, score=score) for node, score in zip(nodes, found, strict=True)]
            best = _by_score(scored)[: self.top_n]
            event.on_end(payload={EventPayload.NODES: best})
        _dispatcher.event(ReRankEndEvent(nodes=best))
        return best


class CutoffPostprocessor(_Postprocessor):
    """Keeps nodes of at least `min_score`, and those before the largest gap; see `postprocessing.score_cutoff`."""

    min_score: float | None = None
    gap_share: float | None = Field(None, gt=0, le=1)

    def _made(self, ranked: list[NodeWithScore]) -> list[NodeWithScore]:
        left = ranked
        if self.min_score is not None:
            left = left[: above([node.score or 0.0 for node in left], self.min_score)]
        if self.gap_share is not None:
            left = left[: before_gap([node.score or 0.0 for node in left], self.gap_share)]
        return left


class MMRPostprocessor(_Postprocessor):
    """Chooses `top_n` nodes that are relevant and do not repeat each other; see `retrieval.postprocessing.mmr`."""

    embedder: Any = Field(description="an embedding model, of policy_rag or of LlamaIndex", exclude=True)
    trade: float = Field(0.7, ge=0, le=1)
    top_n: int = Field(5, ge=1)

    @field_validator("embedder")
    @classmethod
    def _embeds_texts(cls, given: Any) -> Any:
        if isinstance(given, BaseEmbedding):
            return LlamaIndexEmbedder(given)
        if not hasattr(given, "embed"):
            kind = type(given).__name__
            raise UsageError(f"a {kind} is no embedding model: give one of LlamaIndex, or PolicyAssistant.embedder()")
        return given

    def _made(self, ranked: list[NodeWithScore]) -> list[NodeWithScore]:
        if not ranked:
            return []
        vectors = np.asarray(self.embedder.embed([_text(node) for node in ranked]), dtype=np.float32)
        chosen = marginal_relevance([node.score or 0.0 for node in ranked], vectors, trade=self.trade, n=self.top_n)
        return [NodeWithScore(node=ranked[i].node, score=value) for i, value in chosen]


class DuplicatesPostprocessor(_Postprocessor):
    """Shows what stands in several places once; the kept node's metadata `also_at` holds the ids of the others."""

    least: float = Field(0.9, gt=0, le=1)

    def _made(self, ranked: list[NodeWithScore]) -> list[NodeWithScore]:
        left = []
        for i, others in merged([_text(node) for node in ranked], least=self.least):
            node = ranked[i].node
            if others:
                also = {"also_at": [ranked[j].node.node_id for j in others]}
                node = node.model_copy(
                    update={
                        "metadata": {**node.metadata, **also},
                        "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *also],
                        "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *also],
                    }
                )
            left.append(NodeWithScore(node=node, score=ranked[i].score))
        return left


class LongContextPostprocessor(_Postprocessor):
    """Puts the best nodes first and last, the weakest in the middle; see `retrieval.postprocessing.reorder`."""

    def _made(self, ranked: list[NodeWithScore]) -> list[NodeWithScore]:
        return list(ends_first(ranked))


__all__ = [
    "CutoffPostprocessor",
    "DuplicatesPostprocessor",
    "HitNode",
    "LongContextPostprocessor",
    "MMRPostprocessor",
    "PolicyRetriever",
    "RerankPostprocessor",
    "as_node",
]
