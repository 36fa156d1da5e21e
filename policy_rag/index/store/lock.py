"""One writer at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from policy_rag.errors import IndexingError


@contextmanager
def writing(folder: Path, *, wait: float = 60.0) -> Iterator[None]:
    """Holds the index for writing, waiting up to `wait` seconds for another writer to end.

    The operating system drops the lock when its holder dies, so none is ever left behind.

    Raises:
        IndexingError: another process still writes, or the folder cannot be written.
    """
    holder = folder / "writer.pid"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / "writer.lock")
        lock.acquire(timeout=wait)
    except Timeout as error:
        raise IndexingError(
            f"process {_pid(holder)} is writing to the index in {folder}: wait for it to end, then run this again"
        ) from error
    except OSError as error:
        raise IndexingError(
            f"cannot write to {folder} ({error.strerror}): choose another folder with --index"
        ) from error
    try:
        with suppress(OSError):  # it only serves the message above; on a full disk there is room for none
            holder.write_text(str(os.getpid()), encoding="utf-8")
        yield
    finally:
        with suppress(OSError):
            holder.unlink()
        lock.release()


def _pid(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8") or "unknown"
    except OSError:
        return "unknown"
