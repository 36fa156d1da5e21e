"""An LLM whose replies are remembered on disk: what was asked once is never paid for again, whatever died since."""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from policy_rag.errors import ModelError
from policy_rag.llm.protocol import LanguageModel, Listener, Reply

_SCHEMA = """CREATE TABLE IF NOT EXISTS remembered (
    key TEXT PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL,
    ms REAL NOT NULL, done_reason TEXT NOT NULL, first TEXT NOT NULL)"""


class ReplyStore:
    """Replies in one SQLite file, by a hash of all that they depend on. Safe for many threads.

    Raises:
        ModelError: the file cannot be made or read.
    """

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        self.file = file
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, check_same_thread=False, timeout=60)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise ModelError(f"the remembered replies in {file} cannot be used ({error}): remove the file") from error

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def get(self, key: str) -> Reply | None:
        """The reply that was kept under a key, or None."""
        with self._lock:
            found = self._db.execute(
                "SELECT text, tokens_in, tokens_out, ms, done_reason, first FROM remembered WHERE key = ?", (key,)
            ).fetchone()
        if found is None:
            return None
        text, tokens_in, tokens_out, ms, done_reason, first = found
        likeliest = tuple((token, probability) for token, probability in json.loads(first))
        return Reply(text, tokens_in, tokens_out, ms, done_reason, likeliest)

    def put(self, key: str, reply: Reply) -> None:
        """Keeps a reply; it is on disk when this returns."""
        counted = (reply.tokens_in, reply.tokens_out, reply.ms, reply.done_reason)
        row = (key, reply.text, *counted, json.dumps(reply.first))
        with self._lock, self._db:
            self._db.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?, ?, ?, ?, ?, ?)", row)


class RememberingModel:
    """A model that looks among the remembered replies first.

    Attributes:
        asked: calls that went to the model.
        remembered: calls that were answered from the store.
        tokens: tokens of the prompts and replies of `asked`.
    """

    def __init__(self, model: LanguageModel, store: ReplyStore, *, shaped_by: Mapping[str, Any]) -> None:
        """Wraps a model.

        Args:
            model: who is asked what is not known.
            store: where replies are kept.
            shaped_by: what else a reply depends on (address, temperature, seed), as JSON values.
        """
        self._model, self._store = model, store
        self._shaped_by = dict(shaped_by)
        self._lock = threading.Lock()
        self.asked = self.remembered = self.tokens = 0

    @property
    def name(self) -> str:
        """The model's."""
        return self._model.name

    @property
    def context_window(self) -> int:
        """The model's."""
        return self._model.context_window

    @property
    def reply_tokens(self) -> int:
        """The model's."""
        return self._model.reply_tokens

    def chat(
        self,
        system: str,
        user: str,
        *,
        json_schema: Mapping[str, Any] | None = None,
        listener: Listener | None = None,
        first_tokens: bool = False,
    ) -> Reply:
        """The reply to exactly this, remembered or new; see `LanguageModel.chat`. Of a remembered one nothing is heard.

        Raises:
            ModelError: the model fails; nothing is then remembered.
        """
        shaped_by: list[Any] = [self.name, self.context_window, self._shaped_by, system, user, json_schema]
        if first_tokens:
            shaped_by.append("first tokens")
        key = hashlib.sha256(json.dumps(shaped_by, sort_keys=True).encode()).hexdigest()
        found = self._store.get(key)
        if found is not None:
            with self._lock:
                self.remembered += 1
            return found
        reply = self._model.chat(system, user, json_schema=json_schema, listener=listener, first_tokens=first_tokens)
        self._store.put(key, reply)
        with self._lock:
            self.asked += 1
            self.tokens += reply.tokens_in + reply.tokens_out
        return reply
