"""JSON out of what a model wrote around it: fences, preambles, half a reply, quotes of Python, a list for an object."""

import ast
import json
import re
from typing import Any

from policy_rag_parsers.llm_text import without_thinking

_FENCE = re.compile(r"```(?:json|JSON)?\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
# Nobody writes this many brackets before the JSON; a reply that does is not searched to its end.
_MOST_STARTS = 50
_LONGEST = 200_000


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
    bodies = [match[1] for match in _FENCE.finditer(text)] + [text]
    for read in (_embedded, _lenient, _unfinished):
        for body in bodies:
            found = read(body)
            if found is not None:
                return found, True
    raise ValueError("no JSON")


def _starts(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]


def _embedded(text: str) -> Any:
    """The first object or list that stands in the text as it should."""
    decoder = json.JSONDecoder()
    for start in _starts(text):
        try:
            value, _ = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if _holds_something(value):
            return value
    return None


def _holds_something(value: Any) -> bool:
    """Whether a value may be the reply: "[1]" in a preamble is not."""
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and (not value or any(isinstance(item, str | dict) for item in value))


def _lenient(text: str) -> Any:
    """With trailing commas, or as Python would write it."""
    for start in _starts(text)[:5]:
        end = max(text.rfind("}"), text.rfind("]")) + 1
        body = _TRAILING_COMMA.sub("", text[start:end])
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(body)
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
            if _holds_something(value):
                return value
    return None


def _unfinished(text: str) -> Any:
    """A reply that was cut: closed after its last whole item."""
    start = next(iter(_starts(text)), None)
    if start is None:
        return None
    body = text[start:]
    for end in _item_ends(body)[::-1][:_MOST_STARTS]:
        try:
            value = json.loads(body[:end] + _closing(body[:end]))
        except (ValueError, RecursionError):
            continue
        if _holds_something(value):
            return value
    return None


def _item_ends(body: str) -> list[int]:
    """One past each closing quote, bracket or brace outside of strings."""
    ends: list[int] = []
    inside = escaped = False
    for at, char in enumerate(body):
        if inside:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == '"':
                inside = False
                ends.append(at + 1)
        elif char == '"':
            inside = True
        elif char in "]}":
            ends.append(at + 1)
    return ends


def _closing(body: str) -> str:
    """The brackets and braces that are open at the end of `body`, closed."""
    open_: list[str] = []
    inside = escaped = False
    for char in body:
        if inside:
            inside, escaped = (char != '"' or escaped), char == "\\" and not escaped
        elif char == '"':
            inside = True
        elif char in "{[":
            open_.append("}" if char == "{" else "]")
        elif char in "}]" and open_:
            open_.pop()
    return "".join(reversed(open_))
