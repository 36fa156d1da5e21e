"""`/v1`: asking in the form of OpenAI's chat completions, so that whatever speaks it is a front end of the service.

Of a request's messages the last is the question, those before it the conversation.
"""

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from http import HTTPStatus
from itertools import pairwise
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from policy_rag.answering.clarification import is_question_back, listed_candidates
from policy_rag.answering.conversation import Earlier
from policy_rag.errors import UsageError
from policy_rag.records.answer import Answer
from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import AS_OF, MOST_FILTERS, WHERE, Day, Filter
from policy_rag.server.asking import Asked, Event, Notice, QuestionRequest, Text, answer_of, events, models_of
from policy_rag.server.callers import CallerIs
from policy_rag.server.event_stream import MEDIA_TYPE, Problem, server_sent, streamed, until_gone
from policy_rag.server.problems import ProblemRoute, RequestProblem
from policy_rag.server.service import Service, ServiceIs
from policy_rag.settings import AnswerChanges

_KINDS = {
    HTTPStatus.UNAUTHORIZED: "authentication_error",
    HTTPStatus.FORBIDDEN: "permission_error",
    HTTPStatus.TOO_MANY_REQUESTS: "rate_limit_error",
}


class OpenAIRoute(ProblemRoute):
    """A route whose errors are in OpenAI's form."""

    @staticmethod
    def told(request: Request, problem: RequestProblem) -> JSONResponse:  # noqa: ARG004 - the same for all
        """See the class."""
        return JSONResponse(error_form(problem.status, problem.detail), problem.status, headers=problem.headers)


def error_form(status: int, detail: str) -> dict[str, Any]:
    """An error as OpenAI's clients read it.

    >>> error_form(429, "ask again in a minute")["error"]["type"]
    'rate_limit_error'
    """
    usual = "invalid_request_error" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "server_error"
    return {"error": {"message": detail, "type": _KINDS.get(HTTPStatus(status), usual), "param": None, "code": None}}


OWN = "policy-rag"
"""The service as it is set up; `policy-rag/extractive` answers by quotation whatever that is."""

router = APIRouter(route_class=OpenAIRoute, tags=["OpenAI's form"])


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


class TextPart(BaseModel):
    """A piece of a message; of any other kind than text there is nothing to be read."""

    type: str
    text: str = ""


class Message(BaseModel):
    """What somebody said."""

    role: str
    content: str | list[TextPart] | None = None

    @property
    def text(self) -> str:
        """Its words."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content or () if part.type == "text")


class StreamOptions(BaseModel):
    """How a stream ends."""

    include_usage: bool = False


class ChatBody(BaseModel):
    """A request as OpenAI's clients send it. What else they send, such as a temperature, changes nothing here."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"model": OWN, "messages": [{"role": "user", "content": "How many days of annual leave are there?"}]}
            ]
        }
    )

    model: str = Field(OWN, description="One of `/v1/models`.")
    messages: list[Message] = Field(min_length=1, max_length=1000, description="The last is the question.")
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: Literal[1] | None = Field(None, description="One answer.")
    where: list[Filter] = Field([], max_length=MOST_FILTERS, description=WHERE)
    as_of: Day = Field(None, description=AS_OF)

    def as_question(self) -> tuple[str, tuple[Earlier, ...]]:
        """The question, and what was asked before it; what was asked back is known by how the answer begins.

        Raises:
            UsageError: the last message is nobody's who asks.
        """
        if self.messages[-1].role != "user":
            raise UsageError("the last message is the question: give it the role `user`")
        said = [one for one in self.messages if one.role in {"user", "assistant"}]
        return said[-1].text, tuple(
            _earlier(one.text, following.text if following.role == "assistant" else "")
            for one, following in pairwise(said)
            if one.role == "user"
        )


def _earlier(question: str, answer: str) -> Earlier:
    return Earlier(question, is_question_back(answer), listed_candidates(answer))


@router.post(
    "/chat/completions",
    response_class=JSONResponse,
    responses={200: {"content": {MEDIA_TYPE: {"schema": {"type": "string"}}}}},
)
async def chat(request: Request, body: ChatBody, caller: CallerIs, service: ServiceIs) -> Response:
    """An answer with `[n]` in its text and `citations` beside it, whole or, with `stream`, as it comes."""
    text, earlier = body.as_question()
    question = QuestionRequest(
        text=text,
        where=tuple(body.where),
        as_of=body.as_of,
        changes=changes_of(service, body.model),
        earlier=earlier,
        trace=True,
    )
    if body.stream:
        usage = body.stream_options is not None and body.stream_options.include_usage
        return await streamed(events(service, caller, question), Chunks(body.model, usage=usage))
    asked = await answer_of(service, caller, question, gone=partial(until_gone, request))
    message = {"role": "assistant", "content": asked.answer.answer, "refusal": None, **cited(asked)}
    return JSONResponse(
        {
            "id": f"chatcmpl-{asked.id}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": body.model,
            "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
            "usage": usage_of(asked.answer),
        }
    )


def cited(asked: Asked) -> dict[str, Any]:
    """What an answer stands on, and how sure it is, for those who read more than its text.

    `citations` are as in the command line's JSON. `policy_rag` has the rest; feedback is given on its `id`.
    """
    answer = to_json(asked.answer)
    names = ("status", "answered", "confidence", "clarification", "nearest", "removed", "llm")
    about = {"id": asked.id, **{name: answer[name] for name in names}, "notices": list(asked.answer.notices)}
    return {"citations": answer["citations"], "policy_rag": about}


def usage_of(answer: Answer) -> dict[str, int]:
    """The tokens that an LLM read and wrote for an answer; none for one by quotation."""
    calls: Sequence[Mapping[str, Any]] = [step for step in answer.trace or () if step["step"] == "llm"]
    read, written = (sum(int(call.get(name) or 0) for call in calls) for name in ("tokens_in", "tokens_out"))
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


class Chunks:
    """The events of one question as OpenAI's chunks; the last one with a choice has what the answer stands on.

    Args:
        model: as it was asked for.
        usage: whether a chunk with the tokens comes after it.
    """

    def __init__(self, model: str, *, usage: bool) -> None:
        self._model, self._usage = model, usage
        self._created = int(time.time())
        self._id = f"chatcmpl-{time.time_ns():x}"
        self._sent: str | None = None

    def __call__(self, event: Event | Problem) -> str:
        """An event, or what went wrong, as it is sent."""
        if isinstance(event, Notice):
            return self._begun()
        if isinstance(event, Text):
            begun = self._begun()
            self._sent = (self._sent or "") + event.text
            return begun + self._chunk({"content": event.text})
        if isinstance(event, Asked):
            return self._ended(event)
        return server_sent(json.dumps(error_form(int(event["status"]), str(event["detail"])), ensure_ascii=False))

    def _begun(self) -> str:
        if self._sent is not None:
            return ""
        self._sent = ""
        return self._chunk({"role": "assistant", "content": ""})

    def _ended(self, asked: Asked) -> str:
        """What of the text was not sent, as of a refusal, then the end."""
        begun = self._begun()
        rest = asked.answer.answer.removeprefix(self._sent or "")
        sent = [begun, *([self._chunk({"content": rest})] if rest else []), self._chunk(cited(asked), "stop")]
        if self._usage:
            sent.append(self._line({"choices": [], "usage": usage_of(asked.answer)}))
        return "".join((*sent, server_sent("[DONE]")))

    def _chunk(self, delta: Mapping[str, Any], finish: str | None = None) -> str:
        return self._line({"choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}]})

    def _line(self, body: Mapping[str, Any]) -> str:
        head = {"id": self._id, "object": "chat.completion.chunk", "created": self._created, "model": self._model}
        return server_sent(json.dumps({**head, **body}, ensure_ascii=False))
