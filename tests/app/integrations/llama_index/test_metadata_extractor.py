"""The extractors in a LlamaIndex pipeline, by rule and by an LLM."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.llms import CustomLLM
from llama_index.core.schema import Document, TextNode

from policy_rag.errors import MetadataError, UnansweredError
from policy_rag.integrations.llama_index.llm_adapter import LlamaIndexModel
from policy_rag.integrations.llama_index.metadata_extractor import PolicyMetadataExtractor
from policy_rag.integrations.llama_index.node_parser import SectionNodeParser
from policy_rag_parsers.metadata.extraction_results import Kind

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
    extractor = PolicyMetadataExtractor(kinds=list(Kind), show_progress=False)
    assert extractor.to_dict()["class_name"] == "PolicyMetadataExtractor"
    first, second = nodes(extractor)
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


class Parrot(CustomLLM):
    """An LLM of LlamaIndex that is no server's; its number of calls is said in `calls`."""

    calls: int = 0
    fails: bool = False

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=4096, model_name="parrot")

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        assert "<section" in prompt
        self.calls += 1
        if self.fails:
            raise RuntimeError("out of\nmemory")
        return CompletionResponse(text='Sure, here you go: {"summary": "Leave is asked for."}')

    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponseGen:
        raise NotImplementedError


def test_any_llm_of_llamaindex_in_a_pipeline_and_from_the_cache(tmp_path: Path) -> None:
    llm = Parrot()
    extractor = PolicyMetadataExtractor(
        kinds=[Kind.SUMMARY], llm=llm, cache_file=str(tmp_path / "replies.sqlite"), show_progress=False
    )
    first, second = nodes(extractor)
    assert first["section_summary"] == second["section_summary"] == "Leave is asked for."
    assert "questions_this_excerpt_can_answer" not in first
    calls = llm.calls
    assert nodes(extractor) == [first, second]
    assert llm.calls == calls == 2


def test_what_an_llm_of_llamaindex_raises_is_one_error_on_one_line() -> None:
    with pytest.raises(UnansweredError, match=r"^parrot failed: RuntimeError: out of memory$"):
        LlamaIndexModel(Parrot(fails=True)).chat("a", "<section>")


def test_an_llm_needs_a_cache() -> None:
    with pytest.raises(MetadataError, match="give cache_file"):
        asyncio.run(PolicyMetadataExtractor(llm=Parrot()).aextract([TextNode(text="Employees must ask.")]))


def test_nodes_of_any_other_parser_will_do() -> None:
    extractor = PolicyMetadataExtractor(kinds=["entities"])  # type: ignore[list-item]
    found = asyncio.run(extractor.aextract([TextNode(text="The line manager pays EUR 5.")]))
    assert found == [{"entities": "role: line manager\namount: EUR 5"}]
    assert asyncio.run(PolicyMetadataExtractor().aextract([])) == []
