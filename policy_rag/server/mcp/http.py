"""`/mcp`: the tools over streamable HTTP, for whoever the service knows by the same keys as at every other route."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.to_thread import run_sync as in_thread
from mcp.server.mcpserver import Context
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from policy_rag.server.callers import caller_of
from policy_rag.server.mcp.tools import Policies, ServedPolicies, mcp_server
from policy_rag.server.problems import RequestProblem, problem_response
from policy_rag.server.service_options import LOOPBACK, ServerOptions

PATH = "/mcp"


class MCPEndpoint:
    """The endpoint as an ASGI application: who is asking is settled before the protocol's server sees anything."""

    path = PATH

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one message."""
        request = Request(scope, receive)
        try:
            await in_thread(caller_of, request)
        except RequestProblem as problem:
            await problem_response(problem)(scope, receive, send)
            return
        await request.app.state.mcp.handle_request(scope, receive, send)


@asynccontextmanager
async def served_over_http(app: Starlette) -> AsyncIterator[None]:
    """Serves the tools of an app's service meanwhile. Nothing is remembered from one message to the next.

    So any of several processes can take any message, and no session outlives the key that began it.
    """
    service = app.state.service

    def policies_of(context: Context[Any, Any]) -> Policies:
        request: Request = context.request_context.request  # type: ignore[assignment] # over HTTP there is always one
        return ServedPolicies(service, request.state.caller)

    server = mcp_server(policies_of)
    server.streamable_http_app(stateless_http=True, transport_security=_accepted(service.options))
    async with server.session_manager.run():
        app.state.mcp = server.session_manager
        yield


def _accepted(options: ServerOptions) -> TransportSecuritySettings:
    """Which hosts a request may name. Where everybody is let in, a page of another site could else reach the tools."""
    if not options.no_auth:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = [f"[{host}]" if ":" in host else host for host in sorted(LOOPBACK)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"http://{name}{port}" for name in names for port in ("", ":*")],
    )
