"""What the service keeps for itself: one SQLite file that all its processes share. Each concept owns its own tables."""

import json
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter

from policy_rag.errors import StateError

DATABASE = "service.sqlite"
_WAIT_SECONDS = 30.0
Record = TypeVar("Record")


class ServiceState:
    """The state's file, open; safe for many threads, each of which has a connection of its own, and many processes.

    Args:
        folder: where it is; made, for its owner alone, if it is not there.

    Raises:
        StateError: the folder cannot be written, or the file is none of ours.

    >>> import tempfile
    >>> state = ServiceState(Path(tempfile.mkdtemp()))
    >>> state.add_tables("CREATE TABLE IF NOT EXISTS seen (name TEXT PRIMARY KEY)")
    >>> with state.changing() as db:
    ...     _ = db.execute("INSERT INTO seen VALUES ('leave.md')")
    >>> with state.reading() as db:
    ...     db.execute("SELECT name FROM seen").fetchone()["name"]
    'leave.md'
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._local = threading.local()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            (folder / DATABASE).touch(mode=0o600)  # questions and who asked them: for the owner alone
        except OSError as error:
            raise StateError(
                f"cannot keep the service's state in {folder} ({error.strerror}): choose another folder with --state"
            ) from error
        with self.reading():
            pass

    def add_tables(self, schema: str) -> None:
        """Makes a concept's tables, by statements that may be run any number of times (`... IF NOT EXISTS`)."""
        with self._errors():
            self._connection().executescript(schema)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The thread's connection, whose rows have names; each statement sees all that was committed before it.

        Raises:
            StateError: the file cannot be read.
        """
        with self._errors():
            yield self._connection()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, alone among all processes: all of it or, when anything goes wrong, nothing.

        Raises:
            StateError: the file cannot be written, or another held it for half a minute.
        """
        with self._errors():
            db = self._connection()
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # SQLite itself rolls back when the disk is full
                    db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Closes this thread's connection; those of other threads end with their threads."""
        self._local.__dict__.clear()

    def _connection(self) -> sqlite3.Connection:
        held: _Held | None = getattr(self._local, "held", None)
        if held is None:
            held = self._local.held = _Held(self.folder / DATABASE)
        return held.db

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StateError(
                f"the service's state in {self.folder} failed ({error}): free some disk space, or choose another "
                f"folder with --state"
            ) from error


def record_of(kind: Callable[..., Record], row: sqlite3.Row, *encoded: str, **more: Any) -> Record:
    """A row as a record whose fields have the names of the columns; `encoded` ones hold JSON, and `more` are none."""
    decoded = {name: json.loads(row[name]) for name in encoded if row[name] is not None}
    made: Record = _reader(kind).validate_python({**row, **decoded, **more})
    return made


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


class _Held:
    """A connection that closes when its thread, which alone holds it, is gone."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self.db.close)
        self.db.row_factory = sqlite3.Row
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.execute("PRAGMA secure_delete = ON")  # what is dropped is not left in the file
