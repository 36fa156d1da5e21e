"""Files that administrators upload: put down at first, then moved into the service's own library by the worker.

They are kept in the state, part by part, so that they reach the worker on whichever machine it runs.

Who may read a file is said beside it before the file itself is there, so that no ingest ever meets a file of which
it is not known.
"""

import json
import re
import unicodedata
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from filelock import FileLock

from policy_rag.errors import PolicyRagError, StateError, UsageError
from policy_rag.server.state import Row, ServiceState
from policy_rag.whole_files import written_whole
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME, declared_access
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.records import FileFormat

LIBRARY = "library"
UPLOADED = "uploads"
"""Before the slash in the ids of uploaded documents, so that they take the place of no other."""
MOST_FILES = 100
_LONGEST = 150  # bytes of a name, so that it fits every file system
_UNSAFE = re.compile(r"[^\w .,()+&'-]")
FIELDS = ("title", "version", "effective_from", "effective_to")
_WITH_FRONT_MATTER = (FileFormat.MARKDOWN, FileFormat.TEXT)
_HELD = "library.json"  # by name which of the uploaded files the library has
_PART = 1 << 20

# A file waits for a job, or is in the library.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS uploaded_files (id TEXT PRIMARY KEY, job TEXT, name TEXT NOT NULL, said TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS uploaded_parts (
    file TEXT NOT NULL REFERENCES uploaded_files ON DELETE CASCADE,
    part INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (file, part)
);
"""


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
    """Uploaded files: kept in the state, and on each machine whose worker runs also in a folder, its library.

    Args:
        state: where they are kept.
        folder: of this machine, where the library is made from them.
    """

    def __init__(self, state: ServiceState, folder: Path) -> None:
        self.library = folder / LIBRARY
        self._state, self._folder = state, folder
        state.add_tables(_SCHEMA)

    def stage(self, job_id: str, uploads: Sequence[tuple[str, BinaryIO]]) -> tuple[str, ...]:
        """Puts files down for a job.

        Args:
            job_id: of the job.
            uploads: the name of each, as the browser gave it, and its data, read from where it stands.

        Returns:
            The names that they will have, in order.

        Raises:
            UsageError: there is none, there are too many, or a name is none or comes twice.
            StateError: they cannot be written.
        """
        names = tuple(safe_name(given) for given, _ in uploads)
        if not names:
            raise UsageError("no file was sent: send at least one as `files`")
        if len(names) > MOST_FILES:
            raise UsageError(f"{len(names)} files are too many at once: send at most {MOST_FILES}")
        if len({name.casefold() for name in names}) < len(names):
            raise UsageError("two files of one upload have the same name: upload them one after the other")
        try:
            for name, (_, data) in zip(names, uploads, strict=True):
                made = uuid.uuid4().hex
                with self._state.changing() as db:
                    db.execute("INSERT INTO uploaded_files VALUES (?, ?, ?, '{}')", (made, job_id, name))
                # Part by part, for nobody else changes anything meanwhile.
                for number, part in enumerate(iter(partial(data.read, _PART), b"")):
                    with self._state.changing() as db:
                        db.execute("INSERT INTO uploaded_parts VALUES (?, ?, ?)", (made, number, part))
        except BaseException:
            with suppress(StateError):
                self.drop(job_id)
            raise
        return names

    def take_over(self, job_id: str, names: Sequence[str], said: Mapping[str, Any]) -> tuple[Path, ...]:
        """Moves the files of a job into the library, what is declared of them first; where they are then.

        It can be done again after it was cut short. Only the worker does it, of which there is one.

        Raises:
            UsageError: a file says itself who may read it, and says something else.
            StateError: they cannot be written.
        """
        with self._writing(), TemporaryDirectory(dir=self._folder) as place:
            for file in self._files("job = ?", job_id):
                if _may_declare(file["name"]):
                    self._write_file(file["id"], Path(place, file["name"]))
                    _require_same_access(Path(place, file["name"]), said)
        with self._state.changing() as db:
            for file in self._files("job = ?", job_id):
                db.execute("DELETE FROM uploaded_files WHERE job IS NULL AND name = ?", (file["name"],))
            db.execute("UPDATE uploaded_files SET job = NULL, said = ? WHERE job = ?", (json.dumps(said), job_id))
        self.fetch()
        return tuple(self.library / name for name in names)

    def remove(self, doc_id: str) -> None:
        """Removes the file that an uploaded document was made from, and then what is declared of it.

        Raises:
            StateError: they cannot be removed.
        """
        folder, _, name = doc_id.partition("/")
        if folder != UPLOADED:
            return
        with self._state.changing() as db:
            db.execute("DELETE FROM uploaded_files WHERE job IS NULL AND name = ?", (name,))
        self.fetch()

    def drop(self, job_id: str) -> None:
        """Removes what a failed job put down."""
        with self._state.changing() as db:
            db.execute("DELETE FROM uploaded_files WHERE job = ?", (job_id,))

    def fetch(self) -> None:
        """Makes the library of this machine what the state holds.

        Raises:
            StateError: it cannot be written.
        """
        beside, held = self.library / SIDECAR_NAME, self._folder / _HELD
        with self._writing(), FileLock(self._folder / f"{LIBRARY}.lock"):
            for left in self.library.glob(".*.writing"):  # by a process that was ended
                left.unlink()
            files = {file["name"]: file for file in self._files("job IS NULL")}
            wanted, before = {name: file["id"] for name, file in files.items()}, _read(held)
            if wanted == before:
                return
            self.library.mkdir(parents=True, exist_ok=True, mode=0o700)
            said = {name: json.loads(file["said"]) for name, file in files.items()}
            _write(beside, _read(beside) | said)
            for name, made in wanted.items():
                if before.get(name) != made:
                    with written_whole(self.library / name) as new:
                        self._write_file(made, new)
            for name in before.keys() - wanted.keys():
                (self.library / name).unlink(missing_ok=True)
            _write(beside, said)
            _write(held, wanted)

    def _files(self, where: str, *values: str) -> Sequence[Row]:
        with self._state.reading() as db:
            return db.execute(f"SELECT * FROM uploaded_files WHERE {where}", values).fetchall()  # noqa: S608 - our own

    def _write_file(self, file_id: str, path: Path) -> None:
        numbers = count()
        with path.open("wb") as file, self._state.reading() as db:
            while row := db.execute(
                "SELECT data FROM uploaded_parts WHERE file = ? AND part = ?", (file_id, next(numbers))
            ).fetchone():
                file.write(row["data"])

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            yield
        except OSError as error:
            raise StateError(
                f"uploaded files cannot be kept in {self._folder} ({error.strerror}): free some disk space, or "
                f"let this login write there"
            ) from error


def _read(path: Path) -> dict[str, Any]:
    held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return held


def _write(path: Path, entries: Mapping[str, Any]) -> None:
    with written_whole(path, durable=True) as beside:
        beside.write_text(json.dumps(entries, ensure_ascii=False, indent=1), encoding="utf-8")


def _may_declare(name: str) -> bool:
    """Whether a file of that name may say itself who may read it."""
    return SUFFIXES[Path(name).suffix.lower()] in _WITH_FRONT_MATTER


def _require_same_access(path: Path, said: Mapping[str, Any]) -> None:
    """Refuses a file whose front matter lets in others than was said: what stands in a file wins."""
    try:
        own = declared_access(load(path), path.name, {})
    except PolicyRagError:  # the ingest says so
        return
    if own is not None and set(own) != set(said.get("access", ())):
        raise UsageError(
            f"{path.name} says itself that {', '.join(own) or 'everybody'} may read it: declare the same, or take "
            "`access` out of it"
        )
