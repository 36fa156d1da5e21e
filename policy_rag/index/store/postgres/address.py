"""The address of a database, which never shows its password."""

import hashlib
import os
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from policy_rag.errors import IndexingError

_SCHEMES = ("postgresql", "postgres")
_SECRET = frozenset({"password", "sslpassword"})


class VectorEngine(StrEnum):
    """What searches vectors: files that each reader makes; pgvector, with a graph for large libraries; or Milvus."""

    FILES = "files"
    PGVECTOR = "pgvector"
    PGVECTOR_HNSW = "pgvector-hnsw"
    MILVUS = "milvus"


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """Where an index is in Postgres: `postgresql://[user[:password]@][host][:port]/database[?option=value...]`.

    What the address leaves out libpq finds where its other clients find it: `PGPASSWORD`, `PGHOST`, `~/.pgpass`.

    Args:
        url: the address; as text the object shows it without password.

    Raises:
        IndexingError: it is no such address.

    >>> str(PostgresAddress("postgres://ann:secret@db.example:5433/policies?sslmode=require"))
    'postgresql://ann@db.example:5433/policies?sslmode=require'
    """

    url: str = field(repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            _ = parts.port
        except ValueError:
            parts = urlsplit("")
        if "://" not in self.url or parts.scheme not in _SCHEMES or not parts.path.strip("/"):
            raise IndexingError(
                "the address of the index is none: write --index postgresql://USER@HOST/DATABASE, "
                "and the password in PGPASSWORD or ~/.pgpass"
            )
        object.__setattr__(self, "url", urlunsplit(("postgresql", *parts[1:])))

    @staticmethod
    def means(text: str) -> bool:
        """Whether a place that was typed is meant as an address."""
        return text.startswith(tuple(f"{scheme}:" for scheme in _SCHEMES))

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        user, at, host = parts.netloc.rpartition("@")
        shown = [(key, value) for key, value in parse_qsl(parts.query) if key not in _SECRET]
        netloc = f"{user.partition(':')[0]}{at}{host}"
        return urlunsplit(("postgresql", netloc, parts.path, urlencode(shown, quote_via=quote, safe="/"), ""))

    @property
    def folder(self) -> Path:
        """Where this machine keeps what it derives from the index: `~/.cache/policy_rag/postgres/...`.

        `XDG_CACHE_HOME` moves it. Users of one database have a folder each.
        """
        root = os.environ.get("XDG_CACHE_HOME")
        cache = Path(root) if root else Path.home() / ".cache"
        return cache / "policy_rag" / "postgres" / hashlib.sha256(str(self).encode()).hexdigest()[:16]
