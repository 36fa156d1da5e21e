"""The benchmark of an index in Postgres, on a few sections."""

import json

import numpy as np

from benchmarks.postgres import compare, documents_of, group_of, measure, perturbed
from benchmarks.postgres_processes import Hashed
from policy_rag.index.store.place import index_place


def test_noise_keeps_the_length_and_the_neighbourhood():
    rows = np.eye(384, dtype=np.float32)[:3]
    made = perturbed(rows, 7, np.random.default_rng(0))
    assert made.shape == (7, 384)
    assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-6)
    assert (made @ rows.T).argmax(axis=1).tolist() == [0, 1, 2, 0, 1, 2, 0]


def test_a_share_of_the_documents_is_open_to_each_group():
    made = list(documents_of(["One text."], 10_000))
    assert len(made) == 100
    for share, count in ((0.01, 1), (0.05, 5), (0.3, 30), (1.0, 100)):
        assert sum(group_of(share) in one.declaration.access for one in made) == count


def test_folder_and_postgres_find_the_same_and_all_is_timed(postgres_server, milvus_file, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    texts = [f"Clause {i} says what of {word} is paid." for i, word in enumerate(["leave", "travel", "gifts", "pay"])]
    (tmp_path / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": str(i), "text": t}) + "\n" for i, t in enumerate(texts))
    )
    address = index_place(postgres_server.url(postgres_server.new_database()))
    found = measure(tmp_path, address, Hashed(), sections=200, questions=2, milvus=milvus_file)
    assert found["sections"] == 200
    assert set(found["shares"]) == {"1%", "5%", "30%", "100%"}
    for share in found["shares"].values():
        for search in ("vector", "weighted"):
            for place in ("postgres", "pgvector", "milvus"):
                assert share[f"{place} differs {search}"]["other_hits"] == 0
                assert share[f"{place} differs {search}"]["score"] <= 1e-5
        for place in ("files", "pgvector", "graph", "milvus"):
            assert share[f"{place} alone"]["recall"] == 1
        timed = ("folder vector", "postgres vector", "pgvector vector", "graph alone", "milvus alone")
        for name in (*timed, "faiss", "pgvector", "hnsw", "milvus"):
            assert 0 < share[name]["p50"] <= share[name]["p95"]
        assert share["hnsw"]["recall"] == 1
    for place, held in found["megabytes"].items():
        assert 0 < held["libraries"] < held["resident"]
        assert 0 < held["own"] < held["resident"] <= held["peak"]
        if place not in {"folder", "making"}:
            assert held["server"]["processes"] > 1
    assert found["megabytes"]["files"]["server"].keys() == {"processes"}
    assert found["megabytes"]["pgvector"]["server"].keys() == {"processes", "vectors"}
    assert found["megabytes"]["graph"]["server"].keys() == {"processes", "vectors", "graph"}


def test_two_indexes_are_compared_by_what_they_find(tmp_path):
    from policy_rag.cli import run

    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "leave.md").write_text("# Leave\n\n## 1 Days\n\nThirty days of leave a year.\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "How many days of leave?"}\n')
    for name in ("one", "two"):
        assert run(["ingest", str(tmp_path / "policies"), "--index", str(tmp_path / name)]) == 0
    found = compare(tmp_path, [str(tmp_path / "one"), str(tmp_path / "two")], None)
    assert (found["questions"], found["other_hits"], found["score"]) == (1, 0, 0)
    assert found["hits"] > 0
