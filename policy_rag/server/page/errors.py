"""Errors of routes that are for programs and people alike: a browser is shown a page."""

import json
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from policy_rag.errors import PolicyRagError
from policy_rag.server.page.routing import problem_page
from policy_rag.server.problems import RequestProblem, problem_response

_FOR_PROGRAMS = ("/api/", "/v1/", "/mcp", "/metrics")


def install_error_pages(app: FastAPI) -> None:
    """Shows a page instead of a problem document to who takes pages, on paths that people go to."""
    for kind in (RequestProblem, PolicyRagError, HTTPException):
        app.exception_handlers[kind] = _paged(app.exception_handlers[kind])


def refused(request: Request, status: int, detail: str) -> Response:
    """What a request is told that no route sees: a page where it is a browser's, else a problem document."""
    return problem_page(request, status, detail) if _shows_pages(request) else problem_response(status, detail)


def _shows_pages(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(_FOR_PROGRAMS)


def _paged(documented: Callable[..., Any]) -> Callable[[Request, Exception], Response]:
    def handler(request: Request, error: Exception) -> Response:
        made: Response = documented(request, error)
        if not _shows_pages(request):
            return made
        said = json.loads(bytes(made.body))
        return problem_page(request, said["status"], said["detail"])

    return handler
