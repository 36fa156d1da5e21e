"""Where a browser signs in, with a key or at the organisation's own issuer, and out."""

from typing import Annotated, TypeAlias
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request, Response
from fastapi.responses import RedirectResponse

from policy_rag.server.identity.access import access_of, local_path
from policy_rag.server.page.rendering import page
from policy_rag.server.page.routing import LONGEST_PLACE, PageRoute
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service import ServiceIs

router = APIRouter(route_class=PageRoute, include_in_schema=False)
_SEE_OTHER = 303
_BROWSER = "policy_rag_sign_in"
_PLACE = "/sign-in/oidc"

Next: TypeAlias = Annotated[str, Query(alias="next", max_length=LONGEST_PLACE)]


@router.get("/sign-in")
def sign_in(
    request: Request,
    service: ServiceIs,
    place: Next = "/",
    refused: bool = False,
) -> Response:
    """The ways in; `next` is where the caller wanted to go, and `refused` says that the key was none."""
    if service.options.no_auth:
        return RedirectResponse(local_path(place), _SEE_OTHER)
    context = {"next": local_path(place), "refused": refused, "issuer": access_of(request).issuer is not None}
    return page(request, "sign_in.html", context)


@router.post("/sign-in/key")
def sign_in_by_key(
    request: Request,
    service: ServiceIs,
    key: Annotated[str, Form(max_length=500)] = "",
    place: Annotated[str, Form(alias="next", max_length=LONGEST_PLACE)] = "/",
) -> RedirectResponse:
    """Begins a session with an API key."""
    access, now = access_of(request), service.clock()
    service.rates.take(f"sign-in:{request.client.host if request.client else ''}", now.timestamp())
    found = access.keys.find(key.strip(), now)
    if found is None:
        again = urlencode({"refused": "1", "next": local_path(place)})
        return RedirectResponse(f"/sign-in?{again}", _SEE_OTHER)
    response = RedirectResponse(local_path(place), _SEE_OTHER)
    access.sessions.begin(request, response, found.caller, now, key_id=found.id)
    return response


@router.get(_PLACE)
def sign_in_at_issuer(request: Request, service: ServiceIs, place: Next = "/") -> RedirectResponse:
    """Sends the browser to the issuer."""
    access, now = access_of(request), service.clock()
    if access.issuer is None:
        raise RequestProblem(404, "there is nothing here")
    service.rates.take(f"sign-in:{request.client.host if request.client else ''}", now.timestamp())
    address, browser = access.issuer.begin(local_path(place), now)
    response = RedirectResponse(address, _SEE_OTHER)
    response.set_cookie(
        _BROWSER, browser, max_age=600, path=_PLACE, secure=access.sessions.secure, httponly=True, samesite="lax"
    )
    return response


@router.get(f"{_PLACE}/callback")
def signed_in_at_issuer(request: Request, service: ServiceIs) -> RedirectResponse:
    """Begins a session with what the issuer says."""
    access, now = access_of(request), service.clock()
    if access.issuer is None:
        raise RequestProblem(404, "there is nothing here")
    caller, place = access.issuer.finish(dict(request.query_params), request.cookies.get(_BROWSER), now)
    response = RedirectResponse(place, _SEE_OTHER)
    response.delete_cookie(_BROWSER, path=_PLACE, secure=access.sessions.secure, httponly=True, samesite="lax")
    access.sessions.begin(request, response, caller, now)
    return response


@router.post("/sign-out")
def sign_out(request: Request) -> RedirectResponse:
    """Ends the session."""
    response = RedirectResponse("/", _SEE_OTHER)
    access_of(request).sessions.end(request, response)
    return response
