"""The results of extraction: frozen, plain data, to JSON and back.

Text in them is data: one line, no control characters, of bounded length, never markup to be rendered.
A kind that was not asked for, or could not be extracted, is None; a kind that found nothing is `()` or `""`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from policy_rag_parsers.errors import MetadataError

_T = TypeVar("_T")


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
    start: int
    end: int


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
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SectionMetadata:
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

    def to_json(self) -> dict[str, Any]:
        """A JSON object, without what is None or empty by default."""
        value: dict[str, Any] = {"section_id": self.section_id}
        for name in ("summary", "previous_summary", "next_summary"):
            if getattr(self, name) is not None:
                value[name] = getattr(self, name)
        for name in ("questions", "keywords"):
            if getattr(self, name) is not None:
                value[name] = list(getattr(self, name))
        if self.entities is not None:
            value["entities"] = [
                {"type": e.type.value, "text": e.text, "start": e.start, "end": e.end} for e in self.entities
            ]
        if self.obligations is not None:
            value["obligations"] = [
                {"who": o.who, "force": o.force.value, "what": o.what, "when": o.when, "start": o.start, "end": o.end}
                for o in self.obligations
            ]
        if self.shortened:
            value["shortened"] = [kind.value for kind in self.shortened]
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "SectionMetadata":
        """What `to_json` gave.

        Raises:
            MetadataError: it is something else.

        >>> SectionMetadata.from_json(SectionMetadata("4.2", keywords=("leave",)).to_json()).keywords
        ('leave',)
        """
        with _reading(value):
            return cls(
                section_id=_text(value["section_id"]),
                summary=_optional(value, "summary", _text),
                previous_summary=_optional(value, "previous_summary", _text),
                next_summary=_optional(value, "next_summary", _text),
                questions=_optional(value, "questions", _texts),
                keywords=_optional(value, "keywords", _texts),
                entities=_optional(value, "entities", lambda found: tuple(_entity(e) for e in found)),
                obligations=_optional(value, "obligations", lambda found: tuple(_obligation(o) for o in found)),
                shortened=tuple(Kind(kind) for kind in value.get("shortened", ())),
            )


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """What was extracted from one document: `sections` has one record for each of its sections, in order."""

    doc_id: str
    title: str | None = None
    summary: str | None = None
    sections: tuple[SectionMetadata, ...] = ()
    shortened: tuple[Kind, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A JSON object, without what is None or empty by default."""
        value: dict[str, Any] = {"doc_id": self.doc_id, "sections": [section.to_json() for section in self.sections]}
        if self.title is not None:
            value["title"] = self.title
        if self.summary is not None:
            value["summary"] = self.summary
        if self.shortened:
            value["shortened"] = [kind.value for kind in self.shortened]
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "DocumentMetadata":
        """What `to_json` gave.

        Raises:
            MetadataError: it is something else.
        """
        with _reading(value):
            return cls(
                doc_id=_text(value["doc_id"]),
                title=_optional(value, "title", _text),
                summary=_optional(value, "summary", _text),
                sections=tuple(SectionMetadata.from_json(section) for section in value["sections"]),
                shortened=tuple(Kind(kind) for kind in value.get("shortened", ())),
            )


class _reading:  # noqa: N801 - a context manager that reads as a phrase
    """Turns what malformed JSON causes into one error."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, KeyError | TypeError | ValueError | AttributeError):
            reason = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
            raise MetadataError(
                f"stored metadata cannot be read ({reason}): run `policy-rag ingest` again with --metadata"
            ) from error


def _optional(value: Mapping[str, Any], name: str, read: Callable[[Any], _T]) -> _T | None:
    return read(value[name]) if value.get(name) is not None else None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _place(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError(f"{value!r} is no place in a text")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"{value!r} is no list")
    return tuple(_text(item) for item in value)


def _entity(value: Mapping[str, Any]) -> Entity:
    return Entity(EntityType(value["type"]), _text(value["text"]), _place(value["start"]), _place(value["end"]))


def _obligation(value: Mapping[str, Any]) -> Obligation:
    return Obligation(
        _text(value["who"]),
        Force(value["force"]),
        _text(value["what"]),
        _text(value["when"]),
        _place(value["start"]),
        _place(value["end"]),
    )
