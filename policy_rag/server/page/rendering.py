"""Pages from templates. Whatever comes from a question, a policy or a model is escaped, and acts on nothing."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.server.callers import Caller
from policy_rag.server.identity.access import access_of
from policy_rag.server.page.page_wording import day, in_force

_HERE = Path(__file__).parent
STATIC = _HERE / "static"


def page(
    request: Request, template: str, context: Mapping[str, Any], *, caller: Caller | None = None, status: int = 200
) -> HTMLResponse:
    """A page, or the part of one that a script asked for.

    Args:
        request: what is answered.
        template: its file.
        context: what it shows.
        caller: who is signed in, as the head of the page says.
        status: of the response.
    """
    return HTMLResponse(rendered(request, template, context, caller=caller), status)


def rendered(request: Request, template: str, context: Mapping[str, Any], *, caller: Caller | None = None) -> str:
    """The same as text."""
    about = {
        "caller": caller,
        "can_leave": caller is not None and access_of(request).sessions.cookie in request.cookies,
        "part": is_part(request),
        "path": request.url.path,
    }
    return _environment().get_template(template).render(about | dict(context))


def is_part(request: Request) -> bool:
    """Whether a script asks for a part of a page, to put it into one that is open."""
    return request.headers.get("hx-request") == "true"


@cache
def static_url(name: str) -> str:
    """The address of a static file; it changes with what is in it, so that browsers may keep it."""
    return f"/static/{name}?v={hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals |= {"static": static_url, "in_force": in_force}
    made.filters["day"] = day
    return made


def _shown(value: object) -> object:
    """What steers the reading direction or cannot be seen is written out; see `as_shown`."""
    return as_shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value
