"""Metadata for the documents of an ingest: what is extracted, what is kept from before, what it would cost."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from policy_rag.index.ingest.metadata_extractors import CORPUS_SECTIONS, MetadataExtractor, MetadataPlan
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_sections, read_text
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.metadata import FIELDS, read_stored, source_of
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.records.choices import read_kinds
from policy_rag_parsers.metadata.extraction_report import KindCounts, MetadataFailure, MetadataOutcome
from policy_rag_parsers.metadata.extraction_results import DOCUMENT_KINDS, DocumentMetadata, Kind
from policy_rag_parsers.metadata.section_texts import SectionedDocument, SectionText, sectioned_document


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
    failures: tuple[MetadataFailure, ...] = ()


def extract(
    db: Database,
    documents: Sequence[PreparedDocument],
    manifest: Manifest,
    extractor: MetadataExtractor | None,
    *,
    known_as: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Extraction:
    """Documents with their metadata.

    What the index holds of a document whose sections stay as they are is kept, kind by kind, as long as the recipe is
    the same. All else is extracted; an LLM is not asked again what stands in its reply cache.

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
    recipes = {kind: extractor.recipe(kind) for kind in kinds}
    kept = {d.doc_id: _kept(db, d, recipes, (known_as or {}).get(d.doc_id, d.doc_id)) for d in documents}
    todo, missing = _missing(documents, kept, kinds)
    outcome = MetadataOutcome((), {})
    told = None if progress is None else lambda found: progress(found.done, found.total)
    if todo:
        outcome = extractor.extract(todo, missing, lambda: _corpus(db), told)
    new = {document.doc_id: document for document in outcome.documents}
    # What failed has no recipe: the next ingest makes the calls that had no answer again.
    failed = {(failure.doc_id, failure.kind) for failure in outcome.failures}
    extracted = tuple(
        replace(
            document,
            metadata=_merged(new.get(document.doc_id), kept[document.doc_id], missing),
            recipes=tuple((k.value, recipe) for k, recipe in recipes.items() if (document.doc_id, k) not in failed),
        )
        for document in documents
    )
    return Extraction(extracted, {kind.value: count for kind, count in outcome.counts.items()}, outcome.failures)


def plan(
    db: Database, documents: Sequence[PreparedDocument], manifest: Manifest, extractor: MetadataExtractor
) -> MetadataPlan:
    """What `extract` would cost."""
    kinds = read_kinds(manifest.metadata)
    recipes = {kind: extractor.recipe(kind) for kind in kinds}
    kept = {d.doc_id: _kept(db, d, recipes, d.doc_id) for d in documents}
    return extractor.plan(*_missing(documents, kept, kinds))


def outdated(
    recipes: Mapping[str, Mapping[str, str]], manifest: Manifest, extractor: MetadataExtractor | None
) -> frozenset[str]:
    """Ids of the documents that lack a wanted kind, or have it by another recipe; they are to be read again."""
    wanted = {kind.value: extractor.recipe(kind) for kind in read_kinds(manifest.metadata)} if extractor else {}
    return frozenset(
        doc_id for doc_id, made in recipes.items() if any(made.get(kind) != recipe for kind, recipe in wanted.items())
    )


def _corpus(db: Database) -> Sequence[SectionedDocument]:
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


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the index holds of a document and is kept, for which kinds; nothing where a section changed."""

    metadata: DocumentMetadata
    kinds: frozenset[Kind] = frozenset()


def _kept(db: Database, document: PreparedDocument, recipes: Mapping[Kind, str], doc_id: str) -> _Kept:
    text = document.source.text
    made_from = tuple((s.section_id, source_of(s.path, text[s.start : s.end])) for s in document.sections)
    stored = read_stored(db, doc_id)
    if stored is None or stored.made_from != made_from:
        return _Kept(DocumentMetadata(document.doc_id))
    same = frozenset(kind for kind, recipe in recipes.items() if stored.recipes.get(kind.value) == recipe)
    return _Kept(replace(stored.metadata, doc_id=document.doc_id), same)


def _missing(
    documents: Sequence[PreparedDocument], kept: Mapping[str, _Kept], kinds: Sequence[Kind]
) -> tuple[list[SectionedDocument], list[Kind]]:
    """The documents that lack a kind, and the kinds that one of them lacks."""
    todo = [d for d in documents if not kept[d.doc_id].kinds.issuperset(kinds)]
    missing = [kind for kind in kinds if any(kind not in kept[d.doc_id].kinds for d in todo)]
    read = [sectioned_document(d.source, d.sections, doc_id=d.doc_id, title=d.title, language=d.language) for d in todo]
    return read, missing


def _merged(new: DocumentMetadata | None, kept: _Kept, missing: Sequence[Kind]) -> DocumentMetadata:
    """New results, with what is kept and was not extracted again."""
    if new is None or not kept.kinds:
        return new or kept.metadata
    kinds = kept.kinds.difference(missing)
    names = [name for kind in kinds - DOCUMENT_KINDS for name in FIELDS[kind]]
    sections = tuple(
        replace(
            section,
            **{name: getattr(old, name) for name in names},
            shortened=(*section.shortened, *kinds.intersection(old.shortened)),
        )
        for section, old in zip(new.sections, kept.metadata.sections, strict=True)
    )
    title = kept.metadata.title if Kind.TITLE in kinds else new.title
    summary = kept.metadata.summary if Kind.DOCUMENT_SUMMARY in kinds else new.summary
    return replace(new, title=title, summary=summary, sections=sections)
