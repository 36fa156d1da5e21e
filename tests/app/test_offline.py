"""Offline is enforced: other machines are refused with one clear error, this one and configured servers are not."""

import _socket
import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from ollama_server import OllamaStandIn

from policy_rag import offline as module
from policy_rag.errors import OfflineError
from policy_rag.llm.ollama import OllamaServer
from policy_rag.offline import OfflineConnectionError, _Guard, configured_servers
from policy_rag_parsers.telemetry import silence_telemetry

REFUSED = r"offline: a connection to {} was refused; go online .*set OLLAMA_HOST or llm_url"


@contextmanager
def system_socket(kind: int = socket.SOCK_DGRAM, family: int = socket.AF_INET) -> Iterator[_socket.socket]:
    """One of the system's own: the tests' guard stands in Python's."""
    made = _socket.socket(family, kind)
    try:
        yield made
    finally:
        made.close()


def udp(way: str, *arguments: object, family: int = socket.AF_INET) -> None:
    with system_socket(family=family) as sock:
        getattr(sock, way)(*arguments)


@contextmanager
def offline(allowed: Sequence[str] = ()) -> Iterator[None]:
    """For the length of a `with` block this process reaches nothing but itself and `allowed`."""
    guard = _Guard(allowed)
    guard.install()
    try:
        yield
    finally:
        guard.remove()


@pytest.fixture
def guarded() -> Iterator[None]:
    with offline(["http://10.9.8.7:8000/v1", "llm.example:11434"]):
        yield


@pytest.mark.usefixtures("guarded")
@pytest.mark.parametrize("address", [("93.184.216.34", 443), ("10.9.8.7", 8001), ("255.255.255.255", 9)])
def test_an_address_elsewhere_is_refused_before_anything_is_sent(address: tuple[str, int]) -> None:
    for kind, ways in ((socket.SOCK_STREAM, ("connect", "connect_ex")), (socket.SOCK_DGRAM, ("connect", "sendto"))):
        with system_socket(kind) as sock:
            for way in ways:
                args = (b"x", address) if way == "sendto" else (address,)
                with pytest.raises(OfflineError, match=REFUSED.format(f"{address[0]}:{address[1]}")):
                    getattr(sock, way)(*args)


@pytest.mark.usefixtures("guarded")
def test_names_elsewhere_are_not_even_looked_up() -> None:
    with pytest.raises(OfflineError, match=REFUSED.format(r"huggingface\.co:443")):
        socket.create_connection(("huggingface.co", 443))

    async def connect() -> None:
        await asyncio.open_connection("huggingface.co", 443)

    with pytest.raises(OfflineError, match=REFUSED.format(r"huggingface\.co:443")):
        asyncio.run(connect())


@pytest.mark.usefixtures("guarded")
def test_http_clients_take_it_for_a_network_that_is_down() -> None:
    with pytest.raises(httpx.ConnectError, match=REFUSED.format(r"huggingface\.co:443")):
        httpx.get("https://huggingface.co/api/models", trust_env=False)


@pytest.mark.usefixtures("guarded")
def test_this_machine_is_reached(ollama: OllamaStandIn) -> None:
    assert OllamaServer(ollama.url).version() == "0.12.0"
    assert OllamaServer(ollama.url.replace("127.0.0.1", "localhost")).version() == "0.12.0"
    if hasattr(socket, "AF_UNIX"):
        left, right = socket.socketpair()
        with left, right:
            left.sendall(b"x")
            assert right.recv(1) == b"x"


def test_configured_servers_are_let_through_by_name_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[object] = []

    def connect(sock: socket.socket, address: object) -> None:
        sys.audit("socket.connect", sock, address)  # as the system's own does
        passed.append(address)

    def look_up(host: object, port: object) -> list[object]:
        sys.audit("socket.getaddrinfo", host, port, 0, 0, 0)
        return answers

    monkeypatch.setattr(socket.socket, "connect", connect)
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.1.1.1", 11434))]
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with offline(["http://10.9.8.7:8000/v1", "LLM.example:11434", "gpu"]):
        sock = socket.socket()
        with sock:
            sock.connect(("10.9.8.7", 8000))
            socket.getaddrinfo("llm.example.", 11434)
            sock.connect(("10.1.1.1", 11434))
            with pytest.raises(OfflineError, match=r"10\.1\.1\.1/llm\.example\.:22 was refused"):
                sock.connect(("10.1.1.1", 22))
            sock.connect(("gpu", 22))
            with pytest.raises(OfflineError):
                socket.getaddrinfo("not-llm.example", 11434)
    assert passed == [("10.9.8.7", 8000), ("10.1.1.1", 11434), ("gpu", 22)]


ELSEWHERE = ("93.184.216.34", 443)


@pytest.mark.usefixtures("guarded")
@pytest.mark.parametrize(
    "way",
    [
        lambda: udp("connect", ELSEWHERE),
        lambda: udp("connect_ex", ELSEWHERE),
        lambda: udp("sendto", b"x", ELSEWHERE),
        lambda: udp("sendto", b"x", 0, ELSEWHERE),
        lambda: udp("sendmsg", [b"x"], [], 0, ELSEWHERE),
        lambda: udp("sendmsg", [b"x"], [], 0, ("2001:db8::1", 53, 0, 0), family=socket.AF_INET6),
        lambda: _socket.getaddrinfo("huggingface.co", 443),
        lambda: _socket.gethostbyname("huggingface.co"),
        lambda: _socket.gethostbyname_ex("huggingface.co"),
        lambda: _socket.gethostbyaddr("93.184.216.34"),
        lambda: _socket.getnameinfo(ELSEWHERE, 0),
        lambda: subprocess.run(["curl", "https://example.org"], check=False),
        lambda: subprocess.run("true", shell=True, check=False),  # noqa: S602
        lambda: subprocess.Popen([b"/usr/bin/env", b"true"]),
        lambda: os.system("true"),  # noqa: S605
        lambda: os.posix_spawn("/bin/true", ["true"], {}),
        lambda: os.execv("/bin/true", ["true"]),  # noqa: S606
    ],
)
def test_no_way_out_is_overlooked(way: Callable[[], object]) -> None:
    with pytest.raises(OfflineError, match=r"^offline: .* was refused; go online"):
        way()


@pytest.mark.usefixtures("guarded")
def test_what_stays_here_goes_on() -> None:
    assert _socket.gethostbyname("localhost").startswith("127.")
    assert subprocess.run([sys.executable, "-c", ""], check=False).returncode == 0
    assert os.spawnv(os.P_WAIT, "/bin/true", ["true"]) == 127  # noqa: S606 - refused in the child, before it is another
    with socket.create_server(("127.0.0.1", 0)) as server, _socket_to(server.getsockname()) as sock:
        sock.sendmsg([b"x"])
        assert server.accept()[0].recv(1) == b"x"


@contextmanager
def _socket_to(address: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.socket() as sock:
        sock.connect(address)
        yield sock


def test_everything_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.delenv("TRANSFORMERS_OFFLINE", raising=False)
    before = (socket.getaddrinfo, *(vars(socket.socket).get(way) for way in ("connect", "connect_ex")))
    with offline():
        assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"
        assert socket.getaddrinfo is not before[0]
    assert socket.getaddrinfo is before[0]
    assert vars(socket.socket).get("connect") in {before[1], socket.socket.connect}
    assert os.environ["HF_HUB_OFFLINE"] == "0"
    assert "TRANSFORMERS_OFFLINE" not in os.environ
    with socket.socket(type=socket.SOCK_DGRAM) as sock, pytest.raises(Exception) as caught:  # noqa: PT011
        sock.connect(("93.184.216.34", 443))  # the tests' own guard stands again
    assert not isinstance(caught.value, OfflineError)


def test_enforcing_lasts_for_the_process_and_the_last_list_counts() -> None:
    code = (
        "import socket\n"
        "from policy_rag.offline import enforce_offline\n"
        "from policy_rag.errors import OfflineError\n"
        "enforce_offline(['10.0.0.1:1'])\n"
        "enforce_offline(['10.0.0.2:1'])\n"
        "for host, port in [('10.0.0.1', 1), ('10.0.0.3', 11434)]:\n"
        "    try:\n"
        "        socket.create_connection((host, port))\n"
        "    except OfflineError as error:\n"
        "        print(str(error)[:40])\n"
        "import socket as s; g = s.getaddrinfo.__self__; print(g._is_allowed('10.0.0.2', 1), g._is_allowed('box', 5))"
    )
    environ = {**os.environ, "OLLAMA_HOST": "box:5"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ)
    assert done.stdout.splitlines() == [
        "offline: a connection to 10.0.0.1:1 was ",
        "offline: a connection to 10.0.0.3:11434 ",
        "True True",
    ]


def test_configured_servers_come_from_the_environment() -> None:
    assert configured_servers({}) == ["http://127.0.0.1:11434"]
    environ = {"OLLAMA_HOST": "https://llm.example", "MLFLOW_TRACKING_URI": "http://runs.example:5000"}
    assert configured_servers(environ) == ["https://llm.example:443", "http://runs.example:5000"]
    assert module._host_and_port("[::1]:80") == ("::1", 80)


def test_telemetry_is_off_for_every_dependency_that_has_any(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub.constants
    from mlflow.telemetry import client
    from mlflow.telemetry.utils import is_telemetry_disabled

    for name in ("HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_UPDATE_CHECK", "MLFLOW_DISABLE_TELEMETRY", "DO_NOT_TRACK"):
        monkeypatch.setenv(name, "false")
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_DISABLE_TELEMETRY", False)
    monkeypatch.setattr("mlflow.telemetry.utils._IS_IN_CI_ENV_OR_TESTING", False)
    assert not is_telemetry_disabled()
    monkeypatch.setattr(client, "_MLFLOW_TELEMETRY_CLIENT", object())  # as where a program imported MLflow before us
    silence_telemetry()
    assert is_telemetry_disabled()
    assert client.get_telemetry_client() is None
    assert huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY is True
    code = "import huggingface_hub.constants as c; print(c.HF_HUB_DISABLE_TELEMETRY, c.HF_HUB_DISABLE_UPDATE_CHECK)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


@pytest.mark.parametrize(
    "way",
    [
        "from policy_rag.models import reader; reader._session(b'', reader._SHIPPED)",
        "from policy_rag.models.factory import load_embedder; load_embedder(backend='onnx').embed(['a'])",
        "from policy_rag_parsers.loaders import ocr; ocr._engine()",
        "from policy_rag.cli import run; run(['sections', 'gone.md'])",
        "from policy_rag.assistant import PolicyAssistant; PolicyAssistant.open('made', create=True)",
    ],
)
def test_onnx_runtime_is_told_before_it_is_imported_on_every_way(way: str, tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name in {'onnxruntime', 'rapidocr'}:\n"
        "            print(os.environ.get('ORT_DISABLE_TELEMETRY'))\n"
        "sys.meta_path.insert(0, Finder())\n"
        f"try:\n    {way}\n"
        "except Exception:\n    pass\n"
        "print(os.environ.get('ORT_DISABLE_TELEMETRY'))"
    )
    environ = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environ, cwd=tmp_path
    )
    assert set(done.stdout.split()) == {"1"}


def test_a_password_in_an_address_is_not_shown():
    with offline(), pytest.raises(OfflineConnectionError) as refused:
        socket.getaddrinfo("me:secret@elsewhere.example", 80)
    assert "elsewhere.example:80" in str(refused.value)
    assert "secret" not in str(refused.value)
