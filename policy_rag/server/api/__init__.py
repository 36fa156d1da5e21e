"""`/api/v1`: the commands of the command line over HTTP, with the same records."""

from fastapi import APIRouter

from policy_rag.server.api import ask, jobs, policy_routes, question_history, status

router = APIRouter()
for part in (ask, policy_routes, question_history, jobs, status):
    router.include_router(part.router)

__all__ = ["router"]
