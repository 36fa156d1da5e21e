"""The process that reads files for an ingest: what is in a file can cost it its life, and nobody else's.

Started by `FileReader`, under limits of memory and processor time. It takes a request a file, asks back for what only
models can say (how many tokens a text has, its vector, whether two texts are about the same), and answers with the
prepared document or with what is wrong.
"""

import errno
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from policy_rag.errors import LoadError, PolicyRagError
from policy_rag.index.ingest.document_preparation import prepare_file
from policy_rag.index.ingest.worker_messages import (
    adapter,
    pack_document,
    read_frame,
    unpacked_fields,
    write_frame,
)
from policy_rag.index.store.manifest import Manifest
from policy_rag.offline import enforce_offline
from policy_rag_parsers.chunking import Chunker, cut
from policy_rag_parsers.document_metadata.declarations import declared, declared_access
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.structure.heading_profiles import load_profile
from policy_rag_parsers.structure.sections import parse_document

_MOST = 1 << 33  # bytes of a request or an answer, which come from the process that is trusted
_LONGEST_REASON = 300
_LIBXML_NO_MEMORY = 2
_NO_ROOM = "failed to map segment"  # of the loader of shared libraries


class _Worker:
    """Answers requests until there are no more."""

    def __init__(self, requests: BinaryIO, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers

    def serve(self) -> None:
        """Reads one file a request."""
        while (frame := read_frame(self._requests, _MOST)) is not None:
            request = json.loads(frame[1])
            limit_time(request["seconds"])
            ends = False
            try:
                kind, body = b"=", self._read(request)
            except Exception as error:  # noqa: BLE001 - whatever a file does to a loader is told of that file
                ends = _is_for_want_of_memory(error)
                kind, body = (b"m", b"") if ends else _told(error)
            write_frame(self._answers, kind, body)
            if ends:
                return

    def _read(self, request: dict[str, Any]) -> bytes:
        os.chdir(request["in"])
        file = FoundFile(Path(request["path"]), Path(request["root"]), request["relative"])
        said = {name: unpacked_fields(fields) for name, fields in request["said"].items()}
        match request["what"]:
            case "text":
                return adapter(SourceText).dump_json(_loaded(file.path, request))
            case "access":
                return json.dumps(_stated_access(file, said, request)).encode()
            case "sections":
                return adapter(tuple[Section, ...]).dump_json(_sections(file, said, request))
        document = prepare_file(
            file,
            _loaded(file.path, request),
            said,
            Manifest(**request["manifest"]),
            lambda texts: self._ask("count_tokens", list(texts)),
            self._embed,
            doc_id=request["doc_id"],
            access=tuple(request["access"]),
            judge=(lambda before, piece: bool(self._ask("judge", [before, piece]))) if request["judged"] else None,
        )
        return pack_document(document)

    def _embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        return np.asarray(self._ask("embed", list(texts)), dtype=np.float32)

    def _ask(self, name: str, given: Any) -> Any:
        """What only a model of the process that asked can say; see `file_reader`."""
        write_frame(self._answers, b"*", json.dumps([name, given]).encode())
        frame = read_frame(self._requests, _MOST)
        if frame is None:
            raise SystemExit
        return json.loads(frame[1])


def _loaded(path: Path, request: dict[str, Any]) -> SourceText:
    source = load(path, most=request["bytes"])
    if len(source.text) > request["chars"]:
        raise LoadError(
            f"{path}: holds {len(source.text):,} characters of text, and at most {request['chars']:,} are read: split "
            "it, or raise file_chars"
        )
    try:
        source.text.encode()
    except UnicodeEncodeError as error:
        raise LoadError(f"{path}: holds halves of characters (surrogates); save it again as UTF-8") from error
    return source


def _stated_access(file: FoundFile, said: dict[str, Any], request: dict[str, Any]) -> tuple[str, ...] | None:
    source: SourceText | None = None
    try:
        source = _loaded(file.path, request)
    except LoadError:
        if SUFFIXES.get(file.path.suffix.lower()) in {FileFormat.MARKDOWN, FileFormat.TEXT}:
            raise  # its front matter may say something
    return declared_access(source, file.path.name, said)


def _sections(file: FoundFile, said: dict[str, Any], request: dict[str, Any]) -> tuple[Section, ...]:
    source = _loaded(file.path, request)
    title = declared(source, file.relative, said).title
    profile = load_profile(request["profile"]) if request["profile"] else None
    return parse_document(source, title=title, otherwise=file.path.stem, profile=profile).sections


def _is_for_want_of_memory(error: BaseException) -> bool:
    """Whether an error, or one behind it, is of memory: Python's, the system's, lxml's, or a library's without room."""
    behind: BaseException | None = error
    while behind is not None:
        if (
            isinstance(behind, MemoryError)
            or getattr(behind, "errno", None) == errno.ENOMEM
            or (type(behind).__module__.startswith("lxml") and getattr(behind, "code", None) == _LIBXML_NO_MEMORY)
            or (isinstance(behind, ImportError) and _NO_ROOM in str(behind))
        ):
            return True
        behind = behind.__cause__ or behind.__context__
    return False


def _told(error: Exception) -> tuple[bytes, bytes]:
    """The answer that says what is wrong."""
    match error:
        case RecursionError():
            return b"!", _error(LoadError("nests too deeply to be read; open it and save it again"))
        case PolicyRagError():
            return b"!", _error(error)
    what = " ".join(str(error).split())[:_LONGEST_REASON]
    return b"?", f"{type(error).__name__}: {what}".encode(errors="replace")


def _error(error: PolicyRagError) -> bytes:
    return json.dumps([type(error).__name__, str(error).encode(errors="replace").decode()]).encode()


def load_chunker(chunker: str) -> None:
    """Cuts a line, so that what the chunker's libraries take is taken before the first file, and never laid to one."""
    line = SourceText("One sentence. Another sentence.", FileFormat.TEXT)
    cut(
        line,
        parse_document(line).sections,
        chunker=Chunker(chunker),
        count_tokens=lambda texts: [len(text.split()) for text in texts],
        max_tokens=100,
        embed=lambda texts: [[1.0] for _ in texts],
    )


def limit_memory(megabytes: int) -> None:
    """Bounds the address space of this process, where the system can."""
    try:
        import resource
    except ImportError:
        return  # Windows: time and output are bounded, memory is not
    most = megabytes << 20
    try:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (OSError, ValueError):  # macOS refuses
        return


def limit_time(seconds: float) -> None:
    """Has the system end this process after so many more seconds of processor time."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def main(megabytes: int, chunker: str | None = None) -> None:
    """Serves the process that started this one, over its standard input and output.

    Args:
        megabytes: of address space that it may take.
        chunker: that files are cut by, where they are cut.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started this
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no answer
    enforce_offline([])  # nothing in a file is fetched
    limit_memory(megabytes)
    if chunker is not None:
        load_chunker(chunker)
    write_frame(answers, b"r", b"")
    _Worker(sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
