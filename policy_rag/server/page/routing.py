"""Routes of pages: what goes wrong is said in a page, in plain words, instead of a problem document."""

from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from policy_rag.server.page.rendering import is_part, page
from policy_rag.server.problems import ProblemRoute, RequestProblem, problem_response

_HEADINGS = {
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "That is too large",
    HTTPStatus.NOT_FOUND: "There is nothing here",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many questions at once",
    HTTPStatus.BAD_GATEWAY: "The language model does not answer",
    HTTPStatus.SERVICE_UNAVAILABLE: "The policies cannot be read just now",
}
_FOR_PROGRAMS = ("/api/", "/mcp", "/metrics")
LONGEST_PLACE = 2000
"""Characters of an address that signing in leads back to."""
_NOTHING = "It may have been taken away, or it is not for you to read."


def problem_page(request: Request, problem: RequestProblem) -> Response:
    """The page that says what is wrong; who is not signed in is sent to where that is done."""
    if problem.status == HTTPStatus.UNAUTHORIZED:
        place = "/sign-in?" + urlencode({"next": _page_before(request)})
        if is_part(request):
            return Response(status_code=HTTPStatus.NO_CONTENT, headers={"HX-Redirect": place})
        return RedirectResponse(place, HTTPStatus.SEE_OTHER)
    heading = _HEADINGS.get(HTTPStatus(problem.status), "That did not work")
    said = _NOTHING if problem.status == HTTPStatus.NOT_FOUND else problem.detail
    context = {"heading": heading, "detail": said, "status": problem.status}
    made = page(request, "problem.html", context, status=problem.status)
    made.headers.update(problem.headers)
    return made


def _page_before(request: Request) -> str:
    """The page to come back to after signing in: the one that was asked for, or of a part the one that it is in."""
    if is_part(request):
        asked = urlsplit(request.headers.get("hx-current-url", ""))
    elif request.method == "GET":
        asked = urlsplit(str(request.url))
    else:
        return "/"
    whole = f"{asked.path}?{asked.query}" if asked.query else asked.path
    return (whole if len(whole) <= LONGEST_PLACE else asked.path) or "/"


def problem_shown(request: Request, problem: RequestProblem) -> Response:
    """What a request is told that no page's route serves: a page where it is a browser's, else a problem document."""
    for_people = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(_FOR_PROGRAMS)
    return problem_page(request, problem) if for_people else problem_response(problem)


class PageRoute(ProblemRoute):
    """A route whose errors are pages."""

    told = staticmethod(problem_page)
