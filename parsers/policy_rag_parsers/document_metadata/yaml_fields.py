"""A YAML mapping read with care: each value as it means and as it was written.

PyYAML alone would make 1.1 of a version 1.10, keep the last of two `access` keys without a word, and lose the line of
a mistake.
"""

import datetime as dt
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import yaml

from policy_rag_parsers.errors import DeclarationError

Scalar = str | int | float | bool | dt.date
"""What a single value may be."""

_LONGEST_SHOWN: Final = 80  # characters of a value in a message
_TEXT: Final = "tag:yaml.org,2002:str"
_NULL: Final = "tag:yaml.org,2002:null"
_KINDS: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("int", "float", "bool", "timestamp"))


# YAML 1.1 also takes "010" for 8, "12:30" for 750 and "NO" for false: in a policy's data these are texts.
_NUMBER: Final = re.compile(r"[-+]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?")
_TRUTH: Final = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})


@dataclass(frozen=True, slots=True)
class Field:
    """The value of a key.

    Attributes:
        key: as written.
        line: on which the key stands, from 1, counted in the whole file.
        value: the value; a tuple of texts for a list, each as written; None where it is empty. What is nested deeper
            is kept as the YAML text that was written.
        text: a single value as it was written; "" for lists and empty values.
        nested: whether the value is a mapping, or a list with lists or mappings in it.
    """

    key: str
    line: int
    value: Scalar | tuple[str, ...] | None
    text: str = ""
    nested: bool = False


def read_fields(text: str, where: str, first_line: int = 1) -> Mapping[str, Field]:
    """Read a YAML mapping.

    Args:
        text: YAML.
        where: the file's name, for messages.
        first_line: the line of the file on which `text` begins.

    Returns:
        Its fields by key, in the order of the file; none for empty YAML.

    Raises:
        DeclarationError: the YAML is malformed, no mapping, or names a key twice.
    """
    node = _compose(text, where, first_line)
    return {} if node is None else _mapping(node, text, where, first_line)


def read_entries(text: str, where: str) -> Mapping[str, Mapping[str, Field]]:
    """Read a YAML mapping of mappings.

    Raises:
        DeclarationError: as for `read_fields`, or a value is no mapping.
    """
    node = _compose(text, where, 1)
    if node is None:
        return {}
    entries: dict[str, Mapping[str, Field]] = {}
    for key, line, value in _pairs(node, where, 1):
        if not isinstance(value, yaml.MappingNode):
            raise DeclarationError(f"{where}, line {line}: {key!r} needs keys under it, such as `title: ...`")
        entries[key] = _mapping(value, text, where, 1)
    return entries


def _compose(text: str, where: str, first_line: int) -> yaml.Node | None:
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark is not None else 0)
        problem = " ".join(str(getattr(error, "problem", None) or error).split())
        raise DeclarationError(f"{where}, line {line}: not valid YAML ({problem}); mend that line") from error
    except RecursionError as error:
        raise DeclarationError(
            f"{where}, line {first_line}: the YAML is nested too deeply; write plain keys"
        ) from error
    return None if node is None or (isinstance(node, yaml.ScalarNode) and node.tag == _NULL) else node


def _mapping(node: yaml.Node, text: str, where: str, first_line: int) -> dict[str, Field]:
    return {key: _field(key, line, value, text, where) for key, line, value in _pairs(node, where, first_line)}


def _pairs(node: yaml.Node, where: str, first_line: int) -> list[tuple[str, int, yaml.Node]]:
    if not isinstance(node, yaml.MappingNode):
        line = first_line + node.start_mark.line
        raise DeclarationError(f"{where}, line {line}: expected `key: value` lines, found something else")
    pairs: list[tuple[str, int, yaml.Node]] = []
    seen: dict[str, int] = {}
    for key, value in node.value:
        line = first_line + key.start_mark.line
        if not isinstance(key, yaml.ScalarNode):
            raise DeclarationError(f"{where}, line {line}: a key must be plain text")
        if key.value == "<<":
            raise DeclarationError(f"{where}, line {line}: `<<` is not followed; write the keys out")
        if key.value in seen:
            raise DeclarationError(f"{where}, line {line}: {key.value!r} stands on line {seen[key.value]} already")
        seen[key.value] = line
        pairs.append((key.value, line, value))
    return pairs


def _field(key: str, line: int, node: yaml.Node, text: str, where: str) -> Field:
    if isinstance(node, yaml.ScalarNode):
        if node.tag == _NULL:
            return Field(key, line, None)
        return Field(key, line, _scalar(node, where, line), node.value)
    if isinstance(node, yaml.SequenceNode) and all(isinstance(item, yaml.ScalarNode) for item in node.value):
        return Field(key, line, tuple(item.value for item in node.value))
    written = text[node.start_mark.index : node.end_mark.index].strip()
    return Field(key, line, written, written, nested=True)


def _scalar(node: yaml.ScalarNode, where: str, line: int) -> Scalar:
    """The meaning of a single value: a number, a truth value, a day; else its text."""
    if node.tag == _TEXT:
        return str(node.value)
    if node.tag not in _KINDS:
        raise DeclarationError(f"{where}, line {line}: the tag {node.tag} is not allowed; write a plain value")
    try:
        value = yaml.SafeLoader("").construct_object(node)
    except (ValueError, OverflowError, yaml.YAMLError) as error:
        written = node.value if len(node.value) <= _LONGEST_SHOWN else f"{node.value[:_LONGEST_SHOWN]}..."
        raise DeclarationError(f"{where}, line {line}: {written!r} is no valid value ({str(error)[:200]})") from error
    if isinstance(value, bool):
        return value if node.value in _TRUTH else str(node.value)
    if isinstance(value, int | float):
        plain = _NUMBER.fullmatch(node.value) is not None and math.isfinite(value)
        return value if plain else str(node.value)
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    return str(node.value)
