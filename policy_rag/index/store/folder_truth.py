"""The truth in a folder: one SQLite file, and beside it the derived files."""

import datetime as dt
import sqlite3
import threading
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database
from policy_rag.index.store.lock import writing
from policy_rag.index.store.manifest import transaction
from policy_rag.index.store.schema import DATABASE, connect
from policy_rag.index.store.truth import Truth

_PATIENCE_MS = 250  # how long a write waits for readers to let go of what it took out


class _Connection:
    """A thread's connection. Nothing but the thread should hold it: it closes when it is dropped."""

    def __init__(self, folder: Path, *, create: bool) -> None:
        self.db = connect(folder, create=create)
        self._path = folder / DATABASE
        self._file = _identity(self._path)
        weakref.finalize(self, self.db.close)

    def is_current(self) -> bool:
        """Whether the database is still the file in the folder. SQLite would go on with one that was unlinked."""
        return _identity(self._path) == self._file


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file that is on this machine; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class FolderTruth(Truth):
    """See `truth.Truth`; a connection a thread. SQLite has no search for vectors.

    Args:
        folder: where it is.
        create: whether to make an empty index where there is none.

    Raises:
        IndexingError: there is none, or it cannot be read.
    """

    keeps_files = True
    errors: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        self.folder = folder
        self.name = str(folder)
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: weakref.WeakSet[_Connection] = weakref.WeakSet()
        self._closed = False
        if create:
            with writing(folder):
                self._connect(create=True)
        else:
            self._connect()

    def _connect(self, *, create: bool = False) -> sqlite3.Connection:
        if self._closed:
            raise IndexingError(f"the index in {self.folder} was closed: open it again, and close it when all is done")
        held: _Connection | None = getattr(self._local, "held", None)
        if held is None:
            held = _Connection(self.folder, create=create)
            self._local.held = held
            with self._lock:
                self._connections.add(held)
        elif not held.is_current():
            raise IndexingError(
                f"the index in {self.folder} was deleted or replaced after it was opened: open it again, "
                f"or run `policy-rag ingest PATH --index {self.folder}` where it is to be made anew"
            )
        return held.db

    def close(self) -> None:
        """Closes every connection."""
        with self._lock:
            self._closed = True
            for held in self._connections:
                held.db.close()
            self._connections.clear()

    @contextmanager
    def reading(self) -> Iterator[Database]:
        """A connection that sees one transaction."""
        db = self._connect()
        if db.in_transaction:
            yield db
            return
        db.execute("BEGIN")
        try:
            yield db
        finally:
            db.execute("ROLLBACK")

    def is_reading(self) -> bool:
        """Whether this thread is in a transaction."""
        return self._connect().in_transaction

    def as_reader(self, db: Database, groups: Sequence[str], day: dt.date | None) -> Database:  # noqa: ARG002
        """The same connection: SQLite knows no access, so what a caller sees is chosen before it is asked."""
        return db

    @contextmanager
    def writer(self) -> Iterator[Database]:
        """A connection for writing, with the lock held meanwhile."""
        self._connect()  # else the folder of a deleted one would be made again
        with writing(self.folder):
            yield self._connect()

    @contextmanager
    def changing(self, db: Database) -> Iterator[None]:
        """One transaction of a writer."""
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            if cast("sqlite3.Connection", db).in_transaction:  # SQLite itself rolls back when the disk is full
                db.execute("ROLLBACK")
            raise

    def newest(self) -> int:
        """The newest transaction."""
        db = connect(self.folder)
        try:
            return transaction(db)
        finally:
            db.close()

    def forget(self, db: Database) -> None:
        """What was removed leaves the write-ahead log too."""
        with suppress(sqlite3.Error):
            # A reader that holds an old state may keep the log a while: it goes when the last connection closes.
            db.execute(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            db.execute("PRAGMA busy_timeout = 30000")

    def faults(self, db: Database) -> Iterator[tuple[bool, str]]:
        """SQLite's own check of its pages and indexes, and rows that belong to no other."""
        for (message,) in db.execute("PRAGMA integrity_check(20)").fetchall():
            if message != "ok":
                yield False, f"SQLite: {message}"
        orphans = Counter(row[0] for row in db.execute("PRAGMA foreign_key_check"))
        for table, count in sorted(orphans.items()):
            yield True, f"{count} rows of {table} belong to nothing"

    def mend(self, db: Database) -> None:
        """Makes SQLite's indexes anew, and takes out rows that belong to nothing."""
        db.execute("REINDEX")
        for table, row_id, _, _ in db.execute("PRAGMA foreign_key_check").fetchall():
            if row_id is not None:
                db.execute(f"DELETE FROM {table} WHERE rowid = ?", (row_id,))
        for table in ("sections", "edges", "blocks"):
            db.execute(f"DELETE FROM {table} WHERE doc_key NOT IN (SELECT doc_key FROM documents)")
        db.execute("DELETE FROM chunks WHERE passage_key NOT IN (SELECT passage_key FROM passages)")

    def write_error(self, error: Exception) -> str:
        """What a failed write means."""
        return (
            f"writing to the index in {self.folder} failed ({error}); it holds what it held before: "
            f"free some disk space or choose another folder with --index, then run this again"
        )

    def read_error(self, error: Exception) -> str:
        """What a failed read means."""
        return (
            f"the index in {self.folder} is damaged ({error}): restore it from a copy, "
            f"or run `policy-rag ingest PATH --index NEW_FOLDER`"
        )
