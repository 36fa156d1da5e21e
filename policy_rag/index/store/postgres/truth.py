"""The rows of an index in Postgres: row-level security for readers, one writer at a time, one transaction an ingest."""

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import Connection
from psycopg.pq import TransactionStatus

from policy_rag.errors import IndexingError
from policy_rag.index.search.vector_search import VectorSearch
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_documents
from policy_rag.index.store.manifest import read_manifest, transaction
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.postgres.connection import DatabaseCaller, PostgresDatabase, SharedConnection
from policy_rag.index.store.postgres.milvus import Collection, MilvusSearch, milvus_place, stored_mean
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine
from policy_rag.index.store.postgres.pgvector import (
    GRAPH,
    PgVectorSearch,
    add_missing,
    faults,
    has_embeddings,
    has_graph,
    mean_embedding,
    places_of,
    schema_of,
)
from policy_rag.index.store.postgres.pool import connect, first_line, open_pool
from policy_rag.index.store.postgres.schema import has_tables, migrate, require_current
from policy_rag.index.store.truth import Truth

_INDEX = DatabaseCaller()
_WRITER = 0x706F6C696379  # the key of the advisory lock: "policy"
_WAIT_SECONDS = 60.0  # for another writer, as for a folder's lock
_LOOKS_EVERY = 0.05
_CONNECTIONS = 16  # at once, of one process


class PostgresTruth(Truth):
    """See `truth.Truth`.

    Every transaction of a reader runs under the role `policy_rag_reader`, to which row-level security shows what the
    groups and the day that are set for that transaction allow; without them it shows nothing.

    Args:
        address: the database.
        create: whether to make the tables where there are none.

    Raises:
        IndexingError: the database does not answer, or holds no index of this format.
    """

    keeps_files = False
    errors: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, address: PostgresAddress, *, create: bool = False) -> None:
        self.name = str(address)
        self.folder = address.folder
        self._local = threading.local()
        self._lock = threading.Lock()
        self._milvus: MilvusEngine | None = None
        self._search: tuple[str, Callable[[PostgresDatabase], VectorSearch]] | None = None
        self._connect_info = address.url
        with self._connected() as raw:
            if create and not has_tables(raw):
                migrate(address)
            require_current(raw, self.name)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise IndexingError(
                f"cannot keep files made from the index in {self.folder} ({error.strerror}): set XDG_CACHE_HOME"
            ) from error
        self._pool = open_pool(self._connect_info, most=_CONNECTIONS, configure=_follow_graph, reset=_reset)

    @contextmanager
    def _connected(self) -> "Iterator[Connection[tuple[Any, ...]]]":
        """A connection outside the pool, which says at once why there is none."""
        try:
            raw = connect(self._connect_info)
        except psycopg.Error as error:
            raise IndexingError(self.read_error(error)) from error
        with raw:
            yield raw

    @contextmanager
    def _connection(self) -> Iterator[SharedConnection]:
        """This thread's connection while it has one, else one of the pool."""
        held: SharedConnection | None = getattr(self._local, "held", None)
        if held is not None:
            yield held
            return
        if self._pool.closed:
            raise IndexingError(f"the index in {self.name} was closed: open it again, and close it when all is done")
        with self._pool.connection() as raw:
            self._local.held = held = SharedConnection(raw)
            try:
                yield held
            finally:
                self._local.held = None

    def close(self) -> None:
        """Closes every connection."""
        self._pool.close()
        with self._lock:
            if self._milvus is not None:
                self._milvus.close()

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A connection that sees one transaction."""
        with self._connection() as held:
            if held.raw.info.transaction_status is not TransactionStatus.IDLE:
                yield PostgresDatabase(held, _INDEX)
                return
            held.raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            before, held.caller = held.caller, None
            try:
                yield PostgresDatabase(held, _INDEX)
            finally:
                held.caller = before  # what was set for the transaction ends with it
                with suppress(psycopg.OperationalError):  # the connection is gone, and with it the transaction
                    held.raw.execute("ROLLBACK")

    def is_reading(self) -> bool:
        """Whether this thread is in a transaction."""
        held: SharedConnection | None = getattr(self._local, "held", None)
        return held is not None and held.raw.info.transaction_status is not TransactionStatus.IDLE

    def as_reader(self, db: Database, groups: Sequence[str], day: dt.date | None) -> Database:
        """What row-level security shows to a caller of these groups."""
        return PostgresDatabase(_of_this(db).shared, _caller(tuple(groups), day))

    @contextmanager
    def writer(self) -> Iterator[Database]:
        """A connection that holds the writers' lock; the server drops the lock when the connection ends."""
        with self._connection() as held:
            _lock(held.raw, self.name)
            try:
                held.see_as(_INDEX, for_session=True)
                yield PostgresDatabase(held, _INDEX)
            finally:
                with suppress(psycopg.OperationalError):
                    held.raw.execute("SELECT pg_advisory_unlock(%s)", (_WRITER,))

    @contextmanager
    def changing(self, db: Database) -> Iterator[None]:
        """One transaction of a writer."""
        db.execute("BEGIN")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            with suppress(psycopg.Error):
                db.execute("ROLLBACK")
            raise

    @contextmanager
    def noting(self) -> Iterator[Database]:
        """One transaction for what is no part of the index yet, beside whoever writes."""
        with self._connection() as held:
            before, held.caller = held.caller, None
            try:
                with held.raw.transaction():
                    yield PostgresDatabase(held, _INDEX)
            finally:
                held.caller = before  # what was set for the transaction ends with it

    def complete(self, db: Database) -> None:
        """Keeps beside each document the first and last day on which it is in force, for row-level security.

        And counts on from the highest keys, which a copy brings along.
        """
        for table, key in (("documents", "doc_key"), ("passages", "passage_key")):
            sequence = f"pg_get_serial_sequence('policy_rag.{table}', '{key}')"
            db.execute(f"SELECT setval({sequence}, max({key})) FROM {table} HAVING max({key}) > nextval({sequence})")
        known = {key: (begins, ends) for key, begins, ends in db.execute("SELECT doc_key, begins, ends FROM documents")}
        periods = {d.doc_key: d.period or (None, None) for d in read_documents(db)}
        changed = [(*period, key) for key, period in periods.items() if known[key] != period]
        if changed:
            db.executemany("UPDATE documents SET begins = ?, ends = ? WHERE doc_key = ?", changed)
        if isinstance(db, PostgresDatabase) and has_embeddings(db):
            add_missing(db)

    def searches_vectors(self, db: Database) -> bool:
        """Whether `migrate --vectors` has given them to pgvector or Milvus."""
        return has_embeddings(db) or milvus_place(db) is not None

    def vector_mean(self, db: Database) -> NDArray[np.float32] | None:
        """The mean of all vectors, where pgvector or Milvus searches them."""
        if has_embeddings(db):
            return mean_embedding(db)
        manifest = read_manifest(db)
        return stored_mean(db, manifest.dimension) if manifest and milvus_place(db) else None

    def vector_search(
        self, db: Database, state: str, passages: NDArray[np.int64], chunks: NDArray[np.int64]
    ) -> VectorSearch:
        """That of Milvus, or of pgvector."""
        known = self._search
        if known is None or known[0] != state:
            own = PostgresDatabase(_of_this(db).shared, _INDEX)
            place = milvus_place(own)
            search: Callable[[PostgresDatabase], VectorSearch]
            about: dict[str, Any]
            if place is not None:
                engine = self._engine(place.uri)
                about = {"name": Collection(engine, place, own).name, "documents": passages[chunks[:, 0], 1]}
                search = partial(MilvusSearch, passages=passages, chunks=chunks, engine=engine, place=place, **about)
            else:
                about = {"schema": schema_of(own), "graph": has_graph(own)}
                search = partial(PgVectorSearch, places=places_of(passages, chunks), **about)
            known = self._search = (state, search)
        return known[1](_of_this(db))

    def _engine(self, uri: str) -> MilvusEngine:
        """The connection to Milvus, which is made once."""
        with self._lock:
            if self._milvus is None or self._milvus.uri != uri:
                self._milvus = MilvusEngine(uri)
            return self._milvus

    def newest(self) -> int:
        """The newest transaction."""
        with self._connected() as raw, raw.transaction():
            return transaction(PostgresDatabase(SharedConnection(raw), _INDEX))

    def faults(self, db: Database) -> Iterator[tuple[bool, str]]:
        """Rows that pgvector or Milvus lack: all else the server checks when it reads, or does not let be written."""
        if has_embeddings(db):
            yield from ((False, fault) for fault in faults(db))
        place = milvus_place(db)
        if place is not None:
            fault = Collection(self._engine(place.uri), place, db).fault()
            if fault is not None:
                yield False, fault

    def mend(self, db: Database) -> None:
        """Takes out what pgvector has, which the end of the transaction makes anew; Milvus' part is made for each."""
        if has_embeddings(db):
            db.execute("DELETE FROM embeddings")

    def write_error(self, error: Exception) -> str:
        """What a failed write means."""
        if isinstance(error, psycopg.DataError):
            return f"a text holds a character that Postgres cannot store ({first_line(error)}): mend the file"
        return (
            f"writing to the index in {self.name} failed ({first_line(error)}); it holds what it held before: "
            f"see to the database, then run this again"
        )

    def read_error(self, error: Exception) -> str:
        """What a failed read means."""
        if isinstance(error, psycopg.errors.InsufficientPrivilege):
            return (
                f"the login of {self.name} may not use the index ({first_line(error)}): "
                f"let its owner run `policy-rag migrate --index URL --grant LOGIN`"
            )
        if isinstance(error, psycopg.OperationalError):
            return f"the database {self.name} does not answer ({first_line(error)}): start it, or mend --index"
        return f"reading the index in {self.name} failed ({first_line(error)}): run `policy-rag verify --index URL`"


def _lock(raw: "Connection[tuple[Any, ...]]", name: str) -> None:
    """Waits for the writers' lock.

    Raises:
        IndexingError: another writer holds it for long.
    """
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        row = raw.execute("SELECT pg_try_advisory_lock(%s)", (_WRITER,)).fetchone()
        if row is not None and row[0]:
            return
        if time.monotonic() > until:
            raise IndexingError(
                f"another process is writing to the index in {name}: wait for it to end, then run this again"
            )
        time.sleep(_LOOKS_EVERY)


def _of_this(db: Database) -> PostgresDatabase:
    if not isinstance(db, PostgresDatabase):
        raise TypeError("a connection of another index")
    return db


def _follow_graph(raw: "Connection[tuple[Any, ...]]") -> None:
    """Settings of pgvector, which a server without it only keeps."""
    raw.execute("; ".join(f"SET {name} = '{value}'" for name, value in GRAPH.items()).encode())


def _reset(raw: "Connection[tuple[Any, ...]]") -> None:
    """Before a connection goes back to the pool: nobody's role, and no lock."""
    raw.execute("RESET ROLE; RESET search_path; SELECT pg_advisory_unlock_all()")


@lru_cache(maxsize=256)  # callers are few, and ask again
def _caller(groups: tuple[str, ...], day: dt.date | None) -> DatabaseCaller:
    storable = tuple(sorted({group for group in groups if _storable(group)}))  # no document names another
    return DatabaseCaller(storable, day.isoformat() if day else "")


def _storable(group: str) -> bool:
    return "\0" not in group and not any("\ud800" <= character <= "\udfff" for character in group)
