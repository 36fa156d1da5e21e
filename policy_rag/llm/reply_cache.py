"""Replies of LLMs on disk: what was asked once is never paid for again, whatever died since."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, Unpack

from policy_rag.errors import ModelError
from policy_rag.llm.language_model import LanguageModel, ModelWrapper, Reply, ReplyOptions

_APPLICATION = 0x706F6C52  # "polR", so that no other SQLite file is taken for a cache
_HEADER, _APPLICATION_AT = 100, 68  # bytes: https://www.sqlite.org/fileformat.html#application_id
_TABLE = """CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    ms REAL NOT NULL, done_reason TEXT NOT NULL, first TEXT NOT NULL) WITHOUT ROWID"""


class ReplyCache:
    """Replies in one SQLite file, by a hash of all that they depend on; its folder is made.

    Safe for many threads, and several processes may share the file. Use it as a context manager, or call `close`.

    Raises:
        ModelError: the file is no such cache, or cannot be made, read or written.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.Lock()
        with self._faults():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(file, timeout=60, isolation_level=None, check_same_thread=False)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        application = self._database.execute("PRAGMA application_id").fetchone()[0]
        tables = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != _APPLICATION and (application or tables):
            raise ModelError(f"{self.file} is no cache of replies of this version: name another file or remove it")
        # Before the log: a process that is killed leaves a file that says whose it is.
        self._database.execute(f"PRAGMA application_id={_APPLICATION}")
        # With a write-ahead log a commit costs no wait for the disk and outlives the death of the process.
        self._database.execute("PRAGMA journal_mode=WAL")
        self._database.execute("PRAGMA synchronous=NORMAL")
        self._database.execute(_TABLE)

    def get(self, key: str) -> Reply | None:
        """The reply that was kept under a key, or None."""
        with self._faults(), self._lock:
            row = self._database.execute(
                "SELECT text, tokens_in, tokens_out, ms, done_reason, first FROM replies WHERE key = ?", (key,)
            ).fetchone()
        if row is None:
            return None
        text, tokens_in, tokens_out, ms, done_reason, first = row
        likeliest = tuple((token, probability) for token, probability in json.loads(first))
        return Reply(text, tokens_in, tokens_out, ms, done_reason, likeliest)

    def put(self, key: str, reply: Reply) -> None:
        """Keeps a reply; it is on disk when this returns. One that is there already stays."""
        text = reply.text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair cannot be stored
        counted = (reply.tokens_in, reply.tokens_out, reply.ms, reply.done_reason)
        with self._faults(), self._lock:
            self._database.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?)",
                (key, text, *counted, json.dumps(reply.first)),
            )

    def __len__(self) -> int:
        """How many replies it holds."""
        with self._faults(), self._lock:
            return int(self._database.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise ModelError(
                f"the cache of replies {self.file} cannot be used ({error}): check that its folder is there and "
                "writable, or remove the file"
            ) from error


def is_reply_cache(file: Path) -> bool:
    """Whether a file is a cache of replies, by the header that SQLite writes with our number."""
    try:
        if not file.is_file() or file.is_symlink():
            return False
        with file.open("rb") as opened:
            head = opened.read(_HEADER)
    except OSError:
        return False
    at = _APPLICATION_AT
    return head.startswith(b"SQLite format 3\0") and int.from_bytes(head[at : at + 4], "big") == _APPLICATION


class CachedModel(ModelWrapper):
    """A model whose replies are kept: each is on disk before `chat` gives it.

    Attributes:
        calls: how many went to the model.
        cached_calls: how many were answered from the cache.
        tokens: of the prompts and replies of `calls`.

    Args:
        model: who is asked what is not known.
        cache: where replies are kept.
        shaped_by: what else a reply depends on (address, temperature, seed), as JSON values.
    """

    def __init__(self, model: LanguageModel, cache: ReplyCache, *, shaped_by: Mapping[str, Any]) -> None:
        super().__init__(model)
        self._cache = cache
        self._shaped_by = dict(shaped_by)
        self._lock = threading.Lock()
        self.calls = self.cached_calls = self.tokens = 0

    def cached(self, system: str, user: str, *, json_schema: Mapping[str, Any] | None = None) -> Reply | None:
        """The reply to exactly this that is kept, or None."""
        return self._cache.get(self._key(system, user, {"json_schema": json_schema}))

    def chat(self, system: str, user: str, **how: Unpack[ReplyOptions]) -> Reply:
        """The reply to exactly this, kept or new; see `LanguageModel.chat`. A kept one is not streamed.

        Raises:
            ModelError: the model fails, and nothing is kept; or the cache does.
        """
        key = self._key(system, user, how)
        kept = self._cache.get(key)
        if kept is not None:
            with self._lock:
                self.cached_calls += 1
            return kept
        reply = self._model.chat(system, user, **how)
        self._cache.put(key, reply)
        with self._lock:
            self.calls += 1
            self.tokens += reply.tokens_in + reply.tokens_out
        return reply

    def _key(self, system: str, user: str, how: ReplyOptions) -> str:
        limits = self.name, self.context_window, self.reply_tokens
        parts = [*limits, self._shaped_by, system, user, how.get("json_schema"), how.get("first_tokens", False)]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
