"""The state of a service in a folder: one SQLite file, for the processes of one machine."""

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from policy_rag.errors import StateError

DATABASE = "service.sqlite"
_LOCK = "worker.lock"
_WAIT_SECONDS = 30.0


class FolderState:
    """See `state.ServiceState`; each thread has a connection of its own.

    Args:
        folder: where it is; made, for its owner alone, if it is not there.

    Raises:
        StateError: the folder cannot be written, or the file is none of ours.

    >>> import tempfile
    >>> state = FolderState(Path(tempfile.mkdtemp()))
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
        """Makes a concept's tables."""
        with self._errors():
            self._connection().executescript(schema)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The thread's connection."""
        with self._errors():
            yield self._connection()

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction."""
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

    @contextmanager
    def working_alone(self) -> Iterator[bool]:
        """Whether this is the one worker; the system drops the lock when its holder dies."""
        lock = FileLock(self.folder / _LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            yield False
            return
        try:
            yield True
        finally:
            lock.release()

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


class _Held:
    """A connection that closes when its thread, which alone holds it, is gone."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, self.db.close)
        self.db.row_factory = _by_column
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.execute("PRAGMA secure_delete = ON")  # what is dropped is not left in the file


def _by_column(cursor: sqlite3.Cursor, row: tuple[Any, ...]) -> dict[str, Any]:
    return {column[0]: value for column, value in zip(cursor.description, row, strict=True)}
