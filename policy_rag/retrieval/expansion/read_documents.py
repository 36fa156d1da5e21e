"""Documents as expansion looks into them; those read last are kept."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from policy_rag.index.store.document_rows import (
    PassageRow,
    line_at,
    numbers_in,
    read_blocks,
    read_pages,
    read_sections,
    read_text,
)
from policy_rag.index.store.links import StoredLink, read_links_to, read_pointing
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.hits import hit_of
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.records import BlockKind, EdgeKind, PageMark, Section, SourceText
from policy_rag_parsers.references.defined_terms import Definition, find_definitions
from policy_rag_parsers.text.sentences import Span

_KEPT = 64


@dataclass(frozen=True)
class ReadDocument:
    """A document as a view shows it.

    Attributes:
        info: which.
        text: of the document.
        sections: by id, in order.
        pages: where its pages begin.
        references: where it points to documents of the view, in order.
        exceptions: those of `references` that limit what they point to, then those of other documents to this one.
        notes: ranges of the notes whose mark stands once, by mark.
    """

    info: DocumentInfo
    text: str
    sections: Mapping[str, Section]
    pages: tuple[PageMark, ...] = ()
    references: tuple[StoredLink, ...] = ()
    exceptions: tuple[StoredLink, ...] = ()
    notes: Mapping[str, Span] = field(default_factory=dict)

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The terms that it defines."""
        return find_definitions(SourceText(self.text, self.info.format), tuple(self.sections.values()))

    def hit(self, section: Section, span: Span, rank: int, score: float, found_by: Mapping[str, SearchRank]) -> Hit:
        """A range of a section as a hit that no search found; `found_by` is what brought it."""
        row = PassageRow(
            0, self.info.doc_key, section.section_id, section.number, section.title, section.path,
            *span, self.text[slice(*span)], None, numbers_in(section, self.sections), line_at(self.text, span[0]),
            self.pages,
        )  # fmt: skip
        return hit_of(row, self.info, rank=rank, score=score, found_by=found_by)


class ReadDocuments:
    """The documents read last. Safe for many threads, of which two may read the same."""

    def __init__(self) -> None:
        self._documents: OrderedDict[tuple[int, int, frozenset[int]], ReadDocument] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, view: Visibility, doc_key: int) -> ReadDocument:
        """A document of a view."""
        key = view.snapshot.derived.transaction, doc_key, frozenset(view.documents)
        with self._lock:
            if key in self._documents:
                self._documents.move_to_end(key)
                return self._documents[key]
        found = read_document(view, doc_key)
        with self._lock:
            self._documents[key] = found
            while len(self._documents) > _KEPT:
                self._documents.popitem(last=False)
        return found


def read_document(view: Visibility, doc_key: int) -> ReadDocument:
    """A document of a view, read anew."""
    db = view.snapshot.db
    references = read_pointing(db, doc_key, view.documents)
    others = (link for link in read_links_to(db, doc_key) if link.doc_key in view.documents)
    notes = [note for note in read_blocks(db, doc_key, kind=BlockKind.NOTE) if note.marker[0] not in "*†‡"]
    counts = Counter(note.marker for note in notes)
    return ReadDocument(
        info=view.documents[doc_key],
        text=read_text(db, doc_key),
        sections={section.section_id: section for section in read_sections(db, doc_key)},
        pages=read_pages(db, doc_key),
        references=references,
        exceptions=tuple(link for link in (*references, *others) if link.kind is EdgeKind.EXCEPTS),
        notes={note.marker: (note.start, note.end) for note in notes if counts[note.marker] == 1},
    )
