"""Policy files as LlamaIndex documents."""

import logging
from pathlib import Path

import docx
import pytest
from llama_index.core import MockEmbedding, SimpleDirectoryReader, StorageContext, VectorStoreIndex
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.schema import Document, MetadataMode, TextNode
from llama_index.core.vector_stores.types import FilterOperator, MetadataFilter, MetadataFilters

from policy_rag.integrations.llama_index.document_reader import PolicyDocument, PolicyReader
from policy_rag.integrations.llama_index.metadata_filters import access_filters
from policy_rag.integrations.llama_index.node_parser import SectionNodeParser
from policy_rag.integrations.llama_index.vector_store import PolicyVectorStore
from policy_rag_parsers.errors import DeclarationError, LoadError, UsageError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = docx.Document()
    made.add_heading("Travel Policy", level=0)
    for title, rule in [
        ("1 Trains", "1.1 Second class."),
        ("2 Hotels", "2.1 A room may cost 120 euros; more must be agreed with the line manager first."),
    ]:
        made.add_heading(title, level=1)
        made.add_paragraph(rule)
    made.save(str(tmp_path / "travel.docx"))
    (tmp_path / "hr").mkdir()
    (tmp_path / "hr" / "pay.md").write_text(
        "---\nversion: 1.10\neffective_from: 2026-01-01\naccess: [hr, board]\nowner: Finance\n---\n# Pay\n\n1. Ten.\n",
        encoding="utf-8",
    )
    return tmp_path


def sections(documents: list[Document]) -> list[tuple[str, str]]:
    nodes = SectionNodeParser().get_nodes_from_documents(documents)
    return [(node.metadata["file"], node.metadata["section_id"]) for node in nodes]


def test_numbered_sections_of_a_word_file_stay(folder):
    documents = PolicyReader().load_data(folder / "travel.docx")
    assert sections(documents)[-3:] == [("travel.docx", "1.1"), ("travel.docx", "2"), ("travel.docx", "2.1")]
    nodes = IngestionPipeline(transformations=[SectionNodeParser()]).run(documents=documents)
    for node in nodes:
        assert isinstance(node, TextNode)
        assert documents[0].text[node.start_char_idx : node.end_char_idx] == node.get_content()
    assert nodes[-1].get_content(MetadataMode.LLM).startswith("Travel Policy > Hotels > 2.1\n")


def test_what_a_document_declares_is_metadata(folder):
    pay, travel = PolicyReader().load_data(folder)
    assert (pay.id_, travel.id_) == ("hr/pay.md", "travel.docx")
    assert pay.metadata == {
        "file": "hr/pay.md",
        "file_name": "pay.md",
        "title": "Pay",
        "version": "1.10",
        "effective_from": "2026-01-01",
        "access": ["hr", "board"],
        "owner": "Finance",
    }
    assert "version" not in travel.metadata


def test_the_nearest_file_beside_them_says_what_they_are(folder):
    (folder / "policies.yaml").write_text("hr/pay.md: {region: EU, owner: Board}\n", encoding="utf-8")
    (folder / "hr" / "policies.yaml").write_text("pay.md: {region: DE}\n", encoding="utf-8")
    pay = PolicyReader().load_data(folder)[0]
    assert (pay.metadata["region"], pay.metadata["owner"]) == ("DE", "Finance")


def test_a_group_finds_what_lists_it_and_what_is_open(folder):
    (folder / "bonus.md").write_text("---\naccess: [hr-leads, board]\n---\n# Bonus\n\n1. Ten.\n", encoding="utf-8")
    nodes = SectionNodeParser().get_nodes_from_documents(PolicyReader().load_data(folder))
    storage = StorageContext.from_defaults(vector_store=PolicyVectorStore())
    index = VectorStoreIndex(nodes, storage_context=storage, embed_model=MockEmbedding(embed_dim=4))

    def found(filters):
        search = index.as_retriever(similarity_top_k=50, filters=filters)
        return {node.node.metadata["file"] for node in search.retrieve("pay")}

    for operator, value in ((FilterOperator.CONTAINS, "hr"), (FilterOperator.ANY, ["hr"])):
        one = MetadataFilter(key="access", operator=operator, value=value)
        assert found(MetadataFilters(filters=[one])) == {"hr/pay.md"}
    assert found(access_filters("hr")) == {"hr/pay.md", "travel.docx"}
    assert found(access_filters(["board"])) == {"hr/pay.md", "bonus.md", "travel.docx"}
    assert found(access_filters([])) == {"travel.docx"}


def test_in_the_directory_reader_of_llama_index(folder):
    (travel,) = SimpleDirectoryReader(str(folder), file_extractor={".docx": PolicyReader()}).load_data()
    assert travel.id_ == str(folder / "travel.docx")
    assert [section for _, section in sections([travel])][-1] == "2.1"


def test_what_cannot_be_read_is_said(folder, caplog):
    (folder / "broken.docx").write_bytes(b"no zip")
    with caplog.at_level(logging.WARNING):
        assert len(PolicyReader().load_data(folder)) == 2
    assert "broken.docx" in caplog.text
    with pytest.raises(LoadError, match="is not a Word document"):
        PolicyReader().load_data(folder / "broken.docx")
    with pytest.raises(UsageError, match="does not exist"):
        PolicyReader().load_data([folder / "none.md"])
    (folder / "rates.xlsx").write_bytes(b"x")
    with pytest.raises(LoadError, match=r"rates\.xlsx"):
        PolicyReader().load_data(folder / "rates.xlsx")


def test_two_files_of_one_name_are_read_from_their_common_folder(folder):
    (folder / "it").mkdir()
    (folder / "it" / "pay.md").write_text("# Pay\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"it/pay\.md has the same name pay\.md as .*: read their common folder"):
        PolicyReader().load_data([folder / "hr", folder / "it"])
    assert [document.id_ for document in PolicyReader().load_data(folder)] == ["hr/pay.md", "it/pay.md", "travel.docx"]


def test_a_slip_in_who_may_read_stops(folder):
    (folder / "hr" / "pay.md").write_text("---\nacces: [hr]\n---\nTen.\n", encoding="utf-8")
    with pytest.raises(DeclarationError, match="write `access`"):
        PolicyReader().load_data(folder)


def test_marks_go_with_a_copy_and_not_with_another_text(folder):
    (document,) = PolicyReader().load_data(folder / "travel.docx")
    assert isinstance(document, PolicyDocument)
    again = PolicyDocument(text="")
    again.__setstate__(document.__getstate__())  # as processes of a pipeline send documents to each other
    assert again.source == document.source
    stored = Document.from_dict(document.to_dict())
    assert not isinstance(stored, PolicyDocument)
    document.set_content("1. Other")
    assert document.source is None
    assert sections([document]) == [("travel.docx", "preamble")]
