"""A file whose bytes, place, declarations, settings and reading code are known is not read again."""

import pytest
from ingested import written

from policy_rag.errors import DeclarationError
from policy_rag.index.ingest import source_fingerprint as sources
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.source_fingerprint import Sidecars
from policy_rag.index.maintenance.verify import verify
from policy_rag.settings import load_settings
from policy_rag_parsers.loaders.discovery import discover

LEAVE = "# Leave\n\n## 1 Amount\n\nThirty days a year.\n"
TRAVEL = "# Travel\n\n## 1 Hotels\n\nA hotel costs 120 euros at most.\n\n## 2 Trains\n\nSecond class.\n"


@pytest.fixture
def files(tmp_path):
    return written(tmp_path / "files", leave=LEAVE, trips__travel=TRAVEL)


@pytest.fixture
def read(monkeypatch):
    """The names of the files that were read."""
    names = []
    document = FileReader.document

    def noted(reader, file, *given, **named):
        names.append(file.path.name)
        return document(reader, file, *given, **named)

    monkeypatch.setattr(FileReader, "document", noted)
    return names


def counts(report):
    return (report.added, report.updated, report.unchanged, report.removed, report.sections, report.chunks)


def test_only_what_changed_is_read(assistant, files, read):
    first = assistant.ingest([files])
    assert counts(first)[:4] == (2, 0, 0, 0)
    read.clear()
    again = assistant.ingest([files])
    assert read == []
    assert counts(again) == (0, 0, 2, 0, first.sections, first.chunks)
    (files / "leave.md").write_text(LEAVE.replace("Thirty", "Forty"))
    third = assistant.ingest([files])
    assert (read, counts(third)[:4], third.embedded) == (["leave.md"], (0, 1, 1, 0), 1)
    assert verify(assistant.index).ok


def test_an_ingest_that_finds_nothing_new_writes_nothing(assistant, files):
    assistant.ingest([files])
    before = {path: path.stat().st_mtime_ns for path in assistant.index.folder.rglob("*.npy")}
    assistant.ingest([files])
    assert {path: path.stat().st_mtime_ns for path in assistant.index.folder.rglob("*.npy")} == before


def test_what_is_said_beside_a_file_counts(assistant, files, read):
    assistant.ingest([files])
    for folder, text in (
        (files, "trips/travel.md: {access: [board]}"),
        (files / "trips", "travel.md: {access: [hr]}"),
    ):
        read.clear()
        (folder / "policies.yaml").write_text(text)
        assert counts(assistant.ingest([files]))[:3] == (0, 1, 1)
        assert read == ["travel.md"]
    assert [d.access for d in assistant.index.documents()] == [(), ("hr",)], "the nearer folder wins"
    (files / "trips" / "policies.yaml").unlink()
    (files / "policies.yaml").unlink()
    assistant.ingest([files])
    assert [d.access for d in assistant.index.documents()] == [(), ()]


def test_the_groups_given_for_all_count(assistant, files):
    assistant.ingest([files])
    assistant.settings = load_settings({"access": ("hr",)})
    assert counts(assistant.ingest([files]))[:3] == (0, 2, 0)
    assert all(d.access == ("hr",) for d in assistant.index.documents())


def test_after_a_change_of_the_code_files_are_read_and_then_known_again(assistant, files, read, monkeypatch):
    assistant.ingest([files])
    monkeypatch.setattr(sources, "_readers", lambda: "another version")
    for expected in (["leave.md", "travel.md"], []):
        read.clear()
        assert counts(assistant.ingest([files]))[:3] == (0, 0, 2)
        assert sorted(read) == expected
    assert verify(assistant.index).ok


def test_a_moved_and_a_removed_file(assistant, files, read, embedder):
    assistant.ingest([files])
    (files / "trips" / "travel.md").rename(files / "travel.md")
    embedder.embedded.clear()
    assert counts(assistant.ingest([files]))[:4] == (0, 0, 2, 0)
    assert embedder.embedded == []
    read.clear()
    assistant.ingest([files])
    assert read == [], "known in its new place"
    (files / "travel.md").unlink()
    assert counts(assistant.ingest([files]))[:4] == (0, 0, 1, 0)
    assert counts(assistant.ingest([files], prune=True))[:4] == (0, 0, 1, 1)
    assert [d.doc_id for d in assistant.index.documents()] == ["leave.md"]
    assert verify(assistant.index).ok


def test_a_document_found_damaged_is_read_again(assistant, files, read):
    assistant.ingest([files])
    with assistant.index.writer() as db:
        db.execute("UPDATE documents SET title = 'Else' WHERE doc_id = 'leave.md'")
    assert not verify(assistant.index, repair=True).ok
    read.clear()
    assistant.ingest([files])
    assert read == ["leave.md"]
    assert verify(assistant.index).ok


def test_each_sidecar_is_read_once_and_a_broken_one_fails_each_file(files, monkeypatch):
    calls = []
    original = sources.read_sidecar

    def noted(folder, root):
        calls.append(folder)
        return original(folder, root)

    monkeypatch.setattr(sources, "read_sidecar", noted)
    found = discover([files]).files
    (files / "policies.yaml").write_text("leave.md: {title: Leave}\n")
    beside = Sidecars()
    assert ["title" in next(iter(beside.of(f).values()), {}) for f in found] == [True, False]
    assert len(calls) == len(set(calls))
    (files / "policies.yaml").write_text("leave.md: [broken")
    beside = Sidecars()
    for file in found:
        with pytest.raises(DeclarationError):
            beside.of(file)
