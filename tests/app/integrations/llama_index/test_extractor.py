"""The extractors in a LlamaIndex pipeline, offline and over the wire."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, TextNode
from llama_index.llms.ollama import Ollama
from ollama_server import OllamaStandIn

from policy_rag.integrations.llama_index.extractor import PolicyMetadataExtractor
from policy_rag.integrations.llama_index.node_parser import SectionNodeParser
from policy_rag_parsers.errors import MetadataError
from policy_rag_parsers.metadata.records import Kind

TEXT = """# Leave Policy

## 1. Notice period

Employees must ask the line manager within two weeks. Leave is recorded in the Leave Register.

## 2. Carrying over

Five days may be carried over. Carrying over ends by 31 March.
"""


def nodes(extractor: PolicyMetadataExtractor) -> list[dict[str, Any]]:
    pipeline = IngestionPipeline(transformations=[SectionNodeParser(), extractor])
    # Not `run`: LlamaIndex would leave its event loop open, and the test that drops it would fail.
    made = asyncio.run(pipeline.arun(documents=[Document(text=TEXT, metadata={"file_name": "leave.md"})]))
    return [node.metadata for node in made if node.metadata["section_id"] != "preamble"]


def test_offline_in_a_pipeline() -> None:
    first, second = nodes(PolicyMetadataExtractor(kinds=list(Kind), show_progress=False))
    assert first["document_title"] == second["document_title"] == "Leave Policy"
    assert first["questions_this_excerpt_can_answer"].splitlines()[0] == "What are the rules on “Notice period”?"
    assert first["section_summary"] == second["prev_section_summary"]
    assert second["section_summary"] == first["next_section_summary"]
    assert "notice period" in first["excerpt_keywords"].split(", ")
    assert "role: Employees; line manager" in first["entities"].splitlines()
    assert "system: Leave Register" in first["entities"].splitlines()
    assert first["obligations"] == "Employees: must: ask the line manager within two weeks"
    assert "obligations" not in second
    assert all(isinstance(first[key], str) for key in ("entities", "obligations", "document_summary"))


def test_over_the_wire_in_a_pipeline_and_from_the_cache(tmp_path: Path) -> None:
    with OllamaStandIn(reply=lambda _: json.dumps({"summary": "Leave is asked for."})) as server:
        llm = Ollama(model="llama3.2", base_url=server.url, context_window=4096)
        extractor = PolicyMetadataExtractor(
            kinds=[Kind.SUMMARY], llm=llm, cache_file=str(tmp_path / "replies.sqlite3"), show_progress=False
        )
        first, second = nodes(extractor)
        assert first["section_summary"] == second["section_summary"] == "Leave is asked for."
        assert "questions_this_excerpt_can_answer" not in first
        calls = len(server.chats)
        assert nodes(extractor) == [first, second]
        assert len(server.chats) == calls == 2


def test_an_llm_needs_a_cache() -> None:
    extractor = PolicyMetadataExtractor(llm=Ollama(model="llama3.2", context_window=4096))
    with pytest.raises(MetadataError, match="give cache_file"):
        asyncio.run(extractor.aextract([TextNode(text="Employees must ask.")]))


def test_nodes_of_any_other_parser_will_do() -> None:
    extractor = PolicyMetadataExtractor(kinds=["entities"])  # type: ignore[list-item]
    found = asyncio.run(extractor.aextract([TextNode(text="The line manager pays EUR 5.")]))
    assert found == [{"entities": "role: line manager\namount: EUR 5"}]
    assert asyncio.run(PolicyMetadataExtractor().aextract([])) == []


def test_it_is_serialised_under_its_name() -> None:
    assert PolicyMetadataExtractor(kinds=[Kind.TITLE]).to_dict()["class_name"] == "PolicyMetadataExtractor"
