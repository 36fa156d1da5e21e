"""Errors in OpenAI's form, with our line."""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from policy_rag.errors import PolicyRagError
from policy_rag.server.problems import RequestProblem, problem_of

_KINDS = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class OpenAIRoute(APIRoute):
    """A route whose errors are in OpenAI's form."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request to it."""
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except (RequestProblem, PolicyRagError) as error:
                said = problem_of(error)
                status, detail = int(said["status"]), str(said["detail"])
                headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
                if isinstance(error, RequestProblem) and error.retry_after is not None:
                    headers["Retry-After"] = str(error.retry_after)
                return JSONResponse(error_form(status, detail), status, headers=headers)
            except RequestValidationError as error:
                first = error.errors()[0]
                place = ".".join(str(step) for step in first["loc"] if step != "body") or "the body"
                return JSONResponse(error_form(400, f"{place}: {first['msg']}"), HTTPStatus.BAD_REQUEST)

        return answer


def error_form(status: int, detail: str) -> dict[str, Any]:
    """An error as OpenAI's clients read it.

    >>> error_form(429, "ask again in a minute")["error"]["type"]
    'rate_limit_error'
    """
    usual = "invalid_request_error" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error"
    return {"error": {"message": detail, "type": _KINDS.get(HTTPStatus(status), usual), "param": None, "code": None}}
