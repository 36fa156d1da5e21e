"""What is asked of a database: statements in SQL that SQLite and Postgres both read, `?` for each value."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol


class Rows(Protocol):
    """What a statement found: each row a tuple, or, in the state of a service, a mapping by column."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """The rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection as it is used: `sqlite3.Connection` is one."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Rows:
        """Runs one statement; each `?` takes a value of `parameters`, in their order."""
        ...

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Runs one statement for each of `parameters`."""
        ...
