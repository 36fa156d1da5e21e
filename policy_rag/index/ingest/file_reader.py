"""Reading files in a process of their own, under limits: a hostile file is skipped with its reason, and costs no other.

The process is kept from one ingest to the next, so that a small file costs a message there and one back; one that a
file left with little memory is ended, and a file is too large only where a new process has not enough for it.
"""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self

import policy_rag.errors
from policy_rag.errors import LoadError, PolicyRagError
from policy_rag.index.ingest.reader_process import ReaderProcess, put_aside, reader_process
from policy_rag.index.ingest.worker_messages import (
    adapter,
    packed_fields,
    unpack_document,
)
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.models.embedder import Embedder
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.loaders.ocr import can_read_pictures
from policy_rag_parsers.records import Section, SourceText

_WALL = 10  # seconds on the clock for one of processor time, on a busy machine
_PICTURES = 4  # times more of everything where pages are recognised as pictures

# Kinds of answers that want of memory may lie behind: it says so, it ended, or an error that no loader knows.
_MAY_WANT_MEMORY = (b"m", b"x", b"?")
Models = tuple[Embedder, Judge | None]
Said = Mapping[str, Mapping[str, Field]]
"""What is said of a file beside it, by its name."""


class FileReader:
    """Reads files, one at a time. Use as a context, or `close`.

    Args:
        limits: of each file.
        chunker: that `document` cuts by; the process is then ready for it before the first file.
    """

    def __init__(self, limits: ParsingSettings | None = None, *, chunker: str | None = None) -> None:
        self.limits = limits or ParsingSettings()
        self._chunker = chunker
        self._process: ReaderProcess | None = None
        self._scale = _PICTURES if can_read_pictures() else 1
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
                put_aside(process)

    def _discard(self) -> str:
        """Ends the process; what by, where it had ended."""
        process, self._process = self._process, None
        return "" if process is None else process.end()

    def _ask(
        self,
        file: FoundFile,
        what: str,
        said: Said | None = None,
        *,
        models: Models | None = None,
        **more: Any,
    ) -> bytes:
        request = {
            "what": what,
            "in": str(Path.cwd()),
            "path": str(file.path),
            "root": str(file.root.resolve()),
            "relative": file.relative,
            "said": {name: packed_fields(fields) for name, fields in (said or {}).items()},
            "seconds": self.limits.file_seconds * self._scale,
            "chars": self.limits.file_chars,
            "bytes": self.limits.most_bytes,
            **more,
        }
        with self._lock:
            kind, body = self._read(json.dumps(request).encode(), models)
        if kind == b"=":
            return body
        raise self._error(kind, body, file)

    def _read(self, request: bytes, models: Models | None) -> tuple[bytes, bytes]:
        """The answer of a process that has enough memory, where one can have it."""
        process = self._started()
        was_fresh, process.fresh = process.fresh, False
        try:
            kind, body = self._exchange(process, request, models)
        except BaseException:  # of a model, or Ctrl-C: the process still waits for its answer
            self._discard()
            raise
        swollen = process.is_swollen
        again = not was_fresh and (kind in _MAY_WANT_MEMORY or (swollen and kind == b"!"))
        if swollen or again or kind == b"m":
            self._discard()
        return self._read(request, models) if again else (kind, body)

    def _error(self, kind: bytes, body: bytes, file: FoundFile) -> PolicyRagError:
        most = self.limits
        match kind:
            case b"!":
                name, message = json.loads(body)
                found = getattr(policy_rag.errors, name, LoadError)
                made: PolicyRagError = found(message)
                return made
            case b"m":
                reason = (
                    f"needs more than {most.file_memory * self._scale:,} MB of memory to be read: raise file_memory"
                )
            case b"t":
                reason = f"takes more than {most.file_seconds * self._scale:g} seconds to be read: raise file_seconds"
            case b"x":
                reason = (
                    f"ends the process that reads it ({body.decode()}), as what needs more than "
                    f"{most.file_memory * self._scale:,} MB of memory does: raise file_memory"
                )
            case b"o":
                return LoadError(f"{file.path}: {body.decode()}")
            case _:
                reason = f"cannot be read ({body.decode(errors='replace')}): open it and save it again"
        return LoadError(f"{file.path}: {reason}, or take it out")

    def _exchange(self, process: ReaderProcess, request: bytes, models: Models | None) -> tuple[bytes, bytes]:
        """The answer to a request, with what is asked back in between; the time that this takes does not count."""
        left = self.limits.file_seconds * self._scale * _WALL
        kind, body = b"*", request
        while kind == b"*":
            begun = time.monotonic()
            with process.deadline(left) as late:
                try:
                    process.send(body)
                    frame = process.receive(self.limits.file_memory << 20)
                except OSError:
                    frame = None
                except LoadError as error:
                    self._discard()
                    return b"o", str(error).encode()
            left -= time.monotonic() - begun
            if frame is None:
                ended_by = self._discard()
                return (b"t", b"") if late.is_set() or ended_by == "SIGXCPU" else (b"x", ended_by.encode())
            kind, body = frame
            if kind == b"*":
                body = _answered(body, models)
        return kind, body

    def _started(self) -> ReaderProcess:
        """The process, started where there is none.

        Raises:
            LoadError: it cannot be started.
        """
        if self._process is not None and not self._process.is_alive:
            self._discard()
        if self._process is None:
            self._process = reader_process(self.limits.file_memory * self._scale, self._chunker)
        return self._process


def _answered(question: bytes, models: Models | None) -> bytes:
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
