"""The text that a citation points to, in its surroundings."""

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from policy_rag.errors import UsageError
from policy_rag.index.maintenance.printed_places import place_range, section_range
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import line_at, numbers_in, read_pages, read_sections, read_text
from policy_rag.index.store.metadata import decode_section, shown
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.records.locations import first_ink
from policy_rag_parsers.metadata.extraction_results import DOCUMENT_KINDS, SECTION_KINDS, Kind
from policy_rag_parsers.records import Section, page_at

_AROUND = 300  # characters shown on either side, and at most as many again to the end of a line


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A range of a document's text with what stands around it.

    Attributes:
        text: exactly `[start, end)`.
        before: some 300 characters in front of it, from the start of a line, or of a word where the line is long.
        after: the same behind it.
        metadata: what was extracted of the section, or of the document where all of it is shown, as JSON values.
        path_numbers: the number of each step of `path`, or None; not in the JSON form.
        line: on which `text` begins, from 1, in files that have lines (Markdown, plain text); else None.
        effective_from: first day on which the document is in force, or None where it says none.
        effective_to: the last one, or None.
    """

    doc_id: str
    version: str | None
    file: str
    title: str
    section_id: str | None
    path: tuple[str, ...]
    start: int
    end: int
    page: int | None
    before: str
    text: str
    after: str
    metadata: Mapping[str, Any] | None = None
    path_numbers: tuple[str | None, ...] = ()
    line: int | None = None
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None


def excerpt(
    db: Database,
    document: DocumentInfo,
    *,
    section: str | None = None,
    span: tuple[int, int] | None = None,
    place: str | None = None,
    display: Collection[Kind] = (),
) -> Excerpt:
    """A section (with all under it), a clause, a range, a place as printed, or the whole text.

    Args:
        db: the index.
        document: the document.
        section: a section's id or a clause's number.
        span: a range of characters.
        place: what a citation prints of a place: "3.2 Carry-over", "line 41", or both.
        display: what of its metadata is shown.

    Raises:
        UsageError: no such section, place or range, or two of them are given.
    """
    if place is not None and (section is not None or span is not None):
        raise UsageError("give either a place, --section or --range")
    if section is not None and span is not None:
        raise UsageError("give either --section or --range, not both")
    text, sections = read_text(db, document.doc_key), read_sections(db, document.doc_key)
    pages = read_pages(db, document.doc_key)
    if span is not None:
        start, end = span
        if not 0 <= start < end <= len(text):
            raise UsageError(f"the range {start}:{end} is not in {document.doc_id}, which has 0:{len(text)}")
    elif section is not None:
        start, end = section_range(text, sections, section, document)
    elif place is not None:
        start, end = place_range(text, sections, pages, place, document)
    else:
        start, end = 0, len(text)
    home = next((s for s in reversed(sections) if s.start <= start < max(s.end, s.start + 1)), None)
    return Excerpt(
        doc_id=document.doc_id,
        version=document.version,
        file=document.file,
        title=document.title,
        section_id=home.section_id if home else None,
        path=home.path if home else (document.title,),
        start=start,
        end=end,
        page=page_at(pages, first_ink(text[start:end], start)),
        before=_before(text, start),
        text=text[start:end],
        after=_after(text, end),
        metadata=_metadata(db, document, home if (section, span, place) != (None, None, None) else None, display),
        path_numbers=numbers_in(home, {s.section_id: s for s in sections}) if home else (None,),
        line=line_at(text, start) if document.has_lines and not pages else None,
        effective_from=document.effective_from,
        effective_to=document.last_day,
    )


def _metadata(
    db: Database, document: DocumentInfo, section: Section | None, display: Collection[Kind]
) -> Mapping[str, Any] | None:
    if section is None:
        return shown(DOCUMENT_KINDS.intersection(display), document.metadata, None)
    (text,) = db.execute(
        "SELECT metadata FROM sections WHERE doc_key = ? AND section_id = ?", (document.doc_key, section.section_id)
    ).fetchone()
    return shown(SECTION_KINDS.intersection(display), None, decode_section(text))


def _before(text: str, start: int) -> str:
    cut = max(0, start - _AROUND)
    line = text.rfind("\n", 0, cut) + 1
    if cut - line <= _AROUND:
        return text[line:start]
    space = text.find(" ", cut, start) if cut else -1
    return text[space + 1 if space >= 0 else cut : start]


def _after(text: str, end: int) -> str:
    cut = min(len(text), end + _AROUND)
    line = text.find("\n", cut)
    line = len(text) if line < 0 else line
    if line - cut <= _AROUND:
        return text[end:line]
    space = text.rfind(" ", end, cut) if cut < len(text) else -1
    return text[end : space if space >= 0 else cut]
