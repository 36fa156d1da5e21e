"""`GET /v1/models`: who may be asked to answer, by names of our own."""

from typing import Any

from fastapi import APIRouter

from policy_rag.server.asking import models_of
from policy_rag.server.callers import CallerIs
from policy_rag.server.openai_api.errors import OpenAIRoute
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service import Service, ServiceIs
from policy_rag.settings import AnswerChanges

OWN = "policy-rag"
"""The service as it is set up; `policy-rag/extractive` answers by quotation whatever that is."""

router = APIRouter(route_class=OpenAIRoute)


@router.get("/models")
def models(_: CallerIs, service: ServiceIs) -> dict[str, Any]:
    """Who may be asked to answer."""
    return {"object": "list", "data": [_form(name) for name in names_of(service)]}


@router.get("/models/{name:path}")
def model(name: str, _: CallerIs, service: ServiceIs) -> dict[str, Any]:
    """One of them."""
    changes_of(service, name)
    return _form(name)


def names_of(service: Service) -> tuple[str, ...]:
    """The names of who may be asked, the service's own first."""
    return OWN, *(f"{OWN}/{name}" for name in models_of(service)[1:])


def changes_of(service: Service, name: str) -> AnswerChanges:
    """The settings that a name stands for.

    Raises:
        Problem: 404, there is no such.
    """
    if name not in names_of(service):
        raise RequestProblem(404, f"there is no model {name!r} here: ask {' or '.join(names_of(service))}")
    return {} if name == OWN else {"llm": name.removeprefix(f"{OWN}/")}


def _form(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": OWN}
