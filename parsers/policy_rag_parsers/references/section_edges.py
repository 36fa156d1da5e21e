"""Edges between sections, of a document and across documents: where one refers to another, and what it says of it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from policy_rag_parsers.records import Edge, EdgeKind, Link, Section, SourceText
from policy_rag_parsers.references.cross_references import Reference, find_references
from policy_rag_parsers.references.known_documents import Library
from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS, line_words
from policy_rag_parsers.text.sentences import Span, sentence_spans

_LIMITING: Final = re.compile(rf"\b(?:{line_words('excepts', 'not_applied')})\b", re.IGNORECASE)
# Of another document's sections only what says so right beside them: "exempt" is often a term of the matter itself.
_LIMITED_BY: Final = re.compile(rf"\b(?:{line_words('excepts_from')})(?:\s+[^\W\d][\w'’-]*){{0,7}}\s+$", re.IGNORECASE)
_NOT_APPLIED: Final = re.compile(rf"[^.;:]{{0,30}}\b(?:{line_words('not_applied')})\b", re.IGNORECASE)
_WORDS_BETWEEN: Final = r"(?:\s+[^\W\d]+){0,3}\s+$"
_DEFINING: Final = re.compile(rf"\b(?:{line_words('defined_in')}){_WORDS_BETWEEN}", re.IGNORECASE)
_REPLACES: Final = "|".join(one.title_block.replaces for one in DOCUMENT_WORDS)
_REPLACING: Final = re.compile(rf"\b(?:{_REPLACES}){_WORDS_BETWEEN}", re.IGNORECASE)
_REPLACED: Final = re.compile(rf"\s+(?:{line_words('replaced')})\b", re.IGNORECASE)
_REACH = 2000
_BEFORE = 160  # characters before a mention in which a verb is looked for


def find_edges(source: SourceText, sections: Sequence[Section]) -> tuple[Edge, ...]:
    """The edges between a document's sections, in order of `start`; none leads from a section to itself.

    A reference is an exception where its sentence limits what it refers to ("section 2 does not apply to ..."). It
    tells of a definition or a replacement where the words in front of it do ("as defined in section 2"). What is said
    of other documents' sections gives no edge; see `find_links`.
    """
    return tuple(
        Edge(home.section_id, one.target_section_id, kind, one.start, one.end)
        for home, kind, one in _kinds(source.text, sections, find_references(source, sections))
        if one.target_section_id is not None and one.target_section_id != home.section_id
    )


def find_links(source: SourceText, sections: Sequence[Section], library: Library, doc_id: str) -> tuple[Link, ...]:
    """Where a document points to others, in order of `start`; to each edition of what is named.

    The library knows this document as `doc_id`.
    """
    references = find_references(source, sections, library=library, doc_id=doc_id)
    return tuple(
        Link(home.section_id, one.target_document, one.target_section_id, kind, one.start, one.end)
        for home, kind, one in _kinds(source.text, sections, references)
        if one.target_document is not None
    )


def sentence_around(text: str, home: Section, at: int) -> Span:
    """The sentence of the section `home` at a place in it; of a paragraph without end, what is near."""
    first, last = max(home.start, at - _REACH), min(home.end, at + _REACH)
    start, end = text.rfind("\n\n", first, at), text.find("\n\n", at, last)
    around = max(first, start), last if end < 0 else end
    return next((span for span in sentence_spans(text, *around) if span[0] <= at < span[1]), around)


def _kinds(
    text: str, sections: Sequence[Section], references: Sequence[Reference]
) -> Iterator[tuple[Section, EdgeKind, Reference]]:
    """References with the section that each stands in, and what it says of what it points to."""
    starts = [section.start for section in sections]
    sentence, limits = (0, 0), False
    for reference in references:
        if reference.target_section_id is None and reference.target_document is None:
            continue
        home = sections[bisect_right(starts, reference.start) - 1]
        if not max(sentence[0], home.start) <= reference.start < sentence[1]:
            sentence = sentence_around(text, home, reference.start)
            limits = _LIMITING.search(text, *sentence) is not None
        lead = text[max(sentence[0], reference.start - _BEFORE) : reference.start]
        if _REPLACING.search(lead) or _REPLACED.match(text, reference.end):
            yield home, EdgeKind.SUPERSEDES, reference
        elif limits and (reference.target_document is None or _limited(text, lead, reference)):
            yield home, EdgeKind.EXCEPTS, reference
        else:
            yield home, EdgeKind.DEFINES if _DEFINING.search(lead) else EdgeKind.REFERS, reference


def _limited(text: str, lead: str, reference: Reference) -> bool:
    return bool(_LIMITED_BY.search(lead) or _NOT_APPLIED.match(text, reference.end))
