"""Small to big: the sections that a hit needs to be understood.

Its parent's heading and opening words, the sections that it refers to, and the definitions of the terms that it uses.
What is brought in passes the same view as the hits: a caller never sees a document that a search would hide.
"""

import re
from collections.abc import Iterator, Sequence

from policy_rag.records.choices import Expansion
from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.expansion.read_documents import ReadDocument, ReadDocuments
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.text.sentences import Span

_MOST_A_HIT = 8  # of each kind: a section that refers to everything brings little of use


def related_sections(
    documents: ReadDocuments, view: Visibility, hits: Sequence[Hit], kinds: Sequence[Expansion]
) -> tuple[Hit, ...]:
    """What the hits bring along, in order of the hits, then of `Expansion`; nothing twice, and no hit again."""
    keys = {document.doc_id: key for key, document in view.documents.items()}
    seen = {(hit.doc_id, hit.section_id) for hit in hits}
    found: list[Hit] = []
    for hit in hits:
        for kind, doc_key, section_id, span in _of_hit(documents.get(view, keys[hit.doc_id]), hit, kinds):
            doc_id = view.documents[doc_key].doc_id
            # A definition is a sentence: several may come from one section.
            place = (doc_id, section_id) if span is None else (doc_id, f"{section_id}:{span[0]}")
            if (doc_id, section_id) in seen or place in seen:
                continue
            seen.add(place)
            read = documents.get(view, doc_key)
            section = read.sections[section_id]
            found_by = {kind.value: SearchRank(hit.rank, hit.score)}
            found.append(read.hit(section, span or (section.start, section.end), len(found) + 1, hit.score, found_by))
    return tuple(found)


def _of_hit(
    read: ReadDocument, hit: Hit, kinds: Sequence[Expansion]
) -> Iterator[tuple[Expansion, int, str, Span | None]]:
    """What one hit brings: the kind, the document, the section, and the range where it is not the whole section."""
    own = read.info.doc_key
    section = read.sections.get(hit.section_id)
    if Expansion.PARENT in kinds and section is not None and section.parent in read.sections:
        yield Expansion.PARENT, own, str(section.parent), None
    if Expansion.REFERENCES in kinds:
        inside = [r for r in read.references if hit.start <= r.start < hit.end and r.target]
        for reference in inside[:_MOST_A_HIT]:
            yield Expansion.REFERENCES, reference.target_key, str(reference.target), None
    if Expansion.DEFINITIONS in kinds:
        outside = [d for d in read.definitions if not hit.start <= d.start < hit.end]
        used = [d for d in outside if re.search(rf"(?<!\w){re.escape(d.term)}(?!\w)", hit.text)]
        for definition in used[:_MOST_A_HIT]:
            yield Expansion.DEFINITIONS, own, definition.section_id, (definition.start, definition.end)
