"""What tests of several folders share; the helpers themselves are in `tests/support`."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "support"))

from network import go_online
from ollama_server import OllamaStandIn


def pytest_configure() -> None:
    """Ctrl-C interrupts, also where a runner in the background has told its children to ignore it."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def online_again() -> Iterator[None]:
    """What a test does offline does not hold for the next one: a process has one network."""
    yield
    go_online()


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaStandIn]:
    """A server on loopback that speaks Ollama's protocol, and `OLLAMA_HOST` set to it."""
    with OllamaStandIn() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        yield server
