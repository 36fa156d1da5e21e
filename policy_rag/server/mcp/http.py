"""`/mcp`: the tools over streamable HTTP, for whoever the service knows by the same keys as at every other route."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from anyio.to_thread import run_sync as in_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from policy_rag.server.callers import caller_of
from policy_rag.server.problems import RequestProblem, problem_response
from policy_rag.server.service import Service
from policy_rag.server.service_options import LOOPBACK, ServerOptions

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings

    from policy_rag.server.mcp.tools import Policies

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
        tools: _Tools = request.app.state.mcp
        await (await tools.started()).handle_request(scope, receive, send)


@asynccontextmanager
async def served_over_http(app: Starlette) -> AsyncIterator[None]:
    """Serves the tools of an app's service meanwhile. Nothing is remembered from one message to the next.

    So any of several processes can take any message, and no session outlives the key that began it. The protocol's
    library takes a second to import: the first message waits for it, and no start of a process.
    """
    app.state.mcp = tools = _Tools(app.state.service)
    running = asyncio.create_task(tools.run())
    try:
        yield
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


class _Tools:
    """The protocol's server, which starts when the first message comes; it ends in the task that it began in."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wanted = asyncio.Event()
        self._manager: asyncio.Future[StreamableHTTPSessionManager] = asyncio.Future()

    async def run(self) -> None:
        """Serves from the first message on, until it is cancelled."""
        await self._wanted.wait()
        try:
            server = await in_thread(_server, self._service)
            async with server.session_manager.run():
                self._manager.set_result(server.session_manager)
                await asyncio.Event().wait()
        except Exception as error:
            if self._manager.done():
                raise
            self._manager.set_exception(error)  # each message is told, and the rest of the service goes on

    async def started(self) -> "StreamableHTTPSessionManager":
        """What takes messages."""
        self._wanted.set()
        return await asyncio.shield(self._manager)


def _server(service: Service) -> "MCPServer":
    from policy_rag.server.mcp.tools import ServedPolicies, mcp_server

    def policies_of(context: "Context[Any, Any]") -> "Policies":
        request: Request = context.request_context.request  # type: ignore[assignment] # over HTTP there is always one
        return ServedPolicies(service, request.state.caller)

    server = mcp_server(policies_of)
    server.streamable_http_app(stateless_http=True, transport_security=_accepted(service.options))
    return server


def _accepted(options: ServerOptions) -> "TransportSecuritySettings":
    """Which hosts a request may name. Where everybody is let in, a page of another site could else reach the tools."""
    from mcp.server.transport_security import TransportSecuritySettings

    if not options.no_auth:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = [f"[{host}]" if ":" in host else host for host in sorted(LOOPBACK)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*names, *(f"{name}:*" for name in names)],
        allowed_origins=[f"http://{name}{port}" for name in names for port in ("", ":*")],
    )
