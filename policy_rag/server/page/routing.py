"""Routes of pages: what goes wrong is said in a page, in plain words, instead of a problem document."""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import RedirectResponse
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from policy_rag.errors import PolicyRagError
from policy_rag.server.page.rendering import is_part, page
from policy_rag.server.problems import RequestProblem, status_of

_HEADINGS = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is too large",
    HTTPStatus.NOT_FOUND: "There is nothing here",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many questions at once",
    HTTPStatus.BAD_GATEWAY: "The language model does not answer",
    HTTPStatus.SERVICE_UNAVAILABLE: "The policies cannot be read just now",
}
_NOTHING = "It may have been taken away, or it is not for you to read."


class PageRoute(APIRoute):
    """A route whose errors are pages."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request to it."""
        handler = super().get_route_handler()

        async def answer(request: Request) -> Response:
            try:
                return await handler(request)
            except RequestProblem as error:
                return problem_page(request, error.status, error.detail)
            except PolicyRagError as error:
                return problem_page(request, status_of(error), " ".join(str(error).split()))
            except HTTPException as error:
                return problem_page(request, error.status_code, str(error.detail))
            except RequestValidationError as error:
                first = error.errors()[0]
                return problem_page(request, HTTPStatus.BAD_REQUEST, f"{first['loc'][-1]}: {first['msg']}")

        return answer


def problem_page(request: Request, status: int, detail: str) -> Response:
    """The page that says what is wrong; who is not signed in is sent to where that is done."""
    if status == HTTPStatus.UNAUTHORIZED:
        asked = request.url.path if request.method == "GET" else "/"
        place = "/sign-in?" + urlencode({"next": asked})
        if is_part(request):
            return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": place})
        return RedirectResponse(place, HTTPStatus.SEE_OTHER)
    heading = _HEADINGS.get(HTTPStatus(status), "That did not work")
    said = _NOTHING if status == HTTPStatus.NOT_FOUND else detail
    return page(request, "problem.html", {"heading": heading, "detail": said, "status": status}, status=status)
