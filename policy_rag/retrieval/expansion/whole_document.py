"""A whole document as hits: its sections in order, for a summary."""

from policy_rag.index.store.document_rows import read_sections, read_text
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_stored_blocks
from policy_rag.retrieval.hits import section_hit
from policy_rag.retrieval.visibility import Visibility


def whole_document(view: Visibility, document: DocumentInfo) -> tuple[Hit, ...]:
    """The sections of a document that hold more than their heading, in order, ranked in that order, score 0.

    Args:
        view: what may be seen.
        document: which; nothing comes of one that the view does not show.
    """
    if document.doc_key not in view.documents:
        return ()
    text = read_text(view.snapshot.db, document.doc_key)
    hits: list[Hit] = []
    sections = read_sections(view.snapshot.db, document.doc_key)
    by_id = {section.section_id: section for section in sections}
    for section in sections:
        if not text[section.body : section.end].strip():
            continue
        span = section.start, section.end
        hits.append(section_hit(document, section, by_id, text, span, rank=len(hits) + 1, score=0.0, found_by={}))
    return with_stored_blocks(view.snapshot, hits)
