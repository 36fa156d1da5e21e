"""Documents that jobs have read, cut and embedded ahead of the ingest that takes them in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.ingest.worker_messages import pack_document, unpack_document
from policy_rag.index.store.document_rows import text_hash
from policy_rag.index.store.store import TextEmbedder
from policy_rag.index.store.stored_documents import PreparedDocument

if TYPE_CHECKING:
    from policy_rag.index.store.postgres.truth import PostgresTruth

_KEPT_DAYS = 7  # what no ingest came for


class StagedDocuments:
    """Documents in Postgres, with vectors of their texts; any number of workers write at once.

    They are known by the hash of the file, of all that is said of it and of the settings.
    """

    def __init__(self, truth: "PostgresTruth") -> None:
        self._truth = truth
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def holds(self, source_hash: str) -> bool:
        """Whether the document of a file of this hash is there."""
        with self._truth.reading() as db:
            return db.execute("SELECT 1 FROM staged WHERE source_hash = ?", (source_hash,)).fetchone() is not None

    def put(self, document: PreparedDocument, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keeps a document, and vectors by the hash of their text; what another worker put of the same file stays."""
        rows = np.array(list(vectors.values()), dtype=np.float32)
        with self._truth.noting() as db:
            db.execute(
                "INSERT INTO staged (source_hash, document, hashes, vectors) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (source_hash) DO NOTHING",
                (document.source_hash, pack_document(document), list(vectors), rows.tobytes()),
            )

    def document(self, source_hash: str, doc_id: str) -> PreparedDocument | None:
        """The document of a file of this hash, under this name; its vectors are remembered for `embedder`."""
        with self._truth.reading() as db:
            found = db.execute(
                "SELECT document, hashes, vectors FROM staged WHERE source_hash = ?", (source_hash,)
            ).fetchone()
        if found is None:
            return None
        packed, hashes, vectors = found
        rows = np.frombuffer(vectors, dtype=np.float32).reshape(len(hashes), -1) if hashes else ()
        self._vectors.update(zip(hashes, rows, strict=True))
        return replace(unpack_document(bytes(packed)), doc_id=doc_id)

    def embedder(self, embedder: TextEmbedder) -> TextEmbedder:
        """An embedder that asks `embedder` only for texts whose vector is not remembered."""
        return _Remembering(self._vectors, embedder)

    def forget_taken_in(self) -> None:
        """Drops what the index holds by now, and what nobody came for."""
        with self._truth.noting() as db:
            db.execute(
                "DELETE FROM staged WHERE source_hash IN (SELECT source_hash FROM documents) "
                f"OR at < now() - interval '{_KEPT_DAYS} days'"
            )


class _Remembering:
    def __init__(self, vectors: Mapping[str, NDArray[np.float32]], embedder: TextEmbedder) -> None:
        self._vectors = vectors
        self._embedder = embedder

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = [self._vectors.get(text_hash(text)) for text in texts]
        others = [text for text, row in zip(texts, found, strict=True) if row is None]
        made = iter(self._embedder.embed(others) if others else ())
        return np.stack([next(made) if row is None else row for row in found])
