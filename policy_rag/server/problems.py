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
        allowed: the methods that the path takes, where the request's is none of them.
    """

    def __init__(self, status: int, detail: str, *, retry_after: int | None = None, allowed: str = "") -> None:
        super().__init__(detail)
        self.status, self.detail, self.retry_after, self.allowed = status, detail, retry_after, allowed

    @property
    def headers(self) -> dict[str, str]:
        """What the response says besides."""
        said = {"Retry-After": None if self.retry_after is None else str(self.retry_after), "Allow": self.allowed}
        headers = {name: value for name, value in said.items() if value}
        return headers | ({"WWW-Authenticate": "Bearer"} if self.status == HTTPStatus.UNAUTHORIZED else {})


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
        case HTTPException():
            return _unserved(error)
        case RequestValidationError():
            return RequestProblem(invalid, _invalid(error))
    return RequestProblem(HTTPStatus.INTERNAL_SERVER_ERROR, "that failed here: try again, or tell who runs this")


def _unserved(error: HTTPException) -> RequestProblem:
    """What a request is told that the framework refuses."""
    allowed = (error.headers or {}).get("Allow", "")
    told = {
        HTTPStatus.NOT_FOUND: "there is nothing here",
        HTTPStatus.METHOD_NOT_ALLOWED: f"this path takes {allowed}",
    }
    return RequestProblem(
        error.status_code, told.get(HTTPStatus(error.status_code), str(error.detail)), allowed=allowed
    )


def _invalid(error: RequestValidationError) -> str:
    """What is wrong with a request, by the first place in it that is."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return f"the body is no JSON: {first['ctx']['error']} at character {first['loc'][-1]}"
    if first["loc"] == ("body",):  # also what is JSON and is not said to be
        return "the body is no JSON object: send one, with the header `Content-Type: application/json`"
    said = first["ctx"]["error"] if first["type"] == "value_error" else first["msg"]
    return f"{'.'.join(map(str, first['loc'][1:]))}: {said}"


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
