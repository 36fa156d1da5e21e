"""Taking files into an index: read, extracted from, embedded, written in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from policy_rag.errors import UsageError
from policy_rag.index.ingest.access_doubts import IndexedFiles
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.metadata_extraction import extract, outdated, plan
from policy_rag.index.ingest.metadata_extractors import (
    MetadataExtractor,
    MetadataPlan,
    forget_replies,
    require_forgettable,
)
from policy_rag.index.ingest.prepare import (
    PreparedFiles,
    changed_files,
    nothing_left,
    nothing_taken_in,
    prepare_files,
    without_namesakes,
)
from policy_rag.index.ingest.renamed_documents import renamed_documents
from policy_rag.index.ingest.source_fingerprint import Sidecars, source_hash
from policy_rag.index.ingest.staged_documents import StagedDocuments
from policy_rag.index.ingest.stale_documents import ingested_folders, of_lost_folders
from policy_rag.index.store.document_rows import read_text, text_hash
from policy_rag.index.store.manifest import Manifest, require_same
from policy_rag.index.store.store import Index, texts_to_embed
from policy_rag.index.store.stored_documents import DocumentInfo, PreparedDocument
from policy_rag.models.embedder import Embedder
from policy_rag.records.ingest import IngestReport
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.chunking.topic_grouping import Judge
from policy_rag_parsers.loaders.discovery import FoundFile
from policy_rag_parsers.structure.heading_profiles import load_profile

ProgressCallback = Callable[[str, int, int], None]
"""Called with the step (`read`, `extract`, `embed`), how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class IngestPipeline:
    """One ingest: files are read, extracted from, embedded and written.

    Attributes:
        index: into which.
        manifest: how documents are read, cut and embedded.
        embedder: counts tokens and makes vectors.
        parsing: groups for documents that declare none, limits of reading, and whether links are followed.
        judge: says what stays together, for the chunker `llm-context`.
        extractor: extracts metadata; None where none is wanted.
        replies: the file of an LLM's answered calls, or None; it goes with documents that are removed.
        progress: told how far it is, or None.
        staged: what jobs have read and embedded already, or None.
    """

    index: Index
    manifest: Manifest
    embedder: Embedder
    parsing: ParsingSettings = field(default_factory=ParsingSettings)
    judge: Judge | None = None
    extractor: MetadataExtractor | None = None
    replies: Path | None = None
    progress: ProgressCallback | None = None
    staged: StagedDocuments | None = None

    def read(self, places: Sequence[Path], doc_ids: Mapping[str, str] | None = None) -> PreparedFiles:
        """The files, read and cut, but for those that the index holds as they are."""
        self._require_makeable()
        prepared = prepare_files(
            places,
            self.manifest,
            self.embedder,
            self.parsing,
            doc_ids=doc_ids or {},
            judge=self.judge,
            known=self._known(),
            held=self._held(),
            staged=self.staged,
            progress=self._step("read"),
        )
        return without_namesakes(prepared, self.index.documents(), self.index.content_hashes())

    def _known(self) -> dict[str, str]:
        """The hash of each file that need not be read again, by `doc_id`."""
        again = outdated(self.index.recipes(), self.manifest, self.extractor)
        return {doc_id: made for doc_id, made in self.index.source_hashes().items() if doc_id not in again}

    def changed_files(self, places: Sequence[Path]) -> tuple[tuple[tuple[FoundFile, str], ...], int]:
        """The files that have to be read, with their hashes, and how many others there are; see `changed_files`."""
        self._require_makeable()
        documents = self.index.documents()
        return changed_files(places, self.manifest, self.parsing, known=self._known(), documents=documents)

    def stage(self, file: FoundFile, staged: StagedDocuments) -> bool:
        """Reads, cuts and embeds one file ahead of the ingest that takes it in; False where that was done before.

        Raises:
            PolicyRagError: it cannot be read, or what it declares cannot be understood.
            OSError: it is not there.
        """
        self._require_makeable()
        said = Sidecars(None if self.parsing.follow_links else [file.root]).of(file)
        digest = source_hash(file, said, self.manifest, self.parsing)
        if staged.holds(digest) or self._known().get(file.relative) == digest:
            return False
        with FileReader(self.parsing, chunker=self.manifest.chunker) as reader:
            document = reader.document(
                file,
                said,
                self.manifest,
                self.embedder,
                doc_id=file.relative,
                access=self.parsing.access,
                judge=self.judge,
            )
        # Where the embedder sees metadata too, its texts are known only when that is extracted: in the ingest.
        texts = [] if self.manifest.embed_metadata else texts_to_embed(document, self.manifest)
        by_hash = {text_hash(text): text for of_passage in texts for text in of_passage}
        missing = sorted(self.index.without_vector(by_hash), key=lambda one: (len(by_hash[one]), one))
        vectors = self.embedder.embed([by_hash[one] for one in missing]) if missing else ()
        staged.put(replace(document, source_hash=digest), dict(zip(missing, vectors, strict=True)))
        return True

    def _require_makeable(self) -> None:
        """Refuses settings that fit nothing or not this index, before any file is read."""
        if self.manifest.profile:
            load_profile(self.manifest.profile)
        found = self.index.manifest
        if found is not None:
            require_same(found, self.manifest, self.index.name)

    def _held(self) -> IndexedFiles:
        def text_of(document: DocumentInfo) -> str:
            with self.index.reading() as db:
                return read_text(db, document.doc_key)

        return IndexedFiles(self.index.documents(), text_of, self.index.removed_places())

    def plan(self, places: Sequence[Path]) -> MetadataPlan:
        """What extracting the metadata of the files would cost.

        Raises:
            UsageError: no metadata is wanted, or a path is not there.
            MetadataError: the LLM's server does not answer.
        """
        if self.extractor is None:
            raise UsageError("no metadata is asked for: add --metadata KINDS, for example --metadata summary,questions")
        prepared = self.read(places)
        with self.index.reading() as db:
            return plan(db, prepared.documents, self.manifest, self.extractor)

    def ingest(
        self, places: Sequence[Path], *, prune: bool = False, doc_ids: Mapping[str, str] | None = None
    ) -> IngestReport:
        """Takes files in; see `PolicyAssistant.ingest`."""
        started = time.perf_counter()
        prepared = self.read(places, doc_ids)
        read = time.perf_counter()
        before = self.index.documents()
        folders = ingested_folders(places)
        missing = [d for d in before if d.lies_in(folders) and d.is_gone()]
        renamed = renamed_documents(prepared, before, missing, self.index.content_hashes())
        moved = renamed.moved
        gone = [d.doc_id for d in missing if d.doc_id not in {*moved, *prepared.spared}] if prune else []
        if gone and prepared.found_nothing:
            raise UsageError(nothing_left(places, len(gone)))
        if gone and self.replies is not None:
            require_forgettable(self.replies)
        access_changes = {doc_id: stale.status for doc_id, stale in prepared.stale.items() if stale.changes}
        if not prepared.documents and not prepared.unchanged and not gone:
            if access_changes:
                self.index.update([], self.manifest, self.embedder, access_changes=access_changes)
            raise UsageError(nothing_taken_in(places, prepared.skipped))
        known_as = {document.doc_id: old for old, document in moved.items()}
        with self.index.reading() as db:
            extraction = extract(
                db,
                prepared.documents,
                self.manifest,
                self.extractor,
                known_as=known_as,
                progress=self._step("extract"),
            )
        extracted = time.perf_counter()
        update = self.index.update(
            extraction.documents,
            self.manifest,
            self.staged.embedder(self.embedder) if self.staged is not None else self.embedder,
            remove=[*gone, *renamed.doubles],
            moved=moved,
            access_changes=access_changes,
            progress=self._step("embed"),
        )
        if gone and self.replies is not None:
            forget_replies(self.replies)
        done = time.perf_counter()
        after = self.index.documents()
        sections, chunks = self.index.counts([*(d.doc_id for d in prepared.documents), *prepared.unchanged])
        return IngestReport(
            added=update.added,
            updated=update.updated,
            unchanged=update.unchanged + len(prepared.unchanged),
            removed=update.removed,
            sections=sections,
            chunks=chunks,
            embedded=update.embedded,
            seconds={
                "read": read - started,
                **({"extract": extracted - read} if self.extractor else {}),
                "embed_and_write": done - extracted,
                "total": done - started,
            },
            skipped=prepared.skipped,
            notes=(
                *prepared.notes,
                *renamed.notes,
                *of_lost_folders(d for d in after if not d.lies_in(folders)),
                *((f"metadata by {self.extractor.name}",) if self.extractor and extraction.counts else ()),
            ),
            documents=len(after),
            gone=tuple(d.doc_id for d in missing if d.doc_id not in {*moved, *gone}),
            kept=tuple(doc_id for doc_id, stale in prepared.stale.items() if not stale.status.withheld),
            withheld=tuple(doc_id for doc_id, stale in prepared.stale.items() if stale.status.withheld),
            metadata=extraction.counts,
            metadata_failures=extraction.failures,
        )

    def add_prepared(self, documents: Sequence[PreparedDocument]) -> None:
        """Takes in documents that were cut elsewhere."""
        with self.index.reading() as db:
            extraction = extract(db, documents, self.manifest, self.extractor, progress=self._step("extract"))
        self.index.update(extraction.documents, self.manifest, self.embedder, progress=self._step("embed"))

    def _step(self, name: str) -> Callable[[int, int], None] | None:
        progress = self.progress
        return None if progress is None else lambda done, total: progress(name, done, total)
