"""Where policies in force contradict each other."""

from fastapi import APIRouter, Request, Response

from policy_rag.answering.presentation.readable import readable_line
from policy_rag.retrieval.request import day_of
from policy_rag.server.callers import CallerIs
from policy_rag.server.page.document_pages import place_url
from policy_rag.server.page.rendering import page
from policy_rag.server.page.routing import PageRoute
from policy_rag.server.reading import ReadingIs
from policy_rag.server.service import ServiceIs

router = APIRouter(route_class=PageRoute, include_in_schema=False)


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
