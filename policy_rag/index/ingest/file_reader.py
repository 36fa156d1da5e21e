"""Reading files in a process of their own, under limits: a hostile file is skipped with its reason, and costs no other.

The process is kept for as long as it lives, from one ingest to the next, so that a small file costs a message there and
one back.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import policy_rag.errors
from policy_rag.errors import LoadError, PolicyRagError
from policy_rag.index.ingest.worker_messages import (
    adapter,
    packed_fields,
    read_frame,
    unpack_document,
    write_frame,
)
from policy_rag.index.store.documents import PreparedDocument
from policy_rag.index.store.manifest import Manifest
from policy_rag.models.embedder import Embedder
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.loaders.ocr import can_read_pictures
from policy_rag_parsers.records import Section, SourceText

_WORKER = "policy_rag.index.ingest.file_worker"
_START_SECONDS = 120.0
_WALL = 10  # seconds on the clock for one of processor time, on a busy machine
_PICTURES = 4  # times more of everything where pages are recognised as pictures
# A library that makes a thread a core takes address space for each.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}

Said = Mapping[str, Mapping[str, Field]]
"""What is said of a file beside it, by its name."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """What reading one file may take.

    Attributes:
        seconds: of processor time; ten times as long on the clock.
        megabytes: of memory.
        chars: of the text that comes out.
        file_megabytes: of the file itself.
    """

    seconds: float = 30.0
    megabytes: int = 1024
    chars: int = 10_000_000
    file_megabytes: int = 256

    @classmethod
    def of(cls, settings: ParsingSettings) -> Self:
        """Those that are set."""
        return cls(settings.file_seconds, settings.file_memory, settings.file_chars, settings.file_megabytes)

    @property
    def most_bytes(self) -> int:
        """Bytes of a file."""
        return self.file_megabytes << 20


class FileReader:
    """Reads files, one at a time. Use as a context, or `close`.

    Args:
        limits: of each file.
    """

    def __init__(self, limits: ReadingLimits | None = None) -> None:
        self.limits = limits or ReadingLimits()
        self._process: subprocess.Popen[bytes] | None = None
        self._scale = _PICTURES if can_read_pictures() else 1
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def text(self, file: FoundFile) -> SourceText:
        """The file as text.

        Raises:
            LoadError: it cannot be read, or not within the limits.
        """
        read: SourceText = adapter(SourceText).validate_json(self._ask(file, "text"))
        return read

    def sections(self, file: FoundFile, said: Said, profile: str | None) -> tuple[Section, ...]:
        """The sections of a file.

        Raises:
            PolicyRagError: it, what it declares, or the profile cannot be read.
        """
        found: tuple[Section, ...] = adapter(tuple[Section, ...]).validate_json(
            self._ask(file, "sections", said, profile=profile)
        )
        return found

    def stated_access(self, file: FoundFile, said: Said) -> tuple[str, ...] | None:
        """The groups that a file or what is said of it names, () for all; None where nothing is said.

        Raises:
            PolicyRagError: what is said cannot be understood.
        """
        groups = json.loads(self._ask(file, "access", said))
        return None if groups is None else tuple(groups)

    def document(
        self,
        file: FoundFile,
        said: Said,
        manifest: Manifest,
        embedder: Embedder,
        *,
        doc_id: str,
        access: tuple[str, ...] = (),
        judge: Judge | None = None,
    ) -> PreparedDocument:
        """A file read and cut.

        Raises:
            PolicyRagError: it cannot be read, not within the limits, or what it declares cannot be understood.
        """
        packed = self._ask(
            file,
            "document",
            said,
            models=(embedder, judge),
            manifest=asdict(manifest),
            doc_id=doc_id,
            access=access,
            judged=judge is not None,
        )
        return unpack_document(packed)

    def close(self) -> None:
        """Puts the process aside for the next reader."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                _put_aside(process, self.limits.megabytes * self._scale)

    def _discard(self) -> None:
        """Ends the process."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _ask(
        self,
        file: FoundFile,
        what: str,
        said: Said | None = None,
        *,
        models: tuple[Embedder, Judge | None] | None = None,
        **more: Any,
    ) -> bytes:
        request = {
            "what": what,
            "in": str(Path.cwd()),
            "path": str(file.path),
            "root": str(file.root.resolve()),
            "relative": file.relative,
            "said": {name: packed_fields(fields) for name, fields in (said or {}).items()},
            "seconds": self.limits.seconds * self._scale,
            "chars": self.limits.chars,
            "bytes": self.limits.most_bytes,
            **more,
        }
        with self._lock:
            process = self._started()
            try:
                kind, body = self._exchange(process, json.dumps(request).encode(), models)
            except BaseException:  # of a model, or Ctrl-C: the process still waits for its answer
                self._discard()
                raise
        if kind == b"=":
            return body
        raise self._error(kind, body, file)

    def _error(self, kind: bytes, body: bytes, file: FoundFile) -> PolicyRagError:
        most = self.limits
        match kind:
            case b"!":
                name, message = json.loads(body)
                found = getattr(policy_rag.errors, name, LoadError)
                made: PolicyRagError = found(message)
                return made
            case b"m":
                reason = f"needs more than {most.megabytes * self._scale:,} MB of memory to be read: raise file_memory"
            case b"t":
                reason = f"takes more than {most.seconds * self._scale:g} seconds to be read: raise file_seconds"
            case b"x":
                reason = (
                    f"ends the process that reads it ({body.decode()}), as what needs more than "
                    f"{most.megabytes * self._scale:,} MB of memory does: raise file_memory"
                )
            case b"o":
                return LoadError(f"{file.path}: {body.decode()}")
            case _:
                reason = f"cannot be read ({body.decode(errors='replace')}): open it and save it again"
        return LoadError(f"{file.path}: {reason}, or take it out")

    def _exchange(
        self, process: "subprocess.Popen[bytes]", request: bytes, models: tuple[Embedder, Judge | None] | None
    ) -> tuple[bytes, bytes]:
        """The answer to a request, with what is asked back in between; the time that this takes does not count."""
        if process.stdin is None or process.stdout is None:
            raise LoadError("the process that reads files has no pipes")
        left, late = self.limits.seconds * self._scale * _WALL, threading.Event()
        kind, body = b"*", request
        while kind == b"*":
            begun = time.monotonic()
            watch = threading.Timer(left, _stop, (process, late))
            watch.start()
            try:
                write_frame(process.stdin, b"<", body)
                frame = read_frame(process.stdout, self.limits.megabytes << 20)
            except OSError:
                frame = None
            except LoadError as error:
                self._discard()
                return b"o", str(error).encode()
            finally:
                watch.cancel()
            left -= time.monotonic() - begun
            if frame is None:
                return self._death(process, late=late.is_set())
            kind, body = frame
            if kind == b"*":
                body = _answered(body, models)
        if kind == b"m":
            self._discard()  # what is left of its memory is of no use
        return kind, body

    def _death(self, process: "subprocess.Popen[bytes]", *, late: bool) -> tuple[bytes, bytes]:
        """Why the process ended."""
        self._discard()
        code = process.returncode
        if late or code == -getattr(signal, "SIGXCPU", 0):
            return b"t", b""
        name = signal.Signals(-code).name if code is not None and code < 0 else f"status {code}"
        return b"x", name.encode()

    def _started(self) -> "subprocess.Popen[bytes]":
        """The process, started where there is none.

        Raises:
            LoadError: it cannot be started.
        """
        if self._process is None:
            self._process = _taken(self.limits.megabytes * self._scale)
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._discard()
        again = f"run `{sys.executable} -m {_WORKER} 1024` to see why"
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", _WORKER, str(self.limits.megabytes * self._scale)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD},
            )
        except OSError as error:
            raise LoadError(f"the process that reads files cannot be started ({error.strerror}): {again}") from error
        self._process = process
        watch = threading.Timer(_START_SECONDS, process.kill)
        watch.start()
        frame = read_frame(process.stdout, 0) if process.stdout else None
        watch.cancel()
        if frame is None:
            self._discard()
            raise LoadError(f"the process that reads files ends at once: {again}, or raise file_memory")
        return process


def _answered(question: bytes, models: tuple[Embedder, Judge | None] | None) -> bytes:
    """What only a model can say, for the process that reads."""
    name, given = json.loads(question)
    embedder, judge = models or (None, None)
    if name == "judge" and judge is not None:
        return json.dumps(judge(*given)).encode()
    if embedder is None:
        raise LoadError(f"the process that reads files asks for {name}, which is not there")
    if name == "count_tokens":
        return json.dumps([int(count) for count in embedder.count_tokens(given)]).encode()
    return json.dumps(embedder.embed(given).tolist()).encode()


_aside: dict[tuple[int, int], "subprocess.Popen[bytes]"] = {}
"""Processes that wait for a reader, by the process that started them (a fork has none of its own) and their memory."""


def _taken(megabytes: int) -> "subprocess.Popen[bytes] | None":
    return _aside.pop((os.getpid(), megabytes), None)


def _put_aside(process: "subprocess.Popen[bytes]", megabytes: int) -> None:
    other = _aside.setdefault((os.getpid(), megabytes), process)
    if other is not process:
        _end(process)


@atexit.register
def _end_all() -> None:
    for owner, megabytes in list(_aside):
        process = _aside.pop((owner, megabytes))
        if owner == os.getpid():
            _end(process)


def _stop(process: "subprocess.Popen[bytes]", late: threading.Event) -> None:
    late.set()
    process.kill()


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Ends a process and closes its pipes, whatever is left in them."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                continue  # what was being written reaches nobody
    process.wait()
