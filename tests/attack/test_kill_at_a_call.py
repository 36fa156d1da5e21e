"""An ingest that is killed at the k-th call that writes, for each such call: the index holds the old state or the new one."""

import collections
import os
import re
import shutil
import subprocess

import index_worker
import pytest
from attack_scale import seeds
from system_calls import can_trace

from policy_rag.cli import run
from policy_rag.index.store.store import Index

CALLS = "write,pwrite64,writev,rename,unlink,unlinkat,rmdir,mkdir,ftruncate,fsync,fdatasync"
CASES = 60

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork") or not can_trace(), reason="needs os.fork and strace, and to be allowed to trace processes"
)


def traced(workers, folder, number, *options):
    """State `number` written by a worker under strace with these options; what it said until it ended."""
    go = folder.with_suffix(f".go-{number}")
    writer = workers.start(do="write", folder=folder, out=folder.with_suffix(".out"), first=number, count=1, wait=go)
    writer.wait_for("open")
    with subprocess.Popen(
        ["strace", "-f", "-p", str(writer.pid), *options], stderr=subprocess.PIPE, text=True
    ) as strace:
        attached = strace.stderr.readline()
        go.touch()
        assert "attached" in attached, attached
        strace.communicate(timeout=120)
    writer.wait_until_gone()
    return writer.said()


@pytest.fixture(scope="module")
def old(workers, tmp_path_factory):
    """An index of state 1."""
    folder = tmp_path_factory.mktemp("old") / "index"
    said = workers.start(do="write", folder=folder, out=folder.with_suffix(".out"), count=1).end()
    assert said[-1] == "done"
    return folder


@pytest.fixture(scope="module")
def places(workers, old, tmp_path_factory):
    """Each call that writes on the way from state 1 to state 2: its name, and which one of that name it is."""
    folder = tmp_path_factory.mktemp("counted") / "index"
    shutil.copytree(old, folder)
    log = folder.with_suffix(".calls")
    assert traced(workers, folder, 2, "-e", f"trace={CALLS}", "-o", str(log))[-1] == "done"
    seen = collections.Counter()
    found = []
    for name in re.findall(r"^\d+ +(\w+)\(", log.read_text(), re.MULTILINE):
        seen[name] += 1
        found.append((name, seen[name]))
    return found[:-1]  # the last one tells that all is done


@pytest.mark.parametrize("case", seeds(CASES))
def test_killed_at_a_call_that_writes(workers, old, places, tmp_path, case, capsys):
    name, count = places[case * len(places) // len(seeds(CASES))]
    folder = tmp_path / "index"
    shutil.copytree(old, folder)
    said = traced(
        workers, folder, 2, "-e", f"trace={name}", "-e", f"inject={name}:signal=KILL:when={count}", "-o", os.devnull
    )
    assert said[-1] != "done", f"was not killed at {name} {count}"
    assert not any(line.startswith(("failed", "refused")) for line in said), said
    with Index(folder) as index:
        assert index_worker.held_state(index) in ({2} if "committed 2" in said else {1, 2})
    following = workers.start(do="write", folder=folder, out=tmp_path / "following", first=2, count=1).end()
    assert following[-1] == "done", following
    assert run(["verify", "--index", str(folder)]) == 0, capsys.readouterr()
    with Index(folder) as index:
        assert index_worker.held_state(index) == 2


def test_there_are_calls_of_each_kind(places):
    assert {"write", "pwrite64", "rename"} <= {name for name, _ in places}
    assert len(places) >= CASES
