"""The results of extraction: frozen, plain data, to JSON and back.

Text in them is data: one line, no control characters, of bounded length, never markup to be rendered.
A kind that was not asked for, or could not be extracted, is None; a kind that found nothing is `()` or `""`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Self

from pydantic import Field, TypeAdapter, ValidationError

from policy_rag_parsers.errors import MetadataError

Offset = Annotated[int, Field(strict=True, ge=0)]
"""A place in a section's text."""


class Kind(StrEnum):
    """What can be extracted. `TITLE` and `DOCUMENT_SUMMARY` are of a document, all others of a section."""

    TITLE = "title"
    DOCUMENT_SUMMARY = "document-summary"
    SUMMARY = "summary"
    NEIGHBOURS = "neighbours"
    QUESTIONS = "questions"
    KEYWORDS = "keywords"
    ENTITIES = "entities"
    OBLIGATIONS = "obligations"


DOCUMENT_KINDS = frozenset({Kind.TITLE, Kind.DOCUMENT_SUMMARY})
SECTION_KINDS = frozenset(Kind) - DOCUMENT_KINDS


class EntityType(StrEnum):
    """What an entity is: a deadline is when something is due, a period how long something lasts."""

    ROLE = "role"
    SYSTEM = "system"
    LAW = "law"
    AMOUNT = "amount"
    DEADLINE = "deadline"
    PERIOD = "period"
    DATE = "date"


class Force(StrEnum):
    """Whether something must be done or must not."""

    MUST = "must"
    MUST_NOT = "must-not"


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that a section names: `text` is the section's text from `start` to `end`, blanks made one."""

    type: EntityType
    text: str
    start: Offset
    end: Offset


@dataclass(frozen=True, slots=True)
class Obligation:
    """Who must, or must not, do what, and by when.

    Attributes:
        who: as the section says it; "" where it does not say.
        force: must or must not.
        what: what is to be done or left.
        when: the deadline or occasion in the section's words; "" where there is none.
        start: where the sentence that says so begins in the section's text.
        end: one past its end.
    """

    who: str
    force: Force
    what: str
    when: str
    start: Offset
    end: Offset


class _Stored:
    """A record that is kept as JSON."""

    __slots__ = ()

    def to_json(self) -> dict[str, Any]:
        """A JSON object, without what is None or empty by default."""
        kind: Any = type(self)  # mypy takes no class for hashable
        value: dict[str, Any] = _adapter(kind).dump_python(self, mode="json", exclude_defaults=True)
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """What `to_json` gave.

        Raises:
            MetadataError: it is something else.

        >>> SectionMetadata.from_json(SectionMetadata("4.2", keywords=("leave",)).to_json()).keywords
        ('leave',)
        """
        kind: Any = cls
        try:
            record: Self = _adapter(kind).validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            reason = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            raise MetadataError(
                f"stored metadata cannot be read ({reason}): run `policy-rag ingest` again with --metadata"
            ) from error
        return record


@cache
def _adapter(record: Any) -> TypeAdapter[Any]:
    return TypeAdapter(record)


@dataclass(frozen=True, slots=True)
class SectionMetadata(_Stored):
    """What was extracted from one section.

    Attributes:
        section_id: which section of its document.
        summary: of the section.
        previous_summary: of the nearest section before it that has a summary; "" for the first.
        next_summary: likewise after it.
        questions: that it answers, best first.
        keywords: in its own words, best first.
        entities: in order of `start`.
        obligations: in order of `start`.
        shortened: kinds for which only a part of the section could be read.
    """

    section_id: str
    summary: str | None = None
    previous_summary: str | None = None
    next_summary: str | None = None
    questions: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    entities: tuple[Entity, ...] | None = None
    obligations: tuple[Obligation, ...] | None = None
    shortened: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentMetadata(_Stored):
    """What was extracted from one document: `sections` has one record for each of its sections, in order."""

    doc_id: str
    title: str | None = None
    summary: str | None = None
    sections: tuple[SectionMetadata, ...] = ()
    shortened: tuple[Kind, ...] = ()
