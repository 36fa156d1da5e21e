"""Where the rows of an index lie: the seam between the index and the database that holds its truth."""

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.search.vector_search import VectorSearch
from policy_rag.index.store.database import Database


class Truth(Protocol):
    """The rows of one index. Safe for many threads. What only some databases do is done by none, unless they say so.

    Attributes:
        name: how messages name it, without any password.
        folder: where derived files lie, and what else is kept on this machine.
        keeps_files: whether derived files are the index's own and are written with each transaction; else a reader
            makes them from the rows when it needs them.
        errors: what the database raises, but for `OSError`.
    """

    name: str
    folder: Path
    keeps_files: bool
    errors: tuple[type[Exception], ...]

    def reading(self) -> AbstractContextManager[Database]:
        """A connection that sees one transaction, whatever is written meanwhile; inside another, that one.

        Raises:
            IndexingError: the database cannot be read.
        """
        ...

    def is_reading(self) -> bool:
        """Whether this thread is in a transaction."""
        ...

    def as_reader(self, db: Database, groups: Sequence[str], day: dt.date | None) -> Database:
        """A connection's view of a caller: a database that knows access shows him what he may read, and no more.

        Args:
            db: of `reading`; both see the same transaction.
            groups: the caller's.
            day: only documents in force on it; None for any.
        """
        ...

    def writer(self) -> AbstractContextManager[Database]:
        """A connection for writing; there is no other writer meanwhile.

        Raises:
            IndexingError: another process still writes, or the index cannot be written.
        """
        ...

    def changing(self, db: Database) -> AbstractContextManager[None]:
        """One transaction of a writer: all of it or, when anything goes wrong, nothing."""
        ...

    def complete(self, db: Database) -> None:  # noqa: ARG002
        """Works out what only this database keeps, from rows that stand; before a transaction ends."""
        return

    def searches_vectors(self, db: Database) -> bool:  # noqa: ARG002
        """Whether the database, or an engine beside it, searches vectors; else they are searched in derived files."""
        return False

    def vector_mean(self, db: Database) -> NDArray[np.float32] | None:  # noqa: ARG002
        """The mean of all vectors where the database searches them itself, `(dimension,)`; else None."""
        return None

    def vector_search(
        self, db: Database, state: str, passages: NDArray[np.int64], chunks: NDArray[np.int64]
    ) -> VectorSearch:
        """The database's own search, for the caller whose view `db` is.

        Args:
            db: of `as_reader`.
            state: the token of the transaction that it sees; what searches is looked up once for each.
            passages: see `snapshot_files.Derived`.
            chunks: likewise.
        """
        del db, state, passages, chunks
        raise TypeError("an index whose vectors are searched in files")

    def newest(self) -> int:
        """The newest transaction, whatever this thread's connection sees."""
        ...

    def forget(self, db: Database) -> None:  # noqa: ARG002
        """Lets go of what a transaction took out, as far as readers allow; never fails."""
        return

    def faults(self, db: Database) -> Iterator[tuple[bool, str]]:
        """The database's own checks: whether rows belong to nothing (else something worse is wrong), and what."""
        ...

    def mend(self, db: Database) -> None:
        """Mends what `faults` found, as far as that is possible; inside a transaction."""
        ...

    def write_error(self, error: Exception) -> str:
        """What a failed write means and what to do, in one line."""
        ...

    def read_error(self, error: Exception) -> str:
        """The same of a failed read."""
        ...

    def close(self) -> None:
        """Closes every connection."""
        ...
