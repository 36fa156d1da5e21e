"""Vectors searched by pgvector or Milvus: what a folder's exact search finds. Who sees what: `test_access_contract`."""

import datetime as dt
import random
from contextlib import contextmanager

import numpy as np
import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.copying import copy_index
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.search.vector_search import AllowedRows
from policy_rag.index.store.document_rows import write_access_status
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.postgres.milvus import milvus_place
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import AccessStatus
from policy_rag.settings import load_settings
from policy_rag_parsers.document_metadata.declarations import Declaration

DAY = dt.date(2026, 5, 1)
GROUPS = ["hr", "board", "staff"]
WORDS = [
    "leave", "travel", "hotel", "gift", "bonus", "manager", "notice", "board", "salary", "train", "report", "approval", "euro", "day", "week", "year",
]  # fmt: skip


def text_of(chance):
    return " ".join(chance.choices(WORDS, k=chance.randint(4, 12)))


def made_documents(document, count):
    """Documents of random words, groups and days; a fifth of them in small chunks."""
    chance = random.Random(3)
    for i in range(count):
        begins = dt.date(2026, chance.randint(3, 7), 1) if chance.random() < 0.4 else None
        said = Declaration(access=tuple(chance.sample(GROUPS, chance.randint(0, 2))), effective_from=begins)
        sections = [(str(k), f"Part {k}", text_of(chance)) for k in range(1, 6)]
        yield document(f"{i}.md", sections, declaration=said, chunk_chars=40 if i % 5 == 0 else None)


@pytest.fixture(scope="module", params=["pgvector", "pgvector-hnsw", "milvus"])
def engine(request):
    return request.param


@contextmanager
def stocked(engine, server, milvus_file, cache, document, manifest, embedder):
    """Forty documents."""
    database = server.new_database("ready" if engine == "milvus" else "ready_pgvector")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        if engine == "milvus":
            migrate(PostgresAddress(server.url(database)), vectors=VectorEngine.MILVUS, milvus=milvus_file)
        with Index(server.url(database, "app")) as index:
            index.update(list(made_documents(document, 40)), manifest, embedder)
            if engine == "pgvector-hnsw":  # whose graph finds all where it may look at all
                migrate(PostgresAddress(server.url(database)), vectors=VectorEngine.PGVECTOR_HNSW)
            yield index
    server.drop(database)


@pytest.fixture
def by_the_graph(engine, monkeypatch):
    """For every search, where there is one."""
    if engine == "pgvector-hnsw":
        monkeypatch.setattr("policy_rag.index.search.vector_search.EXACT_MOST", 0)


@pytest.fixture(scope="module")
def stored(engine, postgres_server, milvus_file, tmp_path_factory, document, manifest, make_embedder):
    cache = tmp_path_factory.mktemp("cache")
    with stocked(engine, postgres_server, milvus_file, cache, document, manifest, make_embedder()) as index:
        yield index


@pytest.fixture
def library(stored, by_the_graph):
    """For tests that change nothing."""
    return stored


@pytest.fixture
def changeable(engine, postgres_server, milvus_file, tmp_path, document, manifest, embedder, by_the_graph):
    """The same for tests that change it."""
    with stocked(engine, postgres_server, milvus_file, tmp_path, document, manifest, embedder) as index:
        yield index


@pytest.fixture(scope="module")
def folder(stored, tmp_path_factory):
    with Index(tmp_path_factory.mktemp("copy") / "folder", create=True) as made:
        copy_index(stored, made)
        yield made


@pytest.fixture
def both(library, folder, embedder, monkeypatch):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    return [PolicyAssistant(one, load_settings(), today=DAY) for one in (library, folder)]


@pytest.mark.parametrize("search", ["vector", "weighted"])
def test_hits_and_scores_are_those_of_a_folder(both, search):
    chance = random.Random(5)
    asked = 0
    for _ in range(30):
        groups = tuple(chance.sample(GROUPS, chance.randint(0, 3)))
        where = [f"doc_id={','.join(f'{chance.randrange(40)}.md' for _ in range(8))}"] if chance.random() < 0.3 else []
        ours, theirs = (
            one.search(question, groups=groups, where=where, search=search, candidates=20, top_k=10)
            for question in [text_of(chance)]
            for one in both
        )
        assert [(h.doc_id, h.section_id) for h in ours.hits] == [(h.doc_id, h.section_id) for h in theirs.hits]
        assert np.allclose([h.score for h in ours.hits], [h.score for h in theirs.hits], atol=1e-5)
        asked += len(ours.hits)
    assert asked > 100


def test_readers_keep_no_vectors_and_know_the_same_mean(library, folder):
    with library.snapshot() as ours, folder.snapshot() as theirs:
        assert ours.derived.vectors is None
        assert not list(library.folder.rglob("vectors.faiss"))
        assert np.allclose(ours.derived.mean, theirs.derived.mean, atol=1e-5)
        rows = np.arange(len(theirs.derived.chunks))
        assert np.array_equal(ours.vectors.vectors(rows), theirs.vectors.vectors(rows))


@pytest.mark.parametrize("share", [0.02, 0.5, 0.98])
def test_any_bitmap_is_kept_to_whether_it_goes_by_documents_or_not(library, engine, embedder, share):
    """By itself pgvector finds the nearest of all, and fewer may be left; Milvus is told what may be found."""
    chance = np.random.default_rng(4)
    query = embedder.embed_queries(["leave and travel", "a gift"])
    with library.snapshot() as snapshot:
        vectors = snapshot.vectors.vectors(np.arange(len(snapshot.derived.chunks)))
        of_row = snapshot.derived.passages[snapshot.derived.chunks[:, 0], 1]
        by_document = np.isin(of_row, chance.permutation(np.unique(of_row))[: max(1, int(40 * share))])
        for allowed in (chance.random(len(vectors)) < share, by_document):
            scores, rows = snapshot.vectors.search(query, 8, AllowedRows(allowed))
            cosines = np.where(allowed, query @ vectors.T, -np.inf)
            best = np.sort(cosines, axis=1)[:, ::-1][:, :8]
            assert engine != "milvus" or np.allclose(scores, best, atol=1e-5)
            assert allowed[rows[rows >= 0]].all()
        none = snapshot.vectors.search(query, 8, AllowedRows(np.zeros(len(vectors), dtype=np.bool_)))
        assert (none[1] == -1).all()


@pytest.mark.parametrize("engine", ["pgvector"], indirect=True)
def test_rows_follow_each_ingest_and_are_mended(changeable, document, manifest, embedder):
    def count():
        with changeable.reading() as db:
            counts = "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM embeddings)"
            chunks, rows = db.execute(counts).fetchone()
            assert chunks == rows
            return rows

    before = count()
    changed = document("0.md", [("1", "Part 1", "Only this now.")])
    changeable.update([changed], manifest, embedder, remove=["1.md"])
    assert count() < before
    assert verify(changeable).ok
    with changeable.writer() as db, changeable.truth.changing(db):
        db.execute("DELETE FROM embeddings WHERE passage_key = (SELECT max(passage_key) FROM embeddings)")
    assert not verify(changeable).ok
    assert verify(changeable, repair=True).ok
    count()


@pytest.mark.parametrize("engine", ["pgvector", "pgvector-hnsw"], indirect=True)
def test_a_vector_is_shown_to_whom_its_document_is_now(changeable, embedder):
    """Access and days stand beside each vector too: they follow those of the document, and `verify` compares them."""

    def seen(groups, day=DAY):
        with changeable.snapshot() as snapshot:
            rows = snapshot.of_reader(groups, day).vectors.search(query, len(snapshot.derived.chunks), None)[1]
            keys = snapshot.derived.passages[snapshot.derived.chunks[rows[rows >= 0], 0], 1].tolist()
            return {d.doc_id for d in snapshot.documents if d.doc_key in keys}

    query = embedder.embed_queries(["leave and travel"])
    with changeable.snapshot() as snapshot:
        first, second = [d.doc_id for d in snapshot.documents if d.open_to(()) and d.in_force(DAY)][:2]
    assert {first, second} <= seen(("hr",))
    with changeable.writer() as db, changeable.truth.changing(db):
        write_access_status(db, first, AccessStatus(("board",)))
        db.execute("UPDATE documents SET begins = '2026-06-01', ends = '9999-12-31' WHERE doc_id = ?", (second,))
    assert not {first, second} & seen(("hr",))
    assert first in seen(("board",))
    assert second in seen(("hr",), dt.date(2026, 6, 1))
    with changeable.writer() as db, changeable.truth.changing(db):
        db.execute("UPDATE embeddings SET readers = '{}', begins = '0001-01-01'")
    assert not verify(changeable).ok
    assert verify(changeable, repair=True).ok
    assert first not in seen(("hr",))


@pytest.mark.parametrize("engine", ["pgvector-hnsw"], indirect=True)
def test_the_planner_guesses_that_many_are_seen(library, embedder):
    """Else it would look through all of a large index instead of following the graph: an eighth, whatever is stored."""
    with library.reading() as db:
        rows = db.execute("SELECT count(*) FROM embeddings").fetchone()[0]
        mine = library.truth.as_reader(db, ("no such",), DAY)
        plan = mine.execute("EXPLAIN (FORMAT JSON) SELECT passage_key FROM embeddings").fetchone()[0]
        assert plan[0]["Plan"]["Plan Rows"] == pytest.approx(rows / 8, rel=0.1)


def test_the_search_of_an_index_is_changed_by_migrate(postgres_url, milvus_file, document, manifest, embedder):
    owner = postgres_url.replace("app@", "postgres@")
    with Index(postgres_url) as index:
        index.update([document("a.md", [("1", "A", "One."), ("2", "B", "Two.")])], manifest, embedder)
    query, engine, left = embedder.embed_queries(["one"]), MilvusEngine(milvus_file), None
    for vectors, *more in (
        *(["pgvector"], ["milvus", "--milvus", milvus_file], ["pgvector-hnsw"], ["files"]),
        *(["milvus", "--milvus", milvus_file], ["milvus"], ["files"]),
    ):
        assert run(["migrate", "--index", owner, "--vectors", vectors, *more]) == 0
        if left is not None and vectors != "milvus":
            assert engine.names(left.prefix) == [], "collections go when Milvus is left"
        with Index(postgres_url) as index, index.snapshot() as snapshot:
            left = milvus_place(snapshot.db)
            assert (snapshot.derived.vectors is not None) is (vectors == "files")
            assert snapshot.vectors.search(query, 2, None)[1].tolist() == [[0, 1]]
            assert snapshot.vectors.vectors(np.arange(2)).shape == (2, 64)
            assert verify(index).ok
