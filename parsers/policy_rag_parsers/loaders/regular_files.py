"""Reading what a path names: regular files only, so that no device, pipe or socket is ever waited for."""

import errno
import os
import stat
from pathlib import Path
from typing import Final

from policy_rag_parsers.errors import LoadError

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# Kinds of files that the kernel makes up, which have no length and may say anything.
_MADE_UP: Final = ("/proc", "/sys")


def read_regular(path: Path, root: Path | None = None, *, most: int | None = None) -> bytes:
    """The bytes of a regular file.

    Args:
        path: the file, or a link to one.
        root: a folder out of which no link may lead; None where links are followed wherever they lead.
        most: bytes that it may have.

    Raises:
        LoadError: it is no regular file, lies outside `root`, is too long, or cannot be read; no file is named.
    """
    if reason := outside(path, root):
        raise LoadError(reason)
    try:
        # Without O_NONBLOCK a pipe would be waited for before it can be asked what it is.
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except PermissionError as error:
        raise LoadError(f"no permission to read it; try: chmod u+r '{path}'") from error
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise LoadError("is a socket or a pipe, not a regular file; take it out") from error
        raise LoadError(f"cannot be read ({error.strerror or error}); check that the file is there") from error
    with os.fdopen(opened, "rb") as file:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode):
            raise LoadError(f"is {kind_of(status.st_mode)}, not a regular file; take it out")
        if most is not None and status.st_size > most:
            raise LoadError(f"has {status.st_size:,} bytes, and at most {most:,} are read; split it, or take it out")
        try:
            # Room is made for as many bytes as are asked for, however few there are.
            data = file.read(status.st_size + 1)
            if len(data) > status.st_size:  # it grew
                data += file.read() if most is None else file.read(max(0, most + 1 - len(data)))
        except OSError as error:
            raise LoadError(f"cannot be read ({error.strerror or error}); check that the file is there") from error
    if most is not None and len(data) > most:
        raise LoadError(f"has more than {most:,} bytes; split it, or take it out")
    return data


def outside(path: Path, root: Path | None) -> str:
    """Why a path may not be followed: it leads out of `root`, or to what the kernel makes up; "" where it may."""
    real = os.path.realpath(path)
    if any(real == place or real.startswith(f"{place}/") for place in _MADE_UP):
        return f"leads to {real}, which is no file on a disk; take it out"
    if root is not None and not Path(real).is_relative_to(os.path.realpath(root)):
        return f"is a link out of the folder, to {real}: copy the file there, or add --follow-links to take it in"
    return ""


def kind_of(mode: int) -> str:
    """What a file is, of its mode: "a named pipe", "a folder"."""
    return next((name for is_it, name in _KINDS if is_it(mode)), "a special file")
