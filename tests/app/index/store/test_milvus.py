"""Vectors searched by Milvus: collections derived from the truth, made anew whenever they are lost, and numbers alone asked for."""

import datetime as dt
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.copying import copy_index
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.manifest import token, transaction
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.postgres.milvus import milvus_place
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine, among, milvus_uri
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.store import Index
from tests.app.index.store.test_vector_engines import made_documents

DAY = dt.date(2026, 5, 1)


@pytest.fixture
def library(milvus_url, document, manifest, embedder):
    """Ten documents."""
    with Index(milvus_url) as index:
        index.update(list(made_documents(document, 10)), manifest, embedder)
        yield index


@pytest.fixture
def engine(milvus_file):
    return MilvusEngine(milvus_file)


@pytest.fixture
def query(embedder):
    return embedder.embed_queries(["leave"])


@pytest.fixture
def url(library):
    return library.truth._connect_info


@pytest.fixture
def owner(url):
    return url.replace("app@", "postgres@")


@pytest.fixture
def own_file(owner, tmp_path):
    """A file of milvus-lite for this test alone, which searches the library from now on."""
    file = str(tmp_path / "own.db")
    migrate(PostgresAddress(owner), vectors=VectorEngine.MILVUS, milvus=file)
    yield file
    release(file)


def release(file):
    """One process at a time has a file of milvus-lite."""
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(file)


def nearest(index, query):
    with index.snapshot() as snapshot:
        return snapshot.vectors.search(query, 10, None)


def collections(index, engine):
    with index.reading() as db:
        return sorted(engine.names(milvus_place(db).prefix))


def expected_name(index):
    with index.reading() as db:
        return f"{milvus_place(db).prefix}{transaction(db)}_{token(db)}"


def test_a_filter_takes_numbers_alone():
    assert among("row", np.array([2, 30])) == "row in [2,30]"
    for other in (np.array(["1] or row >= 0"]), np.array([1.5]), np.array(["1"], dtype=object)):
        with pytest.raises(TypeError):
            among("row", other)


def test_a_collection_carries_its_transaction_and_only_the_last_two_are_kept(
    library, engine, document, manifest, embedder, query
):
    assert collections(library, engine) == []  # nobody has searched yet
    names = []
    for i in range(4):
        library.update([document("new.md", [("1", "New", f"Leave of {i} days.")])], manifest, embedder)
        nearest(library, query)
        names.append(expected_name(library))
    assert collections(library, engine) == sorted(names[-2:])


def test_what_is_lost_is_made_again_from_the_stored_vectors(library, engine, embedder, query, url):
    scores, rows = nearest(library, query)
    embedder.embedded.clear()
    for again in range(2):  # in a process that has seen it, and in one that has not
        engine.drop(collections(library, engine))
        with Index(url) as other:
            found = nearest(other if again else library, query)
        assert np.array_equal(found[0], scores)
        assert np.array_equal(found[1], rows)
    assert embedder.embedded == []
    assert collections(library, engine) == [expected_name(library)]


def test_a_collection_that_lacks_rows_is_made_again_and_one_that_differs_is_told_of(library, engine, query, url):
    _, rows = nearest(library, query)
    (name,) = collections(library, engine)
    engine._client.delete(name, filter="row in [0,1,2]")
    assert [p.message for p in verify(library).problems] == ["Milvus has other vectors than the index"]
    with Index(url) as other:
        assert np.array_equal(nearest(other, query)[1], rows)
    assert verify(library).ok
    (row,) = engine._client.query(name, filter="row in [0]", output_fields=["row", "document", "embedding"])
    engine._client.upsert(name, [{**row, "document": row["document"] + 1}])
    assert not verify(library).ok
    assert verify(library, repair=True).ok
    assert np.array_equal(nearest(library, query)[1], rows)
    assert expected_name(library) in collections(library, engine)
    assert verify(library).ok


def test_numbers_and_scores_that_somebody_put_there_decide_nothing(library, engine, query):
    """Milvus says that a document of others is everybody's, and names rows that are not there."""
    nearest(library, query)
    (name,) = collections(library, engine)
    with library.snapshot() as snapshot:
        of_row = snapshot.derived.passages[snapshot.derived.chunks[:, 0], 1]
        closed = next(d for d in snapshot.documents if not d.open_to(()))
        opened = next(d for d in snapshot.documents if d.open_to(()) and d.in_force(DAY))
        row = int(np.flatnonzero(of_row == closed.doc_key)[0])
        forged = [{"row": number, "document": opened.doc_key, "embedding": query[0]} for number in (row, 10**6)]
        engine._client.upsert(name, forged)
        mine = snapshot.of_reader((), DAY)
        for allowed in (None, of_row == opened.doc_key):
            scores, rows = mine.vectors.search(query, 5, None if allowed is None else AllowedRows(allowed))
            assert row not in rows
            assert rows.max() < len(of_row)
            rows = rows[rows >= 0]
            assert np.allclose(scores[0, : len(rows)], mine.vectors.vectors(rows) @ query[0], atol=1e-6)


def test_a_reader_keeps_his_state_while_others_write_and_collections_go(library, document, manifest, embedder, query):
    _, before = nearest(library, query)
    with library.snapshot() as old:
        for round_ in range(3):
            done = threading.Thread(
                target=lambda: (
                    library.update([document("0.md", [("1", "Leave", f"Leave {round_}.")])], manifest, embedder),  # noqa: B023
                    nearest(library, query),
                )
            )
            done.start()
            done.join()
            assert np.array_equal(old.vectors.search(query, 10, None)[1], before)


def test_of_many_who_find_none_one_makes_the_collection(library, query, monkeypatch):
    made = []
    make = MilvusEngine.make
    monkeypatch.setattr(MilvusEngine, "make", lambda self, name, *rest: (made.append(name), make(self, name, *rest))[1])
    found = []
    threads = [threading.Thread(target=lambda: found.append(nearest(library, query)[1].tolist())) for _ in range(6)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 6
    assert all(one == found[0] for one in found)
    assert made == [expected_name(library)]


KILLED = """
import os, signal, sys
import numpy as np
from policy_rag.index.store.postgres import milvus
from policy_rag.index.store.store import Index

milvus._BATCH = 13
stored, parts = milvus.stored_vectors, int(sys.argv[2])

def killed(db, dimension):
    for i, part in enumerate(stored(db, dimension)):
        if i == parts:
            os.kill(os.getpid(), signal.SIGKILL)
        yield part
    os.kill(os.getpid(), signal.SIGKILL)

milvus.stored_vectors = killed
with Index(sys.argv[1]) as index, index.snapshot() as snapshot:
    snapshot.vectors.search(np.ones((1, 64), dtype=np.float32) / 8, 5, None)
"""


@pytest.mark.parametrize("parts", [0, 2, 9])
def test_a_kill_while_a_collection_is_filled_leaves_nothing_that_is_asked(own_file, url, tmp_path, query, parts):
    """The truth has committed, its collection is a half or all but renamed: whoever reads next makes it whole."""
    release(own_file)
    ended = subprocess.run([sys.executable, "-c", KILLED, url, str(parts)], capture_output=True, text=True, check=False)
    assert ended.returncode == -9, ended.stderr
    with Index(tmp_path / "folder", create=True) as folder, Index(url) as again:
        copy_index(again, folder)
        ours, theirs = nearest(again, query), nearest(folder, query)
        assert np.array_equal(ours[1], theirs[1])
        assert np.allclose(ours[0], theirs[0], atol=1e-5)
        assert collections(again, MilvusEngine(own_file)) == [expected_name(again)]
        assert verify(again).ok


def test_a_copy_does_not_take_its_milvus_along(library, tmp_path):
    with Index(tmp_path / "folder", create=True) as folder:
        copy_index(library, folder)
        with folder.reading() as db:
            assert milvus_place(db) is None


def test_what_is_wrong_is_one_line_that_says_what_to_run(library, owner, query, capsys):
    fresh = [
        (["--vectors", "milvus", "--milvus", "http://127.0.0.1:9"], 1, "start it and run this again"),
        (["--vectors", "milvus", "--milvus", "milvus.example"], 1, "give --milvus http://HOST:19530"),
        (["--vectors", "milvus", "--milvus", "http://ann:secret@milvus.example"], 1, "MILVUS_TOKEN"),
        (["--milvus", "http://127.0.0.1:9"], 2, "add --vectors milvus"),
    ]
    for options, status, said in fresh:
        assert run(["migrate", "--index", owner, *options]) == status
        error = capsys.readouterr().err
        assert said in " ".join(error.split())
        assert "secret" not in error
    with library.writer() as db, library.truth.changing(db):
        db.execute(
            """UPDATE manifest SET value = '{"uri": "http://127.0.0.1:9", "prefix": "policy_rag_x_"}' WHERE key = 'milvus'"""
        )
    with pytest.raises(IndexingError, match="policy-rag migrate --index URL --vectors files"):
        nearest(library, query)
    with library.writer() as db, library.truth.changing(db):
        db.execute("DELETE FROM manifest WHERE key = 'milvus'")
    assert run(["migrate", "--index", owner, "--vectors", "milvus"]) == 1
    assert "say where Milvus is" in capsys.readouterr().err


def test_a_client_that_is_not_installed_is_one_line_too(monkeypatch):
    monkeypatch.setattr("policy_rag.index.store.postgres.milvus_engine.find_spec", lambda _: None)
    with pytest.raises(
        IndexingError, match=re.escape("pymilvus is not installed: run `pip install 'policy-rag[milvus]'`")
    ):
        MilvusEngine("http://127.0.0.1:9")


def test_a_milvus_that_goes_away_meanwhile_is_told_of(library, own_file, query, monkeypatch):
    monkeypatch.setattr("policy_rag.index.store.postgres.milvus_engine._CALL_SECONDS", 0.5)
    nearest(library, query)
    release(own_file)
    with pytest.raises(IndexingError, match=re.escape(f"Milvus at {own_file} cannot be used")):
        nearest(library, query)


def test_a_milvus_that_takes_too_long_is_told_of_in_one_line(engine, monkeypatch):
    monkeypatch.setattr("policy_rag.index.store.postgres.milvus_engine._CALL_SECONDS", -1.0)  # it has passed
    with pytest.raises(IndexingError, match=r"cannot be used \(Deadline Exceeded\): start it"):
        engine.count("none")


def test_an_address_is_kept_without_password_and_a_file_with_its_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert milvus_uri("v.db") == str(tmp_path / "v.db")
    assert milvus_uri("https://milvus.example/policies") == "https://milvus.example/policies"
    for wrong in ("", "milvus", "ftp://a", "http://", "http://a:b@c", "http://a:b", "http://a?token=b"):
        with pytest.raises(IndexingError):
            milvus_uri(wrong)
