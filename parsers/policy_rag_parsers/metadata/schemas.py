"""The JSON that an LLM is asked for, one schema a kind."""

from collections.abc import Mapping
from typing import Any

from policy_rag_parsers.metadata.extraction_results import EntityType, Force, Kind


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(item: Mapping[str, Any], most: int) -> dict[str, Any]:
    return {"type": "array", "items": dict(item), "maxItems": most}


_TEXT = {"type": "string"}

# Neighbours are the summaries of other sections, and are never asked for.
SCHEMAS: Mapping[Kind, Mapping[str, Any]] = {
    Kind.TITLE: _object(title=_TEXT),
    Kind.DOCUMENT_SUMMARY: _object(summary=_TEXT),
    Kind.SUMMARY: _object(summary=_TEXT),
    Kind.QUESTIONS: _object(questions=_list(_TEXT, 5)),
    Kind.KEYWORDS: _object(keywords=_list(_TEXT, 8)),
    Kind.ENTITIES: _object(
        entities=_list(_object(type={"type": "string", "enum": [t.value for t in EntityType]}, text=_TEXT), 40)
    ),
    Kind.OBLIGATIONS: _object(
        obligations=_list(
            _object(who=_TEXT, force={"type": "string", "enum": [f.value for f in Force]}, what=_TEXT, when=_TEXT), 30
        )
    ),
}


def field_of(kind: Kind) -> str:
    """The one property of a kind's object.

    >>> field_of(Kind.DOCUMENT_SUMMARY)
    'summary'
    """
    return str(next(iter(SCHEMAS[kind]["properties"])))
