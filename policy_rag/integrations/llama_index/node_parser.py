"""The section parser as a LlamaIndex `NodeParser`, for any `IngestionPipeline`.

Importing this module imports LlamaIndex.
"""

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from llama_index.core.bridge.pydantic import Field, field_validator
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import default_id_func
from llama_index.core.schema import BaseNode, Document, MetadataMode, NodeRelationship, TextNode
from llama_index.core.utils import get_tokenizer, get_tqdm_iterable

from policy_rag.integrations.llama_index.document_reader import PolicyDocument
from policy_rag.records.locations import STEP
from policy_rag_parsers.chunking.passages import BareHeading, section_passages
from policy_rag_parsers.loaders.front_matter import find_front_matter
from policy_rag_parsers.records import Chunk, FileFormat, Section, SourceText
from policy_rag_parsers.structure.sections import parse_document

_NAMESPACE = uuid.UUID("6f1c0d1e-6a4e-5f6e-9d0b-0d0a1f3c8b52")
# What the embedder and the LLM see in front of a node's text; all other metadata is for filters and citations.
_SHOWN = ("path", "context")


class SectionNodeParser(NodeParser):
    """One node a section, or a chunk of a section that is too long to embed.

    `start_char_idx` and `end_char_idx` are exact: `document.text[start:end]` is the node's text. Metadata of a node:
    `section_id`, `number`, `section_title`, `path`, `level`, `parent` (a section's id, or ""), `section_start`,
    `section_end`, `chunk_start`, `chunk_end`, `file`; `page` where pages are known; `context` where a chunk lacks
    something by itself (a table's header). The embedder and the LLM see the path and the context, a line each, then the
    text. Nodes are linked by SOURCE, PREVIOUS and NEXT; not by PARENT, since a node holds no other section's text, and
    `AutoMergingRetriever` would give it for what was found below it. Node ids depend on the document's id, the
    section's id and the text only; or `id_func` makes them, of a node's place in its document and the document.

    Documents of `PolicyReader` bring their headings, tables and pages. Others are read
    as Markdown or plain text: what another reader made of a DOCX or a PDF has lost its headings and numbers.
    """

    max_tokens: int = Field(default=256, ge=2, description="most tokens of a node with its path and context")
    count_tokens: Callable[[Sequence[str]], Sequence[int]] | None = Field(
        default=None, exclude=True, description="tokens of each text; by default LlamaIndex's global tokenizer"
    )
    bare: BareHeading = Field(default=BareHeading.WITH_FOLLOWING, description="what a bare heading is embedded with")

    @field_validator("id_func", mode="before")
    @classmethod
    def _read_back(cls, given: Any) -> Any:
        """LlamaIndex writes the name of the function down, and cannot read it."""
        written = isinstance(given, dict) and given.get("id_func_name") == default_id_func.__name__
        return default_id_func if written else given

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex serialises it."""
        return "SectionNodeParser"

    def nodes_from_source(self, source: SourceText, document: BaseNode, *, file: str = "") -> list[TextNode]:
        """The nodes of a text whose headings, tables and pages a loader has marked.

        Args:
            source: the text with its marks; `document` holds the same text.
            document: what the nodes come from.
            file: its name, for the metadata and, without any other, the title.
        """
        stated = document.metadata.get("title")
        title = str(stated) if stated else None
        sections = parse_document(source, title=title, otherwise=PurePath(file).stem or "Document").sections
        passages = section_passages(
            source,
            sections,
            count_tokens=self.count_tokens or _count_globally,
            max_tokens=self.max_tokens,
            hit_chars=len(source.text),
            prefix=_path,
            bare=self.bare,
        )
        by_id = {section.section_id: section for section in sections}
        seen: Counter[str] = Counter()
        nodes: list[TextNode] = []
        origin = document.as_related_node_info()
        for passage in passages:
            section = by_id[passage.section_id]
            for chunk in passage.chunks:
                text = source.text[chunk.start : chunk.end]
                metadata = {**_metadata(section, chunk), "file": file}
                hidden = [key for key in {**document.metadata, **metadata} if key not in _SHOWN]
                nodes.append(
                    TextNode(
                        id_=_node_id(document.node_id, section.section_id, text, seen)
                        if self.id_func is default_id_func
                        else self.id_func(len(nodes), document),
                        text=text,
                        start_char_idx=chunk.start,
                        end_char_idx=chunk.end,
                        metadata=metadata,
                        metadata_template="{value}",
                        text_template="{metadata_str}\n{content}",
                        excluded_embed_metadata_keys=hidden,
                        excluded_llm_metadata_keys=hidden,
                        relationships={NodeRelationship.SOURCE: origin},
                    )
                )
        return nodes

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Finding sections"):
            source = node.source if isinstance(node, PolicyDocument) else None
            named = ("file", "file_name") if source else ("file_name", "file")
            file = next((str(node.metadata[name]) for name in named if node.metadata.get(name)), "")
            source = source or _plain(node.get_content(metadata_mode=MetadataMode.NONE), file)
            parsed.extend(self.nodes_from_source(source, node, file=file))
        return parsed

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]) -> list[BaseNode]:
        """LlamaIndex's links and metadata, with our offsets: it looks for them by text, and texts repeat."""
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node in nodes:
            if isinstance(node, TextNode):
                node.start_char_idx, node.end_char_idx = node.metadata["chunk_start"], node.metadata["chunk_end"]
        return nodes


def _plain(text: str, file: str) -> SourceText:
    """A text of which nothing more is known than its file's name."""
    markdown = PurePath(file).suffix.casefold() in {".md", ".markdown"}
    matter = find_front_matter(text)
    kind = FileFormat.MARKDOWN if markdown else FileFormat.TEXT
    return SourceText(text, kind, body_start=matter.body_start if matter else 0)


def _count_globally(texts: Sequence[str]) -> list[int]:
    tokenizer = get_tokenizer()
    return [len(tokenizer(text)) for text in texts]


def _path(section: Section) -> str:
    return STEP.join(part for part in section.path if part)


def _metadata(section: Section, chunk: Chunk) -> dict[str, Any]:
    """Flat values only: many vector stores keep nothing else."""
    metadata: dict[str, Any] = {
        "path": _path(section),
        "section_id": section.section_id,
        "number": section.number or "",
        "section_title": section.title,
        "level": section.level,
        "parent": section.parent or "",
        "section_start": section.start,
        "section_end": section.end,
        "chunk_start": chunk.start,
        "chunk_end": chunk.end,
    }
    if chunk.context:
        metadata["context"] = chunk.context
    if section.page is not None:
        metadata["page"] = section.page
    return metadata


def _node_id(doc_id: str, section_id: str, text: str, seen: Counter[str]) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    key = "\x00".join((doc_id, section_id, digest))
    seen[key] += 1
    return str(uuid.uuid5(_NAMESPACE, f"{key}\x00{seen[key]}"))
