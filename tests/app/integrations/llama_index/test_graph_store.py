"""The property graph of an index: what one section says of another, for one caller, by LlamaIndex's own interface."""

import asyncio
import datetime as dt

import pytest
from llama_index.core import MockEmbedding, PropertyGraphIndex
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.llms import MockLLM
from llama_index.core.schema import NodeWithScore, TextNode

from policy_rag.errors import UsageError
from policy_rag.index.ingest.pipeline import IngestPipeline
from policy_rag.index.store.store import Index
from policy_rag.integrations.llama_index.graph_store import PolicyGraphRetriever, PolicyGraphStore

FILES = {
    "leave.md": "# Leave Policy\n\n## 1 Days\n\nThirty days, subject to section 2 of the Travel Policy.\n\n"
    "## 2 Carry-over\n\nAs defined in section 1. The Travel Policy holds on trips.\n",
    "travel.md": "# Travel Policy\n\n## 1 Scope\n\nAll trips.\n\n## 2 Leave on trips\n\nThree days at most.\n",
    "board.md": "---\naccess: [board]\n---\n# Board Rules\n\n## 1 Trips\n\nSection 1 of the Travel Policy holds.\n",
}


@pytest.fixture(scope="module")
def store(make_embedder, manifest, tmp_path_factory):
    place = tmp_path_factory.mktemp("graph")
    (place / "policies").mkdir()
    for name, text in FILES.items():
        (place / "policies" / name).write_text(text, encoding="utf-8")
    with Index(place / "index", create=True) as index:
        IngestPipeline(index, manifest, make_embedder()).ingest([place / "policies"])
        yield lambda *groups: PolicyGraphStore(index, groups=groups, day=lambda: dt.date(2025, 1, 1))


def said(triplets):
    return [
        (a.properties.get("place", a.id), relation.label, b.properties.get("place", b.id))
        for a, relation, b in triplets
    ]


def test_sections_and_documents_are_nodes_and_what_one_says_of_another_a_relation(store):
    graph = store()
    nodes = graph.get()
    assert [node.id for node in nodes if node.label == "document"] == ["leave.md", "travel.md"]
    assert [node.properties["place"] for node in nodes if node.label == "section"] == [
        "leave.md#preamble", "leave.md#1", "leave.md#2", "travel.md#preamble", "travel.md#1", "travel.md#2",
    ]  # fmt: skip
    triplets = graph.get_triplets(relation_names=["refers", "excepts", "defines"])
    assert said(triplets) == [
        ("leave.md#1", "excepts", "travel.md#2"),
        ("leave.md#2", "defines", "leave.md#1"),
        ("leave.md#2", "refers", "travel.md"),
    ]
    text = FILES["leave.md"]
    mentions = [relation.properties for _, relation, _ in triplets]
    assert all(text[one["start"] : one["end"]] == one["text"] for one in mentions)
    assert [one["text"] for one in mentions] == ["section 2 of the Travel Policy", "section 1", "Travel Policy"]


def test_relations_are_chosen_by_end_label_and_property(store):
    graph = store()
    travel = graph.section("travel.md", "2")
    assert said(graph.get_triplets(ids=[travel.id])) == [("leave.md#1", "excepts", "travel.md#2")]
    assert said(graph.get_triplets(entity_names=["travel.md"])) == [("leave.md#2", "refers", "travel.md")]
    assert said(graph.get_triplets(properties={"text": "section 1"})) == [("leave.md#2", "defines", "leave.md#1")]
    assert graph.get_triplets() == [] == graph.get_triplets(entity_names=["travel.md"], relation_names=["excepts"])
    assert graph.get(ids=[travel.id], properties={"file": "leave.md"}) == []


def test_a_map_goes_from_relation_to_relation_the_nearest_first(store):
    graph = store()
    start = [graph.section("travel.md", "2")]
    assert said(graph.get_rel_map(start, depth=1)) == [("leave.md#1", "excepts", "travel.md#2")]
    deep = said(graph.get_rel_map(start, depth=3))
    assert deep == [
        ("leave.md#1", "excepts", "travel.md#2"),
        ("leave.md#2", "defines", "leave.md#1"),
        ("leave.md#2", "refers", "travel.md"),
    ]
    assert said(graph.get_rel_map(start, depth=3, limit=2)) == deep[:2]
    assert graph.get_rel_map(start, ignore_rels=["excepts"]) == []


def test_what_a_caller_may_not_read_is_no_node_and_no_end(store):
    assert not [node for node in store().get() if "board" in str(node.id)]
    assert ("board.md#1", "refers", "travel.md#1") not in said(store().get_triplets(relation_names=["refers"]))
    assert ("board.md#1", "refers", "travel.md#1") in said(store("board").get_triplets(relation_names=["refers"]))
    assert store().section("board.md", "1") is None


def test_it_cannot_be_changed(store):
    graph = store()
    for change in (graph.upsert_nodes, graph.upsert_relations, graph.delete):
        with pytest.raises(UsageError, match="read-only: `policy-rag ingest`"):
            change([])


class Finds(BaseRetriever):
    """Finds one section, whatever is asked."""

    def _retrieve(self, query_bundle):
        node = TextNode(text="", metadata={"doc_id": "travel.md", "section_id": "2"})
        return [NodeWithScore(node=node, score=0.5)]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_llamaindex_retrieves_what_a_hit_is_related_to_with_the_text_that_says_so(store, asynchronous):
    graph = store()
    index = PropertyGraphIndex.from_existing(graph, embed_model=MockEmbedding(3), embed_kg_nodes=False, llm=MockLLM())
    retriever = index.as_retriever(sub_retrievers=[PolicyGraphRetriever(graph, Finds())], use_async=asynchronous)
    (found,) = asyncio.run(retriever.aretrieve("?")) if asynchronous else retriever.retrieve("?")
    assert found.score == 0.5
    assert found.node.get_content().endswith("## 1 Days\n\nThirty days, subject to section 2 of the Travel Policy.")
    assert "-> excepts ->" in found.node.get_content()
    assert found.node.metadata["doc_id"] == "leave.md"
