import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import get_leaf_nodes
from llama_index.core.retrievers import AutoMergingRetriever
from llama_index.core.schema import Document, MetadataMode, TextNode

from policy_rag.integrations.llama_index.node_parser import SectionNodeParser
from policy_rag_parsers.records import FileFormat, PageMark, SourceText, TableMark

TEXT = (
    "---\ntitle: X\n---\n# Travel policy\n\nIntro.\n\n## 1. Scope\n\nAsk first. Ask first.\n\n"
    "## 2. Costs\n\n### 2.1 Trains\n\nAsk first. Ask first.\n\n### 2.2 Hotels\n\n"
    + "Keep all the receipts of it. " * 6
    + "\n"
)


def words(texts: Sequence[str]) -> list[int]:
    return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


def document(text: str = TEXT, **metadata: Any) -> Document:
    return Document(text=text, id_="d1", metadata={"file_name": "travel.md", **metadata})


def parsed(text: str = TEXT, **metadata: Any) -> list[TextNode]:
    parser = SectionNodeParser(count_tokens=words, max_tokens=28)
    nodes = parser.get_nodes_from_documents([document(text, **metadata)])
    return [node for node in nodes if isinstance(node, TextNode)]


def test_offsets_are_exact_though_texts_repeat() -> None:
    nodes = parsed()
    for node in nodes:
        assert node.start_char_idx is not None
        assert TEXT[node.start_char_idx : node.end_char_idx] == node.text
        assert (node.metadata["chunk_start"], node.metadata["chunk_end"]) == (node.start_char_idx, node.end_char_idx)
    assert [node.start_char_idx for node in nodes] == sorted(node.start_char_idx or 0 for node in nodes)
    seen = "".join("".join(node.text.split()) for node in nodes)
    assert seen == "".join(TEXT[TEXT.index("# Travel") :].split())


def test_metadata_and_what_the_embedder_sees() -> None:
    nodes = parsed(department="HR", file="travel.md")
    trains = next(node for node in nodes if node.metadata["section_id"] == "2.1")
    expected = {"number": "2.1", "section_title": "Trains", "parent": "2", "file": "travel.md", "department": "HR"}
    assert trains.metadata.items() >= expected.items()
    assert trains.metadata["path"].endswith("Costs > Trains")
    for mode in (MetadataMode.EMBED, MetadataMode.LLM):
        assert trains.get_content(mode) == f"{trains.metadata['path']}\n{trains.text}"
    for node in nodes:
        assert words([node.get_content(MetadataMode.EMBED)])[0] <= 28
        for hidden in (node.excluded_embed_metadata_keys, node.excluded_llm_metadata_keys):
            assert len(hidden) == len(set(hidden))
            assert {"file", "file_name", "department"} <= set(hidden)


def test_links() -> None:
    nodes = parsed()
    for before, after in pairwise(nodes):
        assert before.next_node is not None
        assert before.next_node.node_id == after.node_id
        assert after.prev_node is not None
        assert after.prev_node.node_id == before.node_id
    assert {node.ref_doc_id for node in nodes} == {"d1"}


def test_merging_by_parents_keeps_what_was_found() -> None:
    nodes = parsed()
    storage = StorageContext.from_defaults()
    storage.docstore.add_documents(nodes)
    trains = [node for node in nodes if node.metadata["section_id"] == "2.1"]
    index = VectorStoreIndex(trains, storage_context=storage, embed_model=MockEmbedding(embed_dim=3))
    found = AutoMergingRetriever(index.as_retriever(), storage).retrieve("trains")
    assert [node.text for node in found] == [node.text for node in trains]
    assert get_leaf_nodes(nodes) == nodes


def test_ids_stay_while_section_and_text_stay() -> None:
    first, again = parsed(), parsed()
    ids = [node.node_id for node in first]
    assert ids == [node.node_id for node in again]
    assert len(set(ids)) == len(ids)
    changed = parsed(TEXT.replace("Intro.", "Introduction to it."))
    assert len(set(ids) & {node.node_id for node in changed}) == len(ids) - 1


def test_ids_by_a_function_and_offsets_though_it_repeats_them() -> None:
    parser = SectionNodeParser(id_func=lambda i, doc: f"{doc.metadata['file_name']}-{i}")
    nodes = parser.get_nodes_from_documents(
        [document("One."), Document(text="Eleven.", metadata={"file_name": "travel.md"})]
    )
    assert [node.node_id for node in nodes] == ["travel.md-0", "travel.md-0"]
    assert [node.end_char_idx for node in nodes if isinstance(node, TextNode)] == [4, 7]


def test_it_is_read_back_as_it_was_written() -> None:
    written = SectionNodeParser(max_tokens=28).to_dict()
    assert SectionNodeParser.from_dict(written).to_dict() == written


def test_in_an_ingestion_pipeline_with_the_default_tokenizer() -> None:
    pipeline = IngestionPipeline(transformations=[SectionNodeParser(), MockEmbedding(embed_dim=3)])
    nodes = pipeline.run(
        documents=[document(), Document(text="No headings here.", id_="d2"), Document(text="", id_="d3")]
    )
    assert {node.ref_doc_id for node in nodes} == {"d1", "d2"}
    assert all(node.embedding == [0.5, 0.5, 0.5] for node in nodes)
    [plain] = [node for node in nodes if node.ref_doc_id == "d2"]
    assert plain.get_content(MetadataMode.NONE) == "No headings here."


def test_pages_and_table_headers_come_from_a_loaded_source() -> None:
    rows = "".join(f"thing{i} | {i} eur\n" for i in range(12))
    text = f"1. Limits\n\nItem | Sum\n{rows}"
    start = text.index("Item")
    source = SourceText(
        text, FileFormat.PDF, tables=(TableMark(start, len(text) - 1, start + 10),), pages=(PageMark(0, 7),)
    )
    nodes = SectionNodeParser(count_tokens=words, max_tokens=28).nodes_from_source(
        source, Document(text=text), file="a.pdf"
    )
    assert len(nodes) > 1
    assert {node.metadata["page"] for node in nodes} == {7}
    assert nodes[1].metadata["context"] == "Item | Sum"
    assert "Item | Sum\nthing" in nodes[1].get_content(MetadataMode.EMBED)
