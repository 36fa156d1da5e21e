"""Workers that are killed at random moments: nothing is lost, and nothing that was committed is done again.

`POLICY_RAG_KILLS` says how many kills there are: 3 unless set.
"""

import os
import random
import re
import shutil
import time

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.document_rows import read_text
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.jobs.queue import hand_over
from policy_rag.settings import load_settings

KILLS = int(os.environ.get("POLICY_RAG_KILLS", "3"))
DOCUMENTS = 12

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return tmp_path_factory.mktemp("policies")


def write_state(folder, number):
    """State `number`: all documents say so; one is there in this state only."""
    shutil.rmtree(folder)
    folder.mkdir()
    for name in [*(f"policy {i}" for i in range(DOCUMENTS)), f"only {number}"]:
        sections = "".join(f"\n## {k} Part\n\nState {number} of {name}, clause {k}.\n" for k in (1, 2, 3))
        (folder / f"{name}.md").write_text(f"# {name}\n{sections}")


def held_state(index):
    """The number of the state that an index holds; None where it is empty.

    Raises:
        ValueError: it is no whole state.
    """
    documents = index.documents()
    if not documents:
        return None
    with index.reading() as db:
        texts = {d.doc_id: read_text(db, d.doc_key) for d in documents}
    (number,) = {int(found) for text in texts.values() for found in re.findall(r"State (\d+)", text)}
    if texts.keys() != {*(f"policy {i}.md" for i in range(DOCUMENTS)), f"only {number}.md"}:
        raise ValueError(f"not the whole of state {number}: {sorted(texts)}")
    return number


def kept(index):
    """The hashes of all texts whose vector is committed, for the index or ahead of it."""
    with index.truth.noting() as db:
        rows = db.execute("SELECT hash FROM vectors UNION SELECT unnest(hashes) FROM staged").fetchall()
    return {row[0] for row in rows}


def embedded(*workers):
    return {line.split()[1] for worker in workers for line in worker.said() if line.startswith("embeds ")}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_worker_loses_nothing_and_what_is_kept_is_not_made_again(
    workers, address, library, tmp_path, seed, embedder, monkeypatch
):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    with PolicyAssistant.open(address, create=True, settings=load_settings()) as assistant:
        index = assistant.index
        before = held_state(index)
        now = (before or 0) + 1
        write_state(library, now)
        hand_over(assistant, PostgresAddress(address), [library], prune=True)
        doomed = workers.start(do="jobs", folder=address, out=tmp_path / "doomed")
        doomed.wait_for("open")
        time.sleep(random.Random(seed).uniform(0, 0.7))
        doomed.kill()
        assert held_state(index) in {before, now}
        made = kept(index)
        pair = [workers.start(do="jobs", folder=address, out=tmp_path / f"w{i}") for i in range(2)]
        try:
            for one in pair:
                assert one.end()[-1] == "done", one.said()
        finally:
            for one in pair:
                one.stop()
        assert held_state(index) == now
        assert not embedded(*pair) & made
        assert verify(index).ok
        assert embedder.embedded == []  # nothing was left for the process that handed it over
        with index.truth.noting() as db:
            assert db.execute("SELECT count(*) FROM staged").fetchone() == (0,)
