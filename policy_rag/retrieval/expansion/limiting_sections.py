"""Rules and their exceptions in other sections: "Section 2.1 does not apply to ...", "subject to 3.4".

What limits a section by its number is brought with it, and a section that only limits another brings that one, be it
of another document: each alone is half a rule. So is a sentence without the note below the document to which it has a
mark.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from policy_rag.records.search import Hit, SearchRank
from policy_rag.retrieval.expansion.read_documents import ReadDocument, ReadDocuments
from policy_rag.retrieval.hit_blocks import QUOTED_HITS
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.blocks.notes import marks_in
from policy_rag_parsers.records import Section
from policy_rag_parsers.references.section_edges import sentence_around
from policy_rag_parsers.text.sentences import Span, trimmed

LIMITS = "limits"
"""What a section's `found_by` names where it was brought by one that it limits, or that limits it."""
NOTE = "note"
"""The same of a note of the document to whose number a hit has a mark."""

_MOST_A_HIT = 3
_MOST_CHARS = 600  # of a longer section only the sentence is brought that names the number


def limiting_sections(documents: ReadDocuments, view: Visibility, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """What belongs as exception or note, or as the rule to an exception, to the hits quoted from, in their order.

    Each has the rank of its hit in `found_by`, under `LIMITS` or `NOTE`; it may stand in another hit too, but comes
    once. A note has the section of the hit that has its mark, wherever in the document it stands. Nothing is brought
    that the view hides.
    """
    keys = {document.doc_id: key for key, document in view.documents.items()}
    found: list[Hit] = []
    for hit in hits[:QUOTED_HITS]:
        if hit.doc_id not in keys:  # taken out of the index since the search
            continue
        read = documents.get(view, keys[hit.doc_id])
        seen = {(one.doc_id, one.start) for one in found}
        beside = islice(_beside(documents, view, read, hit), _MOST_A_HIT)
        for kind, home, section, span in (*beside, *_noted(read, hit)):
            place = home.info.doc_id, span[0]
            inside = home is read and hit.start <= span[0] and span[1] <= hit.end
            if place in seen or inside:
                continue
            seen.add(place)
            found_by = {kind: SearchRank(hit.rank, hit.score)}
            found.append(home.hit(section, span, len(found) + 1, hit.score, found_by))
    return tuple(found)


def _beside(
    documents: ReadDocuments, view: Visibility, read: ReadDocument, hit: Hit
) -> Iterator[tuple[str, ReadDocument, Section, Span]]:
    """What limits a hit or the section above it, then what a hit limits: sections with the ranges to bring."""
    own = read.info.doc_key
    for limit in read.exceptions:
        target = read.sections[limit.target] if limit.target_key == own and limit.target else None
        if target and limit.section_id and target.start <= hit.start < max(target.end, target.subtree_end):
            home = documents.get(view, limit.doc_key)
            section = home.sections[limit.section_id]
            span = _whole(home.text, section) or sentence_around(home.text, section, limit.start)
            yield LIMITS, home, section, span
    for limit in read.exceptions:
        if limit.doc_key == own and limit.section_id == hit.section_id and limit.target:
            there = documents.get(view, limit.target_key)
            whole = _whole(there.text, there.sections[limit.target])
            if whole:
                yield LIMITS, there, there.sections[limit.target], whole


def _noted(read: ReadDocument, hit: Hit) -> Iterator[tuple[str, ReadDocument, Section, Span]]:
    """The notes to which a hit has marks, with its own section."""
    if hit.section_id in read.sections:
        for mark in dict.fromkeys(marks_in(hit.text)):
            if mark in read.notes:
                yield NOTE, read, read.sections[hit.section_id], read.notes[mark]


def _whole(text: str, section: Section) -> Span | None:
    """A section without its title, while it is short and says something."""
    start, end = trimmed(text, section.body if section.title else section.start, section.end)
    return (start, end) if 0 < end - start <= _MOST_CHARS else None
