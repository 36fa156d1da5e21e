"""What the library holds: documents, their text, what changed between two, where they disagree, what they bear out."""

from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field

from policy_rag.errors import UsageError
from policy_rag.index.maintenance.compared_texts import as_json, differences
from policy_rag.records.serialization import to_json
from policy_rag.server.api.bodies import AS_OF, MOST_FILTERS, WHERE, Day, Filter, Under
from policy_rag.server.reading import ReadingIs

router = APIRouter(tags=["library"])

Name: TypeAlias = Annotated[
    str, Query(max_length=2000, description="A document's id, file or title, or a place as a citation prints it.")
]
Place: TypeAlias = Annotated[str | None, Query(max_length=2000)]
Offset: TypeAlias = Annotated[int | None, Query(ge=0, le=2**53)]


@router.get("/documents")
def documents(reading: ReadingIs) -> Any:
    """The documents that the caller may read."""
    return to_json([document.as_row() for document in reading.documents()])


@router.get("/show")
def show(
    document: Name,
    reading: ReadingIs,
    section: Place = None,
    place: Place = None,
    start: Offset = None,
    end: Offset = None,
    alone: bool = False,
) -> Any:
    """The text that a citation points to, in its surroundings: a section, a place as printed, or `start` to `end`."""
    if (start is None) != (end is None):
        raise UsageError("a range has both ends: give start and end")
    span = None if start is None or end is None else (start, end)
    found = reading.show(document, section=section, span=span, place=place)
    return to_json(replace(found, before="", after="") if alone else found)


@router.get("/changes")
def changes(old: Name, new: Name, reading: ReadingIs) -> Any:
    """What was added, removed, renumbered, moved and changed between two documents, clause by clause."""
    before, after = reading.compared(old, new)
    return to_json(as_json(differences(before, after), before, after))


@router.get("/conflicts")
def conflicts(
    reading: ReadingIs,
    where: Annotated[list[Filter], Query(description=WHERE, max_length=MOST_FILTERS)] = [],  # noqa: B006
    as_of: Annotated[Day, Query(description=AS_OF)] = None,
) -> Any:
    """Where documents in force that the caller may read contradict each other, surest first."""
    return to_json(reading.conflicts(where=where, as_of=as_of))


class CheckBody(Under):
    """A statement, and what it is held against."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"statement": "Annual leave is 30 days."}]})

    statement: str = Field(description="Anybody's; each sentence is checked.")
    file: str | None = Field(None, description="The document that it is held against; all of them without it.")
    start: int | None = Field(None, ge=0, le=2**53, description="First character of that document's text.")
    end: int | None = Field(None, ge=0, le=2**53, description="One past the last.")


@router.post("/check")
def check(body: CheckBody, reading: ReadingIs) -> Any:
    """Whether the policies that the caller may read bear a statement out: supported, doubtful or unsupported."""
    if (body.start is None) != (body.end is None):
        raise UsageError("a range has both ends: give start and end")
    found = reading.check(
        body.statement,
        file=body.file,
        span=None if body.start is None or body.end is None else (body.start, body.end),
        where=body.where,
        as_of=body.as_of,
    )
    return to_json(found)
