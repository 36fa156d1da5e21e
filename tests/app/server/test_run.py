"""`policy-rag serve` as it is started: several processes with one log and one set of figures, a worker, a clean end."""

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
from mlflow_server import free_port
from prometheus_client.parser import text_string_to_metric_families

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run

POLICY = "# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n"
PARKING = b"# Parking\n\n## 1 Places\n\nParking costs 40 euros a month.\n"


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
def test_several_processes_serve_one_index_are_seen_as_one_and_all_end(tmp_path, capsys):
    (tmp_path / "leave.md").write_text(POLICY)
    index = str(tmp_path / "index")
    assert run(["ingest", str(tmp_path / "leave.md"), "--index", index]) == 0
    capsys.readouterr()
    assert run(["keys", "add", "ann", "--admin", "--index", index, "--json"]) == 0
    key = json.loads(capsys.readouterr().out)["key"]
    port, log = free_port(), tmp_path / "log"
    call = [sys.executable, "-m", "policy_rag", "serve", "--index", index, "--port", str(port), "--workers", "2"]
    with log.open("wb") as errors:
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        server = subprocess.Popen([*call, "--llm", "extractive"], stderr=errors, env=environment)

    def client():  # each connection goes to whichever process takes it
        known = {"authorization": f"Bearer {key}"}
        return httpx.Client(base_url=f"http://127.0.0.1:{port}/api/v1", headers=known, timeout=60)

    def both_answered():
        assert server.poll() is None, "it has ended"
        try:  # what connects before a process accepts waits in the queue of the socket
            with client() as new:
                if new.get("/readiness").status_code != 200 or new.get("/documents").status_code != 200:
                    return False
        except httpx.TransportError:
            return False
        return len({path.stem for path in tmp_path.glob("policy-rag-metrics-*/counter_*.db")}) == 2

    try:
        wait_for(both_answered)
        started = children_of(server.pid)
        assert len(started) >= 3  # two that serve, and the worker
        with client() as one:
            sent = one.post("/uploads", data={"open_to_all": "true"}, files=[("files", ("parking.md", PARKING))])
            job = sent.json()["id"]
            wait_for(lambda: one.get(f"/jobs/{job}").json()["state"] == "done")
        for _ in range(6):
            with client() as new:
                found = new.post("/ask", json={"question": "What does parking cost a month?"}).json()
                assert "40 euros" in found["answer"]
                assert new.get("/documents").status_code == 200
        told = []
        for _ in range(4):
            with client() as new:
                told.append(documents_listed(new.get(f"http://127.0.0.1:{port}/metrics").text))
    finally:
        server.send_signal(signal.SIGTERM)
        code = server.wait(60)
    said = log.read_text()
    assert code == 0, said
    assert "Traceback" not in said
    wait_for(lambda: not any(Path(f"/proc/{child}").exists() for child in started))
    lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    listed = [one for one in lines if one["event"] == "request" and one["route"] == "/api/v1/documents"]
    assert told == [len(listed)] * 4
    assert {one["status"] for one in listed} == {200}
    assert not list(tmp_path.glob("policy-rag-metrics-*"))


def documents_listed(figures):
    """How often documents were listed, as the figures tell it."""
    return sum(
        sample.value
        for family in text_string_to_metric_families(figures)
        for sample in family.samples
        if sample.name == "policy_rag_http_requests_total" and sample.labels["route"] == "/api/v1/documents"
    )


def test_an_address_that_is_taken_is_one_line(tmp_path, capsys):
    PolicyAssistant.open(tmp_path / "index", create=True).close()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["serve", "--index", str(tmp_path / "index"), "--port", port, "--no-auth"]) == 2
    assert "choose another with --host and --port" in capsys.readouterr().err
