"""Metadata from the command line to the hit: extracted, kept, used, shown, removed; never part of a text."""

import json
import sqlite3

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError, SettingsError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.store.metadata import added_text
from policy_rag.integrations.llama_index.retriever import as_node
from policy_rag.records.choices import MetadataUse
from policy_rag.records.serialization import to_json
from policy_rag.settings import load_settings
from policy_rag_parsers.metadata.extraction_results import (
    DocumentMetadata,
    Entity,
    EntityType,
    Force,
    Kind,
    Obligation,
    SectionMetadata,
)

LEAVE = """# Leave Policy

## 1 Retention period

Leave records are kept for ten years. The People team must delete them within 30 days after that.

## 2 Sabbatical

Employees may take a sabbatical after five years. They must ask nine months in advance.
"""
BOARD = """---
access: [board]
---
# Board Paper

## 1 Merger

The zebra merger must be kept secret by all directors for two years.
"""


@pytest.fixture
def policies(tmp_path, embedder, monkeypatch):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "board.md").write_text(BOARD, encoding="utf-8")
    return folder


@pytest.fixture
def call(tmp_path, capsys):
    def calling(*arguments):
        status = run([*arguments, "--index", str(tmp_path / "index")])
        printed = capsys.readouterr()
        assert status == 0, printed.err
        return printed.out

    return calling


def opened(tmp_path, **changes):
    return PolicyAssistant.open(tmp_path / "index", create=True, llm="extractive", **changes)


def mark(assistant):
    """Tells stored results from new ones, by what no extraction gives."""
    with assistant.index.writer() as db:
        db.execute("UPDATE sections SET metadata = replace(metadata, 'ten years', 'MARKED') WHERE metadata <> ''")
        db.execute("UPDATE documents SET source_hash = ''")  # so that the files are read again


def test_what_is_extracted_is_shown_and_never_part_of_the_text(policies, call):
    report = json.loads(call("ingest", str(policies), "--metadata", "all", "--llm", "extractive", "--json"))
    # A section for each of the two titles, three for the headings below them.
    assert report["metadata"]["questions"]["wanted"] == report["sections"] == 5
    assert report["metadata"]["title"]["wanted"] == 2
    assert report["metadata"]["questions"]["failed"] == 0
    assert report["notes"] == ["metadata by rules (offline)"]
    first = json.loads(call("search", "How long are records kept?", "--json"))["hits"][0]
    assert first["text"] == LEAVE[first["start"] : first["end"]]
    assert "What are the rules on “Retention period”?" in first["metadata"]["questions"]
    assert first["metadata"]["document_title"] == "Leave Policy"
    assert "What are the rules on" not in first["text"]
    shown = json.loads(call("show", "leave.md", "--section", "1", "--json"))
    assert shown["metadata"]["questions"] == first["metadata"]["questions"]
    listed = json.loads(call("documents", "--json"))
    assert listed[0]["metadata"]["document_title"] == "Leave Policy"
    assert "What are the rules on “Retention period”?" in call("search", "How long are records kept?")


def test_without_metadata_nothing_of_it_is_in_the_json(policies, call):
    report = json.loads(call("ingest", str(policies), "--json"))
    assert "metadata" not in report
    for hit in json.loads(call("search", "How long are records kept?", "--json"))["hits"]:
        assert "metadata" not in hit
    assert "metadata" not in json.loads(call("show", "leave.md", "--section", "1", "--json"))
    assert all("metadata" not in document for document in json.loads(call("documents", "--json")))


def test_a_dry_run_tells_the_cost_and_leaves_nothing_behind(policies, call, tmp_path, capsys):
    dry = ("ingest", str(policies), "--metadata", "keywords", "--dry-run", "--llm", "extractive")
    plan = json.loads(call(*dry, "--json"))
    assert (plan["documents"], plan["sections"], plan["calls"]) == (2, 5, {})
    assert plan["seconds"] > 0
    assert not (tmp_path / "index").exists()
    assert "second" in call(*dry)
    assert run(["ingest", str(policies), "--dry-run", "--index", str(tmp_path / "index")]) == 2
    assert "--metadata KINDS" in capsys.readouterr().err


def test_it_is_kept_for_a_document_that_stays_and_goes_with_it(policies, tmp_path):
    with opened(tmp_path, metadata="summary,keywords") as assistant:
        assistant.ingest([policies])
        mark(assistant)
        assert assistant.ingest([policies]).unchanged == 2
        assert "MARKED" in assistant.show("leave.md", section="1").metadata["summary"]
    (policies / "leave.md").write_text(LEAVE.replace("nine months", "twelve months"), encoding="utf-8")
    with opened(tmp_path) as assistant:  # the kinds are the index's own
        report = assistant.ingest([policies])
        assert (report.updated, report.unchanged) == (1, 1)
        first, changed = (assistant.show("leave.md", section=number).metadata for number in "12")
        assert "MARKED" not in first["summary"]
        assert "twelve months" in changed["summary"]
        again = assistant.ingest([policies])
        assert (again.unchanged, again.embedded) == (2, 0)
        assistant.remove(["leave.md"])
    with sqlite3.connect(tmp_path / "index" / "index.sqlite3") as db:
        assert not db.execute("SELECT count(*) FROM sections WHERE metadata LIKE '%MARKED%'").fetchone()[0]
    db.close()
    assert b"MARKED" not in (tmp_path / "index" / "index.sqlite3").read_bytes()


def test_a_kind_is_added_to_files_that_stayed_the_same_and_leaves_the_others_as_they_are(policies, tmp_path):
    with opened(tmp_path) as assistant:
        assistant.ingest([policies])
        assert assistant.show("leave.md", section="1").metadata is None
    with opened(tmp_path, metadata="summary") as assistant:
        assert assistant.ingest([policies]).updated == 2
        mark(assistant)
    with opened(tmp_path, metadata="summary,questions") as assistant:
        assert assistant.ingest([policies]).updated == 2
        found = assistant.show("leave.md", section="1").metadata
        assert "MARKED" in found["summary"]
        assert found["questions"]
        assert assistant.ingest([policies]).unchanged == 2
        assert assistant.verify().ok


def test_a_moved_file_keeps_what_was_extracted(policies, tmp_path):
    with opened(tmp_path, metadata="summary") as assistant:
        assistant.ingest([policies])
        (policies / "leave.md").rename(policies / "holiday.md")
        report = assistant.ingest([policies])
        assert (report.added, report.updated, report.embedded) == (0, 0, 0)
        assert "summary" in assistant.show("holiday.md", section="1").metadata


def test_the_keyword_search_finds_by_it_and_the_text_stays(policies, tmp_path):
    def hits(assistant):
        return assistant.search("marsupial", search="keyword").hits

    with opened(tmp_path, metadata="keywords", metadata_use="keyword:keywords") as assistant:
        assistant.ingest([policies])
        with assistant.index.writer() as db:
            db.execute(
                """UPDATE sections SET metadata = '{"section_id": "2", "keywords": ["marsupial"]}' WHERE section_id = '2'"""
            )
            manifest = assistant.index.manifest
            assistant.index.rewrite(db, manifest, lambda _: 0)
        (hit,) = hits(assistant)
        assert hit.section_id == "2"
        assert "marsupial" not in hit.text
    with opened(tmp_path, metadata_use="none") as assistant:  # made again from the rows, without embedding
        assert hits(assistant) == ()


def test_what_the_embedder_sees_shapes_the_index(policies, tmp_path):
    with opened(tmp_path, metadata="questions", metadata_use="embedder:questions") as assistant:
        assert assistant.ingest([policies]).embedded > 0
        assert assistant.index.manifest.embed_metadata == "questions"
        assert assistant.verify().ok
    with opened(tmp_path) as assistant:  # goes on as it was made
        assert assistant.ingest([policies]).embedded == 0
    with (
        opened(tmp_path, metadata="questions", metadata_use="none") as assistant,
        pytest.raises(IndexingError, match="embed_metadata=questions"),
    ):
        assistant.ingest([policies])


def test_a_section_that_may_not_be_read_shows_nothing_of_it(policies, tmp_path):
    with opened(tmp_path, metadata="all", metadata_use="keyword:all") as assistant:
        assistant.ingest([policies])
        everything = json.dumps([to_json(hit) for hit in assistant.search("Who keeps the zebra merger secret?").hits])
        assert "zebra" not in everything
        assert all("zebra" not in str(d.metadata) for d in assistant.documents())
        hit = assistant.search("Who keeps the zebra merger secret?", groups=("board",)).hits[0]
        assert "zebra merger" in hit.metadata["summary"]


def test_who_is_given_what_is_one_setting(policies, tmp_path, ollama):
    with opened(tmp_path, metadata="all", metadata_use="llm:questions display:keywords") as assistant:
        assistant.ingest([policies])
        hit = assistant.search("What is the retention period?").hits[0]
        assert list(hit.metadata) == ["keywords"]
        assert hit.about.split("\n")[0] == "What are the rules on “Retention period”?"
        ollama.replies = ["NOT ANSWERED"]
        assistant.ask("What is the retention period of leave records?", llm="ollama/llama3.2")
    prompt = ollama.chats[-1]["messages"][-1]["content"]
    assert 'about="What are the rules on “Retention period”?"' in prompt
    node = as_node(hit).node
    assert node.metadata["metadata"] == {"keywords": hit.metadata["keywords"]}
    assert node.text == hit.text


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ({"metadata": "summaries"}, "summaries"),
        ({"metadata_use": "search:title"}, "WHO:KIND"),
        ({"metadata_use": "keyword:titles"}, "titles"),
        ({"metadata_use": "keyword:title keyword:summary"}, "WHO:KIND"),
    ],
)
def test_a_kind_or_use_that_is_none_is_named(value, says):
    with pytest.raises(SettingsError, match=says):
        load_settings(value)


def test_the_forms_of_a_use_are_one():
    use = MetadataUse(keyword=(Kind.TITLE, Kind.SUMMARY), display=())
    for value in ("keyword:title+summary display:none", {"keyword": ["title", "summary"], "display": []}):
        assert load_settings({"metadata_use": value}).search.metadata_use == use
    made = load_settings({"metadata_use": "keyword:title", "metadata": ["title"]})
    assert load_settings(made.as_json(made.given)) == made


def test_every_kind_has_its_line():
    section = SectionMetadata(
        "1",
        summary="S.",
        previous_summary="P.",
        next_summary="",
        questions=("Q1?", "Q2?"),
        keywords=("k1", "k2"),
        entities=(Entity(EntityType.ROLE, "HR", 0, 2), Entity(EntityType.ROLE, "HR", 5, 7)),
        obligations=(Obligation("HR", Force.MUST_NOT, "sleep", "by noon", 0, 9),),
    )
    document = DocumentMetadata("d", "T", "D.")
    assert added_text(tuple(Kind), document, section).split("\n") == [
        "T", "D.", "S.", "P.", "Q1?", "Q2?", "k1, k2", "HR", "HR must not sleep by noon",
    ]  # fmt: skip
    assert added_text((Kind.SUMMARY,), None, None) == ""
