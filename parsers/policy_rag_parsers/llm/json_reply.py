"""JSON out of what a model wrote around it: thinking, fences, preambles, half a reply, quotes of Python.

A reply without JSON is an error, never a guess.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from policy_rag_parsers.llm.tokens import without_thinking

_FENCE = re.compile(r"```(?:json|JSON)?\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_MOST_STARTS = 8  # nobody writes this many brackets before the JSON; a reply that does is not searched to its end
_LONGEST = 200_000
_LONGEST_REPAIRED = 50_000


def read_json(reply: str) -> tuple[Any, bool]:
    r"""The JSON value in a reply, and whether it had to be repaired.

    Repaired are: text before and after it, code fences, trailing commas, Python's quotes and constants, an end that is
    missing (whole items are kept).

    Raises:
        ValueError: there is none.

    >>> read_json('Sure!\n```json\n{"questions": ["Why?",]}\n```')
    ({'questions': ['Why?']}, True)
    >>> read_json('{"questions": ["Why?", "Wh')
    ({'questions': ['Why?']}, True)
    """
    text = without_thinking(reply[:_LONGEST]).strip().lstrip("\ufeff")
    try:
        return json.loads(text), False
    except ValueError:
        pass  # read on below
    except RecursionError:
        raise ValueError("nested too deep") from None
    text = text[:_LONGEST_REPAIRED]
    for body in [match[1] for match in _FENCE.finditer(text)] + [text]:
        # Outer brackets before inner ones: of a cut object the object, not the first list in it.
        for match in list(re.finditer(r"[{\[]", body))[:_MOST_STARTS]:
            for read in (_first_value, _mended, _whole_items):
                found = read(body[match.start() :])
                if _holds_something(found):
                    return found, True
    raise ValueError("no JSON")


def json_objects(text: str) -> Iterator[tuple[Any, str]]:
    """The outermost well-formed JSON objects in a text, in order, each with its source text.

    >>> [value for value, _ in json_objects('First {"a": 1}, then {"b": {"c": 2}}.')]
    [{'a': 1}, {'b': {'c': 2}}]
    """
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            end = at + 1
        else:
            yield value, text[at:end]
        at = text.find("{", end)


def _holds_something(value: Any) -> bool:
    """Whether a value may be the reply: "[1]" in a preamble is not."""
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and all(isinstance(item, str | dict) for item in value)


def _first_value(text: str) -> Any:
    """The object or list with which a text begins."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _mended(text: str) -> Any:
    """A reply that ends, with trailing commas or as Python would write it."""
    import json_repair

    end = text.rfind("}" if text[0] == "{" else "]") + 1
    try:
        return json_repair.loads(text[:end], skip_json_loads=True) if end else None
    except (ValueError, RecursionError):
        return None


def _whole_items(text: str) -> Any:
    """A reply that was cut: closed after its last whole item."""
    from pydantic_core import from_json

    try:
        return from_json(text, allow_partial=True) or None
    except ValueError:
        return None
