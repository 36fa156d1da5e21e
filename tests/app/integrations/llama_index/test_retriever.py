"""The searches as LlamaIndex parts, in LlamaIndex's own engine."""

import asyncio
import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from llama_index.core import MockEmbedding
from llama_index.core.callbacks import CallbackManager, CBEventType, EventPayload, LlamaDebugHandler
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers.base import BaseEventHandler
from llama_index.core.llms.mock import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.retrievers import QueryFusionRetriever
from llama_index.core.retrievers.fusion_retriever import FUSION_MODES
from llama_index.core.schema import ImageNode, MetadataMode, NodeWithScore, QueryBundle, TextNode
from made_hits import made_hit

from policy_rag import PolicyAssistant
from policy_rag.errors import IndexingError, SettingsError, UsageError
from policy_rag.integrations.llama_index.retriever import (
    CutoffPostprocessor,
    DuplicatesPostprocessor,
    LongContextPostprocessor,
    MMRPostprocessor,
    PolicyRetriever,
    RerankPostprocessor,
    as_node,
)
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRank
from policy_rag.retrieval.pipeline import SearchPipeline
from policy_rag.retrieval.searcher import Searcher
from policy_rag.retrieval.self_query.rule_filters import read_filters_by_rule
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration

TODAY = dt.date(2026, 9, 1)


@pytest.fixture
def pipeline_over(index, manifest, embedder):
    def made(*documents):
        index.update(documents, manifest, embedder)
        searcher = Searcher(index, embedder)
        return SearchPipeline(index, searcher, SearchOptions(top_k=3), TODAY, self_query=read_filters_by_rule)

    return made


@pytest.fixture
def pipeline(pipeline_over, document):
    return pipeline_over(
        document("travel.md", [("1", "Hotels", "A hotel room costs 120 euros."), ("2", "Trains", "Second class.")]),
        document("board.md", [("1", "Hotels", "The hotel deal.")], declaration=Declaration(access=("board",))),
    )


def retriever(pipeline, **under):
    return PolicyRetriever(pipeline.search, **under)


def nodes(*texts, scores=None):
    scores = scores or [1.0 - i / 10 for i in range(len(texts))]
    return [NodeWithScore(node=TextNode(text=t, id_=t), score=s) for t, s in zip(texts, scores, strict=True)]


def test_a_node_has_the_text_exactly_and_where_it_stands(pipeline):
    first = retriever(pipeline).retrieve("hotel room")[0]
    assert first.node.get_content(metadata_mode=MetadataMode.NONE) == "1 Hotels\nA hotel room costs 120 euros."
    assert (first.node.node_id, first.node.ref_doc_id) == ("travel.md:0-38", "travel.md")
    assert first.node.metadata["section_id"] == "1"
    assert first.score > 0
    shown = first.node.get_content(metadata_mode=MetadataMode.LLM)
    assert (
        shown == "file: travel.md\ntitle: Hotels\npath: travel.md > Hotels\n\n1 Hotels\nA hotel room costs 120 euros."
    )


def test_access_holds(pipeline):
    assert {n.node.metadata["doc_id"] for n in retriever(pipeline).retrieve("hotel")} == {"travel.md"}
    assert "board.md" in {n.node.metadata["doc_id"] for n in retriever(pipeline, groups=["board"]).retrieve("hotel")}


def test_filters_are_read_out_of_the_question_unless_that_is_off(pipeline_over, document):
    old = Declaration(version="2025", effective_from=dt.date(2025, 1, 1), effective_to=dt.date(2025, 12, 31))
    new = Declaration(version="2026", effective_from=dt.date(2026, 1, 1))
    editions = pipeline_over(
        document("pay-2025.md", [("1", "Bonus", "The bonus is 8 %.")], title="Pay Policy", declaration=old),
        document("pay-2026.md", [("1", "Bonus", "The bonus is 10 %.")], title="Pay Policy", declaration=new),
    )
    question = "What was the bonus in the 2025 pay policy?"
    (found,) = retriever(editions).retrieve(question)
    assert found.node.metadata["doc_id"] == "pay-2025.md"
    assert found.node.metadata["filters"] == ["doc_id=pay-2025.md", "as_of=2025-12-31"]
    (plain,) = retriever(replace(editions, self_query=None)).retrieve(question)
    assert plain.node.metadata["doc_id"] == "pay-2026.md"
    assert "filters" not in plain.node.metadata


def test_a_blank_question_and_a_closed_index_are_one_line_each(pipeline, index):
    found = retriever(pipeline)
    with pytest.raises(UsageError, match="the question is empty"):
        found.retrieve("  ")
    index.close()
    with pytest.raises(IndexingError, match="was closed: open it again"):
        found.retrieve("hotel room")


def test_async_and_threads_give_the_same_nodes(pipeline):
    found = retriever(pipeline)
    expected = found.retrieve("hotel room")

    async def many():
        return await asyncio.gather(*(found.aretrieve("hotel room") for _ in range(5)))

    assert all(result == expected for result in asyncio.run(many()))
    with ThreadPoolExecutor(6) as pool:
        assert all(result == expected for result in pool.map(found.retrieve, ["hotel room"] * 24))


def test_what_several_searches_find_is_one_node_to_the_fusion_of_llama_index(pipeline):
    searches = [SearchOptions(search=search, top_k=3) for search in (Search.KEYWORD, Search.VECTOR)]
    fusion = QueryFusionRetriever(
        [retriever(replace(pipeline, options=options)) for options in searches],
        llm=MockLLM(),
        mode=FUSION_MODES.RECIPROCAL_RANK,
        num_queries=1,
        use_async=False,
    )
    first, second = fusion.retrieve("hotel room")
    # Both searches have the hotel first, the vector search alone has the trains behind it; ranks count from 0.
    assert (first.node.node_id, first.score) == ("travel.md:0-38", pytest.approx(2 / 60))
    assert (second.node.metadata["section_id"], second.score) == ("2", pytest.approx(1 / 61))


def test_a_hit_has_one_hash_whatever_was_asked_and_another_where_it_says_something_else():
    hit = made_hit("Ten days.", title="Leave", found_by={"vector": SearchRank(1, 0.9)})
    node = as_node(hit).node
    asked_otherwise = replace(hit, rank=4, score=0.1, chunk_start=3, found_by={"keyword": SearchRank(2, 7.0)})
    assert as_node(asked_otherwise, ["as_of=2025-12-31"]).node.hash == node.hash
    assert (
        len({node.hash, as_node(replace(hit, text="9 days.")).node.hash, as_node(replace(hit, version="2")).node.hash})
        == 3
    )


def test_a_query_engine_of_llama_index_answers_from_it(pipeline):
    engine = RetrieverQueryEngine.from_args(
        retriever(pipeline),
        llm=MockLLM(),
        response_mode=ResponseMode.COMPACT,
        node_postprocessors=[CutoffPostprocessor(gap_share=0.1), LongContextPostprocessor()],
    )
    response = engine.query("hotel room")
    assert "A hotel room costs 120 euros." in str(response)
    assert response.source_nodes[0].node.metadata["doc_id"] == "travel.md"


def ids(found):
    return [n.node.node_id for n in found]


class Longest:
    name = "longest"
    blend = 1.0
    depth = None

    def score_many(self, questions):
        return [[float(len(text)) for text in texts] for _, texts in questions]


def test_reranking_orders_by_the_reranker():
    part = RerankPostprocessor(reranker=Longest(), top_n=2)
    found = part.postprocess_nodes(nodes("a", "ccc", "bb"), query_bundle=QueryBundle("q"))
    assert [(n.node.node_id, n.score) for n in found] == [("ccc", 3.0), ("bb", 2.0)]
    assert part.postprocess_nodes([], query_bundle=QueryBundle("q")) == []
    with pytest.raises(UsageError, match="a reranker needs the query: give query_str"):
        part.postprocess_nodes(nodes("a", "ccc", "bb"))


def test_reranking_is_told_to_callbacks_and_events():
    events = []

    class Kept(BaseEventHandler):
        def handle(self, event, **_):
            events.append(event)

    debug = LlamaDebugHandler(print_trace_on_end=False)
    part = RerankPostprocessor(reranker=Longest(), top_n=2, callback_manager=CallbackManager([debug]))
    root = get_dispatcher()
    root.add_event_handler(handler := Kept())
    try:
        part.postprocess_nodes(nodes("a", "ccc", "bb"), query_str="q")
    finally:
        root.event_handlers.remove(handler)
    start, end = events
    assert (start.class_name(), start.model_name, start.top_n, ids(start.nodes)) == (
        "ReRankStartEvent", "longest", 2, ["a", "ccc", "bb"],
    )  # fmt: skip
    assert (end.class_name(), ids(end.nodes)) == ("ReRankEndEvent", ["ccc", "bb"])
    ((began, ended),) = debug.get_event_pairs(CBEventType.RERANKING)
    assert (began.payload[EventPayload.MODEL_NAME], began.payload[EventPayload.TOP_K]) == ("longest", 2)
    assert ids(ended.payload[EventPayload.NODES]) == ["ccc", "bb"]


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (
            lambda: RerankPostprocessor(reranker="policy-rag-reader"),
            r"a str is no reranker: .*load_reranker\(NAME\)",
        ),
        (
            lambda: RerankPostprocessor(reranker=LongContextPostprocessor()),
            "a LongContextPostprocessor is no reranker",
        ),
        (lambda: MMRPostprocessor(embedder=MockLLM()), r"a MockLLM is no embedding model: .*PolicyAssistant\.embedder"),
    ],
)
def test_what_is_no_such_part_is_refused_when_it_is_given(made, says):
    with pytest.raises(UsageError, match=says):
        made()


def test_cutting_by_score_and_gap_and_another_order():
    given = nodes("a", "b", "c", "d", scores=[0.2, 0.9, 0.8, 0.1])
    assert ids(CutoffPostprocessor(min_score=0.2).postprocess_nodes(given)) == ["b", "c", "a"]
    assert ids(CutoffPostprocessor(gap_share=0.5).postprocess_nodes(given)) == ["b", "c"]
    assert ids(LongContextPostprocessor().postprocess_nodes(given)) == ["b", "a", "d", "c"]  # the best first and last


def test_mmr_and_duplicates(embedder):
    given = nodes("hotel costs", "hotel  costs", "train times", scores=[0.9, 0.8, 0.7])
    chosen = MMRPostprocessor(embedder=embedder, trade=0.5, top_n=2).postprocess_nodes(given)
    assert ids(chosen) == ["hotel costs", "train times"]
    once = DuplicatesPostprocessor(least=0.9).postprocess_nodes(given)
    assert [(n.node.node_id, n.node.metadata.get("also_at")) for n in once] == [
        ("hotel costs", ["hotel  costs"]),
        ("train times", None),
    ]
    assert given[0].node.metadata == {}
    assert once[0].node.get_metadata_str(MetadataMode.LLM) == once[0].node.get_metadata_str(MetadataMode.EMBED) == ""


def test_mmr_by_an_embedding_model_of_llama_index():
    class ByLength(MockEmbedding):
        def _get_text_embedding(self, text):
            return [3.0, 0.0] if len(text) == 1 else [0.0, 4.0]  # not of length 1, as many models' are

    part = MMRPostprocessor(embedder=ByLength(embed_dim=2), trade=0.5, top_n=3)
    chosen = part.postprocess_nodes(nodes("a", "b", "cc", scores=[0.9, 0.8, 0.7]))
    # 1 of the best; then 0 * 0.5 of "cc", which is like nothing chosen, before 0.5 * 0.5 - 0.5 * 1 of "b".
    assert [(n.node.node_id, n.score) for n in chosen] == [("a", 0.5), ("cc", 0.0), ("b", pytest.approx(-0.25))]


def test_images_stay_apart_though_neither_has_words():
    given = [NodeWithScore(node=ImageNode(image=image, id_=image), score=0.5) for image in ("aGk=", "aGo=")]
    assert ids(DuplicatesPostprocessor().postprocess_nodes(given)) == ["aGk=", "aGo="]


def test_an_assistant_gives_a_retriever_that_searches_as_it_does(tmp_path):
    (tmp_path / "travel.md").write_text("# Travel\n\n1. Hotels\n\n1.1 A room costs 120 euros.\n", encoding="utf-8")
    with PolicyAssistant.open(tmp_path / "index", create=True, top_k=1) as assistant:
        assistant.ingest([tmp_path / "travel.md"])
        (node,) = assistant.retriever(search="keyword", where="doc_id=travel.md").retrieve("What does a room cost?")
        (hit,) = assistant.search("What does a room cost?", search="keyword").hits
        assert (node.node.text, node.score) == (hit.text, hit.score)
        assert node.node.metadata["found_by"].keys() == {"keyword", "reranker"}
        with pytest.raises(SettingsError, match="serch"):
            assistant.retriever(serch="keyword")
        kept = assistant.retriever()
    with pytest.raises(IndexingError, match="was closed"):
        kept.retrieve("room")
