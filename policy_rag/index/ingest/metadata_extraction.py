"""Metadata for the documents of an ingest: what is extracted, what is kept from before, what it would cost."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from policy_rag.index.ingest.metadata_extractors import CORPUS_SECTIONS, MetadataExtractor, MetadataPlan
from policy_rag.index.store.documents import PreparedDocument
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.metadata import StoredMetadata, read_stored, source_of
from policy_rag.index.store.tables import read_sections, read_text
from policy_rag.records.options import read_kinds
from policy_rag_parsers.metadata.report import Failure, KindCounts, Outcome, Progress
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText, sectioned_document

if TYPE_CHECKING:
    from policy_rag_parsers.metadata.records import DocumentMetadata


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of the documents.

    Attributes:
        documents: as they were given, with their metadata.
        counts: by kind; empty where nothing was extracted.
        failures: kinds that sections or documents are left without.
    """

    documents: tuple[PreparedDocument, ...]
    counts: Mapping[str, KindCounts] = field(default_factory=dict)
    failures: tuple[Failure, ...] = ()


def extract(
    db: sqlite3.Connection,
    documents: Sequence[PreparedDocument],
    manifest: Manifest,
    extractor: MetadataExtractor | None,
    *,
    known_as: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Extraction:
    """Documents with their metadata.

    What the index holds of a document whose sections stay as they are, and what was made by the same recipes, is kept.
    All else is extracted; of an LLM only for sections that it was not asked about before, see its reply cache.

    Args:
        db: the index.
        documents: of an ingest.
        manifest: says what is wanted.
        extractor: who extracts; without one, documents are given back without metadata.
        known_as: new `doc_id` to the one under which the index holds a document that was moved.
        progress: told how many of how many calls (offline, sections) are done.
    """
    kinds = read_kinds(manifest.metadata)
    if not kinds or not documents or extractor is None:
        return Extraction(tuple(documents))
    recipes = {kind.value: extractor.recipe(kind) for kind in kinds}
    names = known_as or {}
    metadata: dict[str, DocumentMetadata] = {}
    for document in documents:
        stored = read_stored(db, names.get(document.doc_id, document.doc_id))
        if stored is not None and _is_current(stored, document, recipes):
            metadata[document.doc_id] = replace(stored.metadata, doc_id=document.doc_id)
    outcome = Outcome((), {})
    if todo := [_as_read(document) for document in documents if document.doc_id not in metadata]:
        outcome = extractor.extract(todo, kinds, lambda: _corpus(db), _progress(progress))
    metadata |= {document.doc_id: document for document in outcome.documents}
    # What failed has no recipe: the next ingest makes the calls that had no answer again.
    failed = {(failure.doc_id, failure.kind.value) for failure in outcome.failures}
    extracted = tuple(
        replace(
            document,
            metadata=metadata[document.doc_id],
            recipes=tuple((kind, made) for kind, made in recipes.items() if (document.doc_id, kind) not in failed),
        )
        for document in documents
    )
    return Extraction(extracted, {kind.value: count for kind, count in outcome.counts.items()}, outcome.failures)


def _progress(progress: Callable[[int, int], None] | None) -> Callable[[Progress], None] | None:
    return None if progress is None else lambda found: progress(found.done, found.total)


def plan(
    db: sqlite3.Connection, documents: Sequence[PreparedDocument], manifest: Manifest, extractor: MetadataExtractor
) -> MetadataPlan:
    """What `extract` would cost."""
    kinds = read_kinds(manifest.metadata)
    recipes = {kind.value: extractor.recipe(kind) for kind in kinds}
    todo = [d for d in documents if not ((found := read_stored(db, d.doc_id)) and _is_current(found, d, recipes))]
    return extractor.plan([_as_read(document) for document in todo], kinds)


def outdated(
    recipes: Mapping[str, Mapping[str, str]], manifest: Manifest, extractor: MetadataExtractor | None
) -> frozenset[str]:
    """Ids of the documents that lack a kind, or have it by another recipe; they are to be read again.

    Args:
        recipes: by `doc_id`, what made which kind.
        manifest: says what is wanted.
        extractor: who extracts now; None where nothing is wanted.
    """
    wanted = {kind.value: extractor.recipe(kind) for kind in read_kinds(manifest.metadata)} if extractor else {}
    return frozenset(
        doc_id for doc_id, made in recipes.items() if any(made.get(kind) != recipe for kind, recipe in wanted.items())
    )


def _as_read(document: PreparedDocument) -> SectionedDocument:
    return sectioned_document(
        document.source,
        document.sections,
        doc_id=document.doc_id,
        title=document.title,
        language=document.language,
    )


def _corpus(db: sqlite3.Connection) -> Sequence[SectionedDocument]:
    """Documents of the index in order of `doc_id`, until they hold sections enough."""
    found: list[SectionedDocument] = []
    count = 0
    for key, doc_id, title, language in db.execute(
        "SELECT doc_key, doc_id, title, language FROM documents ORDER BY doc_id"
    ).fetchall():
        text = read_text(db, key)
        sections = tuple(
            SectionText(s.section_id, text[s.start : s.end], s.title, s.body - s.start, s.path)
            for s in read_sections(db, key)
        )
        found.append(SectionedDocument(doc_id, title, sections, language))
        count += len(sections)
        if count >= 2 * CORPUS_SECTIONS:
            break
    return found


def _is_current(stored: StoredMetadata, document: PreparedDocument, recipes: Mapping[str, str]) -> bool:
    """Whether nothing is left to extract: every section is as it was, and every kind was made likewise."""
    made_from = tuple(
        (s.section_id, source_of(s.path, document.source.text[s.start : s.end])) for s in document.sections
    )
    return stored.recipes == recipes and stored.made_from == made_from
