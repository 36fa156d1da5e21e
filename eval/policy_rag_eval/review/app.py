"""The review page as an ASGI application: it keeps nothing in memory, so that it can be mounted anywhere."""

import datetime as dt
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from importlib.resources import files
from secrets import compare_digest
from threading import Lock
from typing import TYPE_CHECKING, Any

from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.review.decisions import UNDONE, Decided, ReviewDecision, add_decision, agreement, read_decisions
from policy_rag_eval.review.items import ReviewItem, Source

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

TOKEN_HEADER = "X-Review-Token"  # noqa: S105 - a header's name
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_PAGES = {"": ("review.html", "text/html"), "review.js": ("review.js", "text/javascript"),
          "review.css": ("review.css", "text/css")}  # fmt: skip
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
Work = Callable[[Mapping[str, Any]], Mapping[str, Any]]
_MOST_BYTES = 200_000
_LONGEST = 20_000
_EDITABLE = frozenset({"question", "quote", "answer"})


def review_app(
    source: Source,
    *,
    reviewer: "str | Callable[[Request], str]",
    token: str | None,
    hosts: frozenset[str] | None = LOOPBACK,
    clock: Callable[[], dt.datetime],
) -> "Starlette":
    """The application over something that is reviewed.

    Args:
        source: what.
        reviewer: whose name the page begins with, and anybody may change; or what tells who sends a request, and then
            nobody decides in another's name.
        token: what each request for data must carry, in the header `X-Review-Token`; None where whoever mounts the
            application has let the caller in already.
        hosts: the names, without a port, under which it may be called: another site that points its own name at this
            machine is refused. None where whoever mounts the application keeps other sites away.
        clock: the time, with its zone.
    """
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.routing import Route

    async def guard(request: "Request", go_on: Callable[["Request"], Awaitable["Response"]]) -> "Response":
        refusal = None if hosts is None else refused(request, hosts)
        response = _problem(403, refusal) if refusal else await go_on(request)
        response.headers.update(_HEADERS)
        return response

    def page(name: str) -> Callable[["Request"], "Response"]:
        def answer(_: "Request") -> "Response":
            from starlette.responses import Response

            file, kind = _PAGES[name]
            content = files("policy_rag_eval.review").joinpath("page", file).read_bytes()
            return Response(content, media_type=f"{kind}; charset=utf-8")

        return answer

    def data(work: Work) -> Callable[["Request"], Awaitable["Response"]]:
        async def answer(request: "Request") -> "Response":
            from starlette.concurrency import run_in_threadpool
            from starlette.responses import JSONResponse

            if token is not None and not compare_digest(request.headers.get(TOKEN_HEADER, ""), token):
                return _problem(401, "open the address that the command printed, with its token")
            try:
                given = await _body(request) if request.method == "POST" else dict(request.query_params)
                if callable(reviewer):
                    given = {**given, "by": reviewer(request)}
                return JSONResponse(await run_in_threadpool(review.alone, work, given))
            except PolicyRagError as error:
                return _problem(400 if isinstance(error, UsageError) else 500, str(error))

        return answer

    review = _Review(source, "" if callable(reviewer) else reviewer, clock)
    routes = [Route(f"/{name}", page(name)) for name in _PAGES]
    routes += [
        Route("/items", data(review.listed)),
        Route("/decisions", data(review.decide), methods=["POST"]),
        Route("/apply", data(review.apply), methods=["POST"]),
    ]
    return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)])


class _Review:
    """What the page asks for; each time the files are read.

    One request has the files at a time: writing back moves a folder, and a decision that came meanwhile would be lost.
    """

    def __init__(self, source: Source, reviewer: str, clock: Callable[[], dt.datetime]) -> None:
        self._source, self._reviewer, self._clock = source, reviewer, clock
        self._lock = Lock()

    def alone(self, work: Work, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Does the work, once whoever has the files is done with them."""
        with self._lock:
            return work(given)

    def listed(self, given: Mapping[str, Any]) -> dict[str, Any]:
        by = str(given.get("by") or self._reviewer)
        items, decided = self._source.items(), read_decisions(self._source.decisions)
        return {
            "title": self._source.title,
            "reviewer": by,
            "may_rename": bool(self._reviewer),
            "choices": list(self._source.choices),
            "items": [_shown(one, decided, by) for one in items],
            **_summary([one.item_id for one in items], decided, by),
        }

    def decide(self, given: Mapping[str, Any]) -> dict[str, Any]:
        decision = _decision(given, self._source, self._clock().isoformat(timespec="microseconds"))
        items = {one.item_id: one for one in self._source.items()}
        if decision.item not in items:
            raise UsageError(f"there is no item {decision.item!r}: load the page anew")
        if decision.decision != UNDONE:
            self._source.check(decision)
        add_decision(self._source.decisions, decision)
        decided = read_decisions(self._source.decisions)
        shown = _shown(items[decision.item], decided, decision.by)
        return {"item": shown, **_summary(list(items), decided, decision.by)}

    def apply(self, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"written": self._source.apply(read_decisions(self._source.decisions))}


def refused(request: "Request", hosts: frozenset[str]) -> str | None:
    """Why a request may come from another site, or None.

    Its `Host` must be one of ours, and so must its `Origin`, which browsers send with whatever could change something.
    """
    host = request.headers.get("host", "")
    if _name(host) not in hosts:
        return "this page is for this machine alone: open it under the address that the command printed"
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return "another site asked: open the page itself"
    if request.headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
        return "another site asked: open the page itself"
    return None


def _name(host: str) -> str:
    """A host without its port."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


async def _body(request: "Request") -> Mapping[str, Any]:
    import json

    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise UsageError("send JSON")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > _MOST_BYTES:
            raise UsageError("that is too long")
    try:
        given = json.loads(content)
    except ValueError as error:
        raise UsageError("send JSON") from error
    if not isinstance(given, dict):
        raise UsageError("send a JSON object")
    return given


def _decision(given: Mapping[str, Any], source: Source, at: str) -> ReviewDecision:
    texts = {name: given.get(name, "") for name in ("item", "by", "decision", "note")}
    edited = given.get("edited") or {}
    if not isinstance(edited, dict) or not all(isinstance(one, str) for one in (*texts.values(), *edited.values())):
        raise UsageError("a decision is texts only")
    if any(len(one) > _LONGEST for one in (*texts.values(), *edited.values())):
        raise UsageError(f"a text is longer than {_LONGEST} characters")
    if not texts["by"].strip():
        raise UsageError("say who reviews")
    if texts["decision"] not in {UNDONE, *source.choices}:
        raise UsageError(f"the decision {texts['decision']!r} is none of {', '.join(source.choices)}")
    if edited.keys() - _EDITABLE:
        raise UsageError(f"only {', '.join(sorted(_EDITABLE))} can be edited")
    kept = {name: text for name, text in edited.items() if texts["decision"] == "edit"}
    return ReviewDecision(**{**texts, "by": texts["by"].strip()}, at=at, edited=kept)


def _shown(item: ReviewItem, decided: Decided, by: str) -> dict[str, Any]:
    """An item as the page has it; what others decided is told only after one's own decision."""
    of = decided.get(item.item_id, {})
    others = [one for name, one in of.items() if name != by] if by in of else []
    return {
        **asdict(item),
        "decision": asdict(of[by]) if by in of else None,
        "others": [{"by": one.by, "decision": one.decision, "note": one.note} for one in others],
    }


def _summary(items: list[str], decided: Decided, by: str) -> dict[str, Any]:
    own = sum(by in decided.get(item, {}) for item in items)
    found = agreement(items, decided)
    visible = [item for item in found.differing if by in decided.get(item, {})]
    return {"decided": own, "total": len(items), "agreement": {**asdict(found), "differing": visible}}


def _problem(status: int, text: str) -> "Response":
    from starlette.responses import JSONResponse

    return JSONResponse({"error": text}, status_code=status)
