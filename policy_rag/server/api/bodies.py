"""What several requests of the API have in common."""

import datetime as dt
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from policy_rag.errors import UsageError
from policy_rag.records.choices import Search
from policy_rag.retrieval.request import day_of
from policy_rag.settings import AnswerChanges


def _day(given: Any) -> dt.date | None:
    """A day as the command line reads it: pydantic alone takes `20260131` for seconds since 1970."""
    try:
        return day_of(given)
    except UsageError as error:
        raise ValueError(str(error)) from error


Day: TypeAlias = Annotated[dt.date | None, BeforeValidator(_day)]
Filter: TypeAlias = Annotated[str, StringConstraints(max_length=2000)]
WHERE = "KEY=A, KEY=A,B, KEY>=VALUE or KEY<=VALUE; all must hold."
AS_OF = "The day whose rules are asked for; today without it."
MOST_FILTERS = 50


class Body(BaseModel):
    """A request's body. Who asks, and so what may be found, is never in it."""

    model_config = ConfigDict(extra="forbid")


class Under(Body):
    """Under what is asked."""

    where: list[Filter] = Field([], description=WHERE, max_length=MOST_FILTERS)
    as_of: Day = Field(None, description=AS_OF)


class SearchBody(Under):
    """A question, and how it is searched. Who asks, and so what may be found, is never in the body."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"question": "How long is leave?", "top_k": 3}]})

    question: str = Field(description="As it would be asked of a person.")
    search: Search | None = Field(None, description="How the vector and the keyword search are used together.")
    candidates: int | None = Field(None, ge=1, le=1000, description="Hits that each search brings.")
    top_k: int | None = Field(None, ge=1, le=100, description="Hits that are returned.")
    reranker: str | None = Field(None, description="none, or the service's own.")

    def changes(self) -> dict[str, Any]:
        """The settings among them that were given."""
        return self.model_dump(include=set(AnswerChanges.__optional_keys__), exclude_none=True)
