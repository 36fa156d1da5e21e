"""What the service keeps for itself: one place that all its processes share, each concept with tables of its own.

Concepts write SQL that SQLite and Postgres both read; rows are mappings by column.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, Protocol, TypeAlias, TypeVar

from pydantic import TypeAdapter

from policy_rag.index.store.database import Database
from policy_rag.index.store.place import IndexPlace, postgres_installed
from policy_rag.index.store.postgres.address import PostgresAddress

Record = TypeVar("Record")
Row: TypeAlias = Mapping[str, Any]


class ServiceState(Protocol):
    """Where it is kept, open; safe for many threads and many processes.

    `folder_state` keeps it in a file of one machine, `postgres_state` in the database of an index, for many machines.
    """

    def add_tables(self, schema: str) -> None:
        """Makes a concept's tables, by SQLite's statements that may be run any number of times (`... IF NOT EXISTS`).

        Those in Postgres are made by `policy-rag migrate`.
        """
        ...

    def reading(self) -> AbstractContextManager[Database]:
        """The thread's connection; each statement sees all that was committed before it, and is committed itself.

        Raises:
            StateError: the state cannot be read.
        """
        ...

    def changing(self) -> AbstractContextManager[Database]:
        """One transaction, alone among all processes: all of it or, when anything goes wrong, nothing.

        Raises:
            StateError: the state cannot be written, or another held it for half a minute.
        """
        ...

    def working_alone(self) -> AbstractContextManager[bool]:
        """Whether this is the one worker of all processes until the end of the block.

        Another may be as soon as its process, or its machine, is no more; should this one live on, its next statement
        fails.

        Raises:
            StateError: that cannot be told.
        """
        ...

    def close(self) -> None:
        """Lets go of connections: of those of other threads too, or they end with their threads."""
        ...


def open_state(place: IndexPlace) -> ServiceState:
    """Opens the state in a folder, or in the database of an index.

    Raises:
        StateError: it cannot be read or written.
        IndexingError: what Postgres takes is not installed.
    """
    if isinstance(place, PostgresAddress):
        with postgres_installed():
            from policy_rag.server.postgres_state import PostgresState
        return PostgresState(place)
    from policy_rag.server.folder_state import FolderState

    return FolderState(place)


def record_of(kind: Callable[..., Record], row: Row, *encoded: str, **more: Any) -> Record:
    """A row as a record whose fields have the names of the columns; `encoded` ones hold JSON, and `more` are none."""
    decoded = {name: json.loads(row[name]) for name in encoded if row[name] is not None}
    made: Record = _reader(kind).validate_python({**row, **decoded, **more})
    return made


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
