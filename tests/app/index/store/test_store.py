"""The index: one transaction an ingest, changes that cost what changed, derived files that can be made again."""

import shutil
import sqlite3
import threading
from pathlib import Path

import numpy as np
import pytest

from policy_rag.errors import IndexingError
from policy_rag.index.store import snapshot_files as derived
from policy_rag.index.store.lock import writing
from policy_rag.index.store.store import Index

LEAVE = [("1", "Scope", "All employees have leave."), ("2", "Amount", "Thirty days a year.")]


def test_removing_takes_the_text_out_of_the_files_too(index, document, manifest, embedder):
    secret = [("1", "Codename", "The project is called Zanzibarquartz.")]
    index.update([document("leave.md", LEAVE), document("secret.md", secret)], manifest, embedder)
    assert index.update([], manifest, embedder, remove=["secret.md", "not there"]).removed == 1
    assert [d.doc_id for d in index.documents()] == ["leave.md"]
    index.close()
    for path in index.folder.rglob("*"):
        if path.is_file():
            assert b"Zanzibarquartz" not in path.read_bytes(), path.name


@pytest.mark.parametrize("broken", ["missing", "truncated", "other transaction"])
def test_derived_files_are_made_again_from_sqlite_without_embedding(index, document, manifest, embedder, broken):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    with index.snapshot() as snapshot:
        expected = snapshot.vectors.vectors(np.arange(2))
        number = snapshot.derived.transaction
    place = index.folder / derived.FOLDER / str(number)
    if broken == "missing":
        shutil.rmtree(place)
    elif broken == "truncated":
        path = place / "vectors.faiss"
        path.write_bytes(path.read_bytes()[:100])
    else:
        stamp = place / derived.STAMP
        stamp.write_text(stamp.read_text().replace(f'"transaction": {number}', f'"transaction": {number + 7}'))
    embedder.embedded.clear()
    with Index(index.folder) as again, again.snapshot() as snapshot:
        assert np.array_equal(snapshot.vectors.vectors(np.arange(2)), expected)
    assert embedder.embedded == []


def test_a_thread_that_ends_takes_its_connection_along(index, document, manifest, embedder):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    found = []

    def read():
        with index.snapshot() as snapshot:
            found.append(len(snapshot.documents))

    def open_files():
        return len(list(Path("/dev/fd").iterdir()))

    def in_a_thread():
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
        return open_files()

    read()
    first = in_a_thread()  # SQLite itself keeps a closed file of a database that is still open, for the next
    assert max(in_a_thread() for _ in range(8)) <= first
    assert found == [1] * 10


@pytest.mark.parametrize("replaced", [False, True])
def test_an_index_deleted_after_it_was_opened_is_neither_read_nor_written(
    replaced, index, document, manifest, embedder
):
    index.update([document("leave.md", LEAVE)], manifest, embedder)
    shutil.rmtree(index.folder)
    if replaced:
        Index(index.folder, create=True).close()
    with pytest.raises(IndexingError, match="deleted or replaced after it was opened: open it again"):
        index.update([document("pay.md", LEAVE)], manifest, embedder)
    with pytest.raises(IndexingError, match="deleted or replaced"), index.snapshot():
        pass
    assert index.folder.exists() == replaced, "the folder was made again"


def test_a_second_writer_is_told_who_holds_the_lock(tmp_path):
    with writing(tmp_path), pytest.raises(IndexingError, match=r"process \d+ is writing"), writing(tmp_path, wait=0):
        pass
    with writing(tmp_path, wait=0):
        pass


def test_no_index_another_format_and_garbage_each_say_what_to_run(tmp_path):
    with pytest.raises(IndexingError, match="run `policy-rag ingest PATH"):
        Index(tmp_path / "none")
    Index(tmp_path / "old", create=True).close()
    with sqlite3.connect(tmp_path / "old" / "index.sqlite3") as db:
        db.execute("UPDATE manifest SET value = '0' WHERE key = 'format'")
    db.close()
    with pytest.raises(IndexingError, match=r"has format 0, this version reads 8.*NEW_FOLDER"):
        Index(tmp_path / "old")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "index.sqlite3").write_bytes(b"no database" * 100)
    with pytest.raises(IndexingError, match="cannot be opened"):
        Index(tmp_path / "bad")
    with (
        Index(tmp_path / "empty", create=True) as empty,
        pytest.raises(IndexingError, match="is empty"),
        empty.snapshot(),
    ):
        pass
