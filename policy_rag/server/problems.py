"""Errors over HTTP: one problem document each (RFC 9457), whose `detail` is the line that the command line prints.

But for what is wrong with the state: that is logged.
"""

import logging
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from policy_rag.errors import (
    BudgetError,
    IndexingError,
    MissingError,
    ModelError,
    PolicyRagError,
    StateError,
    UsageError,
)

MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger(__name__)
_STATUSES = {  # the first that fits
    BudgetError: HTTPStatus.TOO_MANY_REQUESTS,
    MissingError: HTTPStatus.NOT_FOUND,
    UsageError: HTTPStatus.BAD_REQUEST,
    ModelError: HTTPStatus.BAD_GATEWAY,
    IndexingError: HTTPStatus.SERVICE_UNAVAILABLE,
    StateError: HTTPStatus.SERVICE_UNAVAILABLE,
}


class RequestProblem(Exception):  # noqa: N818 - the RFC's word
    """A request that is not served.

    Args:
        status: the HTTP status.
        detail: one line that says what to do.
        retry_after: seconds after which it may be tried again, or None.
    """

    def __init__(self, status: int, detail: str, *, retry_after: int | None = None) -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry_after = status, detail, retry_after

    @property
    def headers(self) -> dict[str, str]:
        """What the response says besides."""
        headers = {"WWW-Authenticate": "Bearer"} if self.status == HTTPStatus.UNAUTHORIZED else {}
        return headers if self.retry_after is None else headers | {"Retry-After": str(self.retry_after)}


ERRORS = (RequestProblem, PolicyRagError, HTTPException, RequestValidationError)
"""What a request can end with that somebody foresaw."""


def problem_of(error: Exception, *, invalid: int = HTTPStatus.UNPROCESSABLE_ENTITY) -> RequestProblem:
    """What an error is told as; `invalid` is the status of a request that is not of the form that its route takes."""
    match error:
        case RequestProblem():
            return error
        case StateError():  # before it is known who asks: where the state is kept is nothing for everybody
            _log.error("%s", error)
            return RequestProblem(status_of(error), "the service cannot be reached: try again, or tell who runs it")
        case PolicyRagError():
            return RequestProblem(status_of(error), " ".join(str(error).split()))
        case HTTPException(status_code=status):
            missing = status == HTTPStatus.NOT_FOUND
            return RequestProblem(status, "there is nothing here" if missing else str(error.detail))
        case RequestValidationError():
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"][1:])) or "the body"
            return RequestProblem(invalid, f"{place}: {first['msg']}")
    return RequestProblem(HTTPStatus.INTERNAL_SERVER_ERROR, "that failed here: try again, or tell who runs this")


def problem_document(problem: RequestProblem) -> dict[str, str | int]:
    """The problem document, as JSON values; half characters are written as codes."""
    shown = problem.detail.encode("utf-8", "backslashreplace").decode()
    status = HTTPStatus(problem.status)
    return {"type": "about:blank", "title": status.phrase, "status": int(status), "detail": shown}


def problem_response(problem: RequestProblem) -> JSONResponse:
    """The same as a response."""
    return JSONResponse(problem_document(problem), problem.status, headers=problem.headers, media_type=MEDIA_TYPE)


def status_of(error: PolicyRagError) -> int:
    """The HTTP status of an error of ours.

    >>> status_of(UsageError("no such document")) == 400
    True
    """
    found = (status for kind, status in _STATUSES.items() if isinstance(error, kind))
    return next(found, HTTPStatus.INTERNAL_SERVER_ERROR)


def install_problems(app: FastAPI, shown: Callable[[Request, RequestProblem], Response]) -> None:
    """Every error of a request leaves the app as `shown` gives it."""
    for kind in (*ERRORS, Exception):
        app.add_exception_handler(kind, lambda request, error: shown(request, problem_of(error)))


class ProblemRoute(APIRoute):
    """A route that tells of errors in a form of its own."""

    @staticmethod
    def told(request: Request, problem: RequestProblem) -> Response:
        """The response for an error."""
        raise NotImplementedError

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request to it."""
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except ERRORS as error:
                return self.told(request, problem_of(error, invalid=HTTPStatus.BAD_REQUEST))

        return answer
