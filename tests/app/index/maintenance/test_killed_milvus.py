"""An ingest and the first search behind it, which fills a collection of Milvus, killed at random moments.

milvus-lite runs inside of the killed process, so it is killed too. `POLICY_RAG_KILLS` says how many kills there are: 3 unless set.
"""

import importlib.util
import os
import random
import time

import numpy as np
import pytest
from index_workers import worker

from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.manifest import token, transaction
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.postgres.milvus import milvus_place
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.store import Index

KILLS = int(os.environ.get("POLICY_RAG_KILLS", "3"))

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork"),
    pytest.mark.skipif(
        importlib.util.find_spec("milvus_lite") is None,
        reason="milvus-lite is not installed: run `pip install -e '.[dev]'`",
    ),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return str(tmp_path_factory.mktemp("milvus") / "killed.db")


@pytest.fixture(scope="module")
def address(postgres_server, tmp_path_factory, file):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        url = postgres_server.url(postgres_server.new_database("ready"), "app")
        migrate(PostgresAddress(url.replace("app@", "postgres@")), vectors=VectorEngine.MILVUS, milvus=file)
        release(file)
        yield url


def release(file):
    """One process at a time has a file of milvus-lite."""
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(file)


@pytest.mark.parametrize("seed", range(KILLS))
def test_what_is_searched_is_never_half_of_a_state(workers, address, file, tmp_path, embedder, seed):
    with Index(address) as index:
        before = worker.held_state(index)
    number = (before or 0) + 1
    writer = workers.start(do="write", folder=address, out=tmp_path / "out", first=number, search=True)
    chance = random.Random(seed)
    if chance.random() < 0.7:  # while a collection is made, the first or one behind another
        writer.wait_for(f"committed {number + chance.randrange(2)}", "failed", "refused")
    else:
        writer.wait_for("open")
    time.sleep(chance.uniform(0, 0.3))
    allowed = writer.killed(before)
    query = embedder.embed_queries(["State clause word", "Heading 2"])
    try:
        with Index(address) as index:
            assert worker.held_state(index) in allowed
            if index.manifest is None:
                return
            with index.snapshot() as snapshot:
                every = snapshot.vectors.vectors(np.arange(len(snapshot.derived.chunks)))
                scores, rows = snapshot.vectors.search(query, len(every), None)
                prefix = milvus_place(snapshot.db).prefix
                newest = f"{prefix}{transaction(snapshot.db)}_{token(snapshot.db)}"
            assert np.array_equal(np.sort(rows), np.tile(np.arange(len(every)), (2, 1)))
            assert np.allclose(scores, -np.sort(-(query @ every.T)), atol=1e-5)
            assert verify(index).ok
            kept = MilvusEngine(file).names(prefix)
            assert newest in kept
            assert len(kept) <= 2, "with the one before it"
    finally:
        release(file)
