"""The state of a service in the database of its index, for the processes of many machines."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import PoolClosed

from policy_rag.errors import StateError
from policy_rag.index.store.database import Database, Rows
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.postgres.connection import translated
from policy_rag.index.store.postgres.pool import connect, first_line, open_pool
from policy_rag.index.store.postgres.schema import SERVICE

if TYPE_CHECKING:
    from psycopg import Connection

_CHANGING, _WORKING = 0x6368616E6765, 0x776F726B6572  # keys of advisory locks: "change", "worker"
_CONNECTIONS = 8  # at once, of one process

# What a machine that is no more held is free within a minute: the server asks whether who holds it is still there.
_SETTINGS = f"""
SET search_path TO {SERVICE}, pg_temp;
SET lock_timeout = '30s';
SET idle_in_transaction_session_timeout = '60s';
SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3
"""


class PostgresState:
    """See `state.ServiceState`. The tables are used by the login itself, and by no role under which policies are read.

    Args:
        address: the database.

    Raises:
        StateError: it does not answer, has no such tables, or the login may not use them.
    """

    def __init__(self, address: PostgresAddress) -> None:
        self._name = str(address)
        self._local = threading.local()
        with self._errors(), connect(address.url) as raw:
            _settle(raw)
            raw.execute(f"SELECT FROM {SERVICE}.keys LIMIT 0".encode())
        self._pool = open_pool(address.url, most=_CONNECTIONS, configure=_settle)

    def add_tables(self, schema: str) -> None:
        """Nothing: `policy-rag migrate` made them."""

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """The thread's connection."""
        with self._errors(), self._connection() as raw:
            yield _NamedRows(raw)

    @contextmanager
    def changing(self) -> Iterator[Database]:
        """One transaction, behind a lock that the server drops with it."""
        with self._errors(), self._connection() as raw, raw.transaction():
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (_CHANGING,))
            yield _NamedRows(raw)

    @contextmanager
    def working_alone(self) -> Iterator[bool]:
        """Whether this is the one worker; its statements go over the connection that holds the lock."""
        with self._errors(), self._connection() as raw:
            row = raw.execute("SELECT pg_try_advisory_lock(%s)", (_WORKING,)).fetchone()
            alone = row is not None and bool(row[0])
            try:
                yield alone
            finally:
                if alone:
                    with suppress(psycopg.OperationalError):  # the connection is gone, and with it the lock
                        raw.execute("SELECT pg_advisory_unlock(%s)", (_WORKING,))

    def close(self) -> None:
        """Closes every connection."""
        self._pool.close()

    @contextmanager
    def _connection(self) -> "Iterator[Connection[tuple[Any, ...]]]":
        """This thread's connection while it has one, else one of the pool."""
        held: Connection[tuple[Any, ...]] | None = getattr(self._local, "held", None)
        if held is not None:
            yield held
            return
        with self._pool.connection() as raw:
            self._local.held = raw
            try:
                yield raw
            finally:
                self._local.held = None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            raise StateError(self._meaning(error)) from error

    def _meaning(self, error: psycopg.Error) -> str:
        said = first_line(error)
        match error:
            case psycopg.errors.UndefinedTable() | psycopg.errors.UndefinedColumn():
                return (
                    f"the database {self._name} lacks tables for the keys, sessions and questions of a service: run "
                    f"`policy-rag migrate --index URL`"
                )
            case psycopg.errors.InsufficientPrivilege():
                return (
                    f"the login of {self._name} may not use the tables of a service ({said}): let its owner run "
                    f"`policy-rag migrate --index URL --grant LOGIN`"
                )
            case PoolClosed():
                return f"the service's state in {self._name} was closed: open it again, and close it when all is done"
            case psycopg.OperationalError():
                return f"the database {self._name} does not answer ({said}): start it, or mend --index"
        return f"the service's state in {self._name} failed ({said}): see to the database"


class _NamedRows:
    """A connection as `database.Database`, whose rows are mappings by column."""

    def __init__(self, raw: "Connection[tuple[Any, ...]]") -> None:
        self._raw = raw

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Runs one statement."""
        cursor = self._raw.cursor(row_factory=dict_row)
        return cursor.execute(translated(sql).encode(), _storable(parameters), binary=True)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Runs one statement for each of `parameters`."""
        with self._raw.cursor() as cursor:
            cursor.executemany(translated(sql).encode(), map(_storable, parameters))
        return None


def _storable(parameters: Sequence[Any]) -> list[Any]:
    """Values as Postgres can keep them: its texts have no NUL, in place of which stands U+FFFD."""
    return [value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in parameters]


def _settle(raw: "Connection[tuple[Any, ...]]") -> None:
    raw.execute(_SETTINGS.encode())
