"""Asking in a browser: the answer as it is written, one's own questions, and what one says of their answers."""

import datetime as dt
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, TypeAlias

from fastapi import APIRouter, BackgroundTasks, Form, Header, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from policy_rag.retrieval.request import day_of
from policy_rag.server.asking import Asked, Event, Notice, QuestionRequest, Text, events, reader_of
from policy_rag.server.asking import answer_of as answered
from policy_rag.server.callers import Caller, CallerIs
from policy_rag.server.event_stream import MEDIA_TYPE, Problem, server_sent, streamed, until_gone
from policy_rag.server.page.document_pages import WantedRange, document_page
from policy_rag.server.page.rendering import is_part, page, rendered
from policy_rag.server.page.routing import PageRoute
from policy_rag.server.page.shown_answer import answer_of
from policy_rag.server.page.turns import ShownTurn, is_for_readers, turn_of_answer, turn_of_log
from policy_rag.server.problems import RequestProblem as NotServed
from policy_rag.server.question_feedback import feedback_to_mlflow, give_feedback
from policy_rag.server.reading import ReadingIs
from policy_rag.server.service import Service, ServiceIs

router = APIRouter(route_class=PageRoute, include_in_schema=False)

_SEE_OTHER = 303
_A_PAGE = 30  # questions

Name: TypeAlias = Annotated[str, Path(pattern=r"^[\w-]{1,100}$")]


@router.get("/")
def begin(request: Request, caller: CallerIs, service: ServiceIs) -> Response:
    """The question field, at the beginning of a conversation."""
    return _ask_page(request, caller, service, uuid.uuid4().hex, ())


@router.get("/conversations/{conversation}")
def conversation(request: Request, conversation: Name, caller: CallerIs, service: ServiceIs) -> Response:
    """A conversation of the caller's, latest question first, to go on with."""
    found = service.questions.of_caller(caller.name, reader_of(service, caller), conversation=conversation)
    if not found:
        raise NotServed(404, "there is nothing here")
    return _ask_page(request, caller, service, conversation, [turn_of_log(one) for one in found])


def _ask_page(
    request: Request, caller: Caller, service: Service, conversation: str, turns: Sequence[ShownTurn]
) -> Response:
    context = {
        "conversation": conversation,
        "turns": turns,
        "documents": len(service.assistant.documents(groups=caller.groups)),
        "today": service.assistant.today(),
    }
    return page(request, "ask.html", context, caller=caller)


@router.post("/ask")
async def ask(
    request: Request,
    caller: CallerIs,
    service: ServiceIs,
    question: Annotated[str, Form()],
    conversation: Annotated[str, Form(pattern=r"^[\w-]{1,100}$")],
    as_of: Annotated[str, Form()] = "",
    accept: Annotated[str, Header()] = "",
) -> Response:
    """Answers a question: as it is written where a script asks, else by the page of the conversation."""
    day = day_of(as_of.strip() or None)
    asking = QuestionRequest(text=question, as_of=day, conversation=conversation)
    if MEDIA_TYPE in accept:
        return await streamed(events(service, caller, asking), _shown_to(request, service, question, day))
    asked = await answered(service, caller, asking, gone=partial(until_gone, request))
    return RedirectResponse(f"/conversations/{conversation}#turn-{asked.id}", _SEE_OTHER)


def _shown_to(
    request: Request, service: Service, question: str, day: dt.date | None
) -> Callable[[Event | Problem], str]:
    """Writes events as parts of the page: first the question, then what comes, then all of it in their place."""
    place = f"live-{uuid.uuid4().hex}"
    begun = False

    def shown(event: Event | Problem) -> str:
        nonlocal begun
        context = {"place": place, "question": question, "as_of": day, "today": service.assistant.today()}
        opening = "" if begun else server_sent(rendered(request, "live_turn.html", context))
        begun = True
        if isinstance(event, Asked):
            told = {**context, "turn": turn_of_answer(event, day)}
            return opening + server_sent(rendered(request, "live_answer.html", told))
        if isinstance(event, Notice) and not is_for_readers(event.text):
            return opening
        if isinstance(event, Notice | Text):
            told = {**context, "text": event.text, "into": "notices" if isinstance(event, Notice) else "text"}
            return opening + server_sent(rendered(request, "live_text.html", told))
        return opening + server_sent(rendered(request, "live_problem.html", {**context, "detail": event["detail"]}))

    return shown


@router.get("/answers/{question_id}/{n}")
def cited(request: Request, question_id: Name, n: int, reading: ReadingIs) -> Response:
    """The place that an answer of the caller's cites, in its document as it is now."""
    caller, service = reading.caller, reading.service
    logged = service.questions.one(question_id, reader_of(service, caller), caller=caller.name)
    answer = answer_of(logged.answer) if logged and logged.answer else None
    citation = next((one for one in answer.citations if one.n == n), None) if answer else None
    if logged is None or citation is None:
        raise NotServed(404, "there is nothing here")
    place = WantedRange(citation.start, citation.end, citation.quote)
    back = f"/conversations/{logged.conversation}#turn-{logged.id}"
    return document_page(request, reading, citation.doc_id, place=place, back=back)


@router.get("/questions")
def questions(
    request: Request, caller: CallerIs, service: ServiceIs, before: Annotated[int | None, Query(ge=0)] = None
) -> Response:
    """What the caller asked, latest first."""
    found = service.questions.of_caller(caller.name, reader_of(service, caller), before=before, limit=_A_PAGE)
    more = found[-1].number if len(found) == _A_PAGE else None
    context = {"turns": [(one.conversation, turn_of_log(one)) for one in found], "more": more}
    return page(request, "questions.html", context, caller=caller)


@router.post("/feedback")
def feedback(
    request: Request,
    caller: CallerIs,
    service: ServiceIs,
    after: BackgroundTasks,
    question_id: Annotated[str, Form(max_length=100)],
    helpful: Annotated[bool, Form()],
    comment: Annotated[str, Form(max_length=4000)] = "",
) -> Response:
    """Keeps what the caller says of an answer."""
    why = comment.strip() or None
    give_feedback(service, caller, question_id, helpful=helpful, comment=why)
    after.add_task(feedback_to_mlflow, service, caller, question_id, helpful=helpful, comment=why)
    logged = service.questions.one(question_id, reader_of(service, caller), caller=caller.name)
    if logged is None:
        raise NotServed(404, "there is nothing here")
    if not is_part(request):
        made: Response = RedirectResponse(f"/conversations/{logged.conversation}#turn-{logged.id}", _SEE_OTHER)
    else:
        made = page(request, "feedback.html", {"turn": turn_of_log(logged), "said": True})
    made.background = after
    return made
