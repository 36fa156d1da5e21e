"""`POST /api/v1/search`: the hits for a question; `/ask`: an answer with its citations, whole or as it comes."""

import json
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, cast

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Field

from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import SearchBody
from policy_rag.server.asking import Asked, Event, Notice, QuestionRequest, Text, answer_of, events
from policy_rag.server.callers import CallerIs
from policy_rag.server.event_stream import MEDIA_TYPE, Problem, server_sent, streamed, until_gone
from policy_rag.server.reading import ReadingIs
from policy_rag.server.service import ServiceIs

if TYPE_CHECKING:
    from policy_rag.settings import AnswerChanges

router = APIRouter()


@router.post("/search", tags=["search"])
def search(body: SearchBody, reading: ReadingIs) -> Any:
    """The sections that the caller may read and that a search finds, best first."""
    return to_json(reading.search(body.question, where=body.where, as_of=body.as_of, **body.changes()))


class AskBody(SearchBody):
    """A question, and how it is answered. Who asks, and so what may be read, is never in the body."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"question": "How many days of annual leave are there?"}]}
    )

    llm: str | None = Field(None, description="Who answers: the service's own LLM, or extractive.")
    conversation: str | None = Field(
        None, pattern=r"^[\w-]{1,100}$", description="That of an earlier answer, where the question leans on it."
    )
    trace: bool = Field(False, description="Whether the answer carries the steps taken.")

    def as_question(self) -> QuestionRequest:
        """The question as the service takes it."""
        return QuestionRequest(
            text=self.question,
            where=tuple(self.where),
            as_of=self.as_of,
            changes=cast("AnswerChanges", self.changes()),
            conversation=self.conversation,
            trace=self.trace,
        )


def answer_json(asked: Asked) -> dict[str, Any]:
    """An answer as the command line's JSON, with its id, its conversation and what people should know."""
    return {
        "id": asked.id,
        "conversation": asked.conversation,
        **to_json(asked.answer),
        "notices": list(asked.answer.notices),
    }


_RESPONSE = {
    "description": "The answer; with `Accept: text/event-stream` events `notice`, `text`, `answer` and `problem`.",
    "content": {
        MEDIA_TYPE: {"schema": {"type": "string"}, "example": 'event: text\ndata: {"text": "It is 28 days. [1]"}\n\n'}
    },
}


@router.post("/ask", tags=["ask"], response_class=JSONResponse, responses={200: _RESPONSE})
async def ask(
    request: Request, body: AskBody, caller: CallerIs, service: ServiceIs, accept: Annotated[str, Header()] = "*/*"
) -> Response:
    """An answer with citations, or a refusal, from what the caller may read."""
    question = body.as_question()
    if MEDIA_TYPE in accept:
        return await streamed(events(service, caller, question), _shown)
    asked = await answer_of(service, caller, question, gone=partial(until_gone, request))
    return JSONResponse(answer_json(asked))


def _shown(event: Event | Problem) -> str:
    if isinstance(event, Asked):
        return _line("answer", answer_json(event))
    if isinstance(event, Notice | Text):
        return _line("notice" if isinstance(event, Notice) else "text", {"text": event.text})
    return _line("problem", event)


def _line(name: str, data: Mapping[str, Any]) -> str:
    return server_sent(json.dumps(data, ensure_ascii=False), name)
