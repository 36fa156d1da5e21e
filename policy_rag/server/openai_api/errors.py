"""Errors in OpenAI's form, with our line."""

from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse

from policy_rag.server.problems import ProblemRoute, RequestProblem

_KINDS = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class OpenAIRoute(ProblemRoute):
    """A route whose errors are in OpenAI's form."""

    @staticmethod
    def told(request: Request, problem: RequestProblem) -> JSONResponse:  # noqa: ARG004 - the same for all
        """See the class."""
        return JSONResponse(error_form(problem.status, problem.detail), problem.status, headers=problem.headers)


def error_form(status: int, detail: str) -> dict[str, Any]:
    """An error as OpenAI's clients read it.

    >>> error_form(429, "ask again in a minute")["error"]["type"]
    'rate_limit_error'
    """
    usual = "invalid_request_error" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error"
    return {"error": {"message": detail, "type": _KINDS.get(HTTPStatus(status), usual), "param": None, "code": None}}
