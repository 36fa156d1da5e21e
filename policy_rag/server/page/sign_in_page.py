"""Where a browser signs in: with a key, or at the organisation's own issuer."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from policy_rag.server.identity.access import access_of
from policy_rag.server.identity.local_path import local_path
from policy_rag.server.page.rendering import page
from policy_rag.server.page.routing import PageRoute
from policy_rag.server.service import ServiceIs

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/sign-in")
def sign_in(
    request: Request,
    service: ServiceIs,
    place: Annotated[str, Query(alias="next", max_length=2000)] = "/",
    refused: bool = False,
) -> Response:
    """The ways in; `next` is where the caller wanted to go, and `refused` says that the key was none."""
    if service.options.no_auth:
        return RedirectResponse(local_path(place), 303)
    context = {"next": local_path(place), "refused": refused, "issuer": access_of(request).issuer is not None}
    return page(request, "sign_in.html", context)
