"""Metadata for the documents of an ingest: what is extracted, what is kept from before, what it would cost."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from policy_rag.index.ingest.metadata_extractors import CORPUS_SECTIONS, MetadataExtractor, MetadataPlan
from policy_rag.index.store.documents import PreparedDocument
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.metadata import FIELDS, Stored, read_stored
from policy_rag.index.store.tables import read_sections, read_text
from policy_rag.records.options import read_kinds
from policy_rag_parsers.metadata.neighbour_summaries import with_neighbours
from policy_rag_parsers.metadata.records import DOCUMENT_KINDS, DocumentMetadata, Kind, SectionMetadata
from policy_rag_parsers.metadata.report import Failure, KindCounts, Outcome, Progress
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

    What the index holds of a section whose text and titles stay the same is kept, kind by kind, as long as the recipe
    is the same; summaries of neighbours follow the summaries. The rest is extracted.

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
    names = known_as or {}
    stored = {d.doc_id: read_stored(db, names.get(d.doc_id, d.doc_id)) for d in documents}
    todo = [d for d in documents if not _all_kept(d, stored[d.doc_id], recipes)]
    outcome = Outcome((), {})
    if todo:
        outcome = extractor.extract([_as_read(d) for d in todo], kinds, lambda: _corpus(db), _progress(progress))
    new = {document.doc_id: document for document in outcome.documents}
    failed = {(failure.doc_id, failure.kind) for failure in outcome.failures}
    made = tuple(
        replace(
            document,
            metadata=_merged(document, new.get(document.doc_id), stored[document.doc_id], recipes),
            # What failed has no recipe: the next ingest makes the calls that had no answer again.
            recipes=tuple((k.value, recipe) for k, recipe in recipes.items() if (document.doc_id, k) not in failed),
        )
        for document in documents
    )
    counts = {kind.value: count for kind, count in outcome.counts.items()}
    return Extraction(made, counts, outcome.failures)


def _progress(progress: Callable[[int, int], None] | None) -> Callable[[Progress], None] | None:
    return None if progress is None else lambda found: progress(found.done, found.total)


def plan(
    db: sqlite3.Connection, documents: Sequence[PreparedDocument], manifest: Manifest, extractor: MetadataExtractor
) -> MetadataPlan:
    """What `extract` would cost."""
    kinds = read_kinds(manifest.metadata)
    recipes = {kind: extractor.recipe(kind) for kind in kinds}
    todo = [d for d in documents if not _all_kept(d, read_stored(db, d.doc_id), recipes)]
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


def _kept_kinds(stored: Stored | None, recipes: Mapping[Kind, str]) -> frozenset[Kind]:
    if stored is None:
        return frozenset()
    return frozenset(kind for kind, recipe in recipes.items() if stored.recipes.get(kind.value) == recipe)


def _all_kept(document: PreparedDocument, stored: Stored | None, recipes: Mapping[Kind, str]) -> bool:
    """Whether nothing is left to extract: every section is as it was, and every kind was made likewise."""
    if stored is None or _kept_kinds(stored, recipes) != recipes.keys():
        return False
    known = [(section.section_id, place) for section, place in zip(document.sections, _places(document), strict=True)]
    return stored.order == tuple(known) and not any(
        stored.lacks(key, kind) for key in known for kind in recipes if kind not in DOCUMENT_KINDS
    )


def _places(document: PreparedDocument) -> list[str]:
    """What a section's metadata was made from: its titles and its text."""
    return ["\n".join((*s.path, document.source.text[s.start : s.end])) for s in document.sections]


def _merged(
    document: PreparedDocument, new: DocumentMetadata | None, stored: Stored | None, recipes: Mapping[Kind, str]
) -> DocumentMetadata:
    """New results, and those that are kept in place of them."""
    kept = _kept_kinds(stored, recipes)
    if new is None:
        new = DocumentMetadata(
            document.doc_id, sections=tuple(SectionMetadata(s.section_id) for s in document.sections)
        )
    sections = list(new.sections)
    same = stored is not None and stored.order == tuple(
        (s.section_id, place) for s, place in zip(document.sections, _places(document), strict=True)
    )
    for i, (section, place) in enumerate(zip(document.sections, _places(document), strict=True)):
        old = stored.sections.get((section.section_id, place)) if stored else None
        if old is not None:
            sections[i] = _with(sections[i], old, kept - DOCUMENT_KINDS - {Kind.NEIGHBOURS})
    if Kind.NEIGHBOURS in recipes:
        if Kind.SUMMARY in recipes:
            sections = with_neighbours(sections, keep=True)
        elif same and stored is not None:
            olds = [stored.sections[key] for key in stored.order]
            sections = [_with(s, old, kept & {Kind.NEIGHBOURS}) for s, old in zip(sections, olds, strict=True)]
    whole: dict[str, Any] = {}
    if same and stored is not None and stored.document is not None:
        names = {Kind.TITLE: "title", Kind.DOCUMENT_SUMMARY: "summary"}
        values = {names[kind]: getattr(stored.document, names[kind]) for kind in kept & DOCUMENT_KINDS}
        whole = {name: value for name, value in values.items() if value is not None}
    return replace(new, sections=tuple(sections), **whole)


def _with(new: SectionMetadata, old: SectionMetadata, kinds: frozenset[Kind]) -> SectionMetadata:
    names = [name for kind in kinds for name in FIELDS[kind]]
    values = {name: getattr(old, name) for name in names if getattr(old, name) is not None}
    shortened = {*(k for k in new.shortened if k not in kinds), *(k for k in old.shortened if k in kinds)}
    return replace(new, **values, shortened=tuple(kind for kind in Kind if kind in shortened))
