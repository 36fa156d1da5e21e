"""Documents that jobs have prepared, kept in Postgres until an ingest takes them in."""

from collections.abc import Sequence

from policy_rag.index.store.postgres.truth import PostgresTruth

_KEPT_DAYS = 7  # what no ingest came for


class PostgresStaging:
    """Documents with vectors of their texts, one behind the other; any number of workers write at once.

    Args:
        truth: the index's.
    """

    def __init__(self, truth: PostgresTruth) -> None:
        self._truth = truth

    def holds(self, source_hash: str) -> bool:
        """Whether the document of a file of this hash is there."""
        with self._truth.reading() as db:
            return db.execute("SELECT 1 FROM staged WHERE source_hash = ?", (source_hash,)).fetchone() is not None

    def put(self, source_hash: str, document: bytes, hashes: Sequence[str], vectors: bytes) -> None:
        """Keeps a document; what another worker has put of the same file stays."""
        with self._truth.noting() as db:
            db.execute(
                "INSERT INTO staged (source_hash, document, hashes, vectors) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (source_hash) DO NOTHING",
                (source_hash, document, list(hashes), vectors),
            )

    def get(self, source_hash: str) -> tuple[bytes, Sequence[str], bytes] | None:
        """What was put, or None."""
        with self._truth.reading() as db:
            row = db.execute(
                "SELECT document, hashes, vectors FROM staged WHERE source_hash = ?", (source_hash,)
            ).fetchone()
        return None if row is None else (bytes(row[0]), row[1], bytes(row[2]))

    def forget_taken_in(self) -> None:
        """Drops what the index holds by now, and what nobody came for."""
        with self._truth.noting() as db:
            db.execute(
                "DELETE FROM staged WHERE source_hash IN (SELECT source_hash FROM documents) "
                f"OR at < now() - interval '{_KEPT_DAYS} days'"
            )
