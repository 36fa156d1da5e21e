"""The index: one transaction an ingest, and snapshots that never show half of one."""

import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index import derived as derived_files
from policy_rag.index.derived import Derived
from policy_rag.index.documents import DocumentInfo, PreparedDocument
from policy_rag.index.embedded_text import embedded_text
from policy_rag.index.keywords import KeywordSettings
from policy_rag.index.lock import writing
from policy_rag.index.manifest import Manifest, read_manifest, require_same, transaction, write_manifest
from policy_rag.index.rows import read_documents, text_hash, write_document
from policy_rag.index.schema import connect

_BATCH = 512  # texts whose vectors are kept together: what a break costs at most


class Embed(Protocol):
    """What the index needs of an embedding model."""

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`, in order of `texts`."""
        ...


@dataclass(frozen=True, slots=True)
class Update:
    """What a write did. Counts are documents, but for `passages` (new or changed) and `embedded` (texts)."""

    added: int
    updated: int
    unchanged: int
    removed: int
    passages: int
    embedded: int


@dataclass(frozen=True)
class Snapshot:
    """One transaction's state: SQLite rows and derived files that belong together."""

    db: sqlite3.Connection
    derived: Derived
    documents: tuple[DocumentInfo, ...]
    manifest: Manifest


class Index:
    """An index in a folder. Safe for many threads; readers see whole ingests only.

    Args:
        folder: where it is.
        create: whether to make an empty one where there is none.
        keyword: BM25's parameters.

    Raises:
        IndexingError: there is none, or it cannot be read.
    """

    def __init__(self, folder: Path, *, create: bool = False, keyword: KeywordSettings | None = None) -> None:
        self.folder = folder
        self._keyword = keyword or KeywordSettings()
        self._local = threading.local()
        self._lock = threading.Lock()
        self._connections: list[sqlite3.Connection] = []
        self._latest: tuple[Derived, tuple[DocumentInfo, ...], Manifest] | None = None
        if create:
            with writing(folder):
                self._connect(create=True)
        else:
            self._connect()

    def _connect(self, *, create: bool = False) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._local, "db", None)
        if db is None:
            db = connect(self.folder, create=create)
            self._local.db = db
            with self._lock:
                self._connections.append(db)
        return db

    def close(self) -> None:
        """Closes every connection; the index cannot be used afterwards."""
        with self._lock:
            for db in self._connections:
                db.close()
            self._connections.clear()
            self._latest = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def manifest(self) -> Manifest | None:
        """What it was made with; None while it is empty and new."""
        return read_manifest(self._connect())

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees one transaction, whatever is written meanwhile.

        Raises:
            IndexingError: SQLite cannot read the index.
        """
        db = self._connect()
        try:
            if db.in_transaction:
                yield db
                return
            db.execute("BEGIN")
            try:
                yield db
            finally:
                db.execute("ROLLBACK")
        except sqlite3.DatabaseError as error:
            raise IndexingError(
                f"the index in {self.folder} is damaged ({error}): restore it from a copy, "
                f"or run `policy-rag ingest PATH --index NEW_FOLDER`"
            ) from error

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Rows and derived files of the newest transaction.

        Raises:
            IndexingError: nothing was ever ingested, or SQLite cannot read the index.
        """
        with self.reading() as db:
            number = transaction(db)
            with self._lock:
                if self._latest is None or self._latest[0].transaction != number:
                    self._latest = self._open(db, number)
                found, documents, manifest = self._latest
            yield Snapshot(db, found, documents, manifest)

    def documents(self) -> tuple[DocumentInfo, ...]:
        """All documents, whoever may read them, in order of `doc_id`."""
        with self.reading() as db:
            return read_documents(db)

    def content_hashes(self) -> dict[str, str]:
        """`doc_id` to content hash."""
        with self.reading() as db:
            return dict(db.execute("SELECT doc_id, content_hash FROM documents").fetchall())

    def _open(self, db: sqlite3.Connection, number: int) -> tuple[Derived, tuple[DocumentInfo, ...], Manifest]:
        manifest = read_manifest(db)
        if manifest is None:
            raise IndexingError(f"the index in {self.folder} is empty: run `policy-rag ingest PATH` first")
        found = derived_files.load(self.folder, number)
        if found is None:
            found = derived_files.build(db, manifest, self._keyword, number)
        return found, read_documents(db), manifest

    def embed_missing(
        self,
        documents: Sequence[PreparedDocument],
        manifest: Manifest,
        embedder: Embed,
        progress: Callable[[int, int], None] | None,
    ) -> tuple[list[list[list[str]]], int]:
        """Makes the vectors that are not there yet and keeps each batch, so that a break costs one batch.

        Returns:
            For each document and passage the hashes of its chunks' vectors; and how many texts were embedded.
        """
        db = self._connect()
        hashes: list[list[list[str]]] = []
        missing: dict[str, str] = {}
        for document in documents:
            sections = {section.section_id: section for section in document.sections}
            of_document = []
            for passage in document.passages:
                texts = [
                    embedded_text(
                        sections[passage.section_id],
                        chunk.context,
                        document.source.text[chunk.start : chunk.end],
                        with_path=manifest.embed_path,
                        has_heading=chunk.start <= sections[passage.section_id].start,
                    )
                    for chunk in passage.chunks
                ]
                digests = [text_hash(text) for text in texts]
                missing.update(zip(digests, texts, strict=True))
                of_document.append(digests)
            hashes.append(of_document)
        for digest in [d for d in missing if db.execute("SELECT 1 FROM vectors WHERE hash = ?", (d,)).fetchone()]:
            del missing[digest]
        # Sorted by length here as well, so that a batch pads little.
        todo = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))
        for i in range(0, len(todo), _BATCH):
            if progress:
                progress(i, len(todo))
            part = todo[i : i + _BATCH]
            vectors = embedder.embed([text for _, text in part])
            db.execute("BEGIN IMMEDIATE")
            db.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(digest, row.tobytes()) for (digest, _), row in zip(part, vectors, strict=True)],
            )
            db.execute("COMMIT")
        if progress:
            progress(len(todo), len(todo))
        return hashes, len(todo)

    def update(
        self,
        documents: Sequence[PreparedDocument],
        manifest: Manifest,
        embedder: Embed,
        *,
        remove: Sequence[str] = (),
        moved: Mapping[str, PreparedDocument] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Update:
        """Adds or changes `documents` and removes others, in one transaction.

        Args:
            documents: with distinct `doc_id`.
            manifest: what they were prepared with.
            embedder: makes the vectors that are missing.
            remove: `doc_id`s to take out; unknown ones are passed over.
            moved: old `doc_id` to the same document in its new place.
            progress: told how many of how many texts are embedded.

        Raises:
            IndexingError: the index was made with other settings, is being written, or the disk is full.
        """
        with writing(self.folder):
            db = self._connect()
            found = read_manifest(db)
            if found is not None:
                require_same(found, manifest, self.folder)
            known = dict(db.execute("SELECT doc_id, content_hash FROM documents").fetchall())
            for old, document in (moved or {}).items():
                if old in known:
                    known[document.doc_id] = known.pop(old)
            changed = [d for d in documents if known.get(d.doc_id) != d.content_hash]
            gone = [doc_id for doc_id in dict.fromkeys(remove) if doc_id in known]
            try:
                hashes, embedded = self.embed_missing(changed, manifest, embedder, progress)
                passages = self._write(db, manifest, changed, hashes, gone, moved or {})
            except (sqlite3.Error, OSError) as error:
                raise IndexingError(
                    f"writing to the index in {self.folder} failed ({error}); it holds what it held before: "
                    f"free some disk space or choose another folder with --index, then run this again"
                ) from error
            return Update(
                added=sum(d.doc_id not in known for d in changed),
                updated=sum(d.doc_id in known for d in changed),
                unchanged=len(documents) - len(changed),
                removed=len(gone),
                passages=passages,
                embedded=embedded,
            )

    def _write(
        self,
        db: sqlite3.Connection,
        manifest: Manifest,
        changed: Sequence[PreparedDocument],
        hashes: Sequence[Sequence[Sequence[str]]],
        gone: Sequence[str],
        moved: Mapping[str, PreparedDocument],
    ) -> int:
        """One transaction: rows, then the derived files made from them, then the commit that shows both."""
        db.execute("BEGIN IMMEDIATE")
        try:
            write_manifest(db, manifest)
            for old, document in moved.items():
                db.execute(
                    "UPDATE documents SET doc_id = ?, root = ?, file = ? WHERE doc_id = ?",
                    (document.doc_id, document.root, document.file, old),
                )
            db.executemany("DELETE FROM documents WHERE doc_id = ?", [(doc_id,) for doc_id in gone])
            passages = sum(write_document(db, d, h) for d, h in zip(changed, hashes, strict=True))
            db.execute("DELETE FROM vectors WHERE hash NOT IN (SELECT vector_hash FROM chunks)")
            number = transaction(db) + 1
            db.execute("UPDATE manifest SET value = ? WHERE key = 'transaction'", (str(number),))
            derived_files.save(derived_files.build(db, manifest, self._keyword, number), self.folder)
            db.execute("COMMIT")
        except BaseException:
            db.execute("ROLLBACK")
            raise
        derived_files.remove_others(self.folder, number)
        # What was removed leaves the write-ahead log too.
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return passages
