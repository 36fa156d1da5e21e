"""An index whose process is killed, whose disk is full, which cannot be written, which many use at once.

`POLICY_RAG_KILLS` says how many kills there are: 20 unless set, 200 in `make faults`.
"""

import os
import random
import shutil
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import pytest
from index_workers import worker

from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.maintenance.checks import IndexCheck
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.store import Index

KILLS = int(os.environ.get("POLICY_RAG_KILLS", "20"))

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork")


def check_after_kill(folder, allowed):
    """Opens, holds one of the allowed states, and is whole or can be made so."""
    try:
        index = Index(folder)
    except IndexingError as error:
        assert None in allowed, "the first ingest ever may not have got so far as to make an index"
        assert "there is no index" in str(error)  # noqa: PT017
        return
    with index:
        found = verify(index)
        assert {p.check for p in found.problems} <= {IndexCheck.LEFTOVERS, IndexCheck.DERIVED}, found.problems
        state = worker.held_state(index)
        assert state in allowed
        assert verify(index, repair=True).ok
        assert worker.held_state(index) == state


@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_a_random_moment(workers, tmp_path_factory, seed):
    chance = random.Random(seed)
    fresh = seed % 4 == 0
    folder = tmp_path_factory.getbasetemp() / "killed"
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    before = None
    with suppress(IndexingError), Index(folder) as index:  # there is none yet
        before = worker.held_state(index)
    first = (before or 0) + 1
    writer = workers.start(do="write", folder=folder, out=folder.with_suffix(".out"), first=first)
    if not fresh:
        writer.wait_for("open")
    time.sleep(chance.uniform(0, 0.3))
    check_after_kill(folder, writer.killed(before))


@pytest.fixture(scope="module")
def first_state(workers, tmp_path_factory):
    """A folder that holds state 1, to copy."""
    home = tmp_path_factory.mktemp("first")
    workers.start(do="write", folder=home / "index", out=home / "out", first=1, count=1).end()
    return home / "index"


@pytest.fixture
def second_state(workers, tmp_path):
    """Writes state 2; the last that is said of it."""

    def write(folder, **more):
        return workers.start(do="write", folder=folder, out=tmp_path / "out", first=2, count=1, **more).end()[-1]

    return write


@pytest.mark.parametrize("limit", [*range(4_096, 100_000, 16_000), 120_000, 200_000])
def test_a_full_disk_leaves_all_of_the_old(first_state, second_state, tmp_path, limit):
    """No file may grow beyond `limit`: the log, an array or the FAISS file hits it, as the limit rises."""
    folder = shutil.copytree(first_state, tmp_path / "index")
    size = max(path.stat().st_size for path in folder.rglob("*"))
    said = second_state(folder, limit=limit)
    assert said.startswith(("refused", "done")), said
    if said != "done":
        assert "free some disk space" in said or "cannot be opened" in said
    assert (limit > size) or said != "done"
    with Index(folder) as index:
        assert worker.held_state(index) == (2 if said == "done" else 1)
        assert verify(index, repair=True).ok
    assert second_state(folder) == "done"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 2 MB that can be made read-only."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small disk needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.parametrize("free", [0, 20_000, 60_000, 100_000, 160_000])
def test_a_disk_that_really_is_full(first_state, second_state, small_disk, free):
    folder = shutil.copytree(first_state, small_disk / "index")
    ballast = small_disk / "ballast"
    room = shutil.disk_usage(small_disk).free - free
    ballast.write_bytes(b"x" * max(0, room))
    said = second_state(folder)
    assert said.startswith("refused"), said
    ballast.unlink()
    with Index(folder) as index:
        assert worker.held_state(index) == 1
        assert verify(index, repair=True).ok
    assert second_state(folder) == "done"


def test_a_folder_that_cannot_be_written_is_searched_and_an_ingest_says_so(
    first_state, second_state, small_disk, capsys
):
    def mount(how):
        subprocess.run(["mount", "-o", f"remount,{how}", str(small_disk)], check=True)

    folder = shutil.copytree(first_state, small_disk / "index")
    mount("ro")
    with Index(folder) as index:
        assert worker.held_state(index) == 1
        assert verify(index).ok
    assert second_state(folder).startswith("refused cannot write to")
    assert run(["verify", "--repair", "--index", str(folder)]) == 0
    capsys.readouterr()
    mount("rw")
    shutil.rmtree(folder / "derived")
    mount("ro")
    with Index(folder) as index:
        assert worker.held_state(index) == 1, "made from the rows, and not kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_disk_that_fills_up_under_the_vectors_leaves_all_of_the_old(index, document, manifest, embedder, monkeypatch):
    index.update([document("a.md", [("1", "One", "Old.")])], manifest, embedder)
    monkeypatch.setattr("policy_rag.index.search.faiss_index.FILE", "/dev/full")
    with pytest.raises(IndexingError, match="holds what it held before: free some disk space"):
        index.update([document("a.md", [("1", "One", "New. " * 9)])], manifest, embedder)
    monkeypatch.undo()
    assert verify(index).ok
    with index.reading() as db:
        assert "Old" in db.execute("SELECT text FROM documents").fetchone()[0]


def test_two_ingests_at_once(workers, tmp_path):
    folder = tmp_path / "index"
    both = [workers.start(do="write", folder=folder, out=tmp_path / name, count=5) for name in ("one", "two")]
    for writer in both:
        assert writer.end()[-1] == "done"
    with Index(folder) as index:
        assert worker.held_state(index) == 5
        assert verify(index).ok


def test_eight_readers_see_whole_states_while_another_process_writes(workers, tmp_path):
    folder = tmp_path / "index"
    writer = workers.start(do="write", folder=folder, out=tmp_path / "writer")
    writer.wait_for("committed 1")
    readers = [workers.start(do="read", folder=folder, out=tmp_path / f"reader{i}", count=20) for i in range(8)]
    ends = [reader.end() for reader in readers]
    writer.kill()
    assert [said[-1] for said in ends] == ["done"] * 8, ends
    seen = {said[-2] for said in ends}
    assert all(states.count(",") >= 2 for states in seen), f"no reader saw the index change: {seen}"
    with Index(folder) as index:
        assert verify(index, repair=True).ok
