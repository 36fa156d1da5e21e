"""What two versions are compared by: documents of an index, and files that are in none, such as a draft."""

import datetime as dt
from dataclasses import dataclass
from pathlib import Path

from policy_rag.index.maintenance.version_diff import ChangeKind, VersionDiff, compare
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_sections, read_text
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.document_metadata.declarations import declared, read_sidecar
from policy_rag_parsers.document_metadata.title_block import with_title_block
from policy_rag_parsers.loaders import load
from policy_rag_parsers.records import Section
from policy_rag_parsers.structure.heading_profiles import load_profile
from policy_rag_parsers.structure.sections import parse_document


@dataclass(frozen=True, slots=True)
class ComparedText:
    """A version: what it says of itself, its text and its sections."""

    doc_id: str
    version: str | None
    file: str
    title: str
    effective_from: dt.date | None
    effective_to: dt.date | None
    text: str
    sections: tuple[Section, ...]


def text_of_document(db: Database, document: DocumentInfo) -> ComparedText:
    """A document of the index."""
    return ComparedText(
        doc_id=document.doc_id,
        version=document.version,
        file=document.file,
        title=document.title,
        effective_from=document.effective_from,
        effective_to=document.effective_to,
        text=read_text(db, document.doc_key),
        sections=read_sections(db, document.doc_key),
    )


def text_of_file(path: Path, profile: str | None = None) -> ComparedText:
    """A file as an ingest would read it; it is not taken in. Which lines may be headings is detected without `profile`.

    Raises:
        PolicyRagError: it cannot be read, or what it declares cannot be understood.
    """
    source = load(path)
    declaration = with_title_block(declared(source, path.name, read_sidecar(path.parent)), source)
    parsed = parse_document(
        source, title=declaration.title, otherwise=path.stem, profile=load_profile(profile) if profile else None
    )
    return ComparedText(
        doc_id=str(path),
        version=declaration.version or None,
        file=str(path),
        title=parsed.title,
        effective_from=declaration.effective_from,
        effective_to=declaration.effective_to,
        text=source.text,
        sections=parsed.sections,
    )


def differences(old: ComparedText, new: ComparedText) -> VersionDiff:
    """What changed between two versions, clause by clause."""
    return compare(old.sections, old.text, new.sections, new.text)


def as_json(found: VersionDiff, old: ComparedText, new: ComparedText) -> dict[str, object]:
    """What changed, with what each version says of itself and the counts; see `records.serialization.to_json`."""
    names = ("doc_id", "version", "file", "title", "effective_from", "effective_to")
    sides = ({name: getattr(document, name) for name in names} for document in (old, new))
    return {"old": next(sides), "new": next(sides), "counts": counts(found), "changes": found.changes}


def counts(found: VersionDiff) -> dict[str, int]:
    """How many clauses each kind of change befell, and how many none did; a clause may count under several kinds."""
    kinds = {kind.value: sum(kind in change.kinds for change in found.changes) for kind in ChangeKind}
    return {**kinds, "unchanged": found.unchanged}
