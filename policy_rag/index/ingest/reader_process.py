"""The process that reads files, as its parent has it: under a limit of memory, kept from one reader to the next."""

import atexit
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from policy_rag.errors import LoadError
from policy_rag.index.ingest.worker_messages import read_frame, write_frame

_WORKER = "policy_rag.index.ingest.file_worker"
_START_SECONDS = 120.0
# A library that makes a thread a core takes address space for each.
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}


class ReaderProcess:
    """A process that reads files, alive until `end` or until a file ends it.

    Attributes:
        megabytes: of address space that it may take in all.
        chunker: that it cuts files by; None where it only reads them. Its libraries are loaded first, as no file is to
            blame for what they take.
        fresh: whether it has read nothing yet. What a file leaves behind is not there for the next one.

    Raises:
        LoadError: it cannot be started.
    """

    def __init__(self, megabytes: int, chunker: str | None = None) -> None:
        self.megabytes, self.chunker = megabytes, chunker
        self.fresh = True
        again = f"run `{sys.executable} -m {_WORKER} 1024` to see why"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", _WORKER, str(megabytes), *([chunker] if chunker else [])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, **_ONE_THREAD},
            )
        except OSError as error:
            raise LoadError(f"the process that reads files cannot be started ({error.strerror}): {again}") from error
        with self.deadline(_START_SECONDS):
            begun = self.receive(0)
        if begun is None:
            self.end()
            raise LoadError(f"the process that reads files ends at once: {again}, or raise file_memory")
        self._at_start = self._taken()

    @property
    def pid(self) -> int:
        """Its id."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    @property
    def is_swollen(self) -> bool:
        """Whether less than half of the memory that it had for files at its start is left for the next one.

        Never where the system does not tell, nor bounds it.
        """
        return 2 * (self._taken() - self._at_start) > (self.megabytes << 20) - self._at_start

    def _taken(self) -> int:
        """Bytes of its address space; 0 where the system does not tell."""
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[0]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    def send(self, body: bytes) -> None:
        """Sends a request, or what it asked for.

        Raises:
            OSError: it has ended.
        """
        if self._process.stdin is not None:
            write_frame(self._process.stdin, b"<", body)

    def receive(self, most: int) -> tuple[bytes, bytes] | None:
        """The kind and the body of its next message; None where it ended.

        Raises:
            OSError: it has ended.
            LoadError: the message has more than `most` bytes.
        """
        return read_frame(self._process.stdout, most) if self._process.stdout is not None else None

    @contextmanager
    def deadline(self, seconds: float) -> Iterator[threading.Event]:
        """Ends it after so many seconds; the event tells whether that came."""
        late = threading.Event()

        def stop() -> None:
            late.set()
            self._process.kill()

        watch = threading.Timer(seconds, stop)
        watch.daemon = True
        try:
            watch.start()  # Ctrl-C may come in here too, and must not leave it to keep the program for all its seconds
            yield late
        finally:
            watch.cancel()

    def end(self) -> str:
        """Ends it and closes its pipes, whatever is left in them.

        Returns:
            What it had ended by before, such as "SIGXCPU" or "status 1"; "SIGKILL" where it ran.
        """
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue  # what was being written reaches nobody
        code = self._process.wait()
        return signal.Signals(-code).name if code < 0 else f"status {code}"


_aside: dict[tuple[int, int, str | None], ReaderProcess] = {}
"""Processes that wait for a reader, by who started them (a fork has none of its own), their memory and chunker."""


def reader_process(megabytes: int, chunker: str | None = None) -> ReaderProcess:
    """The process that was put aside, else a new one.

    Raises:
        LoadError: it cannot be started.
    """
    kept = _aside.pop((os.getpid(), megabytes, chunker), None)
    if kept is not None and not kept.is_alive:
        kept.end()
        kept = None
    return kept or ReaderProcess(megabytes, chunker)


def put_aside(process: ReaderProcess) -> None:
    """Keeps a process for the next reader of the same kind; a second one is ended."""
    kept = _aside.setdefault((os.getpid(), process.megabytes, process.chunker), process)
    if kept is not process:
        process.end()


@atexit.register
def _end_all() -> None:
    for kind in list(_aside):
        process = _aside.pop(kind)
        if kind[0] == os.getpid():
            process.end()
