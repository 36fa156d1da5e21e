"""Reading in a process of its own: what comes out is what the file holds, and a limit is told by its name."""

import datetime as dt
from dataclasses import replace

import pytest

from policy_rag.errors import DeclarationError, LoadError, ModelError, UsageError
from policy_rag.index.ingest.document_preparation import prepare_file
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.metadata_extractors import forget_replies, require_forgettable
from policy_rag.llm.reply_cache import ReplyCache
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.document_metadata.declarations import read_sidecar
from policy_rag_parsers.loaders import load
from policy_rag_parsers.loaders.discovery import FoundFile

TEXT = "---\nreview: 2025-06-01\nlevel: 3\nshare: 0.5\nfinal: true\ntags: [a, b]\n---\n# Leave\n\n## 1. Scope\n\nAll staff.\n"


@pytest.fixture
def file(tmp_path):
    (tmp_path / "leave.md").write_text(TEXT)
    (tmp_path / "policies.yaml").write_text("leave.md: {day: 2024-02-29, access: [hr]}\n")
    return FoundFile(tmp_path / "leave.md", tmp_path, "leave.md")


@pytest.mark.parametrize("chunker", ["section", "llm-context"])  # the one asks for tokens, the other for vectors too
def test_a_document_is_the_same_as_where_it_is_read_here(file, manifest, embedder, chunker):
    said = read_sidecar(file.root)
    manifest = replace(manifest, chunker=chunker)
    with FileReader() as reader:
        found = reader.document(file, said, manifest, embedder, doc_id="leave.md")
    assert found == prepare_file(
        file, load(file.path), said, manifest, embedder.count_tokens, embedder.embed, doc_id="leave.md"
    )
    assert dict(found.declaration.extra)["review"] == dt.date(2025, 6, 1)
    assert dict(found.declaration.extra)["day"] == dt.date(2024, 2, 29)
    assert found.declaration.access == ("hr",)


@pytest.mark.parametrize(
    ("limits", "name", "data", "message"),
    [
        (ParsingSettings(file_chars=100), "a.md", b"a" * 101, "holds 101 characters of text, and at most 100 .*raise file_chars"),
        (ParsingSettings(file_megabytes=1), "a.md", b"a" * 1_100_000, "has 1,100,000 bytes, and at most 1,048,576 are read"),
        (ParsingSettings(file_seconds=1), "a.html", b"<p " + b"".join(b"a%d='' " % i for i in range(90_000)) + b">x</p>", "takes more than 1 seconds to be read: raise file_seconds"),
        (ParsingSettings(file_memory=500), "a.html", b"<html>" + b"<b>a</b>" * 1_500_000, "500 MB of memory.*: raise file_memory"),
    ],
)  # fmt: skip
def test_a_limit_is_named_and_the_next_file_is_read(tmp_path, file, limits, name, data, message):
    (tmp_path / name).write_bytes(data)
    with FileReader(limits) as reader:
        with pytest.raises(LoadError, match=rf"{name}: .*{message}"):
            reader.text(FoundFile(tmp_path / name, tmp_path, name))
        reader.limits = ParsingSettings(file_memory=limits.file_memory)  # however long a busy machine takes for it
        assert reader.text(file).text == TEXT


def test_what_is_wrong_with_a_file_keeps_its_kind(file, manifest, embedder):
    file.path.write_text("---\naccess:\n---\nx\n")
    with FileReader() as reader, pytest.raises(DeclarationError, match=r"leave.md, line 2: access: it is empty"):
        reader.document(file, {}, manifest, embedder, doc_id="leave.md")


def test_a_model_that_fails_leaves_a_reader_that_reads(file, manifest, embedder, monkeypatch):
    def fail(_):
        raise ModelError("gone")

    with FileReader() as reader:
        with monkeypatch.context() as patch:
            patch.setattr(embedder, "count_tokens", fail)
            with pytest.raises(ModelError, match="gone"):
                reader.document(file, {}, manifest, embedder, doc_id="leave.md")
        assert reader.document(file, {}, manifest, embedder, doc_id="leave.md").title == "Leave"


def test_only_a_cache_of_replies_is_deleted(tmp_path):
    ours, other = tmp_path / "replies", tmp_path / "thesis.docx"
    ReplyCache(ours).close()
    other.write_bytes(b"SQLite format 3\0 and more" * 9)
    require_forgettable(ours)
    require_forgettable(tmp_path / "nothing")
    with pytest.raises(UsageError, match=r"metadata_cache names .*thesis.docx, which is no cache of replies"):
        require_forgettable(other)
    for file in (ours, other):
        forget_replies(file)
    assert (ours.exists(), other.exists()) == (False, True)
