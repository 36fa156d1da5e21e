"""What no route sees: what is too large, what a page of another site sends, what asks for another host."""

from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from policy_rag.server.identity.sessions import COOKIES
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service_options import LOOPBACK, ServerOptions

_HARMLESS = frozenset({"GET", "HEAD", "OPTIONS"})
_MEGABYTE = 1024 * 1024
UPLOADS = ("/api/v1/uploads", "/administration/uploads")

Refused: TypeAlias = Callable[[Request, RequestProblem], Response]


class TooLargeError(Exception):
    """More came than may be sent."""


class Guard:
    """Lets through what may be answered.

    A page of another site can have a browser send requests with our cookies, or to a service on the user's own machine.
    Browsers tell where a request comes from (`Sec-Fetch-Site`, `Origin`), and no page can keep them from it. A request
    with an `Authorization` header cannot be made by such a page at all.
    """

    def __init__(self, app: ASGIApp, options: ServerOptions, refused: Refused) -> None:
        self._app, self._options, self._refused = app, options, refused
        self._public = urlsplit(options.public_url).netloc.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await self._refused(Request(scope), refusal)(scope, receive, send)
            return
        await self._within_limits(scope, receive, send, headers)

    def _refusal(self, scope: Scope, headers: Headers) -> RequestProblem | None:
        if self._options.no_auth and _host(headers.get("host", "")) not in LOOPBACK:
            return RequestProblem(421, "this service is for its own machine: ask http://127.0.0.1")
        if scope["method"] not in _HARMLESS and self._is_from_elsewhere(headers):
            return RequestProblem(403, "a page of another site sent this: open the service's own page")
        return None

    def _is_from_elsewhere(self, headers: Headers) -> bool:
        if "authorization" in headers:
            return False
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if site is not None:
            return site not in {"same-origin", "none"}
        if origin is not None:
            return urlsplit(origin).netloc.lower() not in {headers.get("host", "").lower(), self._public} - {""}
        # No browser: but then it has no session either.
        return any(name in headers.get("cookie", "") for name in COOKIES)

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        megabytes = self._options.upload_megabytes if scope["path"] in UPLOADS else self._options.request_megabytes
        most, came, begun = megabytes * _MEGABYTE, 0, False
        too_large = RequestProblem(413, f"the request is larger than {megabytes} MB: send less at once")

        async def refuse() -> None:
            await self._refused(Request(scope), too_large)(scope, receive, send)

        declared = headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > most:
            await refuse()
            return

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > most:
                raise TooLargeError
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            if came > most and not begun:  # what is read into a route's body is told as another error there
                return
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, noted)
        except TooLargeError:
            if begun:
                raise
        if came > most and not begun:
            await refuse()


def _host(given: str) -> str:
    """The host of a `Host` header, without its port.

    >>> _host("LOCALHOST:8765"), _host("[::1]:8765")
    ('localhost', '::1')
    """
    return (urlsplit(f"//{given}").hostname or "").lower()
