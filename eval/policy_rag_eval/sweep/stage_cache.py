"""What stages of a sweep gave, kept on disk by what went in, so that nothing is computed twice.

A stage is named by a digest of all that shapes it (model weights, settings, code), an item by a digest of one input.
Everything lies in one SQLite file under the evaluations' folder and may be deleted at any time: it is then made again.
What one `write` brings is there whole or not at all, whatever happens meanwhile, and never harms what is there.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from policy_rag_eval.errors import StageCacheError

FILE = "stages.sqlite3"


def digest(*parts: Any) -> bytes:
    """16 bytes that name values which JSON can write; equal values have equal names.

    >>> digest("a", {"x": 1, "y": 2}) == digest("a", {"y": 2, "x": 1})
    True
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    written = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.blake2b(written.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class StageCache:
    """Bytes by stage and item. Safe for many threads, and for several sweeps at once.

    Args:
        folder: where the file lies; made if it is not there.

    Raises:
        StageCacheError: the file cannot be opened or made.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._lock = threading.Lock()
        with self._errors():
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.execute(
                    "CREATE TABLE IF NOT EXISTS kept "
                    "(stage BLOB NOT NULL, item BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (stage, item)) "
                    "WITHOUT ROWID"
                )
            except sqlite3.Error:
                self._db.close()
                raise

    def read(self, stage: bytes, items: Sequence[bytes]) -> dict[bytes, bytes]:
        """What is kept of `items`; those that are not are left out.

        Raises:
            StageCacheError: the file is damaged.
        """
        found: dict[bytes, bytes] = {}
        with self._lock, self._errors():
            for item in items:
                row = self._db.execute("SELECT value FROM kept WHERE stage = ? AND item = ?", (stage, item)).fetchone()
                if row is not None:
                    found[item] = row[0]
        return found

    def count(self, stage: bytes, items: Sequence[bytes]) -> int:
        """How many of the distinct `items` are kept."""
        return len(self.read(stage, list(dict.fromkeys(items))))

    def write(self, stage: bytes, values: Mapping[bytes, bytes]) -> None:
        """Keeps all of `values` or, when anything goes wrong, none of them; an item that is kept already is replaced.

        Raises:
            StageCacheError: the disk is full or cannot be written.
        """
        if not values:
            return
        with self._lock, self._errors():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(
                    "INSERT OR REPLACE INTO kept VALUES (?, ?, ?)",
                    [(stage, item, value) for item, value in values.items()],
                )
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._db.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What SQLite and the disk say, in one line."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise StageCacheError(
                f"what the sweep computed cannot be kept in {self.path} ({error}): what was there stays; free some "
                f"disk space or choose another folder with --index, then run this again: it goes on where it stopped"
            ) from error
        except (sqlite3.DatabaseError, OSError) as error:
            raise StageCacheError(
                f"{self.path} cannot be used ({error}): delete it, its contents can be computed again, or choose "
                f"another folder with --index"
            ) from error
