"""Whether the service lives, whether it can answer, and who is asking."""

from typing import Any

from fastapi import APIRouter

from policy_rag import __version__
from policy_rag.errors import PolicyRagError
from policy_rag.server.asking import models_of
from policy_rag.server.callers import CallerIs
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service import ServiceIs

router = APIRouter(tags=["status"])


@router.get("/health")
def health() -> dict[str, str]:
    """That the process answers. For everybody."""
    return {"status": "ok", "version": __version__}


@router.get("/readiness")
def readiness(service: ServiceIs) -> dict[str, str]:
    """Whether questions can be answered: the index is there, its model loads, the state can be read. For everybody."""
    try:
        service.assistant.require_ready()
        with service.state.reading() as db:
            db.execute("SELECT 1")
    except PolicyRagError as error:
        raise RequestProblem(503, "not ready: `policy-rag doctor` on the server says why") from error
    return {"status": "ready"}


@router.get("/me")
def me(caller: CallerIs, service: ServiceIs) -> dict[str, Any]:
    """Who the service takes the caller for, and who may be asked to answer."""
    return {
        "name": caller.name,
        "label": caller.label or caller.name,
        "groups": list(caller.groups),
        "admin": caller.admin,
        "models": list(models_of(service)),
    }
