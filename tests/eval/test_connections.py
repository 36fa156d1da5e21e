"""What whole commands look up and connect to, as the system sees it: telemetry of native code is seen nowhere else."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from mlflow_server import free_port, wait_until_up
from ollama_server import OllamaStandIn
from small_dataset import LEAVE, small_dataset
from system_calls import can_trace

from policy_rag.models.folders import default_cache

LIVES_S = 3.0
"""As long as a process lives at least: ONNX Runtime looks its maker's host up within two seconds."""
_COMMAND = [sys.executable, "-m", "policy_rag"]
_CALLS = "trace=connect,sendto,sendmsg,sendmmsg"
_PLACE = re.compile(r'(?:sin_port|sin6_port)=htons\((\d+)\).*?(?:inet_addr\(|inet_pton\(AF_INET6, )"([^"]+)"')


pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.skipif(not can_trace(), reason="needs strace, and to be allowed to trace processes"),
]


class Sandbox:
    """A home of its own, and the places that the processes in it turned to."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"
        self.home.mkdir()
        self.trace = folder / "calls"
        off = ("ORT_DISABLE", "MLFLOW_", "HF_", "DO_NOT_TRACK", "PYTEST", "CI", "GITHUB_", "XDG_", "POLICY_RAG_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(off)}
        # Graphs that are made already: making them anew takes a minute.
        self.environ = {**kept, "HOME": str(self.home), "POLICY_RAG_MODEL_CACHE": str(default_cache())}

    def command(self, arguments: Sequence[str]) -> list[str]:
        return ["strace", "-f", "--seccomp-bpf", "-qq", "-e", _CALLS, "-o", str(self.trace), *arguments]

    def run(self, *arguments: str, **environ: str) -> None:
        command = self.command([*_COMMAND, *arguments])
        environment = {**self.environ, **environ}
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    @property
    def places(self) -> set[tuple[str, int]]:
        return {(address, int(port)) for port, address in _PLACE.findall(self.trace.read_text())}

    def assert_stayed_here(self) -> None:
        away = {(host, port) for host, port in self.places if port == 53 or not host.startswith(("127.", "::1"))}
        assert away == set()
        assert (
            "resolve" not in self.trace.read_text()
        )  # systemd's resolver is asked through a socket of the file system
        made = {path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if path.is_file()}
        assert {path for path in made if not path.startswith((".cache/policy_rag/", ".cache/matplotlib/"))} == set()


@pytest.fixture
def sandbox(tmp_path: Path) -> Sandbox:
    return Sandbox(tmp_path)


def test_a_lookup_is_seen(sandbox: Sandbox) -> None:
    code = "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.connect(('192.0.2.1', 53))"
    subprocess.run(sandbox.command([sys.executable, "-c", code]), check=True)
    assert sandbox.places == {("192.0.2.1", 53)}
    with pytest.raises(AssertionError):
        sandbox.assert_stayed_here()


def test_an_ingest_stays_here_and_a_long_question_reaches_its_server_alone(sandbox: Sandbox) -> None:
    (sandbox.folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    sandbox.run("ingest", "leave.md")
    sandbox.assert_stayed_here()
    sandbox.trace.unlink()
    with OllamaStandIn(replies=["Thirty days [1]."], delay=LIVES_S) as server:
        began = time.monotonic()
        sandbox.run("ask", "How many days of paid holiday?", "--llm", "ollama/llama3.2", OLLAMA_HOST=server.host)
        assert len(server.chats) >= 1
        assert time.monotonic() - began > LIVES_S
        assert sandbox.places == {("127.0.0.1", int(server.host.rpartition(":")[2]))}
    sandbox.assert_stayed_here()


def test_an_evaluation_and_its_ui_stay_here(sandbox: Sandbox, empty_store: Path) -> None:
    dataset = small_dataset(sandbox.folder / "data")
    kept = sandbox.folder / ".policy_rag"
    kept.mkdir()
    shutil.copy(empty_store, kept)
    sandbox.run("eval", "retrieval", str(dataset), "--set", "reranker=none")  # its graph connects as the embedder's
    sandbox.assert_stayed_here()
    sandbox.trace.unlink()
    with _ui(sandbox) as address:
        for path in ("/", "/version", "/ajax-api/3.0/mlflow/ui-telemetry"):
            with urllib.request.urlopen(address + path, timeout=30) as answer:  # noqa: S310 - our own address
                assert answer.status == 200
        time.sleep(LIVES_S)
    sandbox.assert_stayed_here()


@contextmanager
def _ui(sandbox: Sandbox) -> Iterator[str]:
    port = free_port()
    log = sandbox.folder / "ui.log"
    with log.open("wb") as errors:
        command = sandbox.command([*_COMMAND, "ui", "--port", str(port), "--json"])
        streams = {"stdout": errors, "stderr": errors, "start_new_session": True}
        process = subprocess.Popen(command, cwd=sandbox.folder, env=sandbox.environ, **streams)
        address = f"http://127.0.0.1:{port}"
        try:
            wait_until_up(address, process, log)
            yield address
        finally:
            os.killpg(process.pid, signal.SIGTERM)  # strace waits for those that it traces
            process.wait(30)
