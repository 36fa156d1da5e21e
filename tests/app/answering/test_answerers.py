"""What holds of every answerer, whether it quotes or an LLM writes: one contract, each promise checked of both."""

import re
from dataclasses import replace

import numpy as np
import pytest
from made_hits import flat_idf, made_hit
from ollama_server import OllamaStandIn

from policy_rag.answering.confidence.model import SupportPiece, Weights
from policy_rag.answering.context import AnswerContext
from policy_rag.answering.pipeline import answer_from_result
from policy_rag.llm.metering import Calls
from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.records.answer import Status
from policy_rag.records.search import SearchRank, SearchResult
from policy_rag.records.serialization import to_json
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

QUESTION = "How many days of annual leave are there?"
RULE = "Employees receive 25 days of annual leave."
HITS = with_parsed_blocks(
    [
        made_hit(f"## 4 Leave\n\n{RULE}", start=300, found_by={"vector": SearchRank(1, 0.9)}),
        made_hit("Sickness is reported at once.", rank=2, start=900, found_by={"vector": SearchRank(2, 0.2)}),
    ]
)
CERTAIN = Weights(0.0, (SupportPiece("cosine", 9.0),), 0.5, "made up")


class OneVector:
    """An embedding model to which all texts are alike."""

    name = fingerprint = "one"
    dimension, max_tokens = 1, 256

    def embed(self, texts):
        return np.ones((len(texts), 1), dtype=np.float32)

    embed_queries = embed


@pytest.fixture(params=["extractive", "ollama/llama3.2"])
def context(request: pytest.FixtureRequest, ollama: OllamaStandIn) -> AnswerContext:
    ollama.replies = ["Employees receive 25 days of annual leave [1]."]
    made = AnswerContext(OneVector(), flat_idf, ("english",), CERTAIN, threshold=0.5)
    if request.param == "extractive":
        return made
    calls = Calls(OllamaModel("llama3.2", OllamaServer(ollama.url)), trace=made.trace)
    return replace(made, calls=calls)


def test_an_answer_has_one_shape_and_stands_on_verbatim_citations(context: AnswerContext) -> None:
    answer = answer_from_result(SearchResult(QUESTION, HITS, {"hits": 1.0}), context)
    assert (answer.status, answer.question, answer.llm) == (Status.ANSWERED, QUESTION, context.answerer)
    assert RULE.rstrip(".") in answer.answer
    assert answer.nearest == ()
    marks = [int(mark) for mark in re.findall(r"\[(\d+)\]", answer.answer)]
    assert sorted(set(marks)) == [citation.n for citation in answer.citations] == [1, *range(2, len(set(marks)) + 1)]
    for citation in answer.citations:
        hit = next(hit for hit in HITS if hit.section_id == citation.section_id)
        assert citation.quote == hit.text[citation.start - hit.start : citation.end - hit.start]
        assert (citation.file, citation.path, citation.version) == (hit.file, hit.path, hit.version)
    assert list(to_json(answer)) == [
        *("question", "status", "answered", "answer", "citations", "removed", "nearest", "clarification"),
        *("confidence", "llm", "trace", "timings_ms"),
    ]
    assert {"hits", "support", "answer"} <= set(answer.timings_ms)
    assert all(value >= 0 for value in answer.timings_ms.values())


@pytest.mark.parametrize("hits", [(), HITS[1:]], ids=["nothing found", "too little support"])
def test_what_lacks_support_is_refused_without_a_word_of_the_answerer(
    context: AnswerContext, ollama: OllamaStandIn, hits
) -> None:
    given: list[str] = []
    context = replace(context, threshold=0.99, stream_callback=given.append)
    answer = answer_from_result(SearchResult(QUESTION, hits, {}), context)
    assert (answer.status, answer.citations, answer.nearest) == (Status.REFUSED, (), hits)
    assert answer.confidence < 0.99
    assert given == []
    assert ollama.chats == []


def test_a_question_without_a_subject_is_asked_back_before_anybody_writes(
    context: AnswerContext, ollama: OllamaStandIn
) -> None:
    hits = tuple(made_hit("The deadline is Friday.", rank=n, file=f"{n}.md", path=(f"P{n}",)) for n in (1, 2))
    result = SearchResult("What is the deadline?", hits, {})
    answer = answer_from_result(result, context)
    assert (answer.status, answer.citations, answer.nearest) == (Status.CLARIFY, (), hits)
    assert answer.answer == answer.clarification
    assert ollama.chats == []
    assert answer_from_result(result, context, asks_back=False).status is not Status.CLARIFY
