"""Small to big: the sections that a hit needs to be understood.

Its parent's heading and opening words, the sections that it refers to, and the definitions of the terms that it uses.
What is brought in passes the same view as the hits: a caller never sees a document that a search would hide.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from policy_rag.index.store.document_rows import read_sections, read_text
from policy_rag.index.store.links import StoredLink, read_pointing
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.choices import Expansion
from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.expansion.document_cache import DocumentCache
from policy_rag.retrieval.hits import section_hit
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.references.defined_terms import Definition, find_definitions

_DOCUMENTS_KEPT = 32
_MOST_A_HIT = 8  # of each kind: a section that refers to everything brings little of use


@dataclass(frozen=True, slots=True)
class _ReferringDocument:
    """A document as it is looked into."""

    info: DocumentInfo
    text: str
    sections: dict[str, Section]
    references: tuple[StoredLink, ...]
    definitions: tuple[Definition, ...]


class RelatedSections:
    """Finds what hits bring along; the documents read last are kept. Safe for many threads."""

    def __init__(self) -> None:
        self._documents = DocumentCache[_ReferringDocument](_DOCUMENTS_KEPT)

    def related(self, view: Visibility, hits: Sequence[Hit], kinds: Sequence[Expansion]) -> tuple[Hit, ...]:
        """What the hits bring along, in order of the hits, then of `Expansion`; nothing twice, and no hit again.

        Args:
            view: what may be seen.
            hits: best first.
            kinds: what to bring.
        """
        by_id = {document.doc_id: document for document in view.documents.values()}
        seen = {(hit.doc_id, hit.section_id) for hit in hits}
        found: list[Hit] = []
        for hit in hits:
            for kind, doc_id, section_id, span in self._of_hit(view, by_id, hit, kinds):
                # A definition is a sentence: several may come from one section.
                place = (doc_id, section_id) if span is None else (doc_id, f"{section_id}:{span[0]}")
                if doc_id not in by_id or (doc_id, section_id) in seen or place in seen:
                    continue
                seen.add(place)
                read = self._read(view, by_id[doc_id], by_id)
                section = read.sections[section_id]
                found.append(
                    section_hit(
                        read.info,
                        section,
                        read.sections,
                        read.text,
                        span or (section.start, section.end),
                        rank=len(found) + 1,
                        score=hit.score,
                        found_by={kind: SearchRank(hit.rank, hit.score)},
                    )
                )
        return tuple(found)

    def _of_hit(
        self, view: Visibility, by_id: dict[str, DocumentInfo], hit: Hit, kinds: Sequence[Expansion]
    ) -> Iterator[tuple[str, str, str, tuple[int, int] | None]]:
        """What one hit brings: the kind, the document, the section, and the range where it is not the whole section."""
        read = self._read(view, by_id[hit.doc_id], by_id)
        section = read.sections.get(hit.section_id)
        if Expansion.PARENT in kinds and section is not None and section.parent in read.sections:
            yield Expansion.PARENT.value, hit.doc_id, str(section.parent), None
        if Expansion.REFERENCES in kinds:
            inside = [r for r in read.references if hit.start <= r.start < hit.end and r.target]
            for reference in inside[:_MOST_A_HIT]:
                target = view.documents[reference.target_key].doc_id
                yield Expansion.REFERENCES.value, target, str(reference.target), None
        if Expansion.DEFINITIONS in kinds:
            outside = [d for d in read.definitions if not hit.start <= d.start < hit.end]
            used = [d for d in outside if re.search(rf"(?<!\w){re.escape(d.term)}(?!\w)", hit.text)]
            for definition in used[:_MOST_A_HIT]:
                yield Expansion.DEFINITIONS.value, hit.doc_id, definition.section_id, (definition.start, definition.end)

    def _read(self, view: Visibility, document: DocumentInfo, by_id: dict[str, DocumentInfo]) -> _ReferringDocument:
        key = (view.snapshot.derived.transaction, document.doc_key, frozenset(by_id))
        return self._documents.get(key, lambda: _read(view, document))


def _read(view: Visibility, document: DocumentInfo) -> _ReferringDocument:
    db = view.snapshot.db
    text, sections = read_text(db, document.doc_key), read_sections(db, document.doc_key)
    definitions = find_definitions(SourceText(text, document.format), sections)
    by_section = {section.section_id: section for section in sections}
    references = read_pointing(db, document.doc_key, view.documents)
    return _ReferringDocument(document, text, by_section, references, definitions)
