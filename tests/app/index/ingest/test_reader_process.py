"""The process that reads: kept while it has memory, replaced where a file left it too little; no file pays for another."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.reader_process import ReaderProcess, put_aside, reader_process
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.loaders.discovery import FoundFile

resource = pytest.importorskip("resource")
pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc, where memory is bounded"),
    pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs prlimit"),
]
ROOM = 30  # megabytes for files beside what the process itself takes


def address_space(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[0]) * resource.getpagesize()


@pytest.fixture(scope="module")
def idle():
    """A process that has read nothing."""
    process = ReaderProcess(1024)
    yield process
    process.end()


@pytest.fixture(scope="module")
def limits(idle):
    taken = address_space(idle.pid) >> 20
    return ParsingSettings.model_construct(file_memory=taken + ROOM)  # less than may be set


@pytest.fixture
def file(tmp_path):
    def write(name, data):
        (tmp_path / name).write_bytes(data)
        return FoundFile(tmp_path / name, tmp_path, name)

    return write


def elements(count):
    return b"<html>" + b"<b>a</b>" * count


def test_a_process_that_a_file_left_with_little_memory_is_replaced_in_either_order(limits, file):
    small, big, near = file("a.md", b"Leave."), file("b.html", elements(48_000)), file("c.html", elements(60_000))
    with FileReader(limits) as reader:
        assert reader.text(small).text == "Leave."
        kept = reader._process
        assert reader.text(small).text == "Leave."
        assert reader._process is kept
        for each, count in ((big, 48_000), (near, 60_000), (big, 48_000)):
            assert reader.text(each).text.count("a") == count
            assert reader._process is None
        assert not kept.is_alive


def test_a_file_is_too_large_only_for_a_process_that_read_nothing_before(limits, file):
    small, big = file("a.md", b"Leave."), file("b.html", elements(48_000))
    with FileReader(limits) as reader:
        reader.text(small)
        full = reader._process
        _, most = resource.prlimit(full.pid, resource.RLIMIT_AS)
        # As if earlier files had left it a megabyte.
        resource.prlimit(full.pid, resource.RLIMIT_AS, (address_space(full.pid) + (1 << 20), most))
        assert reader.text(big).text.count("a") == 48_000
        assert not full.is_alive


def test_a_process_that_died_aside_is_not_taken_again():
    process = ReaderProcess(512)
    put_aside(process)
    assert reader_process(512) is process
    put_aside(process)
    process.end()
    other = reader_process(512)
    assert other is not process
    assert other.is_alive
    assert other.end() == "SIGKILL"


def test_what_a_chunker_s_libraries_take_is_not_laid_to_the_first_file(tmp_path, manifest, embedder):
    manifest = replace(manifest, chunker="sentence")
    files = [FoundFile(tmp_path / name, tmp_path, name) for name in ("a.md", "b.md")]
    for each in files:
        each.path.write_text(f"# Leave\n\n## 1. Scope\n\nAll staff of {each.relative}.\n")
    with FileReader(chunker="sentence") as reader:
        for each in files:
            reader.document(each, {}, manifest, embedder, doc_id=each.relative)
            assert reader._process is not None
        kept = reader._process
    with FileReader(chunker="section") as other:
        other.text(files[0])
        assert other._process is not kept


def test_ctrl_c_at_any_moment_leaves_no_watch_that_keeps_the_program(idle, monkeypatch):
    start = threading.Timer.start

    def interrupted(timer):
        start(timer)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Timer, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), idle.deadline(120):
        pass
    assert not any(isinstance(t, threading.Timer) and not t.finished.is_set() for t in threading.enumerate())
