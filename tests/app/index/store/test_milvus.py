"""Vectors searched by Milvus: collections derived from the truth, made anew whenever they are lost, and numbers alone asked for."""

import datetime as dt
import random
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.copying import copy_index
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.manifest import token, transaction
from policy_rag.index.store.postgres.address import PostgresAddress, VectorStore
from policy_rag.index.store.postgres.milvus import milvus_place
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine, among, milvus_uri
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.store import Index
from policy_rag.settings import load_settings
from policy_rag_parsers.document_metadata.declarations import Declaration

DAY = dt.date(2026, 5, 1)
HOSTILE = [
    "x' OR '1'='1",
    'x" or row >= 0 or "',
    "1] or row in [0",
    "row >= 0",
    "{hr}",
    "%s",
    "document in [1]",
    "\\",
    "\n",
]
GROUPS = ["hr", "board", *HOSTILE]
WORDS = ["leave", "travel", "hotel", "gift", "bonus", "manager", "notice", "board", "salary", "train", "report", "day"]


def made_documents(document, count):
    """Documents of random words, groups and days."""
    chance = random.Random(3)
    for i in range(count):
        begins = dt.date(2026, chance.randint(3, 7), 1) if chance.random() < 0.4 else None
        said = Declaration(access=tuple(chance.sample(GROUPS, chance.randint(0, 2))), effective_from=begins)
        sections = [(str(k), f"Part {k}", " ".join(chance.choices(WORDS, k=8))) for k in range(1, 6)]
        yield document(f"{i}.md", sections, declaration=said)


@pytest.fixture(scope="module")
def large(postgres_server, milvus_file, tmp_path_factory, document, manifest, make_embedder):
    """Thirty documents, for tests that change nothing."""
    database = postgres_server.new_database("ready")
    migrate(PostgresAddress(postgres_server.url(database)), vectors=VectorStore.MILVUS, milvus=milvus_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        with Index(postgres_server.url(database, "app")) as index:
            index.update(list(made_documents(document, 30)), manifest, make_embedder())
            yield index
    postgres_server.drop(database)


@pytest.fixture
def library(milvus_url, document, manifest, embedder):
    """Ten documents."""
    with Index(milvus_url) as index:
        index.update(list(made_documents(document, 10)), manifest, embedder)
        yield index


@pytest.fixture
def engine(milvus_file):
    return MilvusEngine(milvus_file)


def nearest(index, query, n=10, allowed=None):
    with index.snapshot() as snapshot:
        return snapshot.vectors.search(query, n, allowed)


def collections(index, engine):
    with index.reading() as db:
        return sorted(engine.names(milvus_place(db).prefix))


def expected_name(index):
    with index.reading() as db:
        return f"{milvus_place(db).prefix}{transaction(db)}_{token(db)}"


def test_nothing_but_numbers_is_asked_for_and_nothing_leaks(large, embedder, monkeypatch):
    """A hundred callers whose groups and filters are written as an attacker would."""
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    asked = []
    search = MilvusEngine.search
    monkeypatch.setattr(
        MilvusEngine,
        "search",
        lambda self, name, queries, n, text: (asked.append(text), search(self, name, queries, n, text))[1],
    )
    chance = random.Random(7)
    assistant = PolicyAssistant(large, load_settings(), today=DAY)
    documents = {d.doc_id: d for d in large.documents()}
    hits = 0
    for _ in range(100):
        groups = tuple(chance.sample([*GROUPS, "no such", "' or true --"], chance.randint(0, 4)))
        where = [f"doc_id={chance.choice(['3.md', '8.md', *HOSTILE[:-1]])}"] if chance.random() < 0.3 else []
        found = assistant.search(
            " ".join(chance.choices(WORDS, k=4)), groups=groups, where=where, search="vector", candidates=40, top_k=20
        )
        for hit in found.hits:
            assert documents[hit.doc_id].open_to(groups)
            assert documents[hit.doc_id].in_force(DAY)
        hits += len(found.hits)
    assert hits > 300
    assert asked
    assert all(re.fullmatch(r"document in \[\d+(,\d+)*\]|not \(document in \[\d+(,\d+)*\]\)|", text) for text in asked)


def test_a_filter_takes_numbers_alone():
    assert among("row", np.array([2, 30])) == "row in [2,30]"
    for other in (np.array(["1] or row >= 0"]), np.array([1.5]), np.array(["1"], dtype=object)):
        with pytest.raises(TypeError):
            among("row", other)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_any_bitmap_is_kept_to_whether_it_goes_by_documents_or_not(large, embedder, share):
    chance = np.random.default_rng(4)
    query = embedder.embed_queries(["leave and travel", "a gift"])
    with large.snapshot() as snapshot:
        vectors = snapshot.vectors.vectors(np.arange(len(snapshot.derived.chunks)))
        of_row = snapshot.derived.passages[snapshot.derived.chunks[:, 0], 1]
        by_document = np.isin(of_row, chance.permutation(np.unique(of_row))[: max(1, int(30 * share))])
        for allowed in (chance.random(len(vectors)) < share, by_document):
            scores, rows = snapshot.vectors.search(query, 8, AllowedRows(allowed))
            cosines = np.where(allowed, query @ vectors.T, -np.inf)
            best = np.sort(cosines, axis=1)[:, ::-1][:, :8]
            assert np.allclose(scores, best, atol=1e-5)
            assert allowed[rows[rows >= 0]].all()
        none = snapshot.vectors.search(query, 8, AllowedRows(np.zeros(len(vectors), dtype=np.bool_)))
        assert (none[1] == -1).all()


def test_a_collection_carries_its_transaction_and_only_the_last_two_are_kept(
    library, engine, document, manifest, embedder
):
    query = embedder.embed_queries(["leave"])
    assert collections(library, engine) == []  # nobody has searched yet
    names = []
    for i in range(4):
        library.update([document("new.md", [("1", "New", f"Leave of {i} days.")])], manifest, embedder)
        nearest(library, query)
        names.append(expected_name(library))
    assert collections(library, engine) == sorted(names[-2:])


def test_what_is_lost_is_made_again_from_the_stored_vectors(library, engine, embedder):
    query = embedder.embed_queries(["leave"])
    scores, rows = nearest(library, query)
    embedder.embedded.clear()
    for again in range(2):  # in a process that has seen it, and in one that has not
        engine.drop(collections(library, engine))
        with Index(PostgresAddress(library.truth._connect_info)) as other:
            found = nearest(other if again else library, query)
        assert np.array_equal(found[0], scores)
        assert np.array_equal(found[1], rows)
    assert embedder.embedded == []
    assert collections(library, engine) == [expected_name(library)]


def test_a_collection_that_lacks_rows_is_made_again_and_one_that_differs_is_told_of(library, engine, embedder):
    query = embedder.embed_queries(["leave"])
    _, rows = nearest(library, query)
    (name,) = collections(library, engine)
    engine._client.delete(name, filter="row in [0,1,2]")
    assert [p.message for p in verify(library).problems] == ["Milvus has other vectors than the index"]
    with Index(PostgresAddress(library.truth._connect_info)) as other:
        assert np.array_equal(nearest(other, query)[1], rows)
    assert verify(library).ok
    (row,) = engine._client.query(name, filter="row in [0]", output_fields=["row", "document", "embedding"])
    engine._client.upsert(name, [{**row, "document": row["document"] + 1}])
    assert not verify(library).ok
    assert verify(library, repair=True).ok
    assert np.array_equal(nearest(library, query)[1], rows)
    assert expected_name(library) in collections(library, engine)
    assert verify(library).ok


def test_numbers_and_scores_that_somebody_put_there_decide_nothing(library, engine, embedder):
    """Milvus says that a document of others is everybody's, and names rows that are not there."""
    query = embedder.embed_queries(["leave"])
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


def test_a_reader_keeps_his_state_while_others_write_and_collections_go(library, engine, document, manifest, embedder):
    query = embedder.embed_queries(["leave"])
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


def test_of_many_who_find_none_one_makes_the_collection(library, engine, embedder, monkeypatch):
    query = embedder.embed_queries(["leave"])
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
def test_a_kill_while_a_collection_is_filled_leaves_nothing_that_is_asked(
    library, postgres_server, tmp_path, embedder, parts
):
    """The truth has committed, its collection is a half or all but renamed: whoever reads next makes it whole."""
    from milvus_lite.server_manager import server_manager_instance

    file = str(tmp_path / "own.db")
    url = library.truth._connect_info
    migrate(PostgresAddress(url.replace("app@", "postgres@")), vectors=VectorStore.MILVUS, milvus=file)
    server_manager_instance.release_server(file)  # one process at a time has a file of milvus-lite
    ended = subprocess.run([sys.executable, "-c", KILLED, url, str(parts)], capture_output=True, text=True, check=False)
    assert ended.returncode == -9, ended.stderr
    query = embedder.embed_queries(["leave"])
    try:
        with Index(tmp_path / "folder", create=True) as folder, Index(url) as again:
            copy_index(again, folder)
            ours, theirs = nearest(again, query), nearest(folder, query)
            assert np.array_equal(ours[1], theirs[1])
            assert np.allclose(ours[0], theirs[0], atol=1e-5)
            assert collections(again, MilvusEngine(file)) == [expected_name(again)]
            assert verify(again).ok
    finally:
        server_manager_instance.release_server(file)


def test_collections_go_when_files_are_searched_again(library, engine, embedder):
    query = embedder.embed_queries(["leave"])
    scores, rows = nearest(library, query)
    with library.reading() as db:
        prefix = milvus_place(db).prefix
    owner = library.truth._connect_info.replace("app@", "postgres@")
    assert run(["migrate", "--index", owner, "--vectors", "files"]) == 0
    assert engine.names(prefix) == []
    with Index(library.truth._connect_info) as again:
        found = nearest(again, query)
    assert np.array_equal(found[1], rows)
    assert np.allclose(found[0], scores, atol=1e-5)


def test_a_copy_does_not_take_its_milvus_along(library, postgres_url, tmp_path):
    with Index(tmp_path / "folder", create=True) as folder:
        copy_index(library, folder)
        with folder.reading() as db:
            assert milvus_place(db) is None


def test_what_is_wrong_is_one_line_that_says_what_to_run(library, postgres_url, capsys):
    owner = library.truth._connect_info.replace("app@", "postgres@")
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
        nearest(library, np.ones((1, 64), dtype=np.float32) / 8)
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


def test_a_milvus_that_goes_away_meanwhile_is_told_of(library, postgres_server, tmp_path, embedder, monkeypatch):
    from milvus_lite.server_manager import server_manager_instance

    monkeypatch.setattr("policy_rag.index.store.postgres.milvus_engine._CALL_SECONDS", 0.5)
    file = str(tmp_path / "own.db")
    owner = PostgresAddress(library.truth._connect_info.replace("app@", "postgres@"))
    migrate(owner, vectors=VectorStore.MILVUS, milvus=file)
    query = embedder.embed_queries(["leave"])
    nearest(library, query)
    server_manager_instance.release_server(file)
    with pytest.raises(IndexingError, match=re.escape(f"Milvus at {file} cannot be used")):
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
