"""Answered calls on disk: each is committed before the next one is sent, so that stopping loses none."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from policy_rag_parsers.errors import MetadataError

_FORMAT = 1
_APPLICATION = 0x706F6C4D  # "polM", so that no other SQLite file is taken for a cache
_TABLE = """
CREATE TABLE replies (
    content TEXT NOT NULL,
    template TEXT NOT NULL,
    model TEXT NOT NULL,
    settings TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL,
    reply TEXT NOT NULL,
    tokens_in INTEGER,
    cut INTEGER NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (content, template, model, settings, attempt)
) WITHOUT ROWID
"""


@dataclass(frozen=True, slots=True)
class CallKey:
    """What was asked: the hash of the text, the hash of the template, the model's name, its settings as JSON."""

    content: str
    template: str
    model: str
    settings: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply as it came.

    Attributes:
        text: the reply.
        tokens_in: tokens of the prompt as the server counted them; None where it does not say.
        cut: whether it was stopped at the most tokens of a reply.
        seconds: from the request to the last token.
    """

    text: str
    tokens_in: int | None
    cut: bool
    seconds: float


class ReplyCache:
    """Replies by what was asked: the hash of the text, of the template, the model and its settings, and the attempt.

    Use it as a context manager, or call `close`. Several threads may share one, and several processes one file.
    """

    def __init__(self, path: Path) -> None:
        """Open or make the SQLite file at `path`; its folder must be there.

        Raises:
            MetadataError: the file is no cache, or cannot be written.
        """
        self._path = path
        self._lock = threading.Lock()
        with self._faults():
            self._database = sqlite3.connect(path, timeout=30, isolation_level=None, check_same_thread=False)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        # With a write-ahead log a commit costs no wait for the disk and outlives the death of the process.
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute("BEGIN IMMEDIATE")
        application = self._database.execute("PRAGMA application_id").fetchone()[0]
        tables = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if not application and not tables:
            self._database.execute(_TABLE)
            self._database.execute(f"PRAGMA application_id={_APPLICATION}")
            self._database.execute(f"PRAGMA user_version={_FORMAT}")
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        self._database.execute("COMMIT")
        if (application and application != _APPLICATION) or (tables and not application) or version != _FORMAT:
            raise MetadataError(f"{self._path} is no cache of replies of this version: name another file or remove it")

    def get(self, key: CallKey, attempt: int) -> Answer | None:
        """The reply to the `attempt`-th asking, counted from 1, or None.

        Raises:
            MetadataError: the file cannot be read.
        """
        with self._faults(), self._lock:
            row = self._database.execute(
                "SELECT reply, tokens_in, cut, seconds FROM replies "
                "WHERE content=? AND template=? AND model=? AND settings=? AND attempt=?",
                (key.content, key.template, key.model, key.settings, attempt),
            ).fetchone()
        return Answer(row[0], row[1], bool(row[2]), row[3]) if row else None

    def put(self, key: CallKey, attempt: int, kind: str, answer: Answer) -> None:
        """Keep a reply; it is on disk when this returns. One that is there already stays.

        Raises:
            MetadataError: the file cannot be written.
        """
        text = answer.text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair cannot be stored
        with self._faults(), self._lock:
            self._database.execute(
                "INSERT OR IGNORE INTO replies VALUES (?,?,?,?,?,?,?,?,?,?)",
                (key.content, key.template, key.model, key.settings, attempt, kind, text, answer.tokens_in,
                 int(answer.cut), answer.seconds),
            )  # fmt: skip

    def __len__(self) -> int:
        """How many replies it holds."""
        with self._faults(), self._lock:
            return int(self._database.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise MetadataError(
                f"the cache of replies {self._path} cannot be used ({error}): check that its folder is there and "
                "writable, or remove the file"
            ) from error
