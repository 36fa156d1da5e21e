"""What a section refers to and is referred to by, within what its reader may read."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from policy_rag.index.maintenance.excerpt import Excerpt
from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import numbers_in, read_sections, read_text
from policy_rag.index.store.links import StoredLink, read_links_to, read_pointing
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.records import EdgeKind, Section


@dataclass(frozen=True, slots=True)
class LinkedPlace:
    """The other end of a link: a section, or a document as a whole, whose `section_id` is None."""

    doc_id: str
    version: str | None
    file: str
    section_id: str | None
    path: tuple[str, ...]
    path_numbers: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionLink:
    """A link of a place that is shown.

    Attributes:
        kind: what the mention says of what it points to.
        section_id: the section at this end, in or under what is shown; None for the document as a whole.
        other: the other end.
        text: the mention, `[start, end)` of the document that points; empty for what a document declares.
    """

    kind: EdgeKind
    section_id: str | None
    other: LinkedPlace
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SectionLinks:
    """What a place refers to, in order of the mentions, and what refers to it, its own document first."""

    refers_to: tuple[SectionLink, ...]
    referred_to_by: tuple[SectionLink, ...]


def section_links(index: Index, shown: Excerpt, *, groups: Sequence[str] = (), day: dt.date) -> SectionLinks:
    """The links of what is shown, with all sections under it.

    Both ends must be readable: a link to or from a document that the caller may not read never shows. The other end
    must be in force on `day`, but for what was superseded.
    """
    with index.reading(groups=groups) as db:
        readable = {one.doc_key: one for one in index.documents() if one.open_to(groups)}
        home = next((key for key, one in readable.items() if one.doc_id == shown.doc_id), None)
        if home is None:  # taken out of the index meanwhile, or hidden
            return SectionLinks((), ())
        ends = _Ends(db, readable)
        here = {one.section_id for one in ends.sections(home).values() if shown.start <= one.start < shown.end}
        whole = shown.end - shown.start == len(ends.text(home))

        def holds(link: StoredLink) -> bool:
            ends_of_link = readable[link.doc_key], readable[link.target_key]
            return link.kind is EdgeKind.SUPERSEDES or all(
                one.doc_key == home or one.in_force(day) for one in ends_of_link
            )

        pointing = [link for link in read_pointing(db, home, readable) if holds(link)]
        inside = [link for link in pointing if shown.start <= link.start < shown.end and (link.section_id or whole)]
        others = [link for link in read_links_to(db, home) if link.doc_key in readable and holds(link)]
        back = [
            link
            for link in (*pointing, *others)
            if link.target_key == home and (link.target in here or (link.target is None and whole))
        ]
        return SectionLinks(
            tuple(ends.link(link, link.section_id, link.target_key, link.target) for link in inside),
            tuple(ends.link(link, link.target, link.doc_key, link.section_id) for link in back),
        )


class _Ends:
    """Reads each document that links lead to once."""

    def __init__(self, db: Database, documents: Mapping[int, DocumentInfo]) -> None:
        self._db = db
        self._documents = documents
        self._sections: dict[int, Mapping[str, Section]] = {}
        self._texts: dict[int, str] = {}

    def sections(self, doc_key: int) -> Mapping[str, Section]:
        if doc_key not in self._sections:
            self._sections[doc_key] = {one.section_id: one for one in read_sections(self._db, doc_key)}
        return self._sections[doc_key]

    def text(self, doc_key: int) -> str:
        if doc_key not in self._texts:
            self._texts[doc_key] = read_text(self._db, doc_key)
        return self._texts[doc_key]

    def link(self, link: StoredLink, own: str | None, other_key: int, other: str | None) -> SectionLink:
        mention = self.text(link.doc_key)[link.start : link.end]
        return SectionLink(link.kind, own, self._place(other_key, other), link.start, link.end, mention)

    def _place(self, doc_key: int, section_id: str | None) -> LinkedPlace:
        document, section = self._documents[doc_key], self.sections(doc_key).get(section_id or "")
        path = section.path if section else (document.title,)
        numbers = numbers_in(section, self.sections(doc_key)) if section else (None,)
        return LinkedPlace(document.doc_id, document.version, document.file, section_id, path, numbers)
