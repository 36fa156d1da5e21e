"""Texts embedded by the machines of a Ray cluster: the vectors of one process, in their order."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from policy_rag.cli import run
from policy_rag.errors import ModelError
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.store import Index
from policy_rag.models.ray_embedder import RayEmbedder

SUPPORT = Path(__file__).parents[2] / "support"
INSTALLED = importlib.util.find_spec("ray") is not None

needs_ray = pytest.mark.skipif(not INSTALLED, reason="ray is not installed: run `pip install 'policy-rag[ray]'`")


@pytest.fixture(scope="module")
def cluster():
    """Gives the address of two machines once they are up, which they come to be beside the tests."""
    quiet = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    with subprocess.Popen(
        [sys.executable, str(SUPPORT / "ray_cluster.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=quiet,
    ) as made:
        yield lambda: made.stdout.readline().strip()
        made.stdin.close()


@pytest.fixture
def policies(tmp_path):
    """More texts than one machine is given at once, of several lengths."""
    folder = tmp_path / "policies"
    folder.mkdir()
    for i in range(5):
        sections = "".join(
            f"\n## {k} Leave\n\nEmployees of part {i} have {k} days of leave{' and more' * (k % 7)}.\n"
            for k in range(30)
        )
        (folder / f"{i}.md").write_text(f"# Policy {i}\n{sections}")
    return folder


def vectors(place):
    with Index(place) as index, index.reading() as db:
        assert verify(index).ok
        rows = db.execute("SELECT hash, vector FROM vectors").fetchall()
    return {digest: np.frombuffer(row, dtype=np.float32) for digest, row in rows}


@needs_ray
@pytest.mark.usefixtures("cluster")
def test_a_cluster_that_does_not_answer_is_told_of_in_a_line(policies, tmp_path, capsys):
    assert run(["ingest", str(policies), "--index", str(tmp_path / "index"), "--ray", "no address"]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert said.startswith("error: Ray at no address cannot embed"), said
    assert "leave --ray out" in said
    assert "Traceback" not in said


@needs_ray
def test_an_ingest_on_two_machines_makes_the_vectors_of_one_process(cluster, policies, tmp_path):
    assert run(["ingest", str(policies), "--index", str(tmp_path / "alone")]) == 0
    # In a process of its own: whoever has once joined a cluster keeps its threads.
    call = [sys.executable, "-m", "policy_rag", "ingest", policies, "--index", tmp_path / "spread", "--ray", cluster()]
    done = subprocess.run(call, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "embedded" in done.stdout
    spread, alone = vectors(tmp_path / "spread"), vectors(tmp_path / "alone")
    assert len(alone) > 128  # more than a piece for each machine
    assert spread.keys() == alone.keys()
    assert all(np.allclose(spread[digest], row, atol=1e-6) for digest, row in alone.items())


def test_ray_that_is_not_installed_is_told_of_in_a_line(monkeypatch, embedder):
    monkeypatch.setattr("policy_rag.models.ray_embedder.find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"pip install 'policy-rag\[ray\]'"):
        RayEmbedder(embedder, dict, {}, "local")


@pytest.mark.parametrize("option", ["--offline", "--queue"])
def test_what_does_not_go_with_it_is_said(option, policies, tmp_path, capsys):
    assert run(["ingest", str(policies), "--index", str(tmp_path / "index"), "--ray", "local", option]) == 2
    assert f"{option}" in capsys.readouterr().err
