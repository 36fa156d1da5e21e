"""`POST /api/v1/search`: the hits for a question."""

from typing import Any

from fastapi import APIRouter

from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import SearchBody
from policy_rag.server.reading import ReadingIs

router = APIRouter(tags=["search"])


@router.post("/search")
def search(body: SearchBody, reading: ReadingIs) -> Any:
    """The sections that the caller may read and that a search finds, best first."""
    return to_json(reading.search(body.question, where=body.where, as_of=body.as_of, **body.changes()))
