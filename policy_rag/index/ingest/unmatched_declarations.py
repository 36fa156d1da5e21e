"""Entries of a `policies.yaml` that name no file: a slip of the pen, or a file that was renamed, moved or deleted."""

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unicodedata import normalize

from policy_rag.errors import DeclarationError, PolicyRagError
from policy_rag.index.ingest.source_fingerprint import Sidecars, folders_above
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME, declared_access
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders.discovery import FoundFile


@dataclass(frozen=True, slots=True)
class UnmatchedEntry:
    """An entry that names no file.

    Attributes:
        folder: where the `policies.yaml` is.
        name: as the entry has it.
        groups: who may read the file that is meant; () for all, None where what it says cannot be understood.
        alias: the file that is read where the entry names a link to it, or None.
    """

    folder: Path
    name: str
    groups: tuple[str, ...] | None
    alias: Path | None = None

    @property
    def restricts(self) -> bool:
        """Whether the file that is meant is not open to all, or may not be."""
        return self.groups != ()

    @property
    def place(self) -> Path:
        """Where its file would be."""
        return self.folder / self.name

    def says(self) -> str:
        """The file and the entry, as the subject of a sentence that goes on with what is wrong."""
        if not self.restricts:
            return f"{self.folder / SIDECAR_NAME} has an entry {self.name!r}"
        groups = f" to {', '.join(self.groups)}" if self.groups else ""
        return f"{self.folder / SIDECAR_NAME} restricts {self.name!r}{groups}"


def unmatched_entries(
    places: Sequence[Path], files: Sequence[FoundFile], sidecars: Sidecars
) -> tuple[tuple[UnmatchedEntry, ...], tuple[str, ...]]:
    """The entries that name no file, by folder and name; and what of the `policies.yaml` files cannot be read.

    The folders that are ingested are looked through for a `policies.yaml` that no file is left beside, too.
    """
    with_files = {parent for f in files for parent in [f.path.parent, *folders_above(f)]}
    found: list[UnmatchedEntry] = []
    unread: list[str] = []
    real = {os.path.realpath(f.path): f.path for f in files}
    read = {f.path for f in files}
    listed: dict[Path, Mapping[str, Path]] = {}
    for folder in sorted(with_files | set(_folders_with_sidecar(places))):
        try:
            entries = sidecars.read(folder)
        except PolicyRagError as error:
            if folder not in with_files:  # else each file of the folder is skipped with this error
                unread.append(str(error))
            continue
        for name, fields in sorted(entries.items()):
            path = _named(folder, name, listed)
            alias = real.get(os.path.realpath(path)) if path is not None and path not in read else None
            if path is None or alias is not None:
                found.append(UnmatchedEntry(folder, name, _groups(name, fields), alias))
    return tuple(found), tuple(unread)


def restricted_above(files: Sequence[FoundFile], sidecars: Sidecars) -> Mapping[Path, UnmatchedEntry]:
    """The files that are restricted by a `policies.yaml` above the folder that is ingested, and by which entry.

    Such an entry counts for nothing, since a folder is read by itself; but it names the file by its whole path.
    """
    found: dict[Path, UnmatchedEntry] = {}
    by_root: dict[Path, list[FoundFile]] = {}
    for file in files:
        by_root.setdefault(file.root.resolve(), []).append(file)
    for root, inside in by_root.items():
        for folder in root.parents:
            if not os.path.isfile(folder / SIDECAR_NAME):  # noqa: PTH113 - likewise
                continue
            with suppress(PolicyRagError):  # it may be anything
                entries = sidecars.read(folder)
                for file in inside:
                    name = normalize("NFC", (root / file.relative).relative_to(folder).as_posix())
                    entry = UnmatchedEntry(folder, name, _groups(name, entries[name])) if name in entries else None
                    if entry is not None and entry.restricts:
                        found[file.path] = entry
    return found


def nearest(name: str, names: Iterable[str]) -> str | None:
    """The name that is most like `name`: as a path, else as a file's name alone; None where none is alike.

    >>> nearest("severance.md", ["travel.md", "severance-2026.md"])
    'severance-2026.md'
    """
    known = sorted(set(names))
    for shortened in (plain, lambda path: plain(path).rpartition("/")[2]):
        by_form = {shortened(other): other for other in reversed(known)}
        alike = difflib.get_close_matches(shortened(name), by_form, n=1, cutoff=0.6)
        if alike:
            return by_form[alike[0]]
    return None


def plain(name: str) -> str:
    """A path without what is easily mistaken in typing: case, kinds of letters, blanks, hyphens and underscores.

    >>> plain("HR/Pay_Policy.MD") == plain("hr/pay policy.md")
    True
    """
    return re.sub(r"[\s_-]+", "-", normalize("NFKC", name).casefold().strip())


def _folders_with_sidecar(places: Sequence[Path]) -> Iterator[Path]:
    """Folders that hold a `policies.yaml`, as far as files are looked for."""
    for place in places:
        for folder, below, names in os.walk(place):
            below[:] = [name for name in below if not name.startswith((".", "~$"))]
            if SIDECAR_NAME in names:
                yield Path(folder)


def _named(folder: Path, name: str, listed: dict[Path, Mapping[str, Path]]) -> Path | None:
    """The file of that name; spelt so on disk, also where the file system does not tell `A.md` from `a.md`.

    `listed` keeps what is in which folder.
    """
    place = folder
    for part in name.split("/"):
        if place not in listed:
            listed[place] = _entries(place)
        if part not in listed[place]:
            return None
        place = listed[place][part]
    return place if os.path.isfile(place) else None  # noqa: PTH113 - Path.is_file raises where nothing may be read


def _entries(folder: Path) -> Mapping[str, Path]:
    """What is in a folder, by composed names; nothing where it cannot be read or is none."""
    try:
        return {normalize("NFC", entry.name): entry for entry in folder.iterdir()}
    except OSError:
        return {}


def _groups(name: str, fields: Mapping[str, Field]) -> tuple[str, ...] | None:
    try:
        return declared_access(None, name, {name: fields}) or ()
    except DeclarationError:
        return None
