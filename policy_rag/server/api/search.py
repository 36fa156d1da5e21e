"""`POST /api/v1/search`: the hits for a question."""

from typing import Any

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import SearchedUnder
from policy_rag.server.reading import ReadingIs

router = APIRouter(tags=["search"])


class SearchBody(SearchedUnder):
    """A question, and how it is searched. Who asks, and so what may be found, is never in the body."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"question": "How long is leave?", "top_k": 3}]})

    question: str = Field(description="As it would be asked of a person.")


@router.post("/search")
def search(body: SearchBody, reading: ReadingIs) -> Any:
    """The sections that the caller may read and that a search finds, best first."""
    return to_json(reading.search(body.question, where=body.where, as_of=body.as_of, **body.search_changes()))
