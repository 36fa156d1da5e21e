"""`/review`: the review page of an evaluation, for administrators, each under their own name.

The page is another package's, which names what makes it in the entry-point group `policy_rag.review`.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from policy_rag.errors import UsageError
from policy_rag.server.callers import admin_of, caller_of

GROUP = "policy_rag.review"
PATH = "/review"

MakePage: TypeAlias = Callable[[Path, Callable[[Request], str]], ASGIApp]
"""Makes the page over what is reviewed; it is told who sends a request."""


def review_page(what: Path) -> ASGIApp:
    """The page over a question set or disputed verdicts, to be mounted at `PATH`.

    Raises:
        UsageError: no package has such a page, or it cannot show that.
    """
    found = next(iter(entry_points(group=GROUP)), None)
    if found is None:
        raise UsageError("the review page is not installed: install policy-rag anew, or leave --review out")
    make: MakePage = found.load()
    return ForAdministrators(make(what, _name_of))


def _name_of(request: Request) -> str:
    caller = request.state.caller
    return str(caller.label or caller.name)


class ForAdministrators:
    """Lets administrators through to what is mounted; others are told what a path that is not there tells."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        admin_of(await run_in_threadpool(caller_of, Request(scope)))
        await self._app(scope, receive, send)
