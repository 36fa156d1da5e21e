"""The documents that a caller may read: which there are, what they say, what changed, where they contradict."""

import hashlib
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote as quoted
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from policy_rag.answering.presentation.readable import readable_line
from policy_rag.index.maintenance.compared_texts import differences
from policy_rag.index.store.document_rows import line_at, read_blocks, read_sections, read_text
from policy_rag.retrieval.request import day_of
from policy_rag.server.callers import CallerIs
from policy_rag.server.page.document_text import shown_blocks
from policy_rag.server.page.moved_quotes import Span, find_moved_quote
from policy_rag.server.page.rendering import page
from policy_rag.server.page.routing import PageRoute
from policy_rag.server.page.shown_changes import shown_changes
from policy_rag.server.page.versions import policies
from policy_rag.server.problems import RequestProblem
from policy_rag.server.reading import DocumentAccess, ReadingIs
from policy_rag.server.service import ServiceIs
from policy_rag_parsers.records import FileFormat

router = APIRouter(route_class=PageRoute, include_in_schema=False)

DocId = Annotated[str, Query(max_length=2000)]


@dataclass(frozen=True, slots=True)
class WantedRange:
    """What of a document is wanted.

    Attributes:
        start: first character of the document's text.
        end: one past the last.
        quote: the words that stood there; "" where only their mark is known.
        mark: what `quote_mark` gives of them.
    """

    start: int
    end: int
    quote: str = ""
    mark: str = ""

    def words(self, text: str) -> str:
        """What was quoted: of a mark only as long as it still stands there."""
        there = text[self.start : self.end]
        return self.quote or (there if quote_mark(there) == self.mark else "")

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where the words are now; nowhere if less than half of them are left."""
        words = self.words(text)
        return ((self.start, self.end),) if words == text[self.start : self.end] else find_moved_quote(text, words)


def quote_mark(quote: str) -> str:
    """Short and the same for the same words: an address that holds it gives nothing of them away."""
    return hashlib.sha256(quote.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def place_url(doc_id: str, start: int, end: int, quote: str) -> str:
    """The address of a place in a document."""
    query = urlencode({"doc": doc_id, "start": start, "end": end, "mark": quote_mark(quote)})
    return f"/documents/view?{query}#quote"


@router.get("/documents")
def documents(request: Request, reading: ReadingIs) -> Response:
    """Every policy that the caller may read, with its versions."""
    today = reading.service.assistant.today()
    found = policies(reading.documents(), today)
    return page(request, "documents.html", {"policies": found, "today": today}, caller=reading.caller)


@router.get("/documents/view")
def view(
    request: Request,
    doc: DocId,
    reading: ReadingIs,
    start: Annotated[int, Query(ge=0)] = 0,
    end: Annotated[int, Query(ge=0)] = 0,
    mark: Annotated[str, Query(max_length=64)] = "",
) -> Response:
    """A document; where a place is named, its words are marked as long as they are those that the address is of."""
    return document_page(request, reading, doc, place=WantedRange(start, end, mark=mark) if end > start else None)


def document_page(
    request: Request, reading: DocumentAccess, doc_id: str, *, place: WantedRange | None = None, back: str = ""
) -> Response:
    """A document as it is now, with a place marked in it, and the way back to where the caller comes from.

    Raises:
        MissingError: there is none, or none that the caller may read.
    """
    document, assistant = reading.document(doc_id, operation="show"), reading.service.assistant
    with assistant.index.reading(groups=reading.caller.groups) as db:
        text = read_text(db, document.doc_key)
        blocks, sections = read_blocks(db, document.doc_key), read_sections(db, document.doc_key)
    spans = place.spans(text) if place else ()
    first = spans[0][0] if spans else 0
    is_pdf = document.format is FileFormat.PDF
    original = assistant.original(document.doc_id, groups=reading.caller.groups) is not None
    context = {
        "document": document,
        "blocks": shown_blocks(text, document.file, blocks, sections, spans),
        "wanted": place is not None,
        "found": bool(spans),
        "moved": bool(spans) and place is not None and spans != ((place.start, place.end),),
        "quote": place.words(text) if place and spans else "",
        "line": line_at(text, first) if spans and document.has_lines else None,
        "page": next((one.page for one in reversed(sections) if one.start <= first), None) if is_pdf else None,
        "original": f"/documents/original?doc={quoted(document.doc_id)}" if original else "",
        "is_pdf": is_pdf,
        "back": back,
        "today": assistant.today(),
    }
    return page(request, "document.html", context, caller=reading.caller)


@router.get("/documents/original")
def original(doc: DocId, reading: ReadingIs) -> Response:
    """The file that a document was made from, to be kept or drawn by a script, never run by the browser."""
    document = reading.document(doc, operation="original")
    data = reading.service.assistant.original(document.doc_id, groups=reading.caller.groups)
    if data is None:
        raise RequestProblem(404, "there is nothing here")
    name = quoted(document.file.rpartition("/")[2])
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }
    return Response(data, headers=headers, media_type="application/octet-stream")


@router.get("/documents/changes")
def changes(request: Request, old: DocId, new: DocId, reading: ReadingIs) -> Response:
    """What changed between two versions, clause by clause."""
    before, after = reading.compared(old, new)
    found = differences(before, after)
    context = {"old": before, "new": after, "changes": shown_changes(found, before, after), "same": found.unchanged}
    return page(request, "changes.html", context | {"today": reading.service.assistant.today()}, caller=reading.caller)


@router.get("/conflicts")
def conflicts(request: Request, caller: CallerIs, service: ServiceIs, as_of: str = "") -> Response:
    """The frame of the list, which takes some seconds to be made and comes by itself."""
    day = day_of(as_of.strip() or None)
    return page(request, "conflicts.html", {"as_of": day, "today": service.assistant.today()}, caller=caller)


@router.get("/conflicts/list")
def conflict_list(request: Request, reading: ReadingIs, as_of: str = "") -> Response:
    """Statements of two documents that differ on the same matter, surest first."""
    day = day_of(as_of.strip() or None)
    found = reading.conflicts(as_of=day)
    context = {
        "conflicts": found,
        "line": readable_line,
        "place_url": place_url,
        "today": reading.service.assistant.today(),
    }
    return page(request, "conflict_list.html", context, caller=reading.caller)
