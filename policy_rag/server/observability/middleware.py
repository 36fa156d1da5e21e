"""Around each request: its id, its span, its time, and what was denied."""

import time
from http import HTTPStatus

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from policy_rag.server.observability.facts import RequestFacts, serving
from policy_rag.server.observability.watch import Watch

_DENIALS = {
    HTTPStatus.UNAUTHORIZED: "nobody that is known here",
    HTTPStatus.FORBIDDEN: "not allowed",
    HTTPStatus.TOO_MANY_REQUESTS: "too many requests",
}


class Watched:
    """Middleware that tells of each request."""

    def __init__(self, app: ASGIApp, watch: Watch) -> None:
        self._app, self._watch = app, watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request; its stream, where it is one, goes through as it comes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        facts, began, status = RequestFacts.of(scope), time.perf_counter(), HTTPStatus.INTERNAL_SERVER_ERROR.value

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = facts.id
            await send(message)

        headers = Headers(scope=scope)
        with serving(facts), self._watch.tracing.request(facts.method, facts.path, headers) as span:
            try:
                await self._app(scope, receive, sending)
            finally:
                route = _route(scope)
                caller = scope.get("state", {}).get("caller")
                span.update_name(f"{facts.method} {route}")
                span.set_attribute("http.route", route)
                span.set_attribute("http.response.status_code", status)
                self._watch.served(
                    method=facts.method,
                    route=route,
                    status=status,
                    seconds=time.perf_counter() - began,
                    caller=caller,
                )
                if status in _DENIALS:
                    self._watch.denied(caller, route, _DENIALS[HTTPStatus(status)], status=status)


def _route(scope: Scope) -> str:
    """The pattern of the path that was served: paths themselves are without number, and anybody can make them up."""
    route = scope.get("route") or scope.get("endpoint")
    pattern = str(getattr(route, "path", ""))
    if not pattern:
        return "unknown"
    own = str(getattr(route, "path_format", pattern)).format(**scope.get("path_params", {}))
    prefix: str = scope["path"].removesuffix(own)  # of the router, which its routes do not know
    return prefix + pattern
