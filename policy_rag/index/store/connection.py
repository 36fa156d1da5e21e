"""A connection to the index that ends with the thread that uses it, and knows when the index is another by now."""

import weakref
from pathlib import Path

from policy_rag.index.store.schema import DATABASE, connect


class Connection:
    """A thread's connection. Nothing but the thread should hold it: it closes when it is dropped.

    Args:
        folder: the index's.
        create: whether to make an empty index where there is none.

    Raises:
        IndexingError: there is none, or it cannot be read.
    """

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
