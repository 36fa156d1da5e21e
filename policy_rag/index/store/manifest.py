"""What an index was made with. A search or an ingest with anything else is refused."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from policy_rag.errors import IndexingError
from policy_rag.index.store.database import Database


@dataclass(frozen=True, slots=True)
class Manifest:
    """The settings that shape what an index holds.

    Attributes:
        embedding: the embedding model's name.
        fingerprint: of its weights and tokenizer.
        dimension: of its vectors.
        chunker: how documents were cut.
        chunk_tokens: longest chunk in tokens.
        hit_chars: a section longer than this gave its chunks as passages.
        embed_path: whether the embedder saw the path of titles.
        profile: heading profile, or None where it was detected.
        precision: `float32` or `int8`: how the embedding model was computed.
        judge: the LLM by which the chunker `llm-context` cut, or None where the embedding model decided.
        embed_metadata: kinds of metadata that the embedder saw, as `questions,keywords`.
        metadata: kinds that are extracted from what is ingested, likewise; they may change from ingest to ingest.
        chunk_overlap: tokens that a piece repeats of the one before, or None for the chunker's own.
    """

    embedding: str
    fingerprint: str
    dimension: int
    chunker: str
    chunk_tokens: int
    hit_chars: int
    embed_path: bool
    profile: str | None
    precision: str = "float32"
    judge: str | None = None
    embed_metadata: str = ""
    metadata: str = ""
    chunk_overlap: int | None = None


def read_manifest(db: Database) -> Manifest | None:
    """What the index was made with; None while nothing was ever ingested."""
    found = _value(db, "settings")
    if found is None:
        return None
    values = json.loads(found)
    return Manifest(**{field.name: values[field.name] for field in fields(Manifest) if field.name in values})


def write_manifest(db: Database, manifest: Manifest) -> None:
    """Writes what the index is made with; part of the caller's transaction."""
    _note(db, "settings", json.dumps(asdict(manifest)))


def require_same(found: Manifest, wanted: Manifest, place: str) -> None:
    """Refuses to mix two ways of making the index in `place`.

    Raises:
        IndexingError: naming the first difference and the two ways out.
    """
    found = replace(found, metadata=wanted.metadata)
    if found.precision != wanted.precision:
        raise IndexingError(
            f"the index in {place} holds {found.precision} vectors, not {wanted.precision}: leave the setting "
            f"embedding_backend out, or run `policy-rag ingest PATH --index NEW_FOLDER`"
        )
    if replace(found, fingerprint=wanted.fingerprint) == wanted and found.fingerprint != wanted.fingerprint:
        raise IndexingError(
            f"the index in {place} was made with other weights of {found.embedding}: install those again, "
            f"or run `policy-rag ingest PATH --index NEW_FOLDER`"
        )
    for field in fields(Manifest):
        before, now = getattr(found, field.name), getattr(wanted, field.name)
        if before != now:
            raise IndexingError(
                f"the index in {place} was made with {field.name}={before}, not {now}: ask for {before}, "
                f"or run `policy-rag ingest PATH --index NEW_FOLDER` to make another"
            )


def read_removed(db: Database) -> frozenset[str]:
    """Hashes of the places of files whose documents were taken out; see `place_hash`."""
    return frozenset(json.loads(_value(db, "removed") or "[]"))


def note_removed(db: Database, doc_ids: Sequence[str]) -> None:
    """Keeps where the files of these documents were, before they are taken out; part of the caller's transaction."""
    places = set(read_removed(db))
    for doc_id in doc_ids:
        root, file = db.execute("SELECT root, file FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
        if root:
            places.add(place_hash(Path(root) / file))
    if doc_ids:
        _note(db, "removed", json.dumps(sorted(places)))


def place_hash(place: Path) -> str:
    """SHA-256 of a file's place: what is kept of one whose document was removed, so that its name is not."""
    return hashlib.sha256(str(place).encode("utf-8", "surrogatepass")).hexdigest()


def read_format(db: Database) -> str:
    """The format of the tables; "unknown" where it is not said."""
    return _value(db, "format") or "unknown"


def transaction(db: Database) -> int:
    """The number of the last ingest that was committed; 0 for a new index."""
    return int(str(_value(db, "transaction")))


def token(db: Database) -> str:
    """A random word that the last ingest was given; it tells two ingests of the same number apart."""
    return _value(db, "token") or ""


def next_transaction(db: Database) -> int:
    """Counts the ingest under way and gives it its token; part of the caller's transaction."""
    number = transaction(db) + 1
    _note(db, "transaction", str(number))
    _note(db, "token", uuid.uuid4().hex)
    return number


def _value(db: Database, key: str) -> str | None:
    row = db.execute("SELECT value FROM manifest WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def _note(db: Database, key: str, value: str) -> None:
    db.execute(
        "INSERT INTO manifest VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
    )
