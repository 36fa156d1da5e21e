"""`/api/v1`: the commands of the command line over HTTP, with the same records."""

from fastapi import APIRouter

from policy_rag.server.api import ask, jobs, library, questions, search, status

router = APIRouter()
for part in (search, ask, library, questions, jobs, status):
    router.include_router(part.router)

__all__ = ["router"]
