"""`policy-rag serve` in several processes: one log of JSON lines, and figures of all whichever is asked."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import httpx
from prometheus_client.parser import text_string_to_metric_families


def test_figures_are_those_of_all_processes_and_the_log_is_json(filled, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["serve", "--index", filled.index.folder, "--state", tmp_path / "state", "--port", str(port)]
    log = tmp_path / "log"
    with log.open("w") as errors:
        serving = subprocess.Popen(
            [sys.executable, "-m", "policy_rag", *map(str, command), "--no-auth", "--workers", "2"],
            stderr=errors,
            env={**os.environ, "TMPDIR": str(tmp_path)},
        )
    try:
        url = f"http://127.0.0.1:{port}"
        pids = set()
        deadline = time.monotonic() + 180  # a process may take two minutes to start on a busy machine
        while len(pids) < 2 and time.monotonic() < deadline:  # each connection goes to whichever process takes it
            try:
                httpx.get(f"{url}/api/v1/documents", timeout=30)
            except httpx.TransportError:
                time.sleep(0.1)
                continue
            pids = {path.stem.rpartition("_")[2] for path in tmp_path.glob("policy-rag-metrics-*/counter_*.db")}
        assert len(pids) == 2
        for _ in range(20):
            assert httpx.get(f"{url}/api/v1/documents").status_code == 200
        told = [served(url) for _ in range(4)]
    finally:
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(30) == 0
    lines = [line for line in log.read_text().splitlines() if line.startswith("{")]
    requests = [entry for entry in map(json.loads, lines) if entry["event"] == "request"]
    documents = [entry for entry in requests if entry["route"] == "/api/v1/documents"]
    assert told == [len(documents)] * 4
    assert {entry["status"] for entry in documents} == {200}
    assert not list(tmp_path.glob("policy-rag-metrics-*"))


def served(url):
    families = text_string_to_metric_families(httpx.get(f"{url}/metrics").text)
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "policy_rag_http_requests_total" and sample.labels["route"] == "/api/v1/documents"
    )
