"""One's own questions and what one says of their answers; for administrators, everybody's."""

from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, BackgroundTasks, Query, Response
from pydantic import ConfigDict, Field

from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import Body
from policy_rag.server.asking import reader_of
from policy_rag.server.callers import AdminIs, CallerIs
from policy_rag.server.question_feedback import feedback_to_mlflow, give_feedback
from policy_rag.server.service import ServiceIs
from policy_rag.server.unanswered import unanswered

router = APIRouter(tags=["questions"])

Before: TypeAlias = Annotated[int | None, Query(ge=0, le=2**53, description="Only questions of a smaller number.")]
Limit: TypeAlias = Annotated[int, Query(ge=1, le=500, description="Most questions, latest first.")]


@router.get("/questions")
def own(
    caller: CallerIs,
    service: ServiceIs,
    conversation: Annotated[str | None, Query(max_length=100)] = None,
    before: Before = None,
    limit: Limit = 50,
) -> Any:
    """What the caller asked, latest first. Answers on what the caller may not read any more are withheld."""
    found = service.questions.of_caller(
        caller.name, reader_of(service, caller), conversation=conversation, before=before, limit=limit
    )
    return to_json(found)


class FeedbackBody(Body):
    """Whether an answer helped."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"id": "0b8c", "helpful": False, "comment": "That is the rule of last year."}]}
    )

    id: str = Field(max_length=100, description="Of the answer.")
    helpful: bool
    comment: str | None = Field(None, max_length=4000)


@router.post("/feedback", status_code=204)
def feedback(body: FeedbackBody, caller: CallerIs, service: ServiceIs, after: BackgroundTasks) -> Response:
    """Keeps what the caller says of an answer, with the answer and, a little later, with its trace in MLflow."""
    give_feedback(service, caller, body.id, helpful=body.helpful, comment=body.comment)
    after.add_task(feedback_to_mlflow, service, caller, body.id, helpful=body.helpful, comment=body.comment)
    return Response(status_code=204, background=after)


@router.get("/admin/questions", tags=["administration"])
def all_questions(
    caller: AdminIs,
    service: ServiceIs,
    outcome: Annotated[str | None, Query(max_length=100)] = None,
    rated: bool = False,
    before: Before = None,
    limit: Limit = 50,
) -> Any:
    """What everybody asked, latest first; of answers only those that the administrator could have got."""
    reader, log = reader_of(service, caller), service.questions
    if rated:
        return to_json(log.rated(reader, before=before, limit=limit))
    return to_json(log.recent(reader, outcome=outcome, before=before, limit=limit))


@router.get("/admin/unanswered", tags=["administration"])
def unanswered_questions(caller: AdminIs, service: ServiceIs, limit: Limit = 50) -> Any:
    """Questions that the policies did not answer, those of the same matter together, the most asked first."""
    return to_json(unanswered(service, reader_of(service, caller))[:limit])
