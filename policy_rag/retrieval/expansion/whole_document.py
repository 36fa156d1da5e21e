"""A whole document as hits: its sections in order, for a summary."""

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import Hit
from policy_rag.retrieval.expansion.read_documents import read_document
from policy_rag.retrieval.hit_blocks import with_stored_blocks
from policy_rag.retrieval.visibility import Visibility


def whole_document(view: Visibility, document: DocumentInfo) -> tuple[Hit, ...]:
    """The sections of a document that hold more than their heading, in order, ranked in that order, score 0.

    Nothing comes of one that the view does not show.
    """
    if document.doc_key not in view.documents:
        return ()
    read = read_document(view, document.doc_key)
    told = [one for one in read.sections.values() if read.text[one.body : one.end].strip()]
    hits = [read.hit(one, (one.start, one.end), rank, 0.0, {}) for rank, one in enumerate(told, 1)]
    return with_stored_blocks(view.snapshot, hits)
