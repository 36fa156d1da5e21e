"""Offline, enforced: connections to other machines fail here, before anything is sent.

The guard is an audit hook of the interpreter, which every call of Python into the system's network passes: connections,
datagrams, look-ups, and the start of other programs. Native code that opens sockets of its own is not seen by it (the
Hugging Face downloader is such a one): it is switched off by its variables.
"""

import os
import shutil
import socket
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from policy_rag.errors import OfflineError
from policy_rag.llm.addresses import is_loopback, ollama_url

if TYPE_CHECKING:
    from policy_rag.settings import Settings

_HUB_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
# The standard library and PyTorch ask them about the system.
_TELL_OF_THIS_MACHINE = frozenset({"uname", "ldconfig", "lscpu", "nproc", "sysctl", "nvidia-smi"})


class OfflineConnectionError(OfflineError, ConnectionError):
    """A connection that the guard refused. An OSError too, so that libraries treat it as a network that is down."""


_REMOTE = ("MLFLOW_TRACKING_URI", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def configured_servers(environ: Mapping[str, str]) -> list[str]:
    """Addresses that the environment configures, and that offline work may still reach.

    Ollama's, MLflow's, and of the collector of OpenTelemetry that the service sends its traces to.

    >>> configured_servers({"OLLAMA_HOST": "llm.example", "MLFLOW_TRACKING_URI": "sqlite:///runs.db"})
    ['http://llm.example:11434']
    """
    named = [environ.get(name, "") for name in _REMOTE]
    remote = [address for address in named if address.startswith(("http://", "https://"))]
    return [ollama_url(environ.get("OLLAMA_HOST")), *remote]


def enforce_offline(allowed: Sequence[str] = ()) -> None:
    """From now on this process reaches nothing but itself, the configured servers and `allowed`.

    The configured servers are those of `configured_servers`. A second call replaces the first. Any
    other attempt raises OfflineConnectionError, which is an OfflineError and a ConnectionError; so does the start of
    another program than this Python.

    Args:
        allowed: more addresses, `http://HOST:PORT/...`, `HOST:PORT` or `HOST` (any port).
    """
    global _installed  # noqa: PLW0603 - a process has one network
    if _installed is not None:
        _installed.remove()
    _installed = _Guard([*configured_servers(os.environ), *allowed])
    _installed.install()


def keep_offline(settings: "Settings", *more: str) -> None:
    """`enforce_offline` where the settings ask for it; their LLM's server and `more` addresses stay reachable."""
    if settings.run.offline:
        enforce_offline([address for address in (settings.llm.llm_url, *more) if address])


class _Guard:
    """What may be reached while it is installed, and the variables that matter; puts back what it found."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._allowed = {_host_and_port(address) for address in allowed}
        self._names: dict[str, set[str]] = {}
        self._getaddrinfo: Any = None
        self._environ: dict[str, str | None] = {}

    def install(self) -> None:
        for name, value in _HUB_OFFLINE.items():
            self._environ[name] = os.environ.get(name)
            os.environ[name] = value
        self._set_hub_offline(offline=True)
        self._getaddrinfo = socket.getaddrinfo
        socket.getaddrinfo = self._resolve
        _hook_once()
        _guards.append(self)

    def remove(self) -> None:
        _guards.remove(self)
        socket.getaddrinfo = self._getaddrinfo
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

    def check_address(self, address: Any) -> None:
        host, port = str(address[0]), address[1]
        names = {host, *self._names.get(host, ())}
        if not is_loopback(host) and not any(self._is_allowed(name, port) for name in names):
            raise _refusal(f"a connection to {'/'.join(sorted(names))}:{port}")

    def check_name(self, host: Any, port: Any = None) -> None:
        name = _decoded(host).rpartition("@")[2]  # some clients leave name and password there: no message shows them
        own = name in {"", socket.gethostname()} or is_loopback(name)
        if not own and name.rstrip(".").lower() not in {allowed for allowed, _ in self._allowed}:
            raise _refusal(f"a connection to {name}" + (f":{port}" if port is not None else ""))

    def check_program(self, program: Any) -> None:
        name = _decoded(program)
        if Path(name).name not in _TELL_OF_THIS_MACHINE and not _is_python(name):
            raise _refusal(f"the program {name}, which could connect to anything,")

    def _is_allowed(self, host: str, port: object) -> bool:
        name = host.rstrip(".").lower()
        return (name, None) in self._allowed or (name, port) in self._allowed

    def _resolve(self, host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        """Looks a name up, and keeps which addresses are its own."""
        answers = self._getaddrinfo(host, port, *args, **kwargs)
        name = _decoded(host)
        for answer in answers if name else ():
            self._names.setdefault(str(answer[4][0]), set()).add(name)
        return answers


def _decoded(given: Any) -> str:
    return os.fsdecode(given) if isinstance(given, bytes | str | os.PathLike) else str(given or "")


def _is_python(program: str) -> bool:
    """Whether it is this interpreter, which runs the workers that read files; those connect to nothing."""
    found = shutil.which(program) or program
    return bool(sys.executable) and os.path.realpath(found) == os.path.realpath(sys.executable)


def _check_socket(guard: _Guard, sock: Any, address: Any) -> None:
    if sock.family in {socket.AF_INET, socket.AF_INET6} and isinstance(address, tuple):
        guard.check_address(address)


_CHECKS: Mapping[str, Callable[..., None]] = {
    "socket.connect": _check_socket,
    "socket.sendto": _check_socket,
    "socket.sendmsg": _check_socket,
    "socket.getaddrinfo": lambda guard, host, port, *_: guard.check_name(host, port),
    "socket.gethostbyname": lambda guard, name: guard.check_name(name),
    "socket.gethostbyaddr": lambda guard, name: guard.check_name(name),
    "socket.getnameinfo": lambda guard, address: guard.check_name(address[0]),
    "subprocess.Popen": lambda guard, program, *_: guard.check_program(program),
    "os.posix_spawn": lambda guard, program, *_: guard.check_program(program),
    "os.exec": lambda guard, program, *_: guard.check_program(program),
    "os.spawn": lambda guard, _, program, *__: guard.check_program(program),
    "os.system": lambda guard, command: guard.check_program(command),
}
_guards: list[_Guard] = []


@lru_cache(maxsize=1)
def _hook_once() -> None:
    """The interpreter forgets no hook: there is one, which asks the guards that are installed."""
    checks, guards = _CHECKS, _guards  # the module's own names are gone when the interpreter ends

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        check = checks.get(event)
        if check is not None:
            for guard in tuple(guards):
                check(guard, *arguments)

    sys.addaudithook(hook)


_installed: _Guard | None = None


def _refusal(what: str) -> OfflineConnectionError:
    return OfflineConnectionError(
        f"offline: {what} was refused; go online (no --offline, no POLICY_RAG_OFFLINE), or, for an "
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
