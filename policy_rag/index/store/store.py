"""The index: one transaction an ingest, and snapshots that never show half of one."""

import datetime as dt
import shutil
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.search.bm25_index import KeywordIndex, KeywordSettings
from policy_rag.index.search.vector_search import VectorSearch
from policy_rag.index.store import snapshot_files as derived_files
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import (
    change_document,
    read_documents,
    same_metadata,
    text_hash,
    write_access_status,
    write_document,
    write_vectors,
)
from policy_rag.index.store.embedded_text import chunk_text
from policy_rag.index.store.links import relink
from policy_rag.index.store.lock import writing
from policy_rag.index.store.manifest import (
    Manifest,
    next_transaction,
    note_removed,
    read_manifest,
    read_removed,
    require_same,
    token,
    transaction,
    write_manifest,
)
from policy_rag.index.store.metadata import added_text, read_recipes
from policy_rag.index.store.place import IndexPlace, index_place, open_truth
from policy_rag.index.store.snapshot_files import Derived
from policy_rag.index.store.stored_documents import AccessStatus, DocumentInfo, PreparedDocument
from policy_rag.index.store.truth import Truth
from policy_rag.records.choices import read_kinds

Done = TypeVar("Done")
_ATTEMPTS = 5  # at the newest transaction, while writers take the files away from under a reader
_MADE_WITHIN = 300.0  # seconds, files that another process of this machine is making
_BATCH = 512  # texts whose vectors are kept together: what a break costs at most


class TextEmbedder(Protocol):
    """What the index needs of an embedding model."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of norm 1, `(len(texts), dimension)`, in order of `texts`."""
        ...


@dataclass(frozen=True, slots=True)
class Update:
    """What a write did. Counts are documents, but for `embedded` (texts)."""

    added: int
    updated: int
    unchanged: int
    removed: int
    embedded: int


@dataclass(frozen=True)
class Snapshot:
    """One transaction's state: rows and derived files that belong together.

    `views` keeps what readers worked out of this state, such as the passages that a filter lets pass.
    """

    db: Database
    derived: Derived
    documents: tuple[DocumentInfo, ...]
    manifest: Manifest
    views: dict[Hashable, Any]
    truth: Truth

    @cached_property
    def vectors(self) -> VectorSearch:
        """What searches its vectors: the derived files, or the database for the caller that `db` shows."""
        d = self.derived
        return d.vectors or self.truth.vector_search(self.db, d.token, d.passages, d.chunks)

    @property
    def keywords(self) -> KeywordIndex:
        """What searches its words: files made from the rows of this transaction, wherever these lie."""
        return self.derived.keywords

    def of_reader(self, groups: Sequence[str], day: dt.date) -> Self:
        """The same state as a caller of these groups may read it on a day, where the database itself knows that."""
        db = self.truth.as_reader(self.db, groups, day)
        return self if db is self.db else replace(self, db=db)


class Index:
    """An index, in a folder or in Postgres. Safe for many threads; readers see whole ingests only.

    Args:
        place: the folder, or a database as `postgresql://...`.
        create: whether to make an empty one where there is none.
        keyword: BM25's parameters.

    Attributes:
        truth: where its rows lie.

    Raises:
        IndexingError: there is none, or it cannot be read.
    """

    def __init__(
        self, place: IndexPlace | str, *, create: bool = False, keyword: KeywordSettings | None = None
    ) -> None:
        self.truth = open_truth(index_place(place), create=create)
        self._keyword = keyword or KeywordSettings()
        self._lock = threading.Lock()
        self._latest: _Opened | None = None

    @property
    def folder(self) -> Path:
        """Where its derived files lie, and what else is kept of it on this machine."""
        return self.truth.folder

    @property
    def name(self) -> str:
        """How messages name it."""
        return self.truth.name

    def close(self) -> None:
        """Closes every connection; the index cannot be used afterwards."""
        with self._lock:
            self._latest = None
        self.truth.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def manifest(self) -> Manifest | None:
        """What it was made with; None while it is empty and new."""
        with self.reading() as db:
            return read_manifest(db)

    @contextmanager
    def reading(self, *, groups: Sequence[str] | None = None) -> Iterator[Database]:
        """A connection that sees one transaction, whatever is written meanwhile.

        Args:
            groups: whose it is, so that the database itself may refuse what he may not read; None for the index's own.

        Raises:
            IndexingError: the index cannot be read.
        """
        try:
            with self.truth.reading() as db:
                yield db if groups is None else self.truth.as_reader(db, groups, None)
        except self.truth.errors as error:
            raise IndexingError(self.truth.read_error(error)) from error

    @contextmanager
    def writer(self) -> Iterator[Database]:
        """A connection for writing, with the lock held meanwhile.

        Raises:
            IndexingError: another process still writes, the index cannot be written, or it was deleted.
        """
        try:
            with self.truth.writer() as db:
                yield db
        except self.truth.errors as error:
            raise IndexingError(self.truth.write_error(error)) from error

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """Rows and derived files of the newest transaction.

        Raises:
            IndexingError: nothing was ever ingested, or SQLite cannot read the index.
        """
        nested = self.truth.is_reading()
        for left in reversed(range(1 if nested else _ATTEMPTS)):
            with self.reading() as db:
                opened = self._latest_of(db, build=not left)
                if opened is not None:
                    yield Snapshot(db, *opened, self.truth)
                    return

    def _latest_of(self, db: Database, *, build: bool) -> "_Opened | None":
        """What belongs to the transaction that `db` sees.

        None without `build` where its files are gone since a newer transaction is there, which had better be read.
        """
        with self._lock:
            latest = self._latest
            if latest is not None and latest[0].token == token(db):
                return latest
            number = transaction(db)
            manifest = read_manifest(db)
            if manifest is None:
                raise IndexingError(f"the index in {self.name} is empty: run `policy-rag ingest PATH` first")
            found = self._loaded(db, number)
            if found is None:
                if not build and self.truth.newest() != number:
                    return None
                found = self._make_derived(db, manifest, number)
            self._latest = (found, read_documents(db), manifest, {})
            return self._latest

    def documents(self) -> tuple[DocumentInfo, ...]:
        """All documents, whoever may read them, in order of `doc_id`."""
        with self.reading() as db:
            return read_documents(db)

    def content_hashes(self) -> dict[str, str]:
        """`doc_id` to content hash."""
        with self.reading() as db:
            return dict(db.execute("SELECT doc_id, content_hash FROM documents").fetchall())

    def source_hashes(self) -> dict[str, str]:
        """`doc_id` to the hash of the file that it was read from, where that is known."""
        with self.reading() as db:
            return dict(db.execute("SELECT doc_id, source_hash FROM documents WHERE source_hash <> ''").fetchall())

    def removed_places(self) -> frozenset[str]:
        """Where the files of documents were that were taken out, as hashes; see `manifest.place_hash`."""
        with self.reading() as db:
            return read_removed(db)

    def recipes(self) -> dict[str, dict[str, str]]:
        """What made which kind of metadata, by `doc_id`."""
        with self.reading() as db:
            return read_recipes(db)

    def counts(self, doc_ids: Sequence[str]) -> tuple[int, int]:
        """How many sections and chunks these documents have together."""
        with self.reading() as db:
            rows = db.execute(
                "SELECT doc_id, (SELECT count(*) FROM sections s WHERE s.doc_key = d.doc_key), "
                "(SELECT count(*) FROM passages p JOIN chunks c USING (passage_key) WHERE p.doc_key = d.doc_key) "
                "FROM documents d"
            ).fetchall()
        wanted = set(doc_ids)
        return sum(r[1] for r in rows if r[0] in wanted), sum(r[2] for r in rows if r[0] in wanted)

    def _loaded(self, db: Database, number: int) -> Derived | None:
        """The files of the transaction that `db` sees, where they are whole."""
        own = not self.truth.searches_vectors(db)
        return derived_files.load(self.folder, number, token=token(db), keyword=self._keyword, with_vectors=own)

    def _make_derived(self, db: Database, manifest: Manifest, number: int) -> Derived:
        """Makes the files' contents again, and the files too where they are missing and the folder can be written.

        Where each reader makes them, one process of a machine does, and the others wait for it.
        """

        def made() -> Derived:
            return derived_files.build(db, manifest, self._keyword, number, self.truth.vector_mean(db))

        first = made() if self.truth.keeps_files else None  # an ingest had better not wait for this
        with suppress(IndexingError, OSError), writing(self.folder, wait=0 if first else _MADE_WITHIN):
            found = self._loaded(db, number)
            if found is None:
                found = first or made()
                if self.truth.newest() == number:
                    derived_files.save(found, self.folder)
                    if not self.truth.keeps_files:
                        derived_files.remove_others(self.folder, number)
            return first or found
        return first or made()

    def without_vector(self, hashes: Iterable[str]) -> list[str]:
        """Those of these hashes of texts whose vector the index does not hold."""
        with self.reading() as db:
            return _without_vector(db, hashes)

    def _embed_missing(
        self,
        db: Database,
        documents: Sequence[PreparedDocument],
        manifest: Manifest,
        embedder: TextEmbedder,
        progress: Callable[[int, int], None] | None,
    ) -> tuple[list[list[list[str]]], int]:
        """Makes the vectors that are not there yet and keeps each batch, so that a break costs one batch.

        Returns:
            For each document and passage the hashes of its chunks' vectors; and how many texts were embedded.
        """
        hashes: list[list[list[str]]] = []
        missing: dict[str, str] = {}
        for document in documents:
            texts = texts_to_embed(document, manifest)
            missing.update((text_hash(text), text) for of_passage in texts for text in of_passage)
            hashes.append([[text_hash(text) for text in of_passage] for of_passage in texts])
        missing = {digest: missing[digest] for digest in _without_vector(db, missing)}
        # Sorted by length here as well, so that a batch pads little.
        todo = sorted(missing.items(), key=lambda item: (len(item[1]), item[0]))
        batch = getattr(embedder, "texts_at_once", _BATCH) if todo else _BATCH  # what many machines want is more
        for i in range(0, len(todo), batch):
            if progress:
                progress(i, len(todo))
            part = todo[i : i + batch]
            vectors = embedder.embed([text for _, text in part])
            with self.truth.changing(db):
                write_vectors(db, [digest for digest, _ in part], vectors)
        if progress:
            progress(len(todo), len(todo))
        return hashes, len(todo)

    def update(
        self,
        documents: Sequence[PreparedDocument],
        manifest: Manifest,
        embedder: TextEmbedder,
        *,
        remove: Sequence[str] = (),
        moved: Mapping[str, PreparedDocument] | None = None,
        access_changes: Mapping[str, AccessStatus] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Update:
        """Adds or changes `documents` and removes others, in one transaction.

        Args:
            documents: with distinct `doc_id`.
            manifest: what they were prepared with.
            embedder: makes the vectors that are missing.
            remove: `doc_id`s to take out; unknown ones are passed over.
            moved: old `doc_id` to the same document in its new place.
            access_changes: `doc_id` to who may read it from now on, of documents whose text stays.
            progress: told how many of how many texts are embedded.

        Raises:
            IndexingError: the index was made with other settings, is being written, or the disk is full.
        """
        with self.writer() as db:
            found = read_manifest(db)
            if found is not None:
                require_same(found, manifest, self.name)
            known = dict(db.execute("SELECT doc_id, content_hash FROM documents").fetchall())
            was = {}
            for old, document in (moved or {}).items():
                if old in known:
                    known[document.doc_id] = known.pop(old)
                    was[document.doc_id] = old
            changed = [
                d
                for d in documents
                if known.get(d.doc_id) != d.content_hash or not same_metadata(db, d, was.get(d.doc_id, d.doc_id))
            ]
            gone = [doc_id for doc_id in dict.fromkeys(remove) if doc_id in known]
            embedded = 0
            with self._disk_errors():
                if changed or gone or moved or access_changes or found is None:
                    hashes, embedded = self._embed_missing(db, changed, manifest, embedder, progress)
                    self._write(db, manifest, changed, hashes, gone, moved or {}, access_changes or {})
                elif self.truth.keeps_files:  # what an ingest left that was killed while it deleted
                    derived_files.remove_others(self.folder, transaction(db))
                self._read_anew(db, documents)
            return Update(
                added=sum(d.doc_id not in known for d in changed),
                updated=sum(d.doc_id in known for d in changed),
                unchanged=len(documents) - len(changed),
                removed=len(gone),
                embedded=embedded,
            )

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        """What a failed write means, in one line."""
        failures: tuple[type[Exception], ...] = (*self.truth.errors, OSError)
        try:
            yield
        except UnicodeEncodeError as error:
            raise IndexingError(
                f"a text holds half of a character (U+{ord(error.object[error.start]):04X}), which cannot be "
                f"stored: mend the file"
            ) from error
        except failures as error:
            raise IndexingError(self.truth.write_error(error)) from error

    def _write(
        self,
        db: Database,
        manifest: Manifest,
        changed: Sequence[PreparedDocument],
        hashes: Sequence[Sequence[Sequence[str]]],
        gone: Sequence[str],
        moved: Mapping[str, PreparedDocument],
        access_changes: Mapping[str, AccessStatus],
    ) -> None:
        """One transaction; see `rewrite`."""

        def change(db: Database) -> None:
            write_manifest(db, manifest)
            for old, d in moved.items():
                change_document(db, old, doc_id=d.doc_id, root=d.root, file=d.file, source_hash=d.source_hash)
            for doc_id, status in access_changes.items():
                write_access_status(db, doc_id, status)
            note_removed(db, gone)
            db.executemany("DELETE FROM documents WHERE doc_id = ?", [(doc_id,) for doc_id in gone])
            for d, of_passages in zip(changed, hashes, strict=True):
                write_document(db, d, of_passages)
            db.execute(
                "DELETE FROM vectors WHERE hash IN (SELECT hash FROM vectors EXCEPT SELECT vector_hash FROM chunks)"
            )

        self.rewrite(db, manifest, change)

    def rewrite(self, db: Database, manifest: Manifest, change: Callable[[Database], Done]) -> Done:
        """One transaction: `change`, then, where they are the index's own, the derived files, then the commit.

        The caller holds the lock for writing.

        Returns:
            What `change` returns.
        """
        keeps = self.truth.keeps_files
        if keeps:
            derived_files.remove_others(self.folder, transaction(db))
        place: Path | None = None
        try:
            with self.truth.changing(db):
                done = change(db)
                relink(db)
                self.truth.complete(db)
                number = next_transaction(db)
                if keeps:
                    place = derived_files.save(derived_files.build(db, manifest, self._keyword, number), self.folder)
        except BaseException:
            if place is not None:
                shutil.rmtree(place, ignore_errors=True)
            raise
        if keeps:
            derived_files.remove_others(self.folder, number)
        self.truth.forget(db)
        return done

    def _read_anew(self, db: Database, documents: Sequence[PreparedDocument]) -> None:
        """Notes source hash and folder of documents that stayed the same though file, folder or reading code did not.

        Nothing that a reader sees changes, so this counts as no ingest.
        """
        known = dict(db.execute("SELECT doc_id, source_hash FROM documents").fetchall())
        anew = [d for d in documents if d.source_hash and known.get(d.doc_id, d.source_hash) != d.source_hash]
        if anew:
            with self.truth.changing(db):
                for d in anew:
                    change_document(db, d.doc_id, source_hash=d.source_hash, root=d.root)


_Opened = tuple[Derived, tuple[DocumentInfo, ...], Manifest, dict[Hashable, Any]]


def texts_to_embed(document: PreparedDocument, manifest: Manifest) -> list[list[str]]:
    """What the embedder is given of a document: for each passage the text of each of its chunks."""
    sections = {section.section_id: section for section in document.sections}
    added = _added(document, manifest)
    return [
        [
            chunk_text(
                document.source.text,
                sections[passage.section_id],
                chunk.start,
                chunk.end,
                chunk.context,
                with_path=manifest.embed_path,
                added=added.get(passage.section_id, ""),
            )
            for chunk in passage.chunks
        ]
        for passage in document.passages
    ]


def _without_vector(db: Database, hashes: Iterable[str]) -> list[str]:
    return [one for one in hashes if not db.execute("SELECT 1 FROM vectors WHERE hash = ?", (one,)).fetchone()]


def _added(document: PreparedDocument, manifest: Manifest) -> dict[str, str]:
    """What of its metadata the embedder sees, by section."""
    kinds = read_kinds(manifest.embed_metadata)
    if document.metadata is None or not kinds:
        return {}
    return {s.section_id: added_text(kinds, document.metadata, s) for s in document.metadata.sections}
