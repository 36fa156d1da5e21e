"""What is known of the request that is being served, for whatever is told of it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestFacts:
    """A request.

    Attributes:
        id: of this request alone; the reply has it as `X-Request-ID`.
        method: of HTTP.
        path: without the query, which may hold what was asked.
        ip: of who sent it, or of the last proxy.
        port: likewise.
        agent: what it says of the program that sent it.
    """

    id: str
    method: str
    path: str
    ip: str = ""
    port: int = 0
    agent: str = ""

    @classmethod
    def of(cls, scope: Scope) -> "RequestFacts":
        """Those of an ASGI request."""
        ip, port = scope.get("client") or ("", 0)
        agent = Headers(scope=scope).get("user-agent", "")
        return cls(id=uuid.uuid4().hex, method=scope["method"], path=scope["path"], ip=ip, port=port, agent=agent)


_current: ContextVar[RequestFacts | None] = ContextVar("request_facts", default=None)


@contextmanager
def serving(facts: RequestFacts) -> Iterator[None]:
    """While a request is served, in this task and what it starts."""
    before = _current.set(facts)
    try:
        yield
    finally:
        _current.reset(before)


def current_request() -> RequestFacts | None:
    """The request that is being served; None outside of one."""
    return _current.get()
