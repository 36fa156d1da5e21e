"""Offline, enforced: connections to other machines fail here, before anything is sent. Telemetry is off always.

The guard stands in Python's `socket`, through which the clients of all our dependencies go. Native code that opens
sockets of its own is not seen by it (the Hugging Face downloader is such a one): it is switched off by its variables.
"""

import contextlib
import os
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from policy_rag.errors import OfflineError
from policy_rag.llm.addresses import is_loopback, ollama_url

_TELEMETRY_OFF = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "ORT_DISABLE_TELEMETRY": "1",  # read when ONNX Runtime is imported: switching its events off later is too late
    "DO_NOT_TRACK": "true",  # MLflow reads nothing but "true" here, Hugging Face also "1"
}
_HUB_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}


class OfflineConnectionError(OfflineError, ConnectionError):
    """A connection that the guard refused. An OSError too, so that libraries treat it as a network that is down."""


def silence_telemetry() -> None:
    """Switch off the telemetry of the dependencies, for this process and those that it starts. Call it early."""
    os.environ.update(_TELEMETRY_OFF)
    constants = sys.modules.get("huggingface_hub.constants")
    if constants is not None:  # it read the variables when it was imported
        constants.HF_HUB_DISABLE_TELEMETRY = True  # type: ignore[attr-defined]


def configured_servers(environ: Mapping[str, str]) -> list[str]:
    """Addresses that the environment configures, and that offline work may still reach: Ollama's and MLflow's.

    >>> configured_servers({"OLLAMA_HOST": "llm.example", "MLFLOW_TRACKING_URI": "sqlite:///runs.db"})
    ['http://llm.example:11434']
    """
    tracking = environ.get("MLFLOW_TRACKING_URI", "")
    remote = [tracking] if tracking.startswith(("http://", "https://")) else []
    return [ollama_url(environ.get("OLLAMA_HOST")), *remote]


def enforce_offline(allowed: Sequence[str] = ()) -> None:
    """From now on this process reaches nothing but itself, the configured servers and `allowed`.

    The configured servers are those of `OLLAMA_HOST` and `MLFLOW_TRACKING_URI`. A second call replaces the first. Any
    other attempt raises OfflineConnectionError, which is an OfflineError and a ConnectionError.

    Args:
        allowed: more addresses, `http://HOST:PORT/...`, `HOST:PORT` or `HOST` (any port).
    """
    global _installed  # noqa: PLW0603 - a process has one network
    if _installed is not None:
        _installed.remove()
    _installed = _Guard([*configured_servers(os.environ), *allowed])
    _installed.install()


@contextlib.contextmanager
def offline(allowed: Sequence[str] = ()) -> Iterator[None]:
    """For the length of a `with` block this process reaches nothing but itself and `allowed`."""
    guard = _Guard(allowed)
    guard.install()
    try:
        yield
    finally:
        guard.remove()


class _Guard:
    """Replaces the ways out of `socket` and the variables that matter; puts back what it found."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = {_host_and_port(address) for address in allowed}
        self._names: dict[str, set[str]] = {}
        self._found: dict[str, Any] = {}
        self._environ: dict[str, str | None] = {}

    def install(self) -> None:
        for name, value in _HUB_OFFLINE.items():
            self._environ[name] = os.environ.get(name)
            os.environ[name] = value
        self._set_hub_offline(offline=True)
        for method in ("connect", "connect_ex", "sendto"):
            found = getattr(socket.socket, method)
            self._found[method] = found
            setattr(socket.socket, method, self._guarded(found))
        self._found["getaddrinfo"] = socket.getaddrinfo
        socket.getaddrinfo = self._resolve

    def remove(self) -> None:
        socket.getaddrinfo = self._found.pop("getaddrinfo")
        for method, found in self._found.items():
            setattr(socket.socket, method, found)
        for name, value in self._environ.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._set_hub_offline(offline=os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"})

    @staticmethod
    def _set_hub_offline(*, offline: bool) -> None:
        constants = sys.modules.get("huggingface_hub.constants")
        if constants is not None:
            constants.HF_HUB_OFFLINE = offline  # type: ignore[attr-defined]

    def _guarded(self, original: Any) -> Any:
        def call(sock: socket.socket, *args: Any) -> Any:
            # The address comes last: sendto(data, flags, address).
            self._check(sock.family, args[-1] if args else None)
            return original(sock, *args)

        return call

    def _check(self, family: int, address: Any) -> None:
        if family not in {socket.AF_INET, socket.AF_INET6} or not isinstance(address, tuple):
            return
        host, port = str(address[0]), address[1]
        names = {host, *self._names.get(host, ())}
        if is_loopback(host) or any(self._is_allowed(name, port) for name in names):
            return
        raise _refusal(f"{'/'.join(sorted(names))}:{port}")

    def _is_allowed(self, host: str, port: object) -> bool:
        name = host.rstrip(".").lower()
        return (name, None) in self._allowed or (name, port) in self._allowed

    def _resolve(self, host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host or "")
        name = name.rpartition("@")[2]  # some clients leave name and password there, which no message may show
        own = name in {"", socket.gethostname()} or is_loopback(name)
        if not own and name.rstrip(".").lower() not in {allowed for allowed, _ in self._allowed}:
            raise _refusal(f"{name}:{port}")
        answers = self._found["getaddrinfo"](host, port, *args, **kwargs)
        if name:
            for answer in answers:
                self._names.setdefault(str(answer[4][0]), set()).add(name)
        return answers


_installed: _Guard | None = None


def _refusal(address: str) -> OfflineConnectionError:
    return OfflineConnectionError(
        f"offline: a connection to {address} was refused; go online (no --offline, no POLICY_RAG_OFFLINE), or, for an "
        "LLM server of your own, set OLLAMA_HOST or llm_url to its address"
    )


def _host_and_port(address: str) -> tuple[str, int | None]:
    """Host in lower case and port of an address, None for any port.

    >>> _host_and_port("https://LLM.example/v1"), _host_and_port("10.0.0.7:8000"), _host_and_port("gpu")
    (('llm.example', 443), ('10.0.0.7', 8000), ('gpu', None))
    """
    scheme, mark, _ = address.partition("://")
    split = urlsplit(address if mark else f"//{address}")
    default = {"http": 80, "https": 443}.get(scheme) if mark else None
    return (split.hostname or "").rstrip("."), split.port or default
