"""Which files a call means: folders walked in a fixed order, each real file once."""

import os
import unicodedata
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from policy_rag_parsers.errors import UsageError
from policy_rag_parsers.loaders import SUFFIXES
from policy_rag_parsers.loaders.regular_files import outside

_IGNORED: Final = frozenset({"policies.yaml", "policies.yml"})


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to read.

    Attributes:
        path: where it is.
        root: the folder that was named; for a file that was named itself, its folder.
        relative: its POSIX path relative to `root`, spelt as on disk.
    """

    path: Path
    root: Path
    relative: str


@dataclass(frozen=True, slots=True)
class SkippedPath:
    """A file or folder that is left out, and why, in a few words."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What was found: `files` in the order of the named paths, sorted within each; `skipped` likewise."""

    files: tuple[FoundFile, ...]
    skipped: tuple[SkippedPath, ...]


@dataclass(slots=True)
class _Walk:
    """One walk over all named paths; `seen` maps real paths of files and folders to how they were reached."""

    follow_links: bool = False
    seen: dict[str, Path] = field(default_factory=dict)
    files: list[FoundFile] = field(default_factory=list)
    skipped: list[SkippedPath] = field(default_factory=list)

    def skip(self, path: Path, reason: str) -> None:
        self.skipped.append(SkippedPath(path, reason))

    def first_time(self, path: Path) -> bool:
        """Whether this real file or folder was not reached before."""
        real = os.path.realpath(path)
        if real in self.seen:
            self.skip(path, f"the same as {self.seen[real]}, which is read already")
            return False
        self.seen[real] = path
        return True

    def file(self, path: Path, root: Path) -> None:
        reason = _unreadable(path)
        if reason is not None:
            self.skip(path, reason)
        elif self.first_time(path):
            self.files.append(FoundFile(path, root, path.relative_to(root).as_posix()))

    def folder(self, root: Path) -> None:
        """Walk `root`. What links lead to comes last, so that a file is known by its real place where it has one."""
        pending, links = deque([root]), deque[Path]()
        while pending or links:
            path = pending.popleft() if pending else links.popleft()
            if path != root and (reason := outside(path, None if self.follow_links else root)):
                self.skip(path, reason)
            elif os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises where the folder above may not be searched
                for entry in self._entries(path):
                    (links if entry.is_symlink() else pending).append(entry)
            else:
                self.file(path, root)

    def _entries(self, folder: Path) -> list[Path]:
        if not self.first_time(folder):
            return []
        try:
            entries = sorted(folder.iterdir())
        except OSError as error:
            self.skip(folder, f"the folder cannot be read ({error.strerror})")
            return []
        return [entry for entry in entries if not _hidden(entry.name)]


def discover(paths: Sequence[Path], *, follow_links: bool = False) -> Discovery:
    """Find the files that can be read as policies.

    Folders are walked to any depth. Names that begin with a dot, Word's lock files (`~$...`) and `policies.yaml` are
    passed over; a file of another suffix, what is no regular file, a folder that cannot be read, a link that leads
    nowhere or out of the folder, and a second way to the same file or folder (so also a loop of links) are listed as
    skipped.

    Args:
        paths: files and folders.
        follow_links: whether links are followed that lead out of the folder that was named; what is named itself may
            be a link.

    Returns:
        What was found; nothing at all where the folders hold nothing.

    Raises:
        UsageError: a named path does not exist.
    """
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path} does not exist; name a file or folder that does")
    files: list[FoundFile] = []
    walk = _Walk(follow_links)
    for path in paths:
        if path.is_dir():
            walk.folder(path)
        else:
            walk.file(path, path.parent)
        files.extend(sorted(walk.files, key=lambda found: found.relative.split("/")))
        walk.files.clear()
    return Discovery(tuple(files), tuple(walk.skipped))


def _hidden(name: str) -> bool:
    return name.startswith((".", "~$")) or name in _IGNORED


def _unreadable(path: Path) -> str | None:
    # os.path: the methods of Path raise where the folder above may not be searched.
    if not os.path.exists(path):  # noqa: PTH110
        return "a link that leads nowhere" if path.is_symlink() else "it cannot be reached (no permission)"
    if not os.path.isfile(path):  # noqa: PTH113
        return "not a regular file"
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        return "its name is not valid UTF-8; rename it"
    if any(unicodedata.category(char) == "Cc" for char in path.name):
        return "its name holds a line break or another control character; rename it"
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        kind = f"files of type {suffix} are not read" if suffix else "it has no suffix that tells its type"
        return f"{kind} (only {', '.join(SUFFIXES)})"
    return None
