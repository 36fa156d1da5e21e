"""Rules and their exceptions in other sections: "Section 2.1 does not apply to ...", "subject to 3.4".

What limits a section by its number is brought with it, and a section that only limits another brings that one: each
alone is half a rule. So is a sentence without the note below the document to which it has a mark.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from policy_rag.index.store.documents import DocumentInfo
from policy_rag.index.store.store import Snapshot
from policy_rag.index.store.tables import read_blocks, read_edges, read_sections, read_text
from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.expansion.document_cache import DocumentCache
from policy_rag.retrieval.hits import section_hit
from policy_rag.retrieval.visibility import readable_by
from policy_rag_parsers.blocks.notes import marks_in
from policy_rag_parsers.records import BlockKind, Edge, EdgeKind, Section
from policy_rag_parsers.references.section_edges import sentence_around
from policy_rag_parsers.text.sentences import Span, trimmed

LIMITS = "limits"
"""What a section's `found_by` names where it was brought by one that it limits, or that limits it."""
NOTE = "note"
"""The same of a note of the document to whose number a hit has a mark."""

_DOCUMENTS_KEPT = 64
_MOST_HITS = 5
_MOST_A_HIT = 3
_MOST_CHARS = 600  # of a longer section only the sentence is brought that names the number


@dataclass(frozen=True, slots=True)
class _LimitedDocument:
    """A document with the exceptions in it, in order."""

    text: str
    sections: Mapping[str, Section]
    limits: tuple[Edge, ...]
    notes: Mapping[str, Span]


class LimitingSections:
    """Finds what limits hits, and what they limit; the documents read last are kept. Safe for many threads."""

    def __init__(self) -> None:
        self._read = DocumentCache[_LimitedDocument](_DOCUMENTS_KEPT)

    def related(self, snapshot: Snapshot, groups: Sequence[str], hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """What belongs to the first five hits as exception or note, or as the rule to an exception, in their order.

        Each has the rank of its hit in `found_by`, under `LIMITS` or `NOTE`; it may stand in another hit too, but comes
        once. A note has the section of the hit that has its mark, wherever in the document it stands.
        Both stand in one document, so nothing comes that the asker may not read.

        Args:
            snapshot: what was searched.
            groups: of the asker.
            hits: best first.
        """
        by_id = {document.doc_id: document for document in readable_by(snapshot, groups)}
        found: list[Hit] = []
        for hit in hits[:_MOST_HITS]:
            document = by_id.get(hit.doc_id)
            if document is None:  # taken out of the index since the search
                continue
            key = snapshot.derived.transaction, document.doc_key
            read = self._read.get(key, partial(_read, snapshot, document))
            seen = {(one.doc_id, one.start) for one in found}
            for kind, section, span in (*islice(_beside(read, hit), _MOST_A_HIT), *_noted(read, hit)):
                if (hit.doc_id, span[0]) in seen or (hit.start <= span[0] and span[1] <= hit.end):
                    continue
                seen.add((hit.doc_id, span[0]))
                found.append(
                    section_hit(
                        document,
                        section,
                        read.sections,
                        read.text,
                        span,
                        rank=len(found) + 1,
                        score=hit.score,
                        found_by={kind: SearchRank(hit.rank, hit.score)},
                    )
                )
        return tuple(found)


def _read(snapshot: Snapshot, document: DocumentInfo) -> _LimitedDocument:
    db, key = snapshot.db, document.doc_key
    text, sections = read_text(db, key), read_sections(db, key)
    limits = read_edges(db, key, kind=EdgeKind.EXCEPTS)
    notes = [note for note in read_blocks(db, key, kind=BlockKind.NOTE) if note.marker[0] not in "*†‡"]
    counts = Counter(note.marker for note in notes)
    once = {note.marker: (note.start, note.end) for note in notes if counts[note.marker] == 1}
    return _LimitedDocument(text, {section.section_id: section for section in sections}, limits, once)


def _beside(read: _LimitedDocument, hit: Hit) -> Iterator[tuple[str, Section, Span]]:
    """What limits a hit or the section above it, then what a hit limits: sections with the ranges to bring."""
    for limit in read.limits:
        home, target = read.sections[limit.section_id], read.sections[limit.target]
        if target.start <= hit.start < max(target.end, target.subtree_end):
            yield LIMITS, home, _whole(read.text, home) or sentence_around(read.text, home, limit.start)
    for limit in read.limits:
        target = read.sections[limit.target]
        whole = _whole(read.text, target) if limit.section_id == hit.section_id else None
        if whole:
            yield LIMITS, target, whole


def _noted(read: _LimitedDocument, hit: Hit) -> Iterator[tuple[str, Section, Span]]:
    """The notes to which a hit has marks, with its own section."""
    if hit.section_id in read.sections:
        for mark in dict.fromkeys(marks_in(hit.text)):
            if mark in read.notes:
                yield NOTE, read.sections[hit.section_id], read.notes[mark]


def _whole(text: str, section: Section) -> Span | None:
    """A section without its title, while it is short and says something."""
    start, end = trimmed(text, section.body if section.title else section.start, section.end)
    return (start, end) if 0 < end - start <= _MOST_CHARS else None
