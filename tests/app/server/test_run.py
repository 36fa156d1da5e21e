"""`policy-rag serve` as it is started: several processes over one index, a worker beside them, and a clean end."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from policy_rag.cli import run

POLICY = "# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n"
PARKING = b"# Parking\n\n## 1 Places\n\nParking costs 40 euros a month.\n"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as made:
        return made.getsockname()[1]


def wait_for(holds, seconds=180):
    """What is waited for; the limit is above the two minutes that a process may take to start on a busy machine."""
    until = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < until, f"not within {seconds} seconds"
        time.sleep(0.1)
    return found


def children_of(pid):
    """Processes that were started by one, and by those."""
    own = [int(child) for path in Path(f"/proc/{pid}/task").glob("*/children") for child in path.read_text().split()]
    return own + [more for child in own for more in children_of(child)]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="it looks into /proc")
def test_several_processes_serve_one_index_and_all_end(tmp_path, capsys):
    (tmp_path / "leave.md").write_text(POLICY)
    index = str(tmp_path / "index")
    assert run(["ingest", str(tmp_path / "leave.md"), "--index", index]) == 0
    capsys.readouterr()
    assert run(["keys", "add", "ann", "--admin", "--index", index, "--json"]) == 0
    key = json.loads(capsys.readouterr().out)["key"]
    port = free_port()
    call = [sys.executable, "-m", "policy_rag", "serve", "--index", index, "--port", str(port), "--workers", "2"]
    server = subprocess.Popen([*call, "--llm", "extractive"], stderr=subprocess.PIPE)
    client = httpx.Client(
        base_url=f"http://127.0.0.1:{port}/api/v1", headers={"authorization": f"Bearer {key}"}, timeout=60
    )
    try:

        def ready():
            assert server.poll() is None, "it has ended"
            try:  # what connects before a process accepts waits in the queue of the socket
                return client.get("/readiness", timeout=10).status_code == 200
            except httpx.TransportError:
                return False

        wait_for(ready)
        started = children_of(server.pid)
        assert len(started) >= 3  # two that serve, and the worker
        sent = client.post("/uploads", data={"open_to_all": "true"}, files=[("files", ("parking.md", PARKING))])
        job = sent.json()["id"]
        wait_for(lambda: client.get(f"/jobs/{job}").json()["state"] == "done")
        for _ in range(6):  # whichever of the two answers
            with httpx.Client(base_url=client.base_url, headers=client.headers, timeout=60) as new:
                found = new.post("/ask", json={"question": "What does parking cost a month?"}).json()
                assert "40 euros" in found["answer"]
    finally:
        client.close()
        os.kill(server.pid, signal.SIGTERM)
        _, said = server.communicate(timeout=60)
    assert server.returncode == 0, said
    assert b"Traceback" not in said
    wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in started))


def test_an_address_that_is_taken_is_one_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        index = str(tmp_path / "index")
        (tmp_path / "leave.md").write_text(POLICY)
        assert run(["ingest", str(tmp_path / "leave.md"), "--index", index]) == 0
        capsys.readouterr()
        assert run(["serve", "--index", index, "--port", port, "--no-auth"]) == 2
    assert "choose another with --host and --port" in capsys.readouterr().err
