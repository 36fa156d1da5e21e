"""A Milvus as the index uses it: collections of numbered vectors, each error one line that says what to run."""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.store.postgres.pool import first_line

MOST = 16_384
"""Hits that Milvus gives of one search at most."""

_CALL_SECONDS = 10.0
_LONG_SECONDS = 600.0  # to fill, to load
_INSERTED = 1000  # vectors of one call
_ASKED = 64  # queries of one call
_FILE = ".db"  # how pymilvus knows a file of milvus-lite


def milvus_uri(text: str) -> str:
    """The address of a Milvus as it is kept: without user and password, a file of milvus-lite with its whole path.

    Raises:
        IndexingError: it is none.

    >>> milvus_uri("http://milvus.example:19530/policies")
    'http://milvus.example:19530/policies'
    """
    if "://" not in text and text.endswith(_FILE):
        return str(Path(text).absolute())
    try:
        parts = urlsplit(text)
        known = parts.scheme in {"http", "https"} and parts.hostname and parts.username is None and not parts.query
        _ = parts.port
    except ValueError:
        known = False
    if not known:
        raise IndexingError(
            "the address of Milvus is none: give --milvus http://HOST:19530, with its token or USER:PASSWORD in "
            "MILVUS_TOKEN, or a file of milvus-lite, NAME.db"
        )
    return text


def among(field: Literal["row", "document"], numbers: NDArray[np.int64]) -> str:
    """The filter that lets pass what has one of these numbers; nothing but digits gets into it.

    Raises:
        TypeError: they are no whole numbers.

    >>> among("document", np.array([3, 14]))
    'document in [3,14]'
    """
    if not np.issubdtype(numbers.dtype, np.integer):
        raise TypeError(f"a filter takes whole numbers, not {numbers.dtype}")
    return f"{field} in [{','.join(str(int(number)) for number in numbers)}]"


class MilvusEngine:
    """A connection. Safe for many threads.

    Args:
        uri: see `milvus_uri`. User and password, or a token, are taken from `MILVUS_TOKEN`.

    Attributes:
        whole: names of collections that this process has found whole.

    Raises:
        IndexingError: it does not answer, or its client is not installed.
    """

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self.whole: set[str] = set()
        for name, package in (("pymilvus", "policy-rag[milvus]"), ("milvus_lite", "milvus-lite")):
            if (name == "pymilvus" or uri.endswith(_FILE)) and find_spec(name) is None:
                raise IndexingError(f"{name.replace('_', '-')} is not installed: run `pip install '{package}'`")
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what fails is raised, in one line
        from pymilvus import MilvusClient

        for name in ("pymilvus", "pymilvus.milvus_client", "grpc._server"):  # importing it has set them anew
            logging.getLogger(name).setLevel(logging.CRITICAL)
        # milvus-lite hangs up on who asks it every ten seconds whether it is there.
        options: dict[str, Any] = {"grpc_options": {"grpc.keepalive_time_ms": 300_000}} if uri.endswith(_FILE) else {}
        token = os.environ.get("MILVUS_TOKEN", "")
        with self._one_line():
            self._client: Any = MilvusClient(uri, token=token, timeout=_CALL_SECONDS, **options)

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    def names(self, prefix: str) -> list[str]:
        """The collections whose name begins so."""
        with self._one_line():
            return [name for name in self._client.list_collections(timeout=_CALL_SECONDS) if name.startswith(prefix)]

    def count(self, name: str) -> int | None:
        """How many vectors a collection holds, which can be searched from now on; None where there is none."""
        with self._one_line():
            if not self._client.has_collection(name, timeout=_CALL_SECONDS):
                return None
            self._client.load_collection(name, timeout=_LONG_SECONDS)
            found = self._client.query(name, filter="", output_fields=["count(*)"], timeout=_CALL_SECONDS)
            return int(found[0]["count(*)"])

    def make(self, name: str, dimension: int, parts: Iterable[tuple[NDArray[np.int64], NDArray[np.float32]]]) -> None:
        """Makes a collection whose row `i` is the `i`-th vector; it is searched exactly, by inner product.

        Args:
            name: of the collection.
            dimension: of a vector.
            parts: documents `(n,)` and vectors `(n, dimension)`, one part after the other.
        """
        from pymilvus import DataType

        beside = f"{name}_unfinished"
        with self._one_line():
            schema = self._client.create_schema(auto_id=False, enable_dynamic_field=False)
            schema.add_field("row", DataType.INT64, is_primary=True)
            schema.add_field("document", DataType.INT64)
            schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=dimension)
            exact = self._client.prepare_index_params()
            exact.add_index("embedding", index_type="FLAT", metric_type="IP")
            self._client.create_collection(beside, schema=schema, consistency_level="Strong", timeout=_LONG_SECONDS)
            # Told with the collection, the client would sleep half a second until nothing is indexed.
            self._client.create_index(beside, exact, sync=False, timeout=_LONG_SECONDS)
        first = 0
        for documents, vectors in parts:
            for i in range(0, len(documents), _INSERTED):
                rows = [
                    {"row": first + k, "document": int(documents[k]), "embedding": vectors[k]}
                    for k in range(i, min(i + _INSERTED, len(documents)))
                ]
                with self._one_line():
                    self._client.insert(beside, rows, timeout=_LONG_SECONDS)
            first += len(documents)
        with self._one_line():
            self._client.flush(beside, timeout=_LONG_SECONDS)
            self._client.rename_collection(beside, name, timeout=_CALL_SECONDS)
            self._client.load_collection(name, timeout=_LONG_SECONDS)

    def drop(self, names: Iterable[str]) -> None:
        """Drops collections."""
        for name in names:
            self.whole.discard(name)
            with self._one_line():
                self._client.drop_collection(name, timeout=_LONG_SECONDS)

    def search(
        self, name: str, queries: NDArray[np.float32], n: int, expression: str
    ) -> list[NDArray[np.int64]] | None:
        """The `n` nearest rows of each query that pass the filter, `MOST` at most; None where it cannot be searched."""
        from grpc import RpcError  # type: ignore[import-untyped]
        from pymilvus import MilvusException

        found: list[NDArray[np.int64]] = []
        try:
            for i in range(0, len(queries), _ASKED):
                hits = self._client.search(
                    name,
                    data=list(queries[i : i + _ASKED]),
                    filter=expression,
                    limit=min(n, MOST),
                    output_fields=["row"],
                    search_params={"metric_type": "IP"},
                    timeout=_CALL_SECONDS,
                )
                found += [np.array([hit["row"] for hit in one], dtype=np.int64) for one in hits]
        except (MilvusException, RpcError):
            return None  # whoever asks looks whether it is there, and is told then what Milvus says
        return found

    def rows(self, name: str, first: int, end: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Documents and vectors of the rows from `first` to below `end`, in order, as far as they are there."""
        documents: list[int] = []
        vectors: list[Sequence[float]] = []
        for i in range(first, end, _INSERTED):
            with self._one_line():
                found = self._client.query(
                    name,
                    filter=among("row", np.arange(i, min(i + _INSERTED, end))),
                    output_fields=["row", "document", "embedding"],
                    timeout=_CALL_SECONDS,
                )
            for row in sorted(found, key=lambda row: row["row"]):
                documents.append(row["document"])
                vectors.append(row["embedding"])
        return np.array(documents, dtype=np.int64), np.array(vectors, dtype=np.float32)

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        from grpc import RpcError
        from pymilvus import MilvusException

        try:
            yield
        except (MilvusException, RpcError) as error:
            # Where a call takes too long it is gRPC's own error, whose text is many lines and whose details are one.
            said = error.details() if isinstance(error, RpcError) else error.message
            raise IndexingError(
                f"Milvus at {self.uri} cannot be used ({first_line(error, said)}): start it and run this again, "
                f"or run `policy-rag migrate --index URL --vectors files`"
            ) from error
