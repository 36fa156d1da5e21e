"""A real MLflow server on loopback, for the length of a `with` block."""

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def wait_until_up(address: str, process: subprocess.Popen, log: Path, seconds: float = 120) -> None:
    """Until the server at `address` answers."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with status {process.returncode}: {log.read_text()[-2000:]}")
        try:
            with urllib.request.urlopen(address + "/health", timeout=5):  # noqa: S310 - our own address
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise TimeoutError(log.read_text()[-2000:])


class MlflowServer:
    """Serves `database`, whose tables are made already, and keeps artifacts in a folder beside it."""

    def __init__(self, database: Path) -> None:
        self.address = f"http://127.0.0.1:{free_port()}"
        self._log = database.parent / "server.log"
        command = [sys.executable, "-m", "mlflow", "server", "--backend-store-uri", f"sqlite:///{database}"]
        command += ["--artifacts-destination", str(database.parent / "served"), "--workers", "1"]
        command += ["--host", "127.0.0.1", "--port", self.address.rpartition(":")[2]]
        environment = {**os.environ, "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_DISABLE_TELEMETRY": "true"}
        environment.pop("MLFLOW_TRACKING_URI", None)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)

    def __enter__(self) -> "MlflowServer":
        try:
            wait_until_up(self.address, self._process, self._log)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(30)
