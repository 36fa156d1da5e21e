"""`/v1`: asking in the form of OpenAI's chat completions, so that whatever speaks it is a front end of the service."""

from fastapi import APIRouter

from policy_rag.server.openai_api import chat, model_list

router = APIRouter(tags=["OpenAI's form"])
for part in (chat, model_list):
    router.include_router(part.router)

__all__ = ["router"]
