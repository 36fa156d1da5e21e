"""Metadata of sections and documents as the index keeps it, and the text that a search is given of it.

It is stored beside the text and never becomes part of it: what a hit quotes is the document, whatever was extracted.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from policy_rag.index.store.database import Database
from policy_rag_parsers.metadata.extraction_results import (
    DOCUMENT_KINDS,
    DocumentMetadata,
    Force,
    Kind,
    SectionMetadata,
)

Value = Mapping[str, Any]
"""Metadata as JSON values."""


def added_text(kinds: Sequence[Kind], document: DocumentMetadata | None, section: SectionMetadata | None) -> str:
    r"""What is added to a section's text for a search: a line an item, in the order of `kinds`; "" where there is none.

    Args:
        kinds: what is added.
        document: of the section's document.
        section: of the section.

    >>> section = SectionMetadata("1", questions=("Who?",))
    >>> added_text([Kind.QUESTIONS, Kind.TITLE], DocumentMetadata("d", "Leave"), section)
    'Who?\nLeave'
    """
    lines = [line for kind in kinds for line in _lines(kind, document, section) if line.strip()]
    return "\n".join(dict.fromkeys(lines))


def _lines(kind: Kind, document: DocumentMetadata | None, section: SectionMetadata | None) -> Sequence[str]:
    if kind in DOCUMENT_KINDS:
        text = None if document is None else document.title if kind is Kind.TITLE else document.summary
        return (text or "",)
    return _OF_SECTION[kind](section) if section is not None else ()


_OF_SECTION: Mapping[Kind, Callable[[SectionMetadata], Sequence[str]]] = {
    Kind.SUMMARY: lambda section: (section.summary or "",),
    Kind.NEIGHBOURS: lambda section: (section.previous_summary or "", section.next_summary or ""),
    Kind.QUESTIONS: lambda section: section.questions or (),
    Kind.KEYWORDS: lambda section: (", ".join(section.keywords or ()),),
    Kind.ENTITIES: lambda section: (", ".join(dict.fromkeys(entity.text for entity in section.entities or ())),),
    Kind.OBLIGATIONS: lambda section: [
        " ".join(part for part in (o.who, "must not" if o.force is Force.MUST_NOT else "must", o.what, o.when) if part)
        for o in section.obligations or ()
    ],
}
FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.TITLE: ("document_title",),
    Kind.DOCUMENT_SUMMARY: ("document_summary",),
    Kind.SUMMARY: ("summary",),
    Kind.NEIGHBOURS: ("previous_summary", "next_summary"),
    Kind.QUESTIONS: ("questions",),
    Kind.KEYWORDS: ("keywords",),
    Kind.ENTITIES: ("entities",),
    Kind.OBLIGATIONS: ("obligations",),
}
"""Under what names a kind is shown; those of sections are the names of `SectionMetadata`."""


def shown(
    kinds: Collection[Kind], document: DocumentMetadata | None, section: SectionMetadata | None
) -> dict[str, Any] | None:
    """What is shown of it, as JSON values by name, in a fixed order; None where there is nothing."""
    if document is None and section is None:
        return None
    values: dict[str, Any] = dict(section.to_json()) if section else {}
    if document is not None:
        values |= {"document_title": document.title, "document_summary": document.summary}
    names = [name for kind in Kind if kind in kinds for name in FIELDS[kind]]
    return {name: values[name] for name in names if values.get(name)} or None


def encode_section(section: SectionMetadata | None) -> str:
    """As it is stored; "" for none."""
    return json.dumps(section.to_json(), ensure_ascii=False) if section else ""


def decode_section(text: str) -> SectionMetadata | None:
    """What `encode_section` gave.

    Raises:
        MetadataError: it is something else.
    """
    return SectionMetadata.from_json(json.loads(text)) if text else None


def encode_document(document: DocumentMetadata | None) -> str:
    """Title and summary as they are stored, without the sections and the id, which may change; "" for none."""
    return json.dumps({**document.to_json(), "doc_id": "", "sections": []}, ensure_ascii=False) if document else ""


def decode_document(text: str) -> DocumentMetadata | None:
    """What `encode_document` gave, without sections and id.

    Raises:
        MetadataError: it is something else.
    """
    return DocumentMetadata.from_json(json.loads(text)) if text else None


def read_added(db: Database, doc_key: int, kinds: Sequence[Kind]) -> dict[int, str]:
    """What is added to each section of a document, by the section's position; nothing where `kinds` is empty."""
    if not kinds:
        return {}
    (text,) = db.execute("SELECT metadata FROM documents WHERE doc_key = ?", (doc_key,)).fetchone()
    document = decode_document(text)
    rows = db.execute("SELECT position, metadata FROM sections WHERE doc_key = ?", (doc_key,)).fetchall()
    return {position: added_text(kinds, document, decode_section(text)) for position, text in rows}


def written_kinds(kinds: Collection[Kind]) -> str:
    """Kinds as one text, in a fixed order: `summary,questions`."""
    return ",".join(kind.value for kind in Kind if kind in kinds)


@dataclass(frozen=True, slots=True)
class StoredMetadata:
    """What the index holds of one document's metadata.

    Attributes:
        recipes: kind to what made it.
        metadata: of the document and of its sections, in their order.
        made_from: of each section its id, and its titles and text.
    """

    recipes: Mapping[str, str]
    metadata: DocumentMetadata
    made_from: tuple[tuple[str, str], ...]


def read_stored(db: Database, doc_id: str) -> StoredMetadata | None:
    """What is stored of a document's metadata; None where nothing is."""
    row = db.execute("SELECT doc_key, metadata, recipes, text FROM documents WHERE doc_id = ?", (doc_id,)).fetchone()
    document = decode_document(row[1]) if row else None
    if document is None:
        return None
    rows = db.execute(
        'SELECT section_id, path, start, "end", metadata FROM sections WHERE doc_key = ? ORDER BY position', (row[0],)
    ).fetchall()
    sections = tuple(decode_section(r[4]) or SectionMetadata(r[0]) for r in rows)
    made_from = tuple((r[0], source_of(json.loads(r[1]), row[3][r[2] : r[3]])) for r in rows)
    return StoredMetadata(json.loads(row[2]), replace(document, doc_id=doc_id, sections=sections), made_from)


def source_of(path: Sequence[str], text: str) -> str:
    """What a section's metadata is made from: its titles and its text."""
    return "\n".join((*path, text))


def read_recipes(db: Database) -> dict[str, dict[str, str]]:
    """What made which kind of metadata, by `doc_id`."""
    return {doc_id: json.loads(recipes) for doc_id, recipes in db.execute("SELECT doc_id, recipes FROM documents")}
