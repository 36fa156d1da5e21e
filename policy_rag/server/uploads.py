"""Files that administrators upload: put down at first, then moved into the service's own library by the worker.

Who may read a file is said beside it before the file itself is there, so that no ingest ever meets a file of which
it is not known.
"""

import json
import os
import re
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from policy_rag.errors import PolicyRagError, StateError, UsageError
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME, declared_access
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.records import FileFormat

LIBRARY, STAGED = "library", "uploads"
UPLOADED = "uploads"
"""Before the slash in the ids of uploaded documents, so that they take the place of no other."""
MOST_FILES = 100
_LONGEST = 150  # bytes of a name, so that it fits every file system
_UNSAFE = re.compile(r"[^\w .,()+&'-]")
FIELDS = ("title", "version", "effective_from", "effective_to")
_WITH_FRONT_MATTER = (FileFormat.MARKDOWN, FileFormat.TEXT)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came.

    Attributes:
        name: as the browser gave it.
        data: what is in it, from its start.
    """

    name: str
    data: BinaryIO


def safe_name(given: str) -> str:
    """The name under which an uploaded file is kept: no path, nothing hidden, a suffix that can be read.

    Raises:
        UsageError: it has none of the suffixes, or nothing is left of it.

    >>> safe_name("../../etc/Leave Policy.pdf"), safe_name("pay: 2026?.docx")
    ('Leave Policy.pdf', 'pay_ 2026_.docx')
    """
    name = unicodedata.normalize("NFC", given).replace("\\", "/").rpartition("/")[2]
    stem, dot, suffix = _UNSAFE.sub("_", name).strip(" .").rpartition(".")
    if not dot or f".{suffix.lower()}" not in SUFFIXES:
        raise UsageError(f"{given!r} cannot be read: upload files with {', '.join(sorted(SUFFIXES))}")
    while len(f"{stem}.{suffix}".encode()) > _LONGEST:
        stem = stem[:-1]
    stem = stem.strip(" .")
    if not stem.strip("_"):
        raise UsageError(f"{given!r} is no name for a document: give it letters or digits")
    return f"{stem}.{suffix}"


def said_of(access: Sequence[str], *, open_to_all: bool, fields: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What is declared of uploaded files, as it will stand beside them.

    Args:
        access: groups that may read them.
        open_to_all: whether everybody may; that has to be said.
        fields: `title`, `version`, `effective_from`, `effective_to`, where given.

    Raises:
        UsageError: it is not said who may read them, or said twice, or a group is none.
    """
    if bool(access) == open_to_all:
        raise UsageError("say who may read it: `access` once for each group, or `open_to_all=true`, not both")
    if any(not group.strip() or group != group.strip() for group in access):
        raise UsageError("an access group is empty or has blanks around it: write it as it is")
    said: dict[str, Any] = {name: value for name, value in (fields or {}).items() if name in FIELDS and value}
    return {**said, "access": list(dict.fromkeys(access))} if access else said


class UploadedFiles:
    """Where uploaded files lie.

    Args:
        folder: of the service's state.
    """

    def __init__(self, folder: Path) -> None:
        self.library = folder / LIBRARY
        self._staged = folder / STAGED

    def stage(self, job_id: str, uploads: Sequence[Upload]) -> tuple[str, ...]:
        """Puts files down for a job; the names that they will have.

        Raises:
            UsageError: there is none, there are too many, or a name is none or comes twice.
            StateError: they cannot be written.
        """
        names = tuple(safe_name(upload.name) for upload in uploads)
        if not names:
            raise UsageError("no file was sent: send at least one as `files`")
        if len(names) > MOST_FILES:
            raise UsageError(f"{len(names)} files are too many at once: send at most {MOST_FILES}")
        if len({name.casefold() for name in names}) < len(names):
            raise UsageError("two files of one upload have the same name: upload them one after the other")
        place = self._staged / job_id
        try:
            place.mkdir(parents=True, mode=0o700)
            for name, upload in zip(names, uploads, strict=True):
                with (place / name).open("wb") as file:
                    shutil.copyfileobj(upload.data, file)
        except OSError as error:
            shutil.rmtree(place, ignore_errors=True)
            raise StateError(f"the upload cannot be kept ({error.strerror}): free some disk space") from error
        return names

    def take_over(self, job_id: str, names: Sequence[str], said: Mapping[str, Any]) -> tuple[Path, ...]:
        """Moves the files of a job into the library, what is declared of them first; where they are then.

        It can be done again after it was cut short. Only the worker does it, of which there is one.

        Raises:
            UsageError: a file says itself who may read it, and says something else.
            StateError: they cannot be written.
        """
        place = self._staged / job_id
        for name in names:
            _require_same_access(place / name, said)
        try:
            self.library.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._declare(dict.fromkeys(names, said))
            for name in names:
                if (place / name).is_file():
                    (place / name).replace(self.library / name)
            shutil.rmtree(place, ignore_errors=True)
        except OSError as error:
            raise StateError(f"the upload cannot be kept ({error.strerror}): free some disk space") from error
        return tuple(self.library / name for name in names)

    def remove(self, doc_id: str) -> None:
        """Removes the file that an uploaded document was made from, and then what is declared of it.

        Raises:
            StateError: they cannot be removed.
        """
        folder, _, name = doc_id.partition("/")
        if folder != UPLOADED or name not in self._declared():
            return
        try:
            (self.library / name).unlink(missing_ok=True)
            self._write({one: said for one, said in self._declared().items() if one != name})
        except OSError as error:
            raise StateError(
                f"the uploaded file cannot be removed ({error.strerror}): see the state's folder"
            ) from error

    def drop(self, job_id: str) -> None:
        """Removes what a failed job put down."""
        shutil.rmtree(self._staged / job_id, ignore_errors=True)

    def _declare(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        self._write({**self._declared(), **entries})

    def _declared(self) -> dict[str, Any]:
        beside = self.library / SIDECAR_NAME
        held: dict[str, Any] = json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}
        return held

    def _write(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        beside = self.library / SIDECAR_NAME
        new = beside.with_name(f".{SIDECAR_NAME}.new")
        with new.open("w", encoding="utf-8") as file:
            file.write(json.dumps(entries, ensure_ascii=False, indent=1))
            file.flush()
            os.fsync(file.fileno())
        new.replace(beside)


def _require_same_access(path: Path, said: Mapping[str, Any]) -> None:
    """Refuses a file whose front matter lets in others than was said: what stands in a file wins."""
    if path.suffix.lower() not in {suffix for suffix, kind in SUFFIXES.items() if kind in _WITH_FRONT_MATTER}:
        return
    if not path.is_file():
        return
    try:
        own = declared_access(load(path), path.name, {})
    except PolicyRagError:  # the ingest says so
        return
    if own is not None and set(own) != set(said.get("access", ())):
        raise UsageError(
            f"{path.name} says itself that {', '.join(own) or 'everybody'} may read it: declare the same, or take "
            "`access` out of it"
        )
