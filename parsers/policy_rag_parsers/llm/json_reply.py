"""JSON out of what a model wrote around it: fences, preambles, half a reply, quotes of Python, a list for an object."""

import ast
import json
import re
from typing import Any

from policy_rag_parsers.llm.tokens import without_thinking

_FENCE = re.compile(r"```(?:json|JSON)?\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(?=\s*[}\]])")
# Nobody writes this many brackets before the JSON; a reply that does is not searched to its end.
_MOST_STARTS = 8
_MOST_ENDS = 8
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
    bodies = [match[1] for match in _FENCE.finditer(text)] + [text]
    for body in bodies:
        # Outer brackets before inner ones: of a cut object the object, not the first list in it.
        for start in _starts(body):
            for read in (_embedded, _lenient, _unfinished):
                found = read(body[start:])
                if _holds_something(found):
                    return found, True
    raise ValueError("no JSON")


def _starts(text: str) -> list[int]:
    return [match.start() for match in re.finditer(r"[{\[]", text)][:_MOST_STARTS]


def _embedded(text: str) -> Any:
    """The object or list with which a text begins."""
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def _holds_something(value: Any) -> bool:
    """Whether a value may be the reply: "[1]" in a preamble is not."""
    if isinstance(value, dict):
        return True
    return isinstance(value, list) and all(isinstance(item, str | dict) for item in value)


def _lenient(text: str) -> Any:
    """With trailing commas, or as Python would write it."""
    end = max(text.rfind("}"), text.rfind("]")) + 1
    body = _TRAILING_COMMA.sub("", text[:end])
    # Python warns of escapes that it does not know, and a reply is no code of ours.
    for read in (json.loads,) if "\\" in body else (json.loads, ast.literal_eval):
        try:
            return read(body)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
    return None


def _unfinished(text: str) -> Any:
    """A reply that was cut: closed after its last whole item."""
    for end in _item_ends(text)[::-1][:_MOST_ENDS]:
        try:
            return json.loads(text[:end] + _closing(text[:end]))
        except (ValueError, RecursionError):
            continue
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
