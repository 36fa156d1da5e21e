"""Pages from templates. Whatever comes from a question, a policy or a model is escaped, and acts on nothing."""

import datetime as dt
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from babel.dates import format_date
from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.server.callers import Caller
from policy_rag.server.identity.access import access_of


def day(value: dt.date) -> str:
    """A day as it is written in a letter.

    >>> day(dt.date(2026, 1, 5))
    '5 January 2026'
    """
    return format_date(value, "d MMMM y", locale="en")


def in_force(first: dt.date | None, last: dt.date | None, today: dt.date) -> str:
    """When a document is in force, seen from a day; nothing where it does not say.

    >>> in_force(dt.date(2026, 1, 1), None, dt.date(2026, 5, 1))
    'in force since 1 January 2026'
    >>> in_force(dt.date(2023, 1, 1), dt.date(2025, 12, 31), dt.date(2026, 5, 1))
    'was in force from 1 January 2023 to 31 December 2025'
    >>> in_force(dt.date(2027, 1, 1), None, dt.date(2026, 5, 1))
    'will be in force from 1 January 2027'
    """
    ends = f" to {day(last)}" if last else ""
    if last and last < today:
        return f"was in force from {day(first)}{ends}" if first else f"was in force until {day(last)}"
    if first and first > today:
        return f"will be in force from {day(first)}{ends}"
    if first:
        return f"in force from {day(first)}{ends}" if last else f"in force since {day(first)}"
    return f"in force until {day(last)}" if last else ""


_HERE = Path(__file__).parent
STATIC = _HERE / "static"


def page(
    request: Request, template: str, context: Mapping[str, Any], *, caller: Caller | None = None, status: int = 200
) -> HTMLResponse:
    """A page, or the part of one that a script asked for; its head says who is signed in."""
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
