"""A connection to Postgres as the index uses it: SQL with `?`, and whose eyes it sees with."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from policy_rag.index.store.database import Rows

if TYPE_CHECKING:
    from psycopg import Connection

READER, KEEPER = "policy_rag_reader", "policy_rag_keeper"
"""The roles of the database: under row-level security, and the index itself."""


@dataclass(frozen=True, slots=True)
class DatabaseCaller:
    """Whose rows a statement sees; `groups` None is the index itself, which sees all."""

    groups: tuple[str, ...] | None = None
    day: str = ""


class SharedConnection:
    """One connection, and the caller that the transaction under way is set to.

    Args:
        raw: in autocommit mode; transactions are begun by hand.
    """

    def __init__(self, raw: "Connection[tuple[Any, ...]]") -> None:
        self.raw = raw
        self.caller: DatabaseCaller | None = None

    def see_as(self, caller: DatabaseCaller, *, for_session: bool = False) -> None:
        """Sets role, groups and day where they are not set so, for the transaction under way or until the writer ends.

        They are values of a statement, never part of its text.
        """
        if self.caller == caller:
            return
        self.caller = None
        groups = None if caller.groups is None else list(caller.groups)
        self.raw.execute(
            "SELECT set_config('role', %(role)s, %(local)s), set_config('search_path', %(path)s, %(local)s), "
            "set_config('policy_rag.groups', %(groups)s::text[]::text, %(local)s), "
            "set_config('policy_rag.day', %(day)s, %(local)s)",
            {
                "role": KEEPER if groups is None else READER,
                "path": "policy_rag, pg_temp",
                "groups": groups or [],
                "day": caller.day,
                "local": not for_session,
            },
        )
        self.caller = caller

    @contextmanager
    def seeing_as(self, caller: DatabaseCaller) -> Iterator[None]:
        """The same for a statement, on one way to the server and back."""
        if self.caller == caller:
            yield
            return
        try:
            with self.raw.pipeline():
                self.see_as(caller)
                yield
        except BaseException:
            self.caller = None  # whatever is set by now
            raise


class PostgresDatabase:
    """One caller's view of a connection; see `database.Database`."""

    def __init__(self, shared: SharedConnection, caller: DatabaseCaller) -> None:
        self.shared = shared
        self._caller = caller

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Runs one statement as the caller."""
        with self.shared.seeing_as(self._caller):
            return self.shared.raw.execute(translated(sql).encode(), parameters, binary=True)

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Runs one statement for each of `parameters`."""
        self.shared.see_as(self._caller)
        with self.shared.raw.cursor() as cursor:
            cursor.executemany(translated(sql).encode(), parameters)
        return None

    def copy_in(self, statement: str, data: Iterable[bytes]) -> None:
        """Writes rows by COPY as the caller, in the form that the statement names."""
        self.shared.see_as(self._caller)
        with self.shared.raw.cursor() as cursor, cursor.copy(statement.encode()) as copy:
            for part in data:
                copy.write(part)


@lru_cache(maxsize=512)
def translated(sql: str) -> str:
    """A statement with `?` as psycopg reads it. SQLite's LIKE does not tell the case of letters; nor does ours."""
    return re.sub(r"\bLIKE\b", "ILIKE", sql.replace("%", "%%").replace("?", "%s"))
