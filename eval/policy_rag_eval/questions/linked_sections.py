"""Which sections belong together: those that a section refers to."""

from collections.abc import Mapping, Sequence

from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_eval.questions.drafts import SectionKey
from policy_rag_parsers.references.cross_references import find_references


def linked_sections(documents: Sequence[SourceDocument]) -> Mapping[SectionKey, tuple[SectionKey, ...]]:
    """For each section the others that it refers to, in the order in which it names them, each once.

    Sections of all `documents` count; a reference to a document as a whole does not.
    """
    titles = {document.info.doc_id: document.info.title for document in documents}
    sections = {document.info.doc_id: document.sections for document in documents}
    found: dict[SectionKey, dict[SectionKey, None]] = {}
    for document in documents:
        doc_id = document.info.doc_id
        others = {other: listed for other, listed in sections.items() if other != doc_id}
        holders = iter(document.sections)
        holder = next(holders, None)
        for reference in find_references(
            document.source, document.sections, doc_id=doc_id, titles=titles, others=others
        ):
            while holder is not None and holder.end <= reference.start:
                holder = next(holders, None)
            if holder is None or reference.target_section_id is None:
                continue
            key = (doc_id, holder.section_id)
            target = (reference.target_document or doc_id, reference.target_section_id)
            if target != key:
                found.setdefault(key, {})[target] = None
    return {key: tuple(targets) for key, targets in found.items()}
