"""An ingest into Postgres that is killed, and readers and writers in processes of their own.

`POLICY_RAG_KILLS` says how many kills there are: 10 unless set.
"""

import os
import random
import time

import pytest
from index_workers import worker

from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.store import Index

KILLS = int(os.environ.get("POLICY_RAG_KILLS", "10"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_ingest_leaves_all_of_the_old_or_all_of_the_new(workers, address, tmp_path, seed):
    with Index(address) as index:
        before = worker.held_state(index)
        first = (before or 0) + 1
        writer = workers.start(do="write", folder=address, out=tmp_path / "out", first=first)
        writer.wait_for("open")
        time.sleep(random.Random(seed).uniform(0, 0.4))
        allowed = writer.killed(before)
        assert verify(index).ok
        assert worker.held_state(index) in allowed


def test_readers_see_one_state_while_another_process_writes(workers, postgres_url, tmp_path):
    workers.start(do="write", folder=postgres_url, out=tmp_path / "first", first=1, count=1).end()
    readers = [workers.start(do="read", folder=postgres_url, out=tmp_path / f"r{i}", count=20) for i in range(3)]
    writer = workers.start(do="write", folder=postgres_url, out=tmp_path / "w", first=2)  # for as long as they read
    try:
        for one in readers:
            assert one.end()[-1] == "done", one.said()
    finally:
        last = writer.kill()
        for one in readers:
            one.stop()
    with Index(postgres_url) as index:
        assert verify(index).ok
        assert worker.held_state(index) in {last, last + 1}


def test_two_writers_wait_for_each_other_and_both_are_held(workers, postgres_url, tmp_path):
    both = [
        workers.start(do="write", folder=postgres_url, out=tmp_path / f"w{i}", first=1 + i, count=1) for i in range(2)
    ]
    for one in both:
        assert one.end()[-1] == "done", one.said()
    with Index(postgres_url) as index:
        assert verify(index).ok
        found = {d.doc_id for d in index.documents()}
        assert {"a.md", "e.md"} <= found
        assert found & {"only-1.md", "only-2.md"}
