"""Files that are there whole, or as they were."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def written_whole(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """A file beside `path` to write, renamed to it at the end: that is there with all that it says, or as it was.

    Args:
        path: what the file is to be.
        durable: whether it is waited for until it is on the disk, so that a power cut leaves no name without content.

    Raises:
        OSError: what writing or renaming raises; nothing of it is then left beside.
    """
    beside = path.with_name(f".{path.name}.writing")
    try:
        yield beside
        if durable:
            make_durable(beside)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise


def make_durable(path: Path) -> None:
    """Waits until a file (on POSIX, also a folder) is on the disk."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
