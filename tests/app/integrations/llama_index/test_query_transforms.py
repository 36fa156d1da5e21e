"""The transforms in somebody else's LlamaIndex program."""

import asyncio
from typing import Any

import pytest
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.indices.query.query_transform.base import BaseQueryTransform
from llama_index.core.llms import CustomLLM
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from policy_rag.errors import UsageError
from policy_rag.integrations.llama_index.query_transforms import QuestionTransform, TransformingRetriever
from policy_rag.records.choices import Transform
from policy_rag.retrieval.transforms.aliases import Aliases

LISTS = {
    "Who is the DPO?": ["a", "b", "c"],
    "Who is the Data Protection Officer?": ["c", "d"],
}


class Author(CustomLLM):
    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="author", context_window=4096)

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text='{"passage": "The DPO is named in section 3."}')

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        raise NotImplementedError


class Listed(BaseRetriever):
    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        names = LISTS[query_bundle.query_str]
        return [NodeWithScore(node=TextNode(id_=name, text="same text"), score=9.0 - i) for i, name in enumerate(names)]


@pytest.fixture
def transforming() -> QuestionTransform:
    return QuestionTransform(
        [Transform.REWRITE, Transform.MULTI_QUERY], aliases=Aliases({("DPO", "Data Protection Officer"): 1})
    )


def test_a_bundle_holds_the_rewriting_and_all_queries_to_embed(transforming: QuestionTransform) -> None:
    assert isinstance(transforming, BaseQueryTransform)
    bundle = transforming.run("Hi, who is the DPO? Thanks!")
    assert bundle.query_str == "Who is the DPO?"
    assert bundle.embedding_strs == ["Who is the DPO?", "Who is the Data Protection Officer?"]


def test_an_llm_of_llama_index_is_asked_and_what_is_none_is_refused() -> None:
    made = QuestionTransform([Transform.HYDE], model=Author()).transformed("Who is the DPO?")
    assert [query.text for query in made.queries] == ["Who is the DPO?", "The DPO is named in section 3."]
    with pytest.raises(UsageError, match=r"a str is no LLM: .*resolve_llm\(NAME\)"):
        QuestionTransform([Transform.HYDE], model="ollama/llama3.2")  # type: ignore[arg-type]


def test_lists_of_all_queries_are_fused_by_rank_and_equal_texts_stay_apart(transforming: QuestionTransform) -> None:
    retriever = TransformingRetriever(Listed(), transforming, top_n=3)
    # c stands third and first, a and d once: 1/63 + 1/61 > 1/61 > 1/62 = 1/62
    expected = [("c", 1 / 63 + 1 / 61), ("a", 1 / 61), ("b", 1 / 62)]
    found = retriever.retrieve("Who is the DPO?")
    assert [(node.node.node_id, node.score) for node in found] == [(n, pytest.approx(s)) for n, s in expected]
    again = asyncio.run(retriever.aretrieve("Who is the DPO?"))
    assert [node.node.node_id for node in again] == ["c", "a", "b"]
