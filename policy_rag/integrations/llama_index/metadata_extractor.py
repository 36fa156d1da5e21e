"""Metadata, by rule or by an LLM, as a LlamaIndex `BaseExtractor` for any `IngestionPipeline`."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.bridge.pydantic import Field, SerializeAsAny
from llama_index.core.extractors import BaseExtractor
from llama_index.core.llms import LLM
from llama_index.core.schema import BaseNode, MetadataMode

from policy_rag.errors import MetadataError
from policy_rag.integrations.llama_index.llm_adapter import LlamaIndexModel
from policy_rag.llm.reply_cache import CachedModel, ReplyCache
from policy_rag.records.locations import STEP
from policy_rag_parsers.metadata.entities import entity_values
from policy_rag_parsers.metadata.extraction_report import MetadataOutcome
from policy_rag_parsers.metadata.extraction_results import DocumentMetadata, Kind, Obligation, SectionMetadata
from policy_rag_parsers.metadata.llm_extractor import ExtractionOptions, extract_with_llm
from policy_rag_parsers.metadata.rule_extractor import extract_by_rule
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText
from policy_rag_parsers.text.tokenizer import detect_language

DEFAULT_KINDS = [Kind.TITLE, Kind.SUMMARY, Kind.QUESTIONS, Kind.KEYWORDS]


class PolicyMetadataExtractor(BaseExtractor):
    """Metadata of nodes: offline by default, by an LLM where one is given.

    Nodes of one document (`ref_doc_id`) are read together, in their order. Where `SectionNodeParser` made them, their
    titles and paths are used. The keys are those of LlamaIndex's own extractors where it has one: `document_title`,
    `section_summary`, `prev_section_summary`, `next_section_summary`, `questions_this_excerpt_can_answer`,
    `excerpt_keywords`; and `document_summary`, `entities`, `obligations`. Values are text, a line an item, since many
    stores keep nothing else; what failed or was not found has no key.
    """

    kinds: list[Kind] = Field(default_factory=lambda: list(DEFAULT_KINDS), description="what to extract")
    llm: SerializeAsAny[LLM] | None = Field(default=None, description="asked for the metadata; None: by rule")
    cache_file: str | None = Field(default=None, description="SQLite file of answered calls; needed with an LLM")
    concurrency: int = Field(default=4, ge=1, description="calls at the same time")
    max_tokens: int = Field(default=512, ge=1, description="most tokens of a reply, where the LLM takes a limit")
    attempts: int = Field(default=3, ge=1, description="most replies asked for a text")

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "PolicyMetadataExtractor"

    async def aextract(self, nodes: Sequence[BaseNode]) -> list[dict[str, Any]]:
        """Metadata for each node, in their order.

        Raises:
            MetadataError: an LLM without a cache file.
        """
        documents, places = _documents(nodes)
        outcome = await asyncio.to_thread(self._extracted, documents)
        found: list[dict[str, Any]] = [{} for _ in nodes]
        for document, ours in zip(outcome.documents, places, strict=True):
            for section, place in zip(document.sections, ours, strict=True):
                found[place] = _flat(document, section)
        return found

    def _extracted(self, documents: Sequence[SectionedDocument]) -> MetadataOutcome:
        if self.llm is None:
            return extract_by_rule(documents, self.kinds)
        if self.cache_file is None:
            raise MetadataError("an LLM's answers are kept: give cache_file, a place for an SQLite file")
        model = LlamaIndexModel(self.llm, reply_tokens=self.max_tokens)
        shaped_by = {"class": self.llm.class_name(), "temperature": getattr(self.llm, "temperature", None)}
        options = ExtractionOptions(concurrency=self.concurrency, attempts=self.attempts)
        with ReplyCache(Path(self.cache_file)) as cache:
            return extract_with_llm(
                documents, self.kinds, CachedModel(model, cache, shaped_by=shaped_by), options=options
            )


def _documents(nodes: Sequence[BaseNode]) -> tuple[list[SectionedDocument], list[list[int]]]:
    """The nodes by document, and for each document the places of its nodes."""
    groups: dict[str, list[int]] = {}
    for place, node in enumerate(nodes):
        groups.setdefault(node.ref_doc_id or node.node_id, []).append(place)
    documents: list[SectionedDocument] = []
    for doc_id, places in groups.items():
        sections = tuple(_section(nodes[place]) for place in places)
        first = nodes[places[0]].metadata
        title = str(first.get("title") or (sections[0].path or ("",))[0] or first.get("file_name") or "")
        language = detect_language("\n".join(section.text for section in sections))
        documents.append(SectionedDocument(doc_id, title, sections, language))
    return documents, list(groups.values())


def _section(node: BaseNode) -> SectionText:
    text = node.get_content(metadata_mode=MetadataMode.NONE)
    title = str(node.metadata.get("section_title") or "")
    path = tuple(part for part in str(node.metadata.get("path") or "").split(STEP) if part)
    first_line = text.partition("\n")[0]
    titled = bool(title) and first_line.rstrip(" #*_:.").endswith(title)
    return SectionText(node.node_id, text, title, body=min(len(first_line) + 1, len(text)) if titled else 0, path=path)


def _flat(document: DocumentMetadata, section: SectionMetadata) -> dict[str, str]:
    values = {
        "document_title": document.title,
        "document_summary": document.summary,
        "section_summary": section.summary,
        "prev_section_summary": section.previous_summary,
        "next_section_summary": section.next_summary,
        "questions_this_excerpt_can_answer": "\n".join(section.questions or ()),
        "excerpt_keywords": ", ".join(section.keywords or ()),
        "entities": "\n".join(
            f"{kind}: {'; '.join(texts)}" for kind, texts in entity_values(section.entities or ()).items()
        ),
        "obligations": "\n".join(_sentence(obligation) for obligation in section.obligations or ()),
    }
    return {key: value for key, value in values.items() if value}


def _sentence(obligation: Obligation) -> str:
    who = f"{obligation.who}: " if obligation.who else ""
    when = f" ({obligation.when})" if obligation.when and obligation.when not in obligation.what else ""
    return f"{who}{obligation.force}: {obligation.what}{when}"
