"""Errors over HTTP: one problem document each (RFC 9457), whose `detail` is the line that the command line prints."""

from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
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


def problem_document(status: int, detail: str) -> dict[str, str | int]:
    """The problem document of a status and a line, as JSON values; half characters are written as codes."""
    shown = detail.encode("utf-8", "backslashreplace").decode()
    return {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": int(status), "detail": shown}


def problem_response(status: int, detail: str, *, retry_after: int | None = None) -> JSONResponse:
    """The same as a response."""
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    return JSONResponse(problem_document(status, detail), status, headers=headers, media_type=MEDIA_TYPE)


def problem_of(error: PolicyRagError | RequestProblem) -> dict[str, str | int]:
    """The problem document of an error."""
    if isinstance(error, RequestProblem):
        return problem_document(error.status, error.detail)
    return problem_document(status_of(error), " ".join(str(error).split()))


def status_of(error: PolicyRagError) -> int:
    """The HTTP status of an error of ours.

    >>> status_of(UsageError("no such document")) == 400
    True
    """
    if isinstance(error, BudgetError):
        return HTTPStatus.TOO_MANY_REQUESTS
    if isinstance(error, MissingError):
        return HTTPStatus.NOT_FOUND
    if isinstance(error, UsageError):
        return HTTPStatus.BAD_REQUEST
    if isinstance(error, ModelError):
        return HTTPStatus.BAD_GATEWAY
    if isinstance(error, IndexingError | StateError):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.INTERNAL_SERVER_ERROR


def install_problems(app: FastAPI) -> None:
    """Every error of a request leaves the app as a problem document."""

    @app.exception_handler(RequestProblem)
    def _(_request: Request, error: RequestProblem) -> JSONResponse:
        return problem_response(error.status, error.detail, retry_after=error.retry_after)

    @app.exception_handler(PolicyRagError)
    def _(_request: Request, error: PolicyRagError) -> JSONResponse:
        return problem_response(status_of(error), " ".join(str(error).split()))

    @app.exception_handler(HTTPException)
    def _(_request: Request, error: HTTPException) -> JSONResponse:
        detail = "there is nothing here" if error.status_code == HTTPStatus.NOT_FOUND else str(error.detail)
        return problem_response(error.status_code, detail)

    @app.exception_handler(RequestValidationError)
    def _(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"] if step != "body") or "the body"
        return problem_response(HTTPStatus.UNPROCESSABLE_ENTITY, f"{place}: {first['msg']}")

    @app.exception_handler(Exception)
    def _(_request: Request, _error: Exception) -> JSONResponse:
        return problem_response(HTTPStatus.INTERNAL_SERVER_ERROR, "that failed here: try again, or tell who runs this")
