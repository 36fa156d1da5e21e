"""Which sections belong together: those that a section refers to."""

from collections.abc import Mapping, Sequence

from policy_rag_eval.questions.drafts import SectionKey
from policy_rag_eval.questions.source_documents import SourceDocument
from policy_rag_parsers.references.cross_references import find_references
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library


def linked_sections(documents: Sequence[SourceDocument]) -> Mapping[SectionKey, tuple[SectionKey, ...]]:
    """For each section the others that it refers to, in the order in which it names them, each once.

    Sections of all `documents` count; a reference to a document as a whole does not.
    """
    sections = {document.info.doc_id: document.sections for document in documents}
    names = {document.info.doc_id: document_names(document.info.title, document.info.file) for document in documents}
    library = Library(names, lambda doc_id: sections[doc_id])
    found: dict[SectionKey, dict[SectionKey, None]] = {}
    for document in documents:
        doc_id = document.info.doc_id
        holders = iter(document.sections)
        holder = next(holders, None)
        for reference in find_references(document.source, document.sections, library=library, doc_id=doc_id):
            while holder is not None and holder.end <= reference.start:
                holder = next(holders, None)
            if holder is None or reference.target_section_id is None:
                continue
            key = (doc_id, holder.section_id)
            target = (reference.target_document or doc_id, reference.target_section_id)
            if target != key:
                found.setdefault(key, {})[target] = None
    return {key: tuple(targets) for key, targets in found.items()}
