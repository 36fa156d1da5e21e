"""What an index in Postgres takes in memory: a process that reads it, and the server on the same machine."""

import datetime as dt
import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions

EXACT_MOST = "policy_rag.index.search.vector_search.EXACT_MOST"
"""Where it stands up to how many chunks pgvector compares all; here it follows the graph from `GRAPH_FROM` on."""

GRAPH_FROM = 3000

_DAY = dt.date(2026, 1, 1)
_Asked = Mapping[str, NDArray[np.float32]]


class GivenQuestions:
    """Stands for an embedding model: gives each question its vector."""

    def __init__(self, rows: _Asked) -> None:
        self._rows = rows

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`(len(texts), dimension)`, of questions that are known."""
        return np.stack([self._rows[text] for text in texts])


def of_reader(
    place: Path | PostgresAddress, asked: _Asked, groups: Sequence[str], *, graph: bool = False
) -> dict[str, float]:
    """Megabytes of a process without models, once it has asked all questions for each group by both searches.

    Args:
        place: an index.
        asked: questions and their vectors.
        groups: the callers.
        graph: whether pgvector's graph is followed from `GRAPH_FROM` chunks on.

    Returns:
        `libraries`: before the index is opened; `resident`: all in the end; `own`: what of that is no file's, which the
        readers of a machine share; `peak`: the most there was.
    """
    url = place.url if isinstance(place, PostgresAddress) else str(place)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as fresh:
        return fresh.submit(_read, url, dict(asked), list(groups), graph).result()


def _read(url: str, asked: dict[str, NDArray[np.float32]], groups: list[str], graph: bool) -> dict[str, float]:
    import bm25s  # noqa: F401 - a library, not the index
    import faiss  # noqa: F401
    import psycopg_pool  # noqa: F401

    libraries = _megabytes("VmRSS")
    with ExitStack() as stack:
        if graph:
            stack.enter_context(patch(EXACT_MOST, GRAPH_FROM))
        searcher = Searcher(stack.enter_context(Index(url)), GivenQuestions(asked))
        for group in groups:
            for search in (Search.VECTOR, Search.WEIGHTED):
                for question in asked:
                    request = SearchRequest(question, groups=(group,))
                    searcher.search_many([request], SearchOptions(search=search), today=_DAY)
        fields = {"resident": "VmRSS", "own": "RssAnon", "peak": "VmHWM"}
        return {"libraries": libraries} | {name: _megabytes(field) for name, field in fields.items()}


def _megabytes(field: str) -> float:
    """A field of what Linux tells of this process."""
    fields = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines())
    return int(fields[field].split()[0]) / 1e3


def of_server(address: PostgresAddress) -> dict[str, float | None]:
    """Megabytes of the server's processes, each page counted once (PSS), and of what is searched there on its disk.

    The first is None where the server runs on another machine, or not for this login to see.
    """
    import psycopg

    relations = {"vectors": "policy_rag.embeddings", "graph": "policy_rag.embeddings_graph"}
    with psycopg.connect(address.url, autocommit=True) as db:
        backend = db.info.backend_pid
        sizes = {
            name: (db.execute("SELECT pg_table_size(to_regclass(%s))", (relation,)).fetchone() or (None,))[0]
            for name, relation in relations.items()
        }
        found: dict[str, float | None] = {"processes": _processes(backend)}
    return found | {name: size / 1e6 for name, size in sizes.items() if size is not None}


def _processes(backend: int) -> float | None:
    """PSS of the parent of a backend and of all its children; one that ends meanwhile counts nothing."""
    try:
        parent = int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
        if Path(f"/proc/{parent}/comm").read_text().strip() != "postgres":
            return None
        total = _pss(parent)
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            with suppress(FileNotFoundError, ProcessLookupError):
                total += _pss(int(child))
    except OSError:
        return None
    return total / 1e3


def _pss(process: int) -> int:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
