"""An index as LlamaIndex's property graph: sections and documents are nodes, what one says of another is a relation.

This module imports LlamaIndex; nothing else in the package imports this module.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.graph_stores.types import (
    TRIPLET_SOURCE_KEY,
    ChunkNode,
    EntityNode,
    LabelledNode,
    PropertyGraphStore,
    Relation,
    Triplet,
)
from llama_index.core.indices.property_graph.sub_retrievers.base import BasePGRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index.core.vector_stores.utils import node_to_metadata_dict

from policy_rag.errors import UsageError
from policy_rag.index.store.document_rows import read_sections, read_text
from policy_rag.index.store.links import StoredLink, read_pointing
from policy_rag.index.store.store import Index, Snapshot
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.integrations.llama_index.retriever import as_node
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.expansion.read_documents import ReadDocument
from policy_rag.retrieval.request import listed
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.records import Section

SECTION, DOCUMENT = "section", "document"
"""Labels of nodes."""

Properties = dict[str, Any] | None
Names = list[str] | None


@dataclass(frozen=True, slots=True)
class _Graph:
    nodes: Mapping[str, LabelledNode]
    triplets: Sequence[Triplet]


class PolicyGraphStore(PropertyGraphStore):
    """The sections of an index with their links, read-only, as one caller may see them. Safe for many threads.

    A section's node has its exact text, the label `section` and the id that its hit has in `PolicyRetriever`; a
    document's has the label `document` and is called by its `doc_id`. A relation is labelled `refers`, `defines`,
    `excepts` or `supersedes`; its properties hold the mention. All comes in order of the documents and their text.

    Args:
        index: an open index.
        groups: the caller's access groups; what others may read is neither a node nor an end of a relation.
        day: the documents of what day are seen.
    """

    def __init__(self, index: Index, *, groups: str | Sequence[str] = (), day: Callable[[], dt.date]) -> None:
        self._index = index
        self._request = SearchRequest("", groups=listed(groups))
        self._day = day

    def get(self, properties: Properties = None, ids: Names = None) -> list[LabelledNode]:
        """Nodes with any of the properties and one of the ids, where such are given; else all."""
        wanted = None if ids is None else set(ids)
        return [
            node
            for node in self._graph().nodes.values()
            if (wanted is None or node.id in wanted) and (not properties or _has(node, properties))
        ]

    def get_triplets(
        self,
        entity_names: Names = None,
        relation_names: Names = None,
        properties: Properties = None,
        ids: Names = None,
    ) -> list[Triplet]:
        """Relations with their ends that pass all that is given; without anything none, as elsewhere in LlamaIndex."""
        if not (entity_names or relation_names or properties or ids):
            return []
        ends = [set(names) for names in (entity_names, ids) if names]
        return [
            triplet
            for triplet in self._graph().triplets
            if all(triplet[0].id in names or triplet[2].id in names for names in ends)
            and (not relation_names or triplet[1].label in relation_names)
            and (not properties or any(_has(one, properties) for one in triplet))
        ]

    def get_rel_map(
        self, graph_nodes: list[LabelledNode], depth: int = 2, limit: int = 30, ignore_rels: Names = None
    ) -> list[Triplet]:
        """The relations of nodes in both directions, then those of what they lead to; each once, the nearest first."""
        left = [one for one in self._graph().triplets if one[1].label not in (ignore_rels or ())]
        reached, found = {node.id for node in graph_nodes}, list[Triplet]()
        for _ in range(depth):
            near = [one[0].id in reached or one[2].id in reached for one in left]
            found += [one for one, is_near in zip(left, near, strict=True) if is_near]
            left = [one for one, is_near in zip(left, near, strict=True) if not is_near]
            reached |= {node.id for one in found for node in (one[0], one[2])}
        return found[:limit]

    def section(self, doc_id: str, section_id: str) -> LabelledNode | None:
        """The node of a section; None where there is none that the caller may see."""
        found = self.get(properties={"place": f"{doc_id}#{section_id}"})
        return found[0] if found else None

    def upsert_nodes(self, *_: Any, **__: Any) -> None:
        """Refused: see `policy-rag ingest`."""
        _refuse()

    def upsert_relations(self, *_: Any, **__: Any) -> None:
        """Refused: see `policy-rag ingest`."""
        _refuse()

    def delete(self, *_: Any, **__: Any) -> None:
        """Refused: see `policy-rag remove`."""
        _refuse()

    def structured_query(self, query: str, param_map: Properties = None) -> Any:
        """Not offered: the graph has no query language."""
        raise NotImplementedError("a PolicyGraphStore takes no structured queries: use get, get_triplets, get_rel_map")

    def vector_query(self, query: Any, **kwargs: Any) -> tuple[list[LabelledNode], list[float]]:
        """Not offered: `PolicyGraphRetriever` searches."""
        raise NotImplementedError("a PolicyGraphStore takes no vector queries: use PolicyGraphRetriever")

    def _graph(self) -> _Graph:
        with self._index.snapshot() as snapshot:
            view = Visibility.of(snapshot, self._request, self._day())
            key = "property graph", frozenset(view.documents)
            if key not in snapshot.views:
                snapshot.views[key] = _read(snapshot, view.documents)
            graph: _Graph = snapshot.views[key]
            return graph


class PolicyGraphRetriever(BasePGRetriever):
    """What a search finds, with the relations of what it found and the text of the sections that they lead from.

    For `PropertyGraphIndex.as_retriever(sub_retrievers=[...])`, or alone.

    Args:
        graph_store: the graph.
        search: gives hits, such as `PolicyAssistant.retriever()`; under the groups of the graph.
        depth: how many relations away from a hit.
        limit: relations at most.
        include_text: whether each node holds the text of the section that its relation leads from.
    """

    def __init__(
        self,
        graph_store: PolicyGraphStore,
        search: BaseRetriever,
        *,
        depth: int = 1,
        limit: int = 30,
        include_text: bool = True,
    ) -> None:
        super().__init__(graph_store, include_text=include_text)
        self._graph = graph_store
        self._search = search
        self._depth = depth
        self._limit = limit

    def retrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """The relations as nodes; each has the score of the hit at its nearer end, else of the last hit."""
        hits = self._search.retrieve(query_bundle)
        scores: dict[str, float] = {}
        nodes = []
        for hit in hits:
            node = self._graph.section(hit.node.metadata["doc_id"], hit.node.metadata["section_id"])
            if node is not None and node.id not in scores:
                scores[node.id] = hit.score or 0.0
                nodes.append(node)
        triplets = self._graph.get_rel_map(nodes, depth=self._depth, limit=self._limit)
        least = min(scores.values(), default=0.0)
        return self._get_nodes_with_score(
            triplets, [max(scores.get(source.id, least), scores.get(to.id, least)) for source, _, to in triplets]
        )

    async def aretrieve_from_graph(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        """The same; the search is computing, so it runs in a thread."""
        return await asyncio.to_thread(self.retrieve_from_graph, query_bundle)


def _read(snapshot: Snapshot, documents: Mapping[int, DocumentInfo]) -> _Graph:
    places: dict[tuple[int, str | None], LabelledNode] = {}
    links: list[StoredLink] = []
    texts: dict[int, str] = {}
    for key, document in documents.items():
        texts[key] = read_text(snapshot.db, key)
        properties = {"doc_id": document.doc_id, "file": document.file, "title": document.title}
        places[key, None] = EntityNode(name=document.doc_id, label=DOCUMENT, properties=properties)
        for section_id, node in _sections(document, texts[key], read_sections(snapshot.db, key)):
            places[key, section_id] = node
        links += read_pointing(snapshot.db, key, documents)
    triplets = [_triplet(link, places, texts[link.doc_key][link.start : link.end]) for link in links]
    return _Graph({node.id: node for node in places.values()}, triplets)


def _sections(document: DocumentInfo, text: str, sections: Sequence[Section]) -> Iterator[tuple[str, LabelledNode]]:
    read = ReadDocument(document, text, {section.section_id: section for section in sections})
    for section in sections:
        hit = read.hit(section, (section.start, section.end), 1, 0.0, {})
        node = as_node(hit).node
        properties = node_to_metadata_dict(node, remove_text=True) | {
            "place": f"{document.doc_id}#{section.section_id}",
            TRIPLET_SOURCE_KEY: node.node_id,
        }
        yield section.section_id, ChunkNode(text=hit.text, id_=node.node_id, label=SECTION, properties=properties)


def _triplet(link: StoredLink, places: Mapping[tuple[int, str | None], LabelledNode], mention: str) -> Triplet:
    source, target = places[link.doc_key, link.section_id], places[link.target_key, link.target]
    properties = {"text": mention, "start": link.start, "end": link.end}
    relation = Relation(label=link.kind.value, source_id=source.id, target_id=target.id, properties=properties)
    return source, relation, target


def _has(thing: LabelledNode | Relation, properties: Mapping[str, Any]) -> bool:
    return any(thing.properties.get(name) == value for name, value in properties.items())


def _refuse() -> NoReturn:
    raise UsageError("the graph of an index is read-only: `policy-rag ingest` and `policy-rag remove` change it")


__all__ = ["DOCUMENT", "SECTION", "PolicyGraphRetriever", "PolicyGraphStore"]
